// Numbers as they were written: 9007199254740993 and 10.50 would come out of
// JSON.parse as others. Such a number is carried as a text with a mark, and goes back
// as the number that it was.
const mark = '\uE000'; // of no script, and in no message

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
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
  return JSON.parse(text.replace(tokens, (token) => (token.startsWith('"') ? token : JSON.stringify(exact(token)))));
}

/** JSON.stringify of what parse gave. */
export function stringify(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replace(marked, '$1');
}
