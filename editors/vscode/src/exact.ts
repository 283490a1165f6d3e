// Exact numbers: JSON.parse would change 9007199254740993 and 10.50. Such a number becomes
// a text with a mark, and is written as the same number again.
const mark = '\uE000'; // a private character that no message contains

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const colon = /\s*:/y;
const surelyExact = 15; // digits of a whole number
const marked = new RegExp(`"${mark}(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"`, 'g');

/** Returns a number, or the marked text if JavaScript does not have exactly this number. */
export function exactNumber(written: string): number | string {
  return String(Number(written)) === written ? Number(written) : mark + written;
}

/** Returns the text of a number from exactNumber; undefined for any other value. */
export function exactText(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : undefined;
}

/** Parses JSON like JSON.parse, but keeps every digit of a number. It reads an answer of 10 MB in a fraction of a second. */
export function parse(text: string): unknown {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const start = at++;
    if (text[start] === '"') {
      at = stringEnd(text, start);
    } else if (isNumeric(text.charCodeAt(start))) {
      while (isNumeric(text.charCodeAt(at))) {
        at++;
      }
      const exact = inexactAsText(text.slice(start, at));
      colon.lastIndex = at;
      if (exact !== undefined && !colon.test(text)) { // a number is not a name
        parts.push(text.slice(copied, start), exact);
        copied = at;
      }
    }
  }
  return JSON.parse(copied === 0 ? text : parts.join('') + text.slice(copied));
}

/** Returns the end of the text in quotation marks that begins at an index. */
function stringEnd(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end < 0) {
      return text.length;
    }
    let escapes = end;
    while (text[escapes - 1] === '\\') {
      escapes--;
    }
    if ((end - escapes) % 2 === 0) {
      return end + 1;
    }
  }
}

/** Reports whether a character may be a part of a number: + - . 0-9 E e. */
function isNumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || code === 69 || code === 101;
}

/** Returns a number of JSON as the JSON of a marked text, if JavaScript does not have exactly this number. */
function inexactAsText(written: string): string | undefined {
  if ((written.length <= surelyExact && /^(?!-0)-?\d+$/.test(written)) || !number.test(written)) {
    return undefined; // what is no number is an error of JSON.parse
  }
  const exact = exactNumber(written);
  return typeof exact === 'string' ? JSON.stringify(exact) : undefined;
}

/** Writes a value from parse as JSON. */
export function stringify(value: unknown, step?: number): string {
  return (JSON.stringify(value, null, step) ?? 'null').replace(marked, '$1');
}

const growth = 3; // white space for each letter of a value in one line
const spareRoom = 16 * 1024; // and for any value

/**
 * Returns a value as JSON with each part on a line of its own, as long as this makes it at most
 * about four times as long. Below the depth where it would grow more, the parts share one line.
 */
export function indentJSON(value: unknown, step = 2): string {
  const costs: number[] = [];
  addCosts(value, 0, step, costs);
  let room = spareRoom + growth * stringify(value).length;
  const levels = costs.findIndex((cost) => (room -= cost) < 0);
  return levels < 0 ? stringify(value, step) : indentLevels(value, levels, step, '\n');
}

/** Adds up, for each level, the white space of its lines. */
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

/** Reports whether a value is a text of several lines. */
export function hasLines(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\n');
}

/** Returns a value as the text of a document. */
export function documentText(value: unknown): string {
  return hasLines(value) ? value : indentJSON(value);
}

const deepestLevel = 500; // JSON.stringify, also VS Code's, fails at some thousand levels

/** Reports whether a value is nested too deeply to be sent to a page. */
export function isTooDeep(value: unknown, levels = deepestLevel): boolean {
  return value !== null && typeof value === 'object' && (levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1)));
}

/** Returns a value with … instead of parts that are too deep to be sent. */
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
