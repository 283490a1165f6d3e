// Which arguments are secrets, as their schema says: a form shows none of them, and
// remembers none.
import type { Json, Schema } from './protocol';
import { resolveReference } from './reference';

/** The arguments without those that are secret, or hold one. */
export function withoutSecrets(args: { [name: string]: Json }, schema: Schema): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => !containsSecret(value, subschemas(schema, name), schema)));
}

/** The arguments of a past run that are known as they were: in the others the server has
 * put a mark where a secret, or personal data, was. */
export function withoutMasked(args: { [name: string]: Json }): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => !JSON.stringify(value).includes('••••(')));
}

/** Whether a schema says that its value is not to be seen. */
export function isSecret({ format, writeOnly }: Schema): boolean {
  return format === 'password' || writeOnly === true;
}

/** Whether something in a value is secret by one of its schemas. */
function containsSecret(value: Json, schemas: Schema[], root: Schema): boolean {
  const all = expandSchemas(schemas, root);
  if (all.some(isSecret)) {
    return true;
  }
  if (value === null || typeof value !== 'object') {
    return false;
  }
  return Object.entries(value).some(([name, part]) => containsSecret(part, all.flatMap((one) => subschemas(one, Array.isArray(value) ? undefined : name)), root));
}

/** What a schema says of a property, or of the items. */
function subschemas({ properties, items, additionalProperties }: Schema, name?: string): Schema[] {
  const named = name !== undefined && properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const found = name === undefined ? items : (named ?? additionalProperties);
  return typeof found === 'object' ? [found] : [];
}

/** Schemas, what they refer to, and what they are made of, each once: some lead to each
 * other, and two that do so twice would come to millions. */
function expandSchemas(schemas: Schema[], root: Schema): Schema[] {
  const all = new Set(schemas);
  for (const { $ref, anyOf, oneOf, allOf } of all) { // with those that come meanwhile
    const target = $ref === undefined ? undefined : resolveReference(root, $ref);
    for (const part of [...(target ? [target] : []), ...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])]) {
      all.add(part);
    }
  }
  return [...all];
}
