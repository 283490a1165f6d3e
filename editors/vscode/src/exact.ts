// Numbers as they were written: 9007199254740993 and 10.50 would come out of
// JSON.parse as others. Such a number is carried as a text with a mark, and goes back
// as the number that it was.
const mark = '\uE000'; // of no script, and in no message

const tokens = /"|\\.|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/gs; // a number is no name
const marked = new RegExp(`"${mark}(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"`, 'g');

/** A number, or the mark with what was written where JavaScript has no such number. */
export function exactNumber(written: string): number | string {
  return String(Number(written)) === written ? Number(written) : mark + written;
}

/** What was written, of a value that exact gave; undefined of any other. */
export function exactText(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : undefined;
}

/** JSON.parse that loses nothing of a number. */
export function parse(text: string): unknown {
  let inside = false; // a text
  const read = (token: string) => {
    inside = inside !== (token === '"');
    return inside || /["\\]/.test(token) ? token : JSON.stringify(exactNumber(token));
  };
  return JSON.parse(text.replace(tokens, read));
}

/** JSON.stringify of what parse gave. */
export function stringify(value: unknown, step?: number): string {
  return (JSON.stringify(value, null, step) ?? 'null').replace(marked, '$1');
}

const growth = 3; // white space for each letter of a value in one line
const spareRoom = 16 * 1024; // and for any value

/**
 * A value with its parts on lines of their own, as long as that makes it no more than
 * about four times as long: below the depth where it would, they are in one line.
 */
export function indentJSON(value: unknown, step = 2): string {
  const costs: number[] = [];
  addCosts(value, 0, step, costs);
  let room = spareRoom + growth * stringify(value).length;
  const levels = costs.findIndex((cost) => (room -= cost) < 0);
  return levels < 0 ? stringify(value, step) : indentLevels(value, levels, step, '\n');
}

/** Adds up, level by level, what white space takes where it has lines. */
function addCosts(value: unknown, level: number, step: number, costs: number[]): void {
  const parts = value !== null && typeof value === 'object' ? Object.values(value) : [];
  if (parts.length > 0) {
    costs[level] = (costs[level] ?? 0) + parts.length * (2 + step * (level + 1)) + 1 + step * level;
    parts.forEach((part) => addCosts(part, level + 1, step, costs));
  }
}

function indentLevels(value: unknown, levels: number, step: number, end: string): string {
  if (levels === 0 || value === null || typeof value !== 'object' || Object.keys(value).length === 0) {
    return stringify(value);
  }
  const next = end + ' '.repeat(step);
  const part = (of: unknown) => indentLevels(of, levels - 1, step, next);
  if (Array.isArray(value)) {
    return `[${next}${value.map(part).join(`,${next}`)}${end}]`;
  }
  return `{${next}${Object.entries(value).map(([name, of]) => `${JSON.stringify(name)}: ${part(of)}`).join(`,${next}`)}${end}}`;
}

/** Whether a value is a text of several lines, which are read as such. */
export function hasLines(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\n');
}

/** A value as a document. */
export function documentText(value: unknown): string {
  return hasLines(value) ? value : indentJSON(value);
}

const deepestLevel = 500; // levels: at some thousands JSON.stringify gives up, VS Code's too

/** Whether a value is nested more deeply than can be sent to a page. */
export function isTooDeep(value: unknown, levels = deepestLevel): boolean {
  return value !== null && typeof value === 'object' && (levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1)));
}

/** A value as deep as can be sent, with marks for what is below. */
export function cutDeepParts<T>(value: T, levels = deepestLevel): T {
  if (value === null || typeof value !== 'object') {
    return value;
  }
  if (levels === 0) {
    return '…' as T;
  }
  const below = (part: unknown) => cutDeepParts(part, levels - 1);
  return (Array.isArray(value) ? value.map(below) : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, below(part)]))) as T;
}
