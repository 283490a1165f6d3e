// What the fields of a form have in common.
import { exactText, stringify } from '../src/exact';
import type { Json, Schema } from '../src/protocol';
import { element } from './dom';

export interface Field {
  element: HTMLElement;
  value(): Json | undefined;
  typed?(): Json | undefined; // what is typed so far, where value would refuse it
}

const mark = '\uE001'; // of no script, as that of exact numbers

/** What is not typed to its end, as a value. */
export function partialText(typed: string): Json {
  return mark + typed;
}

/** What was typed, of a value that half gave. */
export function partialTextOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : undefined;
}

/** A value with what was typed in the place of what half gave: the schema may be another by
 * now, and what is sent is what is seen. */
export function withoutPartialMarks(value: Json): Json {
  if (Array.isArray(value)) {
    return value.map(withoutPartialMarks);
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutPartialMarks(part)]));
  }
  return partialTextOf(value) ?? value;
}

/** What is wrong with a field, and where. */
export class FieldError extends Error {
  constructor(
    readonly control: HTMLElement,
    message: string,
    readonly leaveEmpty?: () => void, // where an empty text would be right too
  ) {
    super(message);
  }
}

export type FieldMaker = (schema: Schema, id: string, required: boolean, value: Json | undefined) => Field;

/** What has the label of a field. */
export function controlOf(inside: HTMLElement, id: string): HTMLElement | null {
  return inside.id === id ? inside : inside.querySelector<HTMLElement>(`[id="${id}"]`);
}

/** The types of a schema, that of null apart. */
export function typesOf(schema: Schema): string[] {
  return [schema.type ?? (schema.properties ? 'object' : [])].flat().filter((type) => type !== 'null');
}

/** The one type of a schema, '' for several. */
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

/** A box that says what is sent where nothing is given: else a default is, or nothing. */
export function sendInsteadBox(id: string, says: string, checked: boolean, field: string): { box: HTMLInputElement; label: HTMLElement } {
  const box = element('input', { id, type: 'checkbox', checked, 'aria-labelledby': `${id}-label ${field}-label` });
  return { box, label: element('label', { class: 'empty', id: `${id}-label` }, box, says) };
}

/** The value of a field without a text: the empty text stays what it was. */
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
