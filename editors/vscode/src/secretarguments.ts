// Which arguments are secrets, by their schema. A form neither shows nor remembers
// them.
import type { Json, Schema } from './protocol';
import { resolveReference } from './reference';

/** Returns the arguments without those that are secret, or contain a secret. */
export function withoutSecrets(args: { [name: string]: Json }, schema: Schema): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => !containsSecret(value, subschemas(schema, name), schema)));
}

/** Returns those arguments of a past run whose exact values are known. In the others the server has
 * masked a secret, or personal data. */
export function withoutMasked(args: { [name: string]: Json }): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => !JSON.stringify(value).includes('••••(')));
}

/** Reports whether a schema says that its value must not be shown. */
export function isSecret({ format, writeOnly }: Schema): boolean {
  return format === 'password' || writeOnly === true;
}

/** Reports whether a part of a value is secret by one of its schemas. */
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

/** Returns the schemas of a property, or of the items. */
function subschemas({ properties, items, additionalProperties }: Schema, name?: string): Schema[] {
  const named = name !== undefined && properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const found = name === undefined ? items : (named ?? additionalProperties);
  return typeof found === 'object' ? [found] : [];
}

/** Returns schemas with their references and parts, each once: some refer to each other, and
 * following each path would give millions. */
function expandSchemas(schemas: Schema[], root: Schema): Schema[] {
  const all = new Set(schemas);
  for (const { $ref, anyOf, oneOf, allOf } of all) { // including those that are added meanwhile
    const target = $ref === undefined ? undefined : resolveReference(root, $ref);
    for (const part of [...(target ? [target] : []), ...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])]) {
      all.add(part);
    }
  }
  return [...all];
}
