// JSON as a tree that opens and closes, by the keyboard too. A branch is drawn when it
// is opened: a value of some megabytes has more of them than a page can hold.
import { stringify, written } from '../src/exact';
import type { Json } from '../src/protocol';
import { element, inPieces } from './dom';

const many = 100; // so many stay closed at first

export function tree(value: Json, name = '', depth = 0): HTMLElement {
  const label = element('span', { class: 'key' }, name === '' ? '' : `${name}: `);
  if (value === null || typeof value !== 'object') {
    const type = written(value) === undefined ? typeof value : 'number';
    return element('div', { class: 'leaf' }, label, element('span', { class: type }, stringify(value)));
  }
  const size = Object.keys(value).length;
  const summary = element('summary', {}, label, element('span', { class: 'hint' }, Array.isArray(value) ? `[${size}]` : `{${size}}`));
  const branch = element('details', { class: 'tree', open: depth < 2 && size <= many }, summary);
  const grow = () => {
    if (branch.open && branch.childElementCount === 1) {
      branch.append(...branches(value, depth + 1));
    }
  };
  grow();
  branch.addEventListener('toggle', grow);
  return branch;
}

/** The parts of a value, each a tree. */
export function branches(value: Json, depth = 1): Node[] {
  if (value === null || typeof value !== 'object') {
    return [tree(value, '', depth)];
  }
  const inside = element('div');
  const more = inPieces(inside, Object.entries(value), ([key, child]) => tree(child, key, depth));
  return [inside, ...more];
}
