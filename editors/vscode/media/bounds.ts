// The limits of a schema, in words.
import type { Json, Schema } from '../src/protocol';
import { asText } from './field';

/** Returns the limits of a value besides its type. */
export function boundHints(schema: Schema): string[] {
  return [
    rangeHint(schema.minimum, schema.maximum),
    schema.exclusiveMinimum === undefined ? '' : `more than ${asText(schema.exclusiveMinimum)}`,
    schema.exclusiveMaximum === undefined ? '' : `less than ${asText(schema.exclusiveMaximum)}`,
    schema.multipleOf === undefined ? '' : `a multiple of ${asText(schema.multipleOf)}`,
    rangeHint(schema.minLength, schema.maxLength, ' characters'),
    schema.pattern === undefined ? '' : `fits ${schema.pattern}`,
    rangeHint(schema.minItems, schema.maxItems, ' items'),
  ].filter(Boolean);
}

function rangeHint(least: Json | undefined, most: Json | undefined, of = ''): string {
  const one = (bound: Json) => `${asText(bound)}${bound === 1 ? of.replace(/s$/, '') : of}`;
  if (least === undefined || most === undefined) {
    return least !== undefined ? `at least ${one(least)}` : most !== undefined ? `at most ${one(most)}` : '';
  }
  return `${asText(least)} to ${asText(most)}${of}`;
}
