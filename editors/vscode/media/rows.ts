// The rows of a value that is a table, sorted and filtered.
import { exactText, stringify } from '../src/exact';
import type { Json } from '../src/protocol';

export type Row = { [column: string]: Json };

/** A value as a table. */
export interface Grid {
  columns: string[];
  rows: Row[];
  step(row: number, column: string): (string | number)[]; // the path of a cell in the value
}

// A table is not useful if there are more columns, or if rows have only few of them.
const maxColumns = 200;
const minFilled = 0.1;

/** Returns a value as a table: a list of objects, or an object with `columns` and `rows`; undefined if it is none. */
export function gridOf(value: Json): Grid | undefined {
  const named = namedRows(value);
  const rows = named?.rows ?? value;
  if (!isRows(rows)) {
    return undefined;
  }
  const columns = [...new Set([...(named?.columns ?? []), ...rows.flatMap((row) => Object.keys(row))])]; // names such as 7 would come first
  if (columns.length === 0) {
    return undefined;
  }
  const filled = rows.reduce((sum, row) => sum + Object.keys(row).length, 0);
  if (columns.length > maxColumns || filled < minFilled * columns.length * rows.length) {
    return undefined;
  }
  const step = (row: number, column: string) => (named ? ['rows', row, ...(named.isList(row) ? [named.columns.indexOf(column)] : [column])] : [row, column]);
  return { columns, rows, step };
}

function namedRows(value: Json): { columns: string[]; rows: Json; isList(row: number): boolean } | undefined {
  const grid = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const { columns, rows } = grid;
  if (Object.keys(grid).length !== 2 || !Array.isArray(columns) || !Array.isArray(rows) || !columns.every((name) => typeof name === 'string')) {
    return undefined;
  }
  const names = distinct(columns);
  const named = (row: Json) => (Array.isArray(row) ? Object.fromEntries(names.map((name, i) => [name, row[i] ?? null])) : row);
  return { columns: names, rows: rows.map(named), isList: (row) => Array.isArray(rows[row]) };
}

/** Returns names that differ: of equal ones the second one gets a number. */
function distinct(names: string[]): string[] {
  const found = new Set<string>();
  return names.map((name) => {
    let other = name;
    for (let i = 2; found.has(other); i++) {
      other = `${name} (${i})`;
    }
    found.add(other);
    return other;
  });
}

function isRows(value: Json): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => row !== null && typeof row === 'object' && !Array.isArray(row));
}

/** Returns a cell of a row; undefined if the row does not have it. A column may be called `constructor`. */
export function cellOf(row: Row, column: string): Json | undefined {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

export function cellText(value: Json | undefined): string {
  return value === undefined ? '' : (exactText(value) ?? (typeof value === 'string' ? value : stringify(value)));
}

export interface Order {
  column: string;
  descending: boolean;
}

/** Returns the places of the rows that have a text, in the order. */
export function arrange({ columns, rows }: Grid, wanted: RegExp | undefined, order: Order | undefined): number[] {
  const all = rows.map((_, i) => i);
  const kept = wanted ? all.filter((i) => columns.some((column) => wanted.test(cellText(cellOf(rows[i] as Row, column))))) : all;
  if (order === undefined) {
    return kept;
  }
  const keys = new Map(kept.map((i) => [i, sortKey(cellOf(rows[i] as Row, order.column))]));
  const direction = order.descending ? -1 : 1;
  return kept.sort((a, b) => compare(keys.get(a) as SortKey, keys.get(b) as SortKey, direction) || a - b);
}

/** Numbers come before texts, and what is absent comes last in both directions. */
interface SortKey {
  rank: number;
  number: number;
  text: string;
}

function sortKey(value: Json | undefined): SortKey {
  const text = cellText(value);
  if (value === undefined || value === null || text === '') {
    return { rank: 2, number: 0, text: '' };
  }
  const number = typeof value === 'number' || exactText(value) !== undefined ? Number(text) : NaN;
  return Number.isNaN(number) ? { rank: 1, number: 0, text } : { rank: 0, number, text };
}

const collator = new Intl.Collator(undefined, { numeric: true });

function compare(a: SortKey, b: SortKey, direction: number): number {
  if (a.rank !== b.rank) {
    return a.rank === 2 || b.rank === 2 ? a.rank - b.rank : direction * (a.rank - b.rank);
  }
  return direction * (a.rank === 0 ? compareNumbers(a, b) : collator.compare(a.text, b.text));
}

/** Compares numbers; those that JavaScript takes for the same one by their digits. */
function compareNumbers(a: SortKey, b: SortKey): number {
  if (a.number !== b.number) {
    return a.number - b.number;
  }
  const whole = /^-?\d+$/;
  return whole.test(a.text) && whole.test(b.text) ? Number(BigInt(a.text) - BigInt(b.text)) : 0;
}
