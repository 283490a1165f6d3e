// References within a JSON Schema.
import type { Schema } from './protocol';

/** What a reference within the schema names: `#/$defs/NAME`. */
export function pointed(root: Schema, ref: string): Schema | undefined {
  if (!ref.startsWith('#/')) {
    return undefined;
  }
  const names = ref.slice(2).split('/').map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  let at: unknown = root;
  for (const name of names) {
    at = at !== null && typeof at === 'object' && Object.hasOwn(at, name) ? (at as { [name: string]: unknown })[name] : undefined;
  }
  return at !== null && typeof at === 'object' ? (at as Schema) : undefined;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a sign of percent as it is
  }
}
