// A bar chart of numbers: of a list, of an object's values, or of rows with a name and a
// number. Each bar can be read as text.
import { exactText } from '../src/exact';
import type { Json } from '../src/protocol';
import { appendInPieces, element } from './dom';

interface Bar {
  name: string;
  text: string; // the number as written
}

/** Returns the bar chart of a value; undefined if it has no number. */
export function chart(value: Json): Node | undefined {
  const bars = barsOf(value);
  if (bars.length === 0) {
    return undefined;
  }
  const longest = bars.reduce((max, bar) => Math.max(max, barLength(bar)), Number.MIN_VALUE);
  const body = element('tbody');
  const more = appendInPieces(body, bars, (bar) => row(bar, longest));
  return element('div', { class: 'wide' }, element('table', { class: 'chart' }, body), ...more);
}

/** Returns the length of a bar. A number too large for JavaScript has the greatest length. */
function barLength({ text }: Bar): number {
  return Math.min(Math.abs(Number(text)), Number.MAX_VALUE);
}

function row(bar: Bar, most: number): HTMLElement {
  const drawn = element('meter', { min: '0', max: String(most), value: String(barLength(bar)), 'aria-hidden': 'true' });
  return element('tr', {}, element('th', { scope: 'row' }, bar.name), element('td', {}, drawn), element('td', {}, bar.text));
}

function barsOf(value: Json): Bar[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => [...bar(String(i + 1), item), ...barOf(item, String(i + 1))]);
  }
  if (value && typeof value === 'object') {
    const bars = Object.entries(value).flatMap(([name, item]) => bar(name, item));
    return bars.length > 0 ? bars : Object.values(value).flatMap((item) => (Array.isArray(item) ? barsOf(item) : []));
  }
  return [];
}

/** Returns the bar of a row. Its name is the row's first text, else the row's number. */
function barOf(item: Json, place: string): Bar[] {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) {
    return [];
  }
  const values = Object.values(item);
  const name = values.find((v) => typeof v === 'string' && exactText(v) === undefined);
  const columns = Object.entries(item).filter(([, v]) => bar('', v).length > 0);
  const column = columns.find(([title]) => !/(^|_)id$/i.test(title)) ?? columns[0]; // an id is not a quantity
  return column ? bar(String(name ?? place), column[1]) : [];
}

function bar(name: string, value: Json): Bar[] {
  const text = exactText(value) ?? (typeof value === 'number' ? String(value) : undefined);
  return text === undefined ? [] : [{ name, text }];
}
