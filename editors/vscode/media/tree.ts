// JSON as a tree with branches that open and close. It is one tab stop, and the arrow keys
// move in it. A branch is drawn when it is opened, because a value of some megabytes has
// more branches than a page can contain.
import { exactText, stringify } from '../src/exact';
import type { Json } from '../src/protocol';
import { escapeBidi } from '../src/sanitize';
import { appendInPieces, element } from './dom';

const manyItems = 100; // a branch with more items is closed at first, except the root

/** Returns a value as a tree with one root. */
export function tree(value: Json, name = ''): HTMLElement {
  return buildTree([[name, value]], name || 'Value', 0);
}

/** Returns the parts of a value as a tree without a root around them. */
export function parts(value: Json, label: string): HTMLElement {
  return buildTree(value !== null && typeof value === 'object' ? Object.entries(value) : [['', value]], label, 1);
}

function buildTree(entries: [string, Json][], label: string, depth: number): HTMLElement {
  const top = element('div', { class: 'tree', role: 'tree', 'aria-label': label });
  fill(top, entries, depth, 1);
  top.querySelector(itemSelector)?.setAttribute('tabindex', '0');
  top.addEventListener('focusin', ({ target }) => {
    top.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    (target as HTMLElement).setAttribute('tabindex', '0');
  });
  top.addEventListener('keydown', (event) => {
    if (!event.ctrlKey && !event.altKey && !event.metaKey && handleKey(top, event.key, event.target as HTMLElement)) {
      event.preventDefault();
    }
  });
  return top;
}

const itemSelector = '[role=treeitem]';

function fill(into: HTMLElement, entries: [string, Json][], depth: number, level: number): void {
  const items = element('div');
  const few = entries.length <= manyItems;
  const more = appendInPieces(items, entries, ([key, child]) => item(child, key, few ? depth : depth + 1, level)); // many items stay closed
  more.forEach((button) => {
    button.setAttribute('role', 'treeitem');
    button.setAttribute('aria-level', String(level));
    button.setAttribute('tabindex', '-1');
    let drawn = items.childElementCount;
    button.addEventListener('click', () => {
      const next = items.children[drawn];
      (next?.matches(itemSelector) ? next as HTMLElement : next?.querySelector<HTMLElement>(itemSelector))?.focus(); // the button may have disappeared
      drawn = items.childElementCount;
    });
  });
  into.append(items, ...more);
}

function item(value: Json, name: string, depth: number, level: number): HTMLElement {
  const key = element('span', { class: 'key' }, name === '' ? '' : escapeBidi(`${name}: `));
  const common = { role: 'treeitem', tabindex: '-1', 'aria-level': String(level) };
  const size = value !== null && typeof value === 'object' ? Object.keys(value).length : 0;
  if (value === null || typeof value !== 'object' || size === 0) {
    const type = exactText(value) === undefined ? typeof value : 'number';
    return element('div', { class: 'leaf', ...common }, key, element('span', { class: type }, escapeBidi(stringify(value))));
  }
  const row = element('div', { class: 'row', ...common }, key, element('span', { class: 'hint' }, Array.isArray(value) ? `[${size}]` : `{${size}}`));
  const inside = element('div', { role: 'group' });
  const open = (yes: boolean) => {
    row.setAttribute('aria-expanded', String(yes));
    inside.hidden = !yes;
    if (yes && inside.childElementCount === 0) {
      fill(inside, Object.entries(value), depth + 1, level + 1);
    }
  };
  open(depth === 0 || (depth === 1 && size <= manyItems));
  row.addEventListener('click', () => open(inside.hidden !== false));
  return element('div', {}, row, inside);
}

/** Does what a key does in a tree; returns false if it does nothing. */
function handleKey(top: HTMLElement, key: string, at: HTMLElement): boolean {
  const seen = [...top.querySelectorAll<HTMLElement>(itemSelector)].filter((one) => !one.closest('[hidden]'));
  const here = seen.indexOf(at);
  const isOpen = at.getAttribute('aria-expanded');
  const click = () => at.click();
  const go = (to: Element | null | undefined) => () => (to as HTMLElement | null | undefined)?.focus();
  const act = new Map([
    ['ArrowDown', go(seen[here + 1])],
    ['ArrowUp', go(seen[here - 1])],
    ['Home', go(seen[0])],
    ['End', go(seen.at(-1))],
    ['ArrowRight', isOpen === 'false' ? click : go(isOpen === 'true' ? seen[here + 1] : undefined)],
    ['ArrowLeft', isOpen === 'true' ? click : go(at.closest('[role=group]')?.previousElementSibling)],
    ['Enter', click],
    [' ', click],
  ]).get(key);
  act?.();
  return act !== undefined;
}
