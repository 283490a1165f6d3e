// JSON as a tree with branches that open and close. It is one tab stop, and the arrow keys
// move in it. Only its visible rows are in the page, because a value of some megabytes has
// more parts than a page can contain.
import { exactText, indentJSON, stringify } from '../src/exact';
import { formatPath, type Step } from '../src/path';
import type { Json } from '../src/protocol';
import { escapeBidi } from '../src/sanitize';
import { copy, saveAs } from './copy';
import { button, element, takeKey } from './dom';
import { mostMatches, type Matches, type View } from './view';
import { VirtualRows } from './virtual';

const manyItems = 100; // a branch with more items is closed at first, except the root
const rowHeight = 20; // px
const longest = 5000; // characters of a text that are drawn: one of megabytes would stop the page

interface Part {
  step: Step | undefined; // undefined: it is the root
  name: string;
  value: Json;
  level: number; // 1 for the first
  place: number; // among its siblings, from 1
  siblings: number;
  above: Part | undefined;
  below: Part[] | undefined; // undefined: not open yet
  open: boolean;
}

export interface TreeOptions {
  label: string;
  root: string; // with which the paths of parts begin
  isWhole?: boolean; // the root itself is not shown, only its parts
}

let trees = 0;

export class TreeView implements View {
  readonly element: HTMLElement;
  private readonly tree: HTMLElement;
  private readonly id = `tree-${++trees}`;
  private readonly path = element('span', { class: 'path', role: 'status' });
  private readonly top: Part[];
  private seen: Part[]; // in the order of the rows
  private active: Part | undefined;
  private wanted: RegExp | undefined;
  private readonly rows: VirtualRows;

  constructor(private readonly value: Json, private readonly options: TreeOptions) {
    const root: Part = { step: undefined, name: '', value, level: 0, place: 1, siblings: 1, above: undefined, below: undefined, open: true };
    this.top = options.isWhole ? partsOf(root, 1) : [{ ...root, level: 1 }];
    this.top.forEach((part) => (part.open = size(part.value) > 0 && (!options.isWhole || size(part.value) <= manyItems)));
    this.seen = visible(this.top);
    this.active = this.seen[0];
    const body = element('div', { role: 'none' });
    this.tree = element('div', { class: 'scroller tree', role: 'tree', tabindex: '0', 'aria-label': options.label }, body);
    this.element = element('div', { class: 'view' }, this.tools(), this.tree);
    this.rows = new VirtualRows(this.tree, body, this.source());
    this.tree.addEventListener('keydown', (event) => this.handleKey(event));
    this.tree.addEventListener('focus', () => this.choose(this.active));
    this.choose(this.active);
  }

  focus(): void {
    this.tree.focus();
  }

  find(wanted: RegExp | undefined): Matches {
    this.wanted = wanted;
    this.rows.redraw();
    const found = wanted ? search(this.top, wanted) : [];
    return { count: found.length, show: (nth) => this.choose(this.openTo(found[nth] ?? [])) };
  }

  /** Opens the branches above a part, and returns it. */
  private openTo([first, ...rest]: number[]): Part | undefined {
    let part = this.top[first ?? 0];
    for (const place of rest) {
      if (part) {
        part.open = true;
        part = childrenOf(part)[place];
      }
    }
    this.update();
    return part;
  }

  private tools(): HTMLElement {
    const one = (act: (part: Part) => void) => () => this.active && act(this.active);
    return element('div', { class: 'tools', role: 'toolbar', 'aria-label': `${this.options.label}: copy and save` },
      button('Copy Value', one((part) => copy(textOf(part.value), 'the value')), { class: 'secondary', title: 'Copy the chosen value (Ctrl+C)' }),
      button('Copy Path', one((part) => copy(this.pathOf(part), 'the path')), { class: 'secondary', title: 'Copy the path of the chosen value (Ctrl+Shift+C)' }),
      button('Save as JSON…', () => saveAs('json', `${indentJSON(this.value)}\n`), { class: 'secondary' }),
      this.path);
  }

  private pathOf(part: Part): string {
    const steps: Step[] = [];
    for (let at: Part | undefined = part; at?.step !== undefined; at = at.above) {
      steps.unshift(at.step);
    }
    return formatPath(this.options.root, steps);
  }

  private source() {
    return { count: this.seen.length, rowHeight, draw: (index: number) => this.draw(index) };
  }

  private update(): void {
    this.seen = visible(this.top);
    this.rows.update(this.source());
  }

  private draw(index: number): HTMLElement {
    const part = this.seen[index] as Part;
    const { value, name, level, place, siblings } = part;
    const key = element('span', { class: 'key' }, name === '' ? '' : escapeBidi(`${name}: `));
    const branch = size(value) > 0;
    const whole = branch ? summary(value) : leafText(value);
    const text = whole.length > longest ? `${whole.slice(0, longest)}… (${whole.length} characters)` : whole;
    const classes = [branch ? 'row' : 'leaf', part === this.active && 'active', this.isWanted(part) && 'match'].filter(Boolean).join(' ');
    const row = element('div', {
      id: `${this.id}-${index}`, class: classes, role: 'treeitem', 'aria-level': String(level), 'aria-posinset': String(place), 'aria-setsize': String(siblings),
      'aria-expanded': branch ? String(part.open) : undefined, 'aria-selected': String(part === this.active),
    }, key, element('span', { class: branch ? 'hint' : typeOf(value) }, text));
    row.style.paddingLeft = `${level - 1}.2em`;
    row.addEventListener('click', () => {
      if (branch) { // a leaf is not drawn anew: a text that is selected in it stays selected
        part.open = !part.open;
        this.update();
      }
      this.choose(part);
    });
    return row;
  }

  private isWanted({ name, value }: Part): boolean {
    return this.wanted !== undefined && matches(this.wanted, name, value);
  }

  private choose(part: Part | undefined): void {
    if (part === undefined) {
      return;
    }
    const mark = (yes: boolean) => {
      const row = this.tree.querySelector(`[id="${this.id}-${this.seen.indexOf(this.active as Part)}"]`);
      row?.classList.toggle('active', yes);
      row?.setAttribute('aria-selected', String(yes));
    };
    mark(false);
    this.active = part;
    mark(true);
    const index = this.seen.indexOf(part);
    this.path.textContent = escapeBidi(this.pathOf(part));
    this.tree.setAttribute('aria-activedescendant', `${this.id}-${index}`);
    this.rows.reveal(index);
  }

  private handleKey(event: KeyboardEvent): void {
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key.toLowerCase() === 'c' && this.active && getSelection()?.isCollapsed !== false) {
      takeKey(event);
      if (event.shiftKey) {
        copy(this.pathOf(this.active), 'the path');
      } else {
        copy(textOf(this.active.value), 'the value');
      }
    } else if (!control && !event.altKey && this.move(event.key)) {
      event.preventDefault();
    }
  }

  /** Does what a key does in a tree; returns false if it does nothing. */
  private move(key: string): boolean {
    const part = this.active;
    if (part === undefined) {
      return false;
    }
    const here = this.seen.indexOf(part);
    const go = (to: number) => () => this.choose(this.seen[Math.max(0, Math.min(to, this.seen.length - 1))]);
    const turn = (open: boolean) => () => {
      part.open = open;
      this.update();
      this.choose(part);
    };
    const branch = size(part.value) > 0;
    const act = new Map([
      ['ArrowDown', go(here + 1)],
      ['ArrowUp', go(here - 1)],
      ['PageDown', go(here + this.rows.pageSize)],
      ['PageUp', go(here - this.rows.pageSize)],
      ['Home', go(0)],
      ['End', go(this.seen.length - 1)],
      ['ArrowRight', branch && !part.open ? turn(true) : branch ? go(here + 1) : () => undefined],
      ['ArrowLeft', branch && part.open ? turn(false) : () => this.choose(part.above && this.seen.includes(part.above) ? part.above : undefined)],
      ['Enter', branch ? turn(!part.open) : () => undefined],
      [' ', branch ? turn(!part.open) : () => undefined],
    ]).get(key);
    act?.();
    return act !== undefined;
  }
}

function childrenOf(part: Part): Part[] {
  return (part.below ??= partsOf(part, part.level + 1));
}

function partsOf(above: Part, level: number): Part[] {
  const { value } = above;
  const entries = Array.isArray(value) ? value.map((item, i) => [i, item] as const) : Object.entries(value as { [name: string]: Json });
  return entries.map(([step, item], i) => ({
    step, name: String(step), value: item, level, place: i + 1, siblings: entries.length, above, below: undefined,
    open: level === 2 && entries.length <= manyItems && size(item) > 0 && size(item) <= manyItems,
  }));
}

/** Returns the parts whose branches are open, in their order. */
function visible(parts: Part[], into: Part[] = []): Part[] {
  for (const part of parts) {
    into.push(part);
    if (part.open && size(part.value) > 0) {
      visible(childrenOf(part), into);
    }
  }
  return into;
}

/** Returns the places of the parts with a text, each as the way from the top. */
function search(parts: Part[], wanted: RegExp): number[][] {
  const found: number[][] = [];
  const look = (name: string, value: Json, way: number[]): void => {
    if (found.length < mostMatches && matches(wanted, name, value)) {
      found.push(way);
    }
    if (value !== null && typeof value === 'object' && found.length < mostMatches) {
      Object.entries(value).forEach(([key, item], i) => look(key, item, [...way, i]));
    }
  };
  parts.forEach((part, i) => look(part.name, part.value, [i]));
  return found;
}

function matches(wanted: RegExp, name: string, value: Json): boolean {
  return wanted.test(name) || (size(value) === 0 && wanted.test(leafText(value)));
}

function size(value: Json): number {
  return value !== null && typeof value === 'object' ? Object.keys(value).length : 0;
}

function summary(value: Json): string {
  return Array.isArray(value) ? `[${value.length}]` : `{${size(value)}}`;
}

function leafText(value: Json): string {
  return escapeBidi(stringify(value));
}

function typeOf(value: Json): string {
  return exactText(value) === undefined ? typeof value : 'number';
}

/** Returns a value as a person pastes it: a text without quotation marks. */
export function textOf(value: Json): string {
  return exactText(value) ?? (typeof value === 'string' ? value : indentJSON(value));
}
