// The fields of a form, one for each kind of schema. The value of a field is undefined if it is
// empty; reading it throws a FieldError if the typed text is not such a value.
import { exactNumber, exactText, indentJSON, parse, stringify } from '../src/exact';
import type { Json, Schema } from '../src/protocol';
import { isSecret } from '../src/secretarguments';
import { boundHints } from './bounds';
import { button, element } from './dom';
import { asText, controlOf, emptyValue, equal, FieldError, hasType, partialText, partialTextOf, sendInsteadBox, typeOf, typesOf, withoutPartialMarks, type Field, type FieldMaker } from './field';
import { normalizeNumber } from './number';
import { allowsNull, simplify } from './schema';

let ids = 0;

/** Makes a field with its label. */
export function labelledField(name: string, given: Schema, required: boolean, value: Json | undefined): Field {
  const schema = simplify(given);
  const id = `field-${++ids}`;
  const field = makeField(given, id, required, value === undefined && required ? schema.default : value);
  const label = element('label', { for: id, id: `${id}-label` }, name);
  if (required) {
    label.append(element('span', { class: 'required', title: 'required' }, ' *'));
  }
  const hint = [schema.description, typeHint(schema), ...boundHints(schema), defaultHint(schema)].filter(Boolean).join(' · ');
  const row = element('div', { class: 'field', 'data-name': name }, label, field.element);
  if (hint) {
    const control = controlOf(row, id);
    control?.setAttribute('aria-describedby', `${id}-hint`);
    control?.after(element('div', { class: 'hint', id: `${id}-hint` }, hint));
  }
  return { ...field, element: row };
}

function makeField(given: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const schema = simplify(given);
  const maker = makerOf(schema);
  const saysNull = maker === jsonField || schema.enum?.includes(null);
  return allowsNull(given) && !saysNull ? withNullBox(maker, schema, id, required, value) : maker(schema, id, required, value);
}

function makerOf(schema: Schema): FieldMaker {
  if (schema.enum) {
    return enumField;
  }
  return (typesOf(schema).length > 1 ? typeChoiceField : makers.get(typeOf(schema))) ?? jsonField;
}

/** Makes a field with a box that sends null. */
function withNullBox(maker: FieldMaker, schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const field = maker(schema, id, required, value);
  const { box, label } = sendInsteadBox(`${id}-null`, 'Send null', value === null, id);
  const hide = () => (field.element.hidden = box.checked);
  box.addEventListener('change', hide);
  hide();
  return { element: element('div', {}, field.element, label), value: () => (box.checked ? null : field.value()), typed: () => (box.checked ? null : partialValue(field)) };
}

function typeHint(schema: Schema): string {
  return schema.enum ? '' : schema.format || typesOf(schema).join(' or ') || 'JSON';
}

/** Returns a hint for the default of a field that cannot show it as a placeholder. */
function defaultHint(schema: Schema): string {
  const unseen = schema.format === 'date' || typeOf(schema) === 'array' || (typeOf(schema) === 'object' && schema.properties);
  return unseen && schema.default !== undefined && schema.default !== null ? `else ${asText(schema.default)}` : '';
}

const makers = new Map<string, FieldMaker>([ // a Map, not an object: a foreign schema may have the type `constructor`
  ['string', textField],
  ['number', numberField],
  ['integer', numberField],
  ['boolean', booleanField],
  ['array', listField],
  ['object', objectField],
]);

function textField(schema: Schema, id: string, required: boolean, given: Json | undefined): Field {
  const value = partialTextOf(given) ?? given;
  const isDate = schema.format === 'date';
  const type = isDate ? 'date' : isSecret(schema) ? 'password' : undefined; // the browser's fields for an email or a URL change what was typed
  const common = { id, 'aria-required': String(required), placeholder: asText(schema.default) };
  let empty = schema.default === '';
  const leaveEmpty = isDate || schema.minLength ? undefined : () => (empty = true);
  const input = type ? element('input', { ...common, type, value: asText(value), autocomplete: 'off' }) : textArea(common, asText(value));
  const sendEmpty = leaveEmpty && !required && schema.default ? sendInsteadBox(`${id}-empty`, 'Send an empty text', value === '', id) : undefined;
  let typed = '';
  sendEmpty?.box.addEventListener('change', () => ([typed, input.value] = [input.value, typed])); // unticking restores the text
  input.addEventListener('input', () => sendEmpty && (sendEmpty.box.checked = false));
  const kept = isDate || (sendEmpty && value === '') ? undefined : value; // the box has the empty text, and a date is never empty
  const shown = input.value; // the browser changes line breaks of Windows
  return {
    element: sendEmpty ? element('div', {}, input, sendEmpty.label) : input,
    value: () => {
      if (shown !== '' && input.value === shown && typeof value === 'string' && exactText(value) === undefined) {
        return value;
      }
      if (input.validity.badInput) {
        throw new FieldError(input, `is no ${schema.format}`);
      }
      return input.value === '' ? emptyValue(input, required, empty || sendEmpty?.box.checked ? '' : kept, leaveEmpty) : input.value;
    },
  };
}

/** Makes a text area of one line; Shift+Enter adds lines, and Enter submits the form. */
function textArea(attributes: { [name: string]: string }, value: string): HTMLTextAreaElement {
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

function numberField(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const input = element('input', { id, type: 'text', inputmode: 'decimal', 'aria-required': String(required), value: asText(value), placeholder: asText(schema.default) });
  return {
    element: input,
    typed: () => (input.value === '' ? undefined : partialText(input.value)),
    value: () => {
      if (input.value.trim() === '') {
        return emptyValue(input, required, undefined);
      }
      const whole = typeOf(schema) === 'integer';
      const number = normalizeNumber(input.value);
      if (number === undefined || (whole && !Number.isInteger(Number(number)))) {
        throw new FieldError(input, whole ? 'is no whole number' : 'is no number');
      }
      return exactNumber(number);
    },
  };
}

function booleanField(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  return selectField([true, false], schema, id, required, value);
}

function enumField(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  return selectField(schema.enum ?? [], schema, id, required, value);
}

function selectField(values: Json[], schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const control = element('select', { id, 'aria-required': String(required) }, element('option', { value: '' }, schema.default === undefined ? '—' : `— (${asText(schema.default)})`));
  values.forEach((v, i) => control.append(element('option', { value: String(i + 1), selected: equal(v, value) }, v === '' || v === null ? stringify(v) : asText(v))));
  return {
    element: control,
    value: () => (control.value === '' ? emptyValue(control, required, undefined) : values[Number(control.value) - 1]),
  };
}

/** Makes a choice of types and then the field of the type: 7 can be a text or a number. */
function typeChoiceField(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const types = typesOf(schema);
  const was = types.find((type) => hasType(type, value));
  const control = element('select', { id, 'aria-required': String(required) }, element('option', { value: '' }, '—'), ...types.map((type) => element('option', { selected: type === was }, type)));
  const place = element('div', { class: 'group' });
  let field: Field | undefined;
  const choose = (given: Json | undefined) => {
    const type = control.value;
    field = type ? makeField({ ...schema, type }, `${id}-${type}`, true, given) : undefined;
    place.replaceChildren(...(field ? [field.element] : []));
    controlOf(place, `${id}-${type}`)?.setAttribute('aria-label', `the ${type}`);
    place.hidden = !field;
  };
  control.addEventListener('change', () => choose(undefined));
  choose(value);
  return {
    element: element('div', {}, control, place),
    value: () => (field ? field.value() : emptyValue(control, required, undefined)),
  };
}

/** Makes nested fields; an optional object without any value is left out. */
function objectField(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  if (!schema.properties || Object.keys(schema.properties).length === 0) {
    return jsonField(schema, id, required, value);
  }
  const given = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const { fields, elements } = fieldsOf(schema, given, required);
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !fields.has(name)));
  const more = schema.additionalProperties || Object.keys(others).length > 0 ? otherProperties(others) : undefined;
  const group = element('div', { id, class: 'group', role: 'group', 'aria-labelledby': `${id}-label` }, ...elements, ...(more ? [more.element] : []));
  const wasEmpty = given === value && Object.keys(given).length === 0;
  return {
    element: group,
    typed: () => ({ ...(more && partialValue(more) as { [name: string]: Json } | undefined), ...typed(fields) }),
    value: () => {
      const all = { ...more?.value(), ...values(fields) };
      return Object.keys(all).length === 0 && !required && !wasEmpty ? undefined : all;
    },
  };
}

/** Makes a field for the properties without a field of their own: the form shows everything that it sends. */
function otherProperties(given: { [name: string]: Json }): { element: HTMLElement; value(): { [name: string]: Json } | undefined } {
  const field = labelledField('other properties', { type: 'object' }, false, Object.keys(given).length > 0 ? given : undefined);
  return {
    element: field.element,
    value: () => {
      const value = field.value();
      if (value === undefined || hasType('object', value)) {
        return value as { [name: string]: Json } | undefined;
      }
      throw new FieldError(field.element.querySelector('textarea') ?? field.element, 'is no object');
    },
  };
}

/** Returns the fields of an object's properties. */
export function fieldsOf(schema: Schema, given: { [name: string]: Json }, required: boolean): { fields: Map<string, Field>; elements: HTMLElement[] } {
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const needed = required && (schema.required ?? []).includes(name);
    fields.set(name, labelledField(name, property, needed, Object.hasOwn(given, name) ? given[name] : undefined)); // a property may be called `constructor`
  }
  return { fields, elements: [...fields.values()].map((field) => field.element) };
}

export function values(fields: Map<string, Field>): { [name: string]: Json } {
  const all = [...fields].map(([name, field]) => [name, field.value()] as const);
  return Object.fromEntries(all.filter((one): one is [string, Json] => one[1] !== undefined));
}

/** Returns the values so far, also those that the form would not submit. */
export function typed(fields: Map<string, Field>): { [name: string]: Json } {
  return values(new Map([...fields].map(([name, field]) => [name, { ...field, value: () => partialValue(field) }])));
}

function partialValue(field: Field): Json | undefined {
  try {
    return field.typed ? field.typed() : field.value();
  } catch {
    return undefined; // not typed completely
  }
}

function listField(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const items: { field: Field; name: HTMLElement | null; remove: HTMLElement; row: HTMLElement }[] = [];
  const rows = element('div', { role: 'list' });
  const sendEmpty = required ? undefined : sendInsteadBox(`${id}-empty`, 'Send an empty list', Array.isArray(value) && value.length === 0, id);
  sendEmpty?.box.addEventListener('change', () => (rows.hidden = sendEmpty.box.checked));
  const number = () => items.forEach(({ name, remove }, i) => {
    name?.setAttribute('aria-label', `item ${i + 1}`);
    remove.setAttribute('aria-label', `Remove item ${i + 1}`);
  });
  const add = (given?: Json): void => {
    const of = simplify(schema.items ?? {});
    const itsId = `${id}-${++ids}`;
    const field = makeField(schema.items ?? {}, itsId, true, given === undefined ? of.default : given);
    const remove = button('Remove', () => {
      const at = items.indexOf(item);
      items.splice(at, 1);
      item.row.remove();
      number();
      changed();
      ((items[at] ?? items[at - 1])?.remove ?? more).focus(); // the focus stays in the list
    }, { class: 'secondary' });
    const item = { field, name: controlOf(field.element, itsId), remove, row: element('div', { class: 'item', role: 'listitem' }, field.element, remove) };
    items.push(item);
    rows.append(item.row);
    number();
  };
  const changed = () => rows.dispatchEvent(new Event('input', { bubbles: true })); // the same event as for typing
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
    typed: () => (sendEmpty?.box.checked ? [] : items.length === 0 ? undefined : items.map((item) => partialValue(item.field) ?? null)),
    value: () => {
      if (sendEmpty?.box.checked) {
        return [];
      }
      const all = items.map((item) => item.field.value() ?? null);
      return all.length === 0 && !required ? undefined : all;
    },
  };
}

/** Makes a field for any other value, typed as JSON. */
function jsonField(schema: Schema, id: string, required: boolean, value: Json | undefined): Field {
  const area = element('textarea', { id, class: 'json', rows: '4', spellcheck: 'false', 'aria-required': String(required), placeholder: asText(schema.default) });
  area.value = value === undefined ? '' : (partialTextOf(value) ?? indentJSON(withoutPartialMarks(value)));
  return {
    element: area,
    typed: () => (area.value === '' ? undefined : partialText(area.value)),
    value: () => {
      if (area.value.trim() === '') {
        return emptyValue(area, required, undefined);
      }
      try {
        return parse(area.value) as Json;
      } catch (error) {
        throw new FieldError(area, `is no JSON: ${error instanceof Error ? error.message : error}`);
      }
    },
  };
}
