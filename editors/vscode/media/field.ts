// What all fields of a form share.
import { exactText, stringify } from '../src/exact';
import type { Json, Schema } from '../src/protocol';
import { element } from './dom';

export interface Field {
  element: HTMLElement;
  value(): Json | undefined;
  typed?(): Json | undefined; // what is typed so far, if value would refuse it
}

const mark = '\uE001'; // a private character, like that of exact numbers

/** Returns unfinished text as a value, with a mark. */
export function partialText(typed: string): Json {
  return mark + typed;
}

/** Returns the text of a value from partialText; undefined for any other value. */
export function partialTextOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : undefined;
}

/** Returns a value with the typed text instead of values from partialText: the schema may have
 * changed, and the form sends what it shows. */
export function withoutPartialMarks(value: Json): Json {
  if (Array.isArray(value)) {
    return value.map(withoutPartialMarks);
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutPartialMarks(part)]));
  }
  return partialTextOf(value) ?? value;
}

/** What is wrong with a field, and its control. */
export class FieldError extends Error {
  constructor(
    readonly control: HTMLElement,
    message: string,
    readonly leaveEmpty?: () => void, // set if an empty text is also allowed
  ) {
    super(message);
  }
}

export type FieldMaker = (schema: Schema, id: string, required: boolean, value: Json | undefined) => Field;

/** Returns the control to which the label of a field belongs. */
export function controlOf(inside: HTMLElement, id: string): HTMLElement | null {
  return inside.id === id ? inside : inside.querySelector<HTMLElement>(`[id="${id}"]`);
}

/** Returns the types of a schema except null. */
export function typesOf(schema: Schema): string[] {
  return [schema.type ?? (schema.properties ? 'object' : [])].flat().filter((type) => type !== 'null');
}

/** Returns the only type of a schema, '' if there are several. */
export function typeOf(schema: Schema): string {
  const types = typesOf(schema);
  return types.length === 1 ? (types[0] ?? '') : '';
}

export function hasType(type: string, value: Json | undefined): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return hasType('number', value) && Number.isInteger(Number(exactText(value) ?? value));
    case 'number':
      return typeof value === 'number' || exactText(value) !== undefined;
    case 'object':
      return value !== null && typeof value === 'object' && !Array.isArray(value);
    default:
      return typeof value === type && exactText(value) === undefined;
  }
}

/** Makes a box that sends something for an empty field, instead of the default or nothing. */
export function sendInsteadBox(id: string, says: string, checked: boolean, field: string): { box: HTMLInputElement; label: HTMLElement } {
  const box = element('input', { id, type: 'checkbox', checked, 'aria-labelledby': `${id}-label ${field}-label` });
  return { box, label: element('label', { class: 'empty', id: `${id}-label` }, box, says) };
}

/** Returns the value of a field without a text. An empty text remains an empty text. */
export function emptyValue(control: HTMLElement, required: boolean, value: Json | undefined, leaveEmpty?: () => void): Json | undefined {
  if (value === '') {
    return value;
  }
  if (required) {
    throw new FieldError(control, 'is required', leaveEmpty);
  }
  return undefined;
}

export function asText(value: Json | undefined): string {
  return value === undefined || value === null ? '' : (partialTextOf(value) ?? exactText(value) ?? (typeof value === 'string' ? value : stringify(value)));
}

export function equal(a: Json, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
