// A bar chart of numbers: of a list of them, of an object's, or of rows with a name
// and a number. Each bar can be read as text, and all that no bar shows below them.
import { exactText } from '../src/exact';
import type { Json } from '../src/protocol';
import { appendInPieces, element } from './dom';

interface Bar {
  name: string;
  text: string; // the number as it was written
}

/** The bars of a value; none where it has no number. */
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

/** How long a bar is. One beyond all numbers is as long as any. */
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

/** A row is called by its first text, else by its place. */
function barOf(item: Json, place: string): Bar[] {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) {
    return [];
  }
  const values = Object.values(item);
  const name = values.find((v) => typeof v === 'string' && exactText(v) === undefined);
  const columns = Object.entries(item).filter(([, v]) => bar('', v).length > 0);
  const column = columns.find(([title]) => !/(^|_)id$/i.test(title)) ?? columns[0]; // an id measures nothing
  return column ? bar(String(name ?? place), column[1]) : [];
}

function bar(name: string, value: Json): Bar[] {
  const text = exactText(value) ?? (typeof value === 'number' ? String(value) : undefined);
  return text === undefined ? [] : [{ name, text }];
}
