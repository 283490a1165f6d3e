// Shows a value by the tool's render hint: as a tree, a table, a text, code, an image or a
// chart. Without a hint, the form of the value decides.
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

/** Returns a text, in parts if it is long: one of a million lines stops VS Code's window for a minute. */
function text(into: HTMLElement, all: string): Node {
  const more = appendInPieces(into, all.match(/[^]{1,100000}/gu) ?? [], (part) => part, 1);
  return more.length > 0 ? element('div', {}, into, ...more) : into;
}

/** Shows a value by its form. */
export function renderByShape(value: Json): Node {
  if (value === '') {
    return element('p', { class: 'hint' }, 'An empty text.');
  }
  if (typeof value === 'string' && exactText(value) === undefined) {
    return text(element('pre'), value);
  }
  return table(rowsOf(value)) ?? tree(value);
}

/** Returns a chart, and the value, because the chart may leave out much of it. */
function chartWithValue(value: Json): Node | undefined {
  const drawn = chart(value);
  return drawn && element('div', {}, drawn, element('details', {}, element('summary', {}, 'As It Came'), renderByShape(value)));
}

/** Returns the name, the value and the properties of a component: a custom component cannot be drawn here. */
function component(e: Displayed): Node {
  const props = e.render?.props ?? {};
  const given = Object.keys(props).length > 0 ? [element('details', {}, element('summary', {}, 'Props'), tree(props))] : [];
  return element('div', {}, element('p', { class: 'hint' }, `Drawn elsewhere by ${e.render?.component ?? ''}, of this:`), renderByShape(e.value), ...given);
}

function image(e: Displayed): Node | undefined {
  return picture(imageSource(e)) ?? mcpBlocks(e.value);
}

/** Returns the size of bytes that cannot be shown. */
function bytes(e: Displayed): Node | undefined {
  const [all] = e.encoding ? binaryParts(e) : [];
  return all && element('p', { class: 'hint' }, `${byteLength(all)} bytes of ${all.media}`);
}

function picture(source: string | undefined): Node | undefined {
  return source ? element('img', { src: source, alt: 'The image that the tool returned' }) : undefined;
}

/** Returns a list with images of MCP, and the other blocks. */
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
    return `data:image/svg+xml,${encodeURIComponent(value.replace(/\p{Surrogate}/gu, ''))}`; // scripts in an image do not run
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

/** Returns the rows of a value: a list of objects, or an object with `columns` and `rows`. */
function rowsOf(value: Json): Json {
  const grid = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const { columns, rows } = grid;
  if (Object.keys(grid).length !== 2 || !Array.isArray(columns) || !Array.isArray(rows) || !columns.every((name) => typeof name === 'string')) {
    return value;
  }
  const named = (row: Json) => (Array.isArray(row) ? Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null])) : row);
  return rows.map(named);
}

// A table is not useful if there are more columns, or if rows have only few of them.
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
  const row = (of: Row) => element('tr', {}, ...columns.map((name) => field(Object.hasOwn(of, name) ? of[name] : undefined))); // a column may be called `constructor`
  const body = element('tbody');
  const more = appendInPieces(body, value, row);
  return element('div', { class: 'wide' }, element('table', {}, element('thead', {}, head), body), ...more);
}

function field(value: Json | undefined): HTMLElement {
  const text = value === undefined ? '' : (exactText(value) ?? (typeof value === 'string' ? value : stringify(value)));
  return element('td', { class: value === null && 'none' }, text);
}
