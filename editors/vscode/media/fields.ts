// The fields of a form, one for each kind of schema. A field gives undefined where
// nothing was given, and throws where what was typed is no such value.
import { exact, parse, stringify, written } from '../src/exact';
import type { Json, Schema } from '../src/protocol';
import { button, element } from './dom';
import { numberOf } from './number';
import { plain } from './schema';

export interface Field {
  element: HTMLElement;
  value(): Json | undefined;
}

/** What is wrong with a field, and where. */
export class Wrong extends Error {
  constructor(
    readonly control: HTMLElement,
    message: string,
    readonly leaveEmpty?: () => void, // where an empty text would be right too
  ) {
    super(message);
  }
}

type Maker = (schema: Schema, id: string, required: boolean, value: Json | undefined) => Field;

let ids = 0;

/** A field with its label. */
export function labelled(name: string, given: Schema, required: boolean, value: Json | undefined): Field {
  const schema = plain(given);
  const id = `field-${++ids}`;
  const field = make(schema, id, required, value === undefined && required ? schema.default : value);
  const label = element('label', { for: id, id: `${id}-label` }, name);
  if (required) {
    label.append(element('span', { class: 'required', title: 'required' }, ' *'));
  }
  const hint = [schema.description, kindOf(schema), elseSent(schema)].filter(Boolean).join(' · ');
  const row = element('div', { class: 'field', 'data-name': name }, label, field.element);
  if (hint) {
    const control = row.querySelector(`[id="${id}"]`);
    control?.setAttribute('aria-describedby', `${id}-hint`);
    control?.after(element('div', { class: 'hint', id: `${id}-hint` }, hint));
  }
  return { element: row, value: field.value };
}

function make(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  if (schema.enum) {
    return choice(schema, id, required, value);
  }
  const maker = typesOf(schema).length > 1 ? oneOfTypes : makers.get(typeOf(schema));
  return (maker ?? anything)(schema, id, required, value);
}

/** The types of a schema, that of null apart: what may be null may be left out. */
function typesOf(schema: Schema): string[] {
  return [schema.type ?? (schema.properties ? 'object' : [])].flat().filter((type) => type !== 'null');
}

/** The one type of a schema, '' for several. */
function typeOf(schema: Schema): string {
  const types = typesOf(schema);
  return types.length === 1 ? (types[0] ?? '') : '';
}

function kindOf(schema: Schema): string {
  return schema.enum ? '' : schema.format || typesOf(schema).join(' or ') || 'JSON';
}

/** The default of a field that has no place to show it while it is empty. */
function elseSent(schema: Schema): string {
  const unseen = schema.format === 'date' || typeOf(schema) === 'array' || (typeOf(schema) === 'object' && schema.properties);
  return unseen && schema.default !== undefined && schema.default !== null ? `else ${asText(schema.default)}` : '';
}

const makers = new Map<string, Maker>([ // no object: a schema of others may say `constructor`
  ['string', text],
  ['number', numeric],
  ['integer', numeric],
  ['boolean', yesOrNo],
  ['array', list],
  ['object', object],
]);

const inputs: { [format: string]: string } = { date: 'date', email: 'email', uri: 'url' };

function text(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const type = inputs[schema.format ?? ''];
  const common = { id, 'aria-required': String(required), placeholder: asText(schema.default) };
  let empty = schema.default === '';
  const leaveEmpty = type || schema.minLength ? undefined : () => (empty = true);
  const input = type ? element('input', { ...common, type, value: asText(value) }) : lines(common, asText(value));
  const sendEmpty = leaveEmpty && !required && schema.default ? insteadOfDefault(id, 'Send an empty text', value === '') : undefined;
  sendEmpty?.addEventListener('change', () => (input.value = sendEmpty.checked ? '' : input.value));
  input.addEventListener('input', () => sendEmpty && (sendEmpty.checked = false));
  const kept = sendEmpty && value === '' ? undefined : value; // the box has it
  const shown = input.value; // in which a line break of Windows is another
  return {
    element: sendEmpty?.parentElement ? element('div', {}, input, sendEmpty.parentElement) : input,
    value: () => {
      if (shown !== '' && input.value === shown && typeof value === 'string' && written(value) === undefined) {
        return value;
      }
      if (input.validity.badInput) {
        throw new Wrong(input, `is no ${schema.format}`);
      }
      return input.value === '' ? absent(input, required, empty || sendEmpty?.checked ? '' : kept, leaveEmpty) : input.value;
    },
  };
}

/** A box that says that what is left empty is sent empty: else its default is sent. */
function insteadOfDefault(id: string, says: string, checked: boolean): HTMLInputElement {
  const box = element('input', { id: `${id}-empty`, type: 'checkbox', checked, 'aria-labelledby': `${id}-empty-label ${id}-label` });
  element('label', { class: 'empty', id: `${id}-empty-label` }, box, says);
  return box;
}

/** A text of one line, and of more by Shift+Enter: Enter sends the form. */
function lines(attributes: { [name: string]: string }, value: string): HTMLTextAreaElement {
  const area = element('textarea', { ...attributes, class: 'text', rows: '1' });
  area.value = value;
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      area.form?.requestSubmit();
    }
  });
  return area;
}

function numeric(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const input = element('input', { id, type: 'text', inputmode: 'decimal', 'aria-required': String(required), value: asText(value), placeholder: asText(schema.default) });
  return {
    element: input,
    value: () => {
      if (input.value.trim() === '') {
        return absent(input, required, value);
      }
      const whole = typeOf(schema) === 'integer';
      const number = numberOf(input.value);
      if (number === undefined || (whole && !Number.isInteger(Number(number)))) {
        throw new Wrong(input, whole ? 'is no whole number' : 'is no number');
      }
      return exact(number);
    },
  };
}

function yesOrNo(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  return select([true, false], schema, id, required, value);
}

function choice(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  return select(schema.enum ?? [], schema, id, required, value);
}

function select(values: Json[], schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const control = element('select', { id, 'aria-required': String(required) }, element('option', { value: '' }, schema.default === undefined ? '—' : `— (${asText(schema.default)})`));
  values.forEach((v, i) => control.append(element('option', { value: String(i + 1), selected: equal(v, value) }, v === '' || v === null ? stringify(v) : asText(v))));
  return {
    element: control,
    value: () => (control.value === '' ? absent(control, required, undefined) : values[Number(control.value) - 1]),
  };
}

/** The type first, then its field: 7 can be a text as well as a number. */
function oneOfTypes(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const types = typesOf(schema);
  const was = types.find((type) => isOf(type, value));
  const control = element('select', { id, 'aria-required': String(required) }, element('option', { value: '' }, '—'), ...types.map((type) => element('option', { selected: type === was }, type)));
  const place = element('div', { class: 'group' });
  let field: Field | undefined;
  const choose = (given: Json | undefined) => {
    const type = control.value;
    field = type ? make({ ...schema, type }, `${id}-${type}`, true, given) : undefined;
    field?.element.setAttribute('aria-label', `the ${type}`);
    place.replaceChildren(...(field ? [field.element] : []));
    place.hidden = !field;
  };
  control.addEventListener('change', () => choose(undefined));
  choose(value);
  return {
    element: element('div', {}, control, place),
    value: () => (field ? field.value() : absent(control, required, value === null ? null : undefined)),
  };
}

function isOf(type: string, value: Json | undefined): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'integer':
    case 'number':
      return typeof value === 'number' || written(value) !== undefined;
    case 'object':
      return value !== null && typeof value === 'object' && !Array.isArray(value);
    default:
      return typeof value === type && written(value) === undefined;
  }
}

/** Nested fields; an object that may be left out is, where none of them is given. */
function object(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  if (!schema.properties || Object.keys(schema.properties).length === 0) {
    return anything(schema, id, required, value);
  }
  const given = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const { fields, elements } = fieldsOf(schema, given, required);
  const others = Object.entries(given).filter(([name]) => !fields.has(name)); // they have no field, and stay
  const group = element('div', { id, class: 'group', role: 'group', 'aria-labelledby': `${id}-label` }, ...elements);
  return {
    element: group,
    value: () => {
      const all = { ...Object.fromEntries(others), ...values(fields) };
      return Object.keys(all).length === 0 && !required && given !== value ? undefined : all;
    },
  };
}

/** The fields of an object's properties. */
export function fieldsOf(schema: Schema, given: { [name: string]: Json }, required: boolean): { fields: Map<string, Field>; elements: HTMLElement[] } {
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const needed = required && (schema.required ?? []).includes(name);
    fields.set(name, labelled(name, property, needed, given[name]));
  }
  return { fields, elements: [...fields.values()].map((field) => field.element) };
}

export function values(fields: Map<string, Field>): { [name: string]: Json } {
  const all: { [name: string]: Json } = {};
  for (const [name, field] of fields) {
    const value = field.value();
    if (value !== undefined) {
      all[name] = value;
    }
  }
  return all;
}

/** The values so far: those of fields in which nothing is wrong. */
export function typed(fields: Map<string, Field>): { [name: string]: Json } {
  return Object.assign({}, ...[...fields].map(([name, field]) => {
    try {
      return values(new Map([[name, field]]));
    } catch {
      return {}; // not typed to its end
    }
  }));
}

function list(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const items: { field: Field; row: HTMLElement }[] = [];
  const rows = element('div', { role: 'list' });
  const defaultSent = !required && Array.isArray(schema.default) && schema.default.length > 0;
  const sendEmpty = defaultSent ? insteadOfDefault(id, 'Send an empty list', Array.isArray(value) && value.length === 0) : undefined;
  sendEmpty?.addEventListener('change', () => {
    items.length = sendEmpty.checked ? 0 : items.length;
    rows.replaceChildren(...items.map(({ row }) => row));
  });
  const add = (given?: Json): void => {
    const label = `item ${items.length + 1}`;
    const of = plain(schema.items ?? {});
    const field = make(of, `${id}-${++ids}`, true, given ?? of.default);
    field.element.setAttribute('aria-label', label);
    const item = { field, row: element('div', { class: 'item', role: 'listitem' }, field.element) };
    item.row.append(
      button('Remove', () => {
        items.splice(items.indexOf(item), 1);
        item.row.remove();
      }, { class: 'secondary', 'aria-label': `Remove ${label}` }),
    );
    items.push(item);
    rows.append(item.row);
  };
  const more = button('Add', () => {
    add();
    if (sendEmpty) {
      sendEmpty.checked = false;
    }
    rows.lastElementChild?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, { class: 'secondary' });
  (Array.isArray(value) ? value : []).forEach((given) => add(given));
  const box = sendEmpty?.parentElement ? [sendEmpty.parentElement] : [];
  const empty = () => sendEmpty?.checked ?? (required || Array.isArray(value));
  return {
    element: element('div', { id, class: 'group', role: 'group', 'aria-labelledby': `${id}-label` }, rows, more, ...box),
    value: () => {
      const all = items.map((item) => item.field.value() ?? null);
      return all.length === 0 && !empty() ? undefined : all;
    },
  };
}

/** A field for what has no form of its own: JSON. */
function anything(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const area = element('textarea', { id, class: 'json', rows: '4', spellcheck: 'false', 'aria-required': String(required), placeholder: asText(schema.default) });
  area.value = value === undefined ? '' : stringify(value, 2);
  return {
    element: area,
    value: () => {
      if (area.value.trim() === '') {
        return absent(area, required, undefined);
      }
      try {
        return parse(area.value) as Json;
      } catch (error) {
        throw new Wrong(area, `is no JSON: ${error instanceof Error ? error.message : error}`);
      }
    },
  };
}

/** The value of a field without a text: null and the empty text stay what they were. */
function absent(control: HTMLElement, required: boolean, value: Json | undefined, leaveEmpty?: () => void): Json | undefined {
  if (value === null || value === '') {
    return value;
  }
  if (required) {
    throw new Wrong(control, 'is required', leaveEmpty);
  }
  return undefined;
}

function asText(value: Json | undefined): string {
  return value === undefined || value === null ? '' : (written(value) ?? (typeof value === 'string' ? value : stringify(value)));
}

function equal(a: Json, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
