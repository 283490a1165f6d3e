// The page that saves a run as a case: its name, and which fields of the answer it expects and how.
import { exactText, parse, stringify } from '../src/exact';
import type { CaseAnswer, CaseContent, CaseField, CaseMessage, Comparison, ExpectedField } from '../src/messages';
import type { Json } from '../src/protocol';
import { appendInPieces, button, element } from './dom';
import { post } from './host';

const send = (answer: CaseAnswer) => post(answer);
const main = document.getElementById('main') as HTMLElement;
const words: { [C in Comparison]: string } = { equal: 'is equal to', type: 'has the type', matches: 'matches' };
const error = element('p', { id: 'error', role: 'alert' });

window.addEventListener('message', ({ data }: MessageEvent<CaseMessage>) => {
  if ('error' in data) {
    error.textContent = data.error;
  } else {
    show(data);
  }
});
window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented) {
    send({ type: 'cancel' });
  }
});
send({ type: 'ready' });

/** A field that can be ticked; expected throws if what is typed is no value. */
interface Row {
  element: HTMLElement;
  expected(): ExpectedField | undefined;
}

let ids = 0;

function show({ tool, taken, fields, failure }: CaseContent): void {
  const name = element('input', { id: 'name', type: 'text', autocomplete: 'off', 'aria-describedby': 'name-hint' });
  const fails = element('input', { type: 'checkbox', checked: true });
  const rows = new Map<CaseField, Row>();
  const body = element('tbody');
  const more = appendInPieces(body, fields, (field) => {
    const row = rowOf(field);
    rows.set(field, row);
    return row.element;
  });
  const head = element('tr', {}, ...['Expect', 'Field', 'How', 'What'].map((title) => element('th', { scope: 'col' }, title)));
  const form = element('form', { novalidate: true, 'aria-label': `Save the run of ${tool} as a case` },
    element('div', { class: 'field' }, element('label', { for: 'name' }, 'Name'), name, element('div', { class: 'hint', id: 'name-hint' }, 'Without a name, one is found.')),
    ...(failure ? [element('p', {}, element('label', {}, fails, ` Expect that it fails: ${failure}`))] : []),
    ...(fields.length > 0 ? [element('div', { class: 'wide' }, element('table', {}, element('thead', {}, head), body)), ...more] : []),
    error,
    element('div', { class: 'buttons' }, element('button', { type: 'submit' }, 'Save'), button('Cancel', () => send({ type: 'cancel' }), { class: 'secondary' })));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    error.textContent = '';
    if (taken.includes(name.value)) {
      error.textContent = `${tool} has a case of that name.`;
      name.focus();
      return;
    }
    try {
      const expect = fields.flatMap((field) => (rows.has(field) ? (rows.get(field) as Row).expected() ?? [] : notSeen(field))); // what is not drawn yet is as suggested
      send({ type: 'submit', name: name.value, expect, failure: failure !== '' && fails.checked });
    } catch (fault) {
      error.textContent = fault instanceof Error ? fault.message : String(fault);
    }
  });
  main.replaceChildren(element('h1', {}, `Save as a Case of ${tool}`), form);
  name.focus();
}

function notSeen({ ticked, path, how }: CaseField): ExpectedField[] {
  return ticked ? [{ path, how }] : [];
}

function rowOf(field: CaseField): Row {
  const id = `field-${++ids}`;
  const name = element('label', { for: id, id: `${id}-name` }, field.path);
  const tick = element('input', { type: 'checkbox', id, checked: field.ticked });
  const hows: Comparison[] = ['equal', 'type', ...(field.pattern === '' ? [] : ['matches' as const])];
  const how = element('select', { id: `${id}-how`, 'aria-label': `How ${field.path} is compared` }, ...hows.map((one) => element('option', { value: one, selected: one === field.how }, words[one])));
  const what = element('input', { type: 'text', class: 'what', spellcheck: 'false', 'aria-label': `What ${field.path} is compared with` });
  const chosen = () => how.value as Comparison;
  const fill = () => {
    what.value = suggested(field, chosen());
    what.readOnly = chosen() === 'type';
  };
  how.addEventListener('change', () => {
    tick.checked = true;
    fill();
  });
  what.addEventListener('input', () => (tick.checked = true));
  fill();
  const cells = [tick, name, how, what].map((one) => element('td', {}, one));
  return { element: element('tr', {}, ...cells), expected: () => (tick.checked ? expectedOf(field, chosen(), what) : undefined) };
}

/** Returns what a field is compared with, as text: JSON, a type, or a pattern. */
function suggested(field: CaseField, how: Comparison): string {
  return how === 'equal' ? stringify(field.value) : how === 'type' ? field.type : field.pattern;
}

function expectedOf(field: CaseField, how: Comparison, what: HTMLInputElement): ExpectedField {
  const { path } = field;
  if (what.value === suggested(field, how)) {
    return { path, how };
  }
  if (how === 'matches') {
    return { path, how, value: what.value };
  }
  try {
    return { path, how, value: parse(what.value) as Json };
  } catch {
    const quoted = typeof field.value === 'string' && exactText(field.value) === undefined; // a text may be typed without quotation marks
    if (quoted) {
      return { path, how, value: what.value };
    }
    what.focus();
    throw new Error(`What ${path} is compared with is no JSON.`);
  }
}
