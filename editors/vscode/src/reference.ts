// References inside a JSON Schema.
import type { Schema } from './protocol';

/** Returns the target of a reference inside the schema: `#/$defs/NAME`, `#ANCHOR`, or `#` for the whole. */
export function resolveReference(root: Schema, ref: string): Schema | undefined {
  if (ref === '#') {
    return root;
  }
  if (!ref.startsWith('#/')) {
    return ref.startsWith('#') ? findAnchor(root, decodeName(ref.slice(1))) : undefined;
  }
  const names = ref.slice(2).split('/').map((name) => decodeName(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  let at: unknown = root;
  for (const name of names) {
    at = at !== null && typeof at === 'object' && Object.hasOwn(at, name) ? (at as { [name: string]: unknown })[name] : undefined;
  }
  return at !== null && typeof at === 'object' ? (at as Schema) : undefined;
}

/** Returns the part of a schema that has this `$anchor`. */
function findAnchor(root: Schema, name: string): Schema | undefined {
  const parts: unknown[] = [root];
  for (const part of parts) { // including those that are added meanwhile
    if (part !== null && typeof part === 'object') {
      if ((part as { $anchor?: unknown }).$anchor === name) {
        return part as Schema;
      }
      parts.push(...Object.values(part));
    }
  }
  return undefined;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a plain percent sign
  }
}
