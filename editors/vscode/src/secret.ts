// Which arguments are secrets, as their schema says: a form shows none of them, and
// remembers none.
import { pointed } from './pointer';
import type { Json, Schema } from './protocol';

const deepest = 100; // references that lead to each other

/** The arguments without those that are secret, or hold one. */
export function withoutSecrets(args: { [name: string]: Json }, schema: Schema): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => !holds(value, said(schema, name), schema)));
}

/** The arguments of a past run that are known as they were: in the others the server has
 * put a mark where a secret, or personal data, was. */
export function unmarked(args: { [name: string]: Json }): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => !JSON.stringify(value).includes('••••(')));
}

/** Whether a schema says that its value is not to be seen. */
export function isSecret({ format, writeOnly }: Schema): boolean {
  return format === 'password' || writeOnly === true;
}

/** Whether something in a value is secret by one of its schemas. */
function holds(value: Json, schemas: Schema[], root: Schema): boolean {
  const all = schemas.flatMap((schema) => meanings(schema, root));
  if (all.some(isSecret)) {
    return true;
  }
  if (value === null || typeof value !== 'object') {
    return false;
  }
  return Object.entries(value).some(([name, part]) => holds(part, all.flatMap((one) => said(one, Array.isArray(value) ? undefined : name)), root));
}

/** What a schema says of a property, or of the items. */
function said({ properties, items, additionalProperties }: Schema, name?: string): Schema[] {
  const named = name !== undefined && properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const found = name === undefined ? items : (named ?? additionalProperties);
  return typeof found === 'object' ? [found] : [];
}

/** A schema, what it refers to, and what it is made of. */
function meanings(schema: Schema, root: Schema, depth = 0): Schema[] {
  if (depth > deepest) {
    return [];
  }
  const target = schema.$ref === undefined ? undefined : pointed(root, schema.$ref);
  const parts = [...(target ? [target] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...parts.flatMap((part) => meanings(part, root, depth + 1))];
}
