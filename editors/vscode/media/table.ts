// Rows as a table that can be sorted, filtered, copied and saved. It is one tab stop: the arrow
// keys move from cell to cell, and Enter on a header sorts. Only the visible rows are in the page.
import { csv } from '../src/csv';
import { formatPath } from '../src/path';
import { copy, saveAs } from './copy';
import { button, element, takeKey } from './dom';
import { patternOf } from './pattern';
import { arrange, cellOf, cellText, type Grid, type Order, type Row } from './rows';
import { textOf } from './tree';
import { mostMatches, type Matches, type View } from './view';
import { VirtualRows } from './virtual';

const rowHeight = 26; // px
const [narrowest, usual, widest] = [40, 120, 360]; // of a column, px
const letter = 8; // px
const sample = 200; // about so many rows, from all parts, decide how wide a column is at first
const longest = 300; // characters of a cell that are drawn; its title has more
const titleRoom = 4000;

let tables = 0;

export class TableView implements View {
  readonly element: HTMLElement;
  onArrange?: () => void;
  private readonly id = `table-${++tables}`;
  private readonly table: HTMLTableElement;
  private readonly head = element('thead', { role: 'rowgroup' });
  private readonly body = element('tbody', { role: 'rowgroup' });
  private readonly area: HTMLElement;
  private readonly path = element('span', { class: 'path', role: 'status' });
  private readonly shown = element('span', { class: 'hint', role: 'status' });
  private readonly widths: number[];
  private readonly rows: VirtualRows;
  private order: Order | undefined;
  private filter: RegExp | undefined;
  private wanted: RegExp | undefined;
  private seen: number[];
  private cell = { row: 0, column: 0 }; // row -1 is the header

  constructor(private readonly grid: Grid, private readonly root: string) {
    this.widths = grid.columns.map((name) => widthOf(name, grid.rows));
    this.seen = arrange(grid, undefined, undefined);
    this.table = element('table', { role: 'grid', tabindex: '0', 'aria-label': 'Rows', 'aria-colcount': String(grid.columns.length) }, this.head, this.body);
    this.area = element('div', { class: 'scroller' }, this.table);
    this.element = element('div', { class: 'view' }, this.tools(), this.area);
    this.drawHead();
    this.rows = new VirtualRows(this.area, this.body, this.source(), rowHeight);
    this.table.addEventListener('keydown', (event) => this.handleKey(event));
    this.update();
  }

  focus(): void {
    this.table.focus();
  }

  find(wanted: RegExp | undefined): Matches {
    this.wanted = wanted;
    this.rows.redraw();
    const found: [number, number][] = [];
    for (let row = 0; wanted && row < this.seen.length && found.length < mostMatches; row++) {
      this.grid.columns.forEach((_, column) => wanted.test(this.textAt(row, column)) && found.push([row, column]));
    }
    const chosen = found.findIndex(([row, column]) => this.isChosen(row, column));
    return { count: found.length, ...(chosen >= 0 && { chosen }), show: (nth) => found[nth] && this.choose(...found[nth]) };
  }

  private tools(): HTMLElement {
    const filter = element('input', { type: 'search', 'aria-label': 'Filter the rows', placeholder: 'Filter rows' });
    filter.addEventListener('input', () => {
      this.filter = filter.value === '' ? undefined : patternOf(filter.value);
      this.arrange();
    });
    return element('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Rows: filter, copy and save' },
      filter,
      button('Copy Value', () => this.copyValue(), { class: 'secondary', title: 'Copy the chosen cell (Ctrl+C)' }),
      button('Copy Path', () => this.copyPath(), { class: 'secondary', title: 'Copy the path of the chosen cell (Ctrl+Shift+C)' }),
      button('Copy Column', () => copy(this.seen.map((_, row) => this.textAt(row, this.cell.column)).join('\n'), `the column ${this.columnName}`), { class: 'secondary' }),
      button('Save as CSV…', () => saveAs('csv', this.csv()), { class: 'secondary' }),
      this.shown, this.path);
  }

  private csv(): string {
    const { columns } = this.grid;
    return csv([columns, ...this.seen.map((_, row) => columns.map((name) => cellText(cellOf(this.rowAt(row), name) ?? undefined)))]); // null is empty
  }

  private get columnName(): string {
    return this.grid.columns[this.cell.column] ?? '';
  }

  private rowAt(row: number): Row {
    return this.grid.rows[this.seen[row] ?? -1] ?? {};
  }

  private textAt(row: number, column: number): string {
    return cellText(cellOf(this.rowAt(row), this.grid.columns[column] ?? ''));
  }

  private copyValue(): void {
    const value = this.cell.row < 0 ? this.columnName : cellOf(this.rowAt(this.cell.row), this.columnName);
    copy(value === undefined ? '' : textOf(value), 'the value');
  }

  private copyPath(): void {
    copy(this.pathText(), 'the path');
  }

  private pathText(): string {
    const at = this.seen[this.cell.row];
    return at === undefined ? '' : formatPath(this.root, this.grid.step(at, this.columnName));
  }

  private arrange(): void {
    const before = this.seen[this.cell.row];
    this.seen = arrange(this.grid, this.filter, this.order);
    if (this.cell.row >= 0) { // the same row stays chosen
      this.cell.row = before === undefined ? 0 : Math.max(0, this.seen.indexOf(before));
    }
    this.drawHead();
    this.rows.update(this.source());
    this.update();
    this.onArrange?.();
  }

  private source() {
    return { count: this.seen.length, rowHeight, draw: (index: number) => this.drawRow(index) };
  }

  /** Shows what is chosen, and how many rows there are. */
  private update(): void {
    const { row, column } = this.cell;
    const all = this.grid.rows.length;
    this.shown.textContent = this.seen.length === all ? `${all} rows` : `${this.seen.length} of ${all} rows`;
    this.path.textContent = this.pathText();
    this.table.setAttribute('aria-rowcount', String(this.seen.length + 1));
    this.table.setAttribute('aria-activedescendant', this.cellId(row, column));
  }

  private cellId(row: number, column: number): string {
    return `${this.id}-${row}-${column}`;
  }

  private drawHead(): void {
    const cells = this.grid.columns.map((name, column) => {
      const sorted = this.order?.column === name ? (this.order.descending ? 'descending' : 'ascending') : undefined;
      const grip = element('span', { class: 'grip', 'aria-hidden': 'true' });
      grip.addEventListener('pointerdown', (event) => this.drag(event, grip, column));
      grip.addEventListener('click', (event) => event.stopPropagation());
      const head = element('th', { id: this.cellId(-1, column), role: 'columnheader', scope: 'col', 'aria-colindex': String(column + 1), 'aria-sort': sorted, title: name, class: this.isChosen(-1, column) && 'active' },
        name, grip);
      head.style.width = `${this.widths[column]}px`;
      head.addEventListener('click', () => this.sort(column));
      return head;
    });
    this.head.replaceChildren(element('tr', { role: 'row', 'aria-rowindex': '1' }, ...cells));
    this.table.style.width = `${this.widths.reduce((sum, width) => sum + width, 0)}px`;
  }

  private drawRow(index: number): HTMLElement {
    const row = this.rowAt(index);
    const cells = this.grid.columns.map((name, column) => {
      const value = cellOf(row, name);
      const text = cellText(value);
      const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
      const classes = [value === null && 'none', typeof value === 'number' || (value !== text && typeof value === 'string') ? 'numeric' : '', this.isChosen(index, column) && 'active', this.wanted?.test(text) && 'match'].filter(Boolean).join(' ');
      const cell = element('td', { id: this.cellId(index, column), role: 'gridcell', 'aria-colindex': String(column + 1), class: classes || undefined, title: text.slice(0, titleRoom) || undefined }, cut);
      cell.style.width = `${this.widths[column]}px`;
      cell.addEventListener('mousedown', () => this.choose(index, column));
      return cell;
    });
    return element('tr', { role: 'row', 'aria-rowindex': String(index + 2) }, ...cells);
  }

  private isChosen(row: number, column: number): boolean {
    return this.cell.row === row && this.cell.column === column;
  }

  private sort(column: number): void {
    const name = this.grid.columns[column] ?? '';
    const was = this.order?.column === name ? this.order : undefined;
    this.order = was?.descending ? undefined : { column: name, descending: was !== undefined }; // up, down, as it came
    this.arrange();
  }

  private choose(row: number, column: number): void {
    const mark = (yes: boolean) => this.table.querySelector(`[id="${this.cellId(this.cell.row, this.cell.column)}"]`)?.classList.toggle('active', yes);
    mark(false);
    this.cell = { row: Math.max(-1, Math.min(row, this.seen.length - 1)), column: Math.max(0, Math.min(column, this.grid.columns.length - 1)) };
    mark(true);
    this.revealColumn();
    if (this.cell.row >= 0) {
      this.rows.reveal(this.cell.row);
    }
    this.update();
  }

  private revealColumn(): void {
    const left = this.widths.slice(0, this.cell.column).reduce((sum, width) => sum + width, 0);
    const width = this.widths[this.cell.column] ?? 0;
    const { scrollLeft, clientWidth } = this.area;
    this.area.scrollLeft = left < scrollLeft ? left : left + width > scrollLeft + clientWidth ? left + Math.min(width, clientWidth) - clientWidth : scrollLeft;
  }

  private drag(event: PointerEvent, grip: HTMLElement, column: number): void {
    event.preventDefault();
    const from = event.clientX - (this.widths[column] ?? usual);
    const move = ({ clientX }: PointerEvent) => this.resize(column, clientX - from);
    grip.setPointerCapture(event.pointerId);
    grip.addEventListener('pointermove', move);
    grip.addEventListener('lostpointercapture', () => grip.removeEventListener('pointermove', move));
  }

  private resize(column: number, width: number): void {
    this.widths[column] = Math.max(narrowest, width);
    const set = (of: HTMLElement | null | undefined) => of && (of.style.width = `${this.widths[column]}px`);
    set(this.head.querySelectorAll('th')[column]);
    this.body.querySelectorAll('tr').forEach((row) => set(row.children[column] as HTMLElement));
    this.table.style.width = `${this.widths.reduce((sum, one) => sum + one, 0)}px`;
  }

  private handleKey(event: KeyboardEvent): void {
    const { key } = event;
    const control = event.ctrlKey || event.metaKey;
    const { row, column } = this.cell;
    if (control && key.toLowerCase() === 'c' && getSelection()?.isCollapsed !== false) {
      takeKey(event);
      return event.shiftKey ? this.copyPath() : this.copyValue();
    }
    if (event.shiftKey && row < 0 && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      event.preventDefault();
      return this.resize(column, (this.widths[column] ?? usual) + (key === 'ArrowLeft' ? -20 : 20));
    }
    const page = this.rows.pageSize;
    const act = new Map<string, () => void>([
      ['ArrowDown', () => this.choose(row + 1, column)],
      ['ArrowUp', () => this.choose(row - 1, column)],
      ['ArrowRight', () => this.choose(row, column + 1)],
      ['ArrowLeft', () => this.choose(row, column - 1)],
      ['PageDown', () => this.choose(row + page, column)],
      ['PageUp', () => this.choose(Math.max(0, row - page), column)],
      ['Home', () => this.choose(control ? 0 : row, 0)],
      ['End', () => this.choose(control ? this.seen.length - 1 : row, this.grid.columns.length - 1)],
      ['Enter', () => row < 0 && this.sort(column)],
      [' ', () => row < 0 && this.sort(column)],
    ]).get(key);
    if (act && !event.altKey) {
      event.preventDefault();
      act();
    }
  }
}

/** Returns a width for a column that fits most of its rows. */
function widthOf(name: string, rows: Row[]): number {
  const step = Math.ceil(rows.length / sample);
  const lengths = rows.filter((_, nth) => nth % step === 0).map((row) => cellText(cellOf(row, name)).length);
  const most = lengths.reduce((max, length) => Math.max(max, length), name.length + 2);
  return Math.max(2 * narrowest, Math.min(most * letter + 20, widest));
}
