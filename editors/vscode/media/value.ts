// A value, shown as the tool's render hint says: as a tree, a table, a text, code,
// an image or a chart. Without a hint, as what it looks like.
import { binaryParts, byteLength } from '../src/bytes';
import { exactText, stringify } from '../src/exact';
import type { Envelope, Json } from '../src/protocol';
import { chart } from './chart';
import { appendInPieces, element } from './dom';
import { tree } from './tree';

type Displayed = Pick<Envelope, 'value' | 'render' | 'content_type' | 'encoding' | 'text'>;
type Row = { [column: string]: Json };

export function renderValue(e: Displayed): Node {
  const renderers: { [kind: string]: (e: Displayed) => Node | undefined } = {
    table: () => table(rowsOf(e.value)),
    chart: () => chartWithValue(e.value),
    text: () => (typeof e.value === 'string' && e.value !== '' ? text(element('div', { class: 'text' }), e.value) : undefined),
    code: () => (typeof e.value === 'string' && e.value !== '' ? text(element('pre', { class: 'code' }), e.value) : undefined),
    json: () => tree(e.value),
    react: () => component(e),
  };
  return image(e) ?? bytes(e) ?? renderers[e.render?.kind ?? '']?.(e) ?? renderByShape(e.value);
}

/** A text, in parts where it is long: one of a million lines stops VS Code's window for a minute. */
function text(into: HTMLElement, all: string): Node {
  const more = appendInPieces(into, all.match(/[^]{1,100000}/gu) ?? [], (part) => part, 1);
  return more.length > 0 ? element('div', {}, into, ...more) : into;
}

/** A value as what it looks like. */
export function renderByShape(value: Json): Node {
  if (value === '') {
    return element('p', { class: 'hint' }, 'An empty text.');
  }
  if (typeof value === 'string' && exactText(value) === undefined) {
    return text(element('pre'), value);
  }
  return table(rowsOf(value)) ?? tree(value);
}

/** A chart, and the value, of which it may leave out much. */
function chartWithValue(value: Json): Node | undefined {
  const drawn = chart(value);
  return drawn && element('div', {}, drawn, element('details', {}, element('summary', {}, 'As It Came'), renderByShape(value)));
}

/** A component of somebody's own cannot be drawn here: its name, the value, and what else it is given. */
function component(e: Displayed): Node {
  const props = e.render?.props ?? {};
  const given = Object.keys(props).length > 0 ? [element('details', {}, element('summary', {}, 'Props'), tree(props))] : [];
  return element('div', {}, element('p', { class: 'hint' }, `Drawn elsewhere by ${e.render?.component ?? ''}, of this:`), renderByShape(e.value), ...given);
}

function image(e: Displayed): Node | undefined {
  return picture(imageSource(e)) ?? mcpBlocks(e.value);
}

/** Bytes that nobody reads are counted. */
function bytes(e: Displayed): Node | undefined {
  const [all] = e.encoding ? binaryParts(e) : [];
  return all && element('p', { class: 'hint' }, `${byteLength(all)} bytes of ${all.media}`);
}

function picture(source: string | undefined): Node | undefined {
  return source ? element('img', { src: source, alt: 'The image that the tool returned' }) : undefined;
}

/** A list with images of MCP: what stands beside them is shown too. */
function mcpBlocks(value: Json): Node | undefined {
  if (!Array.isArray(value) || !value.some(mcpImageSource)) {
    return undefined;
  }
  const all = element('div');
  return element('div', {}, all, ...appendInPieces(all, value, (one) => picture(mcpImageSource(one)) ?? renderByShape(one)));
}

function imageSource(e: Displayed): string | undefined {
  const value = e.value;
  if (typeof value === 'string' && /^data:image\/[\w.+-]+;base64,/.test(value)) {
    return value;
  }
  if (typeof value === 'string' && e.content_type === 'image/svg+xml') {
    return `data:image/svg+xml,${encodeURIComponent(value.replace(/\p{Surrogate}/gu, ''))}`; // an image runs no scripts
  }
  if (typeof value === 'string' && e.content_type.startsWith('image/') && /^[A-Za-z0-9+/=\s]+$/.test(value)) {
    return `data:${e.content_type};base64,${value}`;
  }
  return mcpImageSource(value);
}

function mcpImageSource(value: Json): string | undefined {
  const block = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const { data, mimeType } = block;
  return typeof data === 'string' && String(mimeType).startsWith('image/') ? `data:${mimeType};base64,${data}` : undefined;
}

function isRows(value: Json): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => row !== null && typeof row === 'object' && !Array.isArray(row));
}

/** The rows of a value: a list of objects, or an object with the names of `columns` and with `rows`. */
function rowsOf(value: Json): Json {
  const grid = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const { columns, rows } = grid;
  if (Object.keys(grid).length !== 2 || !Array.isArray(columns) || !Array.isArray(rows) || !columns.every((name) => typeof name === 'string')) {
    return value;
  }
  const named = (row: Json) => (Array.isArray(row) ? Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null])) : row);
  return rows.map(named);
}

// Rows with more columns, or with few of them each, have little in common.
const maxColumns = 200;
const minFilled = 0.1;

function table(value: Json): Node | undefined {
  if (!isRows(value)) {
    return undefined;
  }
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  const filled = value.reduce((sum, row) => sum + Object.keys(row).length, 0);
  if (columns.length > maxColumns || filled < minFilled * columns.length * value.length) {
    return undefined;
  }
  const head = element('tr', {}, ...columns.map((name) => element('th', { scope: 'col' }, name)));
  const row = (of: Row) => element('tr', {}, ...columns.map((name) => field(Object.hasOwn(of, name) ? of[name] : undefined))); // it may be called `constructor`
  const body = element('tbody');
  const more = appendInPieces(body, value, row);
  return element('div', { class: 'wide' }, element('table', {}, element('thead', {}, head), body), ...more);
}

function field(value: Json | undefined): HTMLElement {
  const text = value === undefined ? '' : (exactText(value) ?? (typeof value === 'string' ? value : stringify(value)));
  return element('td', { class: value === null && 'none' }, text);
}
