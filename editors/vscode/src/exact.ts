// Numbers as they were written: 9007199254740993 and 10.50 would come out of
// JSON.parse as others. Such a number is carried as a text with a mark, and goes back
// as the number that it was.
const mark = '\uE000'; // of no script, and in no message

const tokens = /"|\\.|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/gs; // a number is no name
const marked = new RegExp(`"${mark}(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"`, 'g');

/** A number, or the mark with what was written where JavaScript has no such number. */
export function exact(written: string): number | string {
  return String(Number(written)) === written ? Number(written) : mark + written;
}

/** What was written, of a value that exact gave; undefined of any other. */
export function written(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : undefined;
}

/** JSON.parse that loses nothing of a number. */
export function parse(text: string): unknown {
  let inside = false; // a text
  const read = (token: string) => {
    inside = inside !== (token === '"');
    return inside || /["\\]/.test(token) ? token : JSON.stringify(exact(token));
  };
  return JSON.parse(text.replace(tokens, read));
}

/** JSON.stringify of what parse gave. */
export function stringify(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replace(marked, '$1');
}

/** Whether a value is a text of several lines, which are read as such. */
export function hasLines(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\n');
}

/** A value as a document. */
export function asDocument(value: unknown): string {
  return hasLines(value) ? value : stringify(value, 2);
}

const deepest = 500; // levels: at some thousands JSON.stringify gives up, VS Code's too

/** Whether a value is nested more deeply than can be sent to a page. */
export function isDeep(value: unknown, levels = deepest): boolean {
  return value !== null && typeof value === 'object' && (levels === 0 || Object.values(value).some((part) => isDeep(part, levels - 1)));
}

/** A value as deep as can be sent, with marks for what is below. */
export function cut<T>(value: T, levels = deepest): T {
  if (value === null || typeof value !== 'object') {
    return value;
  }
  if (levels === 0) {
    return '…' as T;
  }
  const below = (part: unknown) => cut(part, levels - 1);
  return (Array.isArray(value) ? value.map(below) : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, below(part)]))) as T;
}
