// Simplifies a JSON Schema for the form: references are resolved, null is removed from
// types, and parts are merged.
import type { Schema } from '../src/protocol';
import { resolveReference } from '../src/reference';

const maxReferences = 200; // references for one argument: some that contain each other would give millions

/** Returns the schema of all arguments with its references replaced by their targets. A
 * schema that contains itself remains a reference, whose value is typed as JSON. */
export function resolveReferences(schema: Schema): Schema {
  return { ...schema, properties: mapProperties(schema.properties, (property) => resolve(property, schema, [], { left: maxReferences })) };
}

function resolve(schema: Schema, root: Schema, from: string[], references: { left: number }): Schema {
  const to = schema.$ref;
  if (to !== undefined) {
    const found = from.includes(to) || references.left-- <= 0 ? undefined : resolveReference(root, to);
    return found ? { ...resolve(found, root, [...from, to], references), ...withoutReference(schema) } : {};
  }
  const inside = (one: Schema) => resolve(one, root, from, references);
  return {
    ...schema,
    ...(schema.properties && { properties: mapProperties(schema.properties, inside) }),
    ...(schema.items && { items: inside(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(inside) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(inside) }),
    ...(schema.allOf && { allOf: schema.allOf.map(inside) }),
  };
}

function withoutReference({ $ref: _, ...rest }: Schema): Schema {
  return rest;
}

function mapProperties(properties: { [name: string]: Schema } | undefined, change: (schema: Schema) => Schema): { [name: string]: Schema } {
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, property]) => [name, change(property)]));
}

/** Returns one schema for one field. */
export function simplify(schema: Schema): Schema {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const choices = (anyOf ?? oneOf ?? []).filter((one) => one.type !== 'null');
  if (choices.length > 0 && choices.every((one) => one.const !== undefined)) {
    return { ...rest, enum: choices.map((one) => one.const ?? null) };
  }
  if (choices.length === 1) {
    return simplify({ ...choices[0], ...rest });
  }
  if (choices.length > 1 && choices.every(isPlainType)) {
    return { ...rest, type: [...new Set(choices.map((one) => String(one.type)))] };
  }
  if (allOf && choices.length === 0) {
    return [...allOf.map(simplify), rest].reduce(merge);
  }
  return schema.const === undefined ? schema : { ...schema, enum: [schema.const] };
}

/** Reports whether null is allowed. */
export function allowsNull({ type, anyOf, oneOf }: Schema): boolean {
  return [type].flat().includes('null') || [...(anyOf ?? []), ...(oneOf ?? [])].some((one) => one.type === 'null');
}

/** Reports whether a schema is only a type. */
function isPlainType({ description: _, title: __, ...one }: Schema): boolean {
  return Object.keys(one).length === 1 && typeof one.type === 'string';
}

function merge(a: Schema, b: Schema): Schema {
  return { ...a, ...b, properties: { ...a.properties, ...b.properties }, required: [...(a.required ?? []), ...(b.required ?? [])] };
}
