// The fields of a form, one for each kind of schema. A field gives undefined where
// nothing was given, and throws where what was typed is no such value.
import { exact, inLines, parse, stringify, written } from '../src/exact';
import type { Json, Schema } from '../src/protocol';
import { isSecret } from '../src/secret';
import { boundsOf } from './bounds';
import { button, element } from './dom';
import { absent, asText, controlOf, equal, half, halfOf, instead, isOf, typeOf, typesOf, unhalved, Wrong, type Field, type Maker } from './field';
import { numberOf } from './number';
import { nullable, plain } from './schema';

let ids = 0;

/** A field with its label. */
export function labelled(name: string, given: Schema, required: boolean, value: Json | undefined): Field {
  const schema = plain(given);
  const id = `field-${++ids}`;
  const field = make(given, id, required, value === undefined && required ? schema.default : value);
  const label = element('label', { for: id, id: `${id}-label` }, name);
  if (required) {
    label.append(element('span', { class: 'required', title: 'required' }, ' *'));
  }
  const hint = [schema.description, kindOf(schema), ...boundsOf(schema), elseSent(schema)].filter(Boolean).join(' · ');
  const row = element('div', { class: 'field', 'data-name': name }, label, field.element);
  if (hint) {
    const control = controlOf(row, id);
    control?.setAttribute('aria-describedby', `${id}-hint`);
    control?.after(element('div', { class: 'hint', id: `${id}-hint` }, hint));
  }
  return { ...field, element: row };
}

function make(given: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const schema = plain(given);
  const maker = makerOf(schema);
  const saysNull = maker === anything || schema.enum?.includes(null);
  return nullable(given) && !saysNull ? orNull(maker, schema, id, required, value) : maker(schema, id, required, value);
}

function makerOf(schema: Schema): Maker {
  if (schema.enum) {
    return choice;
  }
  return (typesOf(schema).length > 1 ? oneOfTypes : makers.get(typeOf(schema))) ?? anything;
}

/** A field beside a box that says that null is sent. */
function orNull(maker: Maker, schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const field = maker(schema, id, required, value);
  const { box, label } = instead(`${id}-null`, 'Send null', value === null, id);
  const hide = () => (field.element.hidden = box.checked);
  box.addEventListener('change', hide);
  hide();
  return { element: element('div', {}, field.element, label), value: () => (box.checked ? null : field.value()), typed: () => (box.checked ? null : soFar(field)) };
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

function text(schema: Schema, id: string, required: boolean, given: Json | undefined): Field {
  const value = halfOf(given) ?? given;
  const isDate = schema.format === 'date';
  const type = isDate ? 'date' : isSecret(schema) ? 'password' : undefined; // the browser's own for an email or a URL changes what was typed
  const common = { id, 'aria-required': String(required), placeholder: asText(schema.default) };
  let empty = schema.default === '';
  const leaveEmpty = isDate || schema.minLength ? undefined : () => (empty = true);
  const input = type ? element('input', { ...common, type, value: asText(value), autocomplete: 'off' }) : lines(common, asText(value));
  const sendEmpty = leaveEmpty && !required && schema.default ? instead(`${id}-empty`, 'Send an empty text', value === '', id) : undefined;
  let typed = '';
  sendEmpty?.box.addEventListener('change', () => ([typed, input.value] = [input.value, typed])); // a second thought brings it back
  input.addEventListener('input', () => sendEmpty && (sendEmpty.box.checked = false));
  const kept = isDate || (sendEmpty && value === '') ? undefined : value; // the box has it, and no date is empty
  const shown = input.value; // in which a line break of Windows is another
  return {
    element: sendEmpty ? element('div', {}, input, sendEmpty.label) : input,
    value: () => {
      if (shown !== '' && input.value === shown && typeof value === 'string' && written(value) === undefined) {
        return value;
      }
      if (input.validity.badInput) {
        throw new Wrong(input, `is no ${schema.format}`);
      }
      return input.value === '' ? absent(input, required, empty || sendEmpty?.box.checked ? '' : kept, leaveEmpty) : input.value;
    },
  };
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
    typed: () => (input.value === '' ? undefined : half(input.value)),
    value: () => {
      if (input.value.trim() === '') {
        return absent(input, required, undefined);
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
    place.replaceChildren(...(field ? [field.element] : []));
    controlOf(place, `${id}-${type}`)?.setAttribute('aria-label', `the ${type}`);
    place.hidden = !field;
  };
  control.addEventListener('change', () => choose(undefined));
  choose(value);
  return {
    element: element('div', {}, control, place),
    value: () => (field ? field.value() : absent(control, required, undefined)),
  };
}

/** Nested fields; an object that may be left out is, where none of them is given. */
function object(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  if (!schema.properties || Object.keys(schema.properties).length === 0) {
    return anything(schema, id, required, value);
  }
  const given = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const { fields, elements } = fieldsOf(schema, given, required);
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !fields.has(name)));
  const more = schema.additionalProperties || Object.keys(others).length > 0 ? rest(others) : undefined;
  const group = element('div', { id, class: 'group', role: 'group', 'aria-labelledby': `${id}-label` }, ...elements, ...(more ? [more.element] : []));
  const wasEmpty = given === value && Object.keys(given).length === 0;
  return {
    element: group,
    typed: () => ({ ...(more && soFar(more) as { [name: string]: Json } | undefined), ...typed(fields) }),
    value: () => {
      const all = { ...more?.value(), ...values(fields) };
      return Object.keys(all).length === 0 && !required && !wasEmpty ? undefined : all;
    },
  };
}

/** The properties that have no field of their own: what is sent is seen. */
function rest(given: { [name: string]: Json }): { element: HTMLElement; value(): { [name: string]: Json } | undefined } {
  const field = labelled('other properties', { type: 'object' }, false, Object.keys(given).length > 0 ? given : undefined);
  return {
    element: field.element,
    value: () => {
      const value = field.value();
      if (value === undefined || isOf('object', value)) {
        return value as { [name: string]: Json } | undefined;
      }
      throw new Wrong(field.element.querySelector('textarea') ?? field.element, 'is no object');
    },
  };
}

/** The fields of an object's properties. */
export function fieldsOf(schema: Schema, given: { [name: string]: Json }, required: boolean): { fields: Map<string, Field>; elements: HTMLElement[] } {
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const needed = required && (schema.required ?? []).includes(name);
    fields.set(name, labelled(name, property, needed, Object.hasOwn(given, name) ? given[name] : undefined)); // it may be called `constructor`
  }
  return { fields, elements: [...fields.values()].map((field) => field.element) };
}

export function values(fields: Map<string, Field>): { [name: string]: Json } {
  const all = [...fields].map(([name, field]) => [name, field.value()] as const);
  return Object.fromEntries(all.filter((one): one is [string, Json] => one[1] !== undefined));
}

/** The values so far, also of what the form would not send. */
export function typed(fields: Map<string, Field>): { [name: string]: Json } {
  return values(new Map([...fields].map(([name, field]) => [name, { ...field, value: () => soFar(field) }])));
}

function soFar(field: Field): Json | undefined {
  try {
    return field.typed ? field.typed() : field.value();
  } catch {
    return undefined; // not typed to its end
  }
}

function list(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const items: { field: Field; name: HTMLElement | null; remove: HTMLElement; row: HTMLElement }[] = [];
  const rows = element('div', { role: 'list' });
  const sendEmpty = required ? undefined : instead(`${id}-empty`, 'Send an empty list', Array.isArray(value) && value.length === 0, id);
  sendEmpty?.box.addEventListener('change', () => (rows.hidden = sendEmpty.box.checked));
  const number = () => items.forEach(({ name, remove }, i) => {
    name?.setAttribute('aria-label', `item ${i + 1}`);
    remove.setAttribute('aria-label', `Remove item ${i + 1}`);
  });
  const add = (given?: Json): void => {
    const of = plain(schema.items ?? {});
    const itsId = `${id}-${++ids}`;
    const field = make(schema.items ?? {}, itsId, true, given === undefined ? of.default : given);
    const remove = button('Remove', () => {
      const at = items.indexOf(item);
      items.splice(at, 1);
      item.row.remove();
      number();
      changed();
      ((items[at] ?? items[at - 1])?.remove ?? more).focus(); // the keyboard stays in the list
    }, { class: 'secondary' });
    const item = { field, name: controlOf(field.element, itsId), remove, row: element('div', { class: 'item', role: 'listitem' }, field.element, remove) };
    items.push(item);
    rows.append(item.row);
    number();
  };
  const changed = () => rows.dispatchEvent(new Event('input', { bubbles: true })); // as typing tells it
  const more = button('Add', () => {
    add();
    if (sendEmpty) {
      rows.hidden = sendEmpty.box.checked = false;
    }
    changed();
    rows.lastElementChild?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, { class: 'secondary', id: `${id}-add`, 'aria-labelledby': `${id}-add ${id}-label` });
  (Array.isArray(value) ? value : []).forEach((given) => add(given));
  return {
    element: element('div', { id, class: 'group', role: 'group', 'aria-labelledby': `${id}-label` }, rows, more, ...(sendEmpty ? [sendEmpty.label] : [])),
    typed: () => (sendEmpty?.box.checked ? [] : items.length === 0 ? undefined : items.map((item) => soFar(item.field) ?? null)),
    value: () => {
      if (sendEmpty?.box.checked) {
        return [];
      }
      const all = items.map((item) => item.field.value() ?? null);
      return all.length === 0 && !required ? undefined : all;
    },
  };
}

/** A field for what has no form of its own: JSON. */
function anything(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const area = element('textarea', { id, class: 'json', rows: '4', spellcheck: 'false', 'aria-required': String(required), placeholder: asText(schema.default) });
  area.value = value === undefined ? '' : (halfOf(value) ?? inLines(unhalved(value)));
  return {
    element: area,
    typed: () => (area.value === '' ? undefined : half(area.value)),
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
