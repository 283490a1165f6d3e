// The page of the form: a tool's parameters, Run and Cancel.
import type { FormAnswer, FormContent, FormMessage, FormPreview, RunLocation } from '../src/messages';
import type { Json, Schema } from '../src/protocol';
import { withoutSecrets } from '../src/secretarguments';
import { button, element } from './dom';
import { FieldError, type Field } from './field';
import { fieldsOf, labelledField, typed, values } from './fields';
import { getState, post, setState } from './host';
import { resolveReferences } from './schema';

const send = (answer: FormAnswer) => post(answer);

window.addEventListener('message', ({ data }: MessageEvent<FormMessage>) => {
  if ('where' in data) {
    showLocation(data.where);
  } else if ('preview' in data) {
    page?.receivePreview(data);
  } else if ('picked' in data) {
    page?.setValue(data.picked, data.value);
  } else {
    const { args, json } = (getState() as State | undefined) ?? { args: data.values, json: data.json }; // VS Code reloads the page in another window
    page = new FormPage(data, args, json);
  }
});
send({ type: 'ready' });

const losesTyped = 'Escape again closes the form, and what you typed is lost.';
const pause = 300; // ms without a key, after which the preview is asked for

let page: FormPage | undefined;

type Values = FormContent['values'];

/** What was typed. */
interface State {
  args: Values;
  json: boolean;
}

class FormPage {
  private readonly error: HTMLElement;
  private readonly form: HTMLFormElement;
  private readonly inside = element('div');
  private readonly preview = element('pre', { tabindex: '0', 'aria-labelledby': 'preview' });
  private readonly mode: HTMLButtonElement;
  private readonly fill = button('Fill from a Result…', () => this.pick(), { class: 'secondary', title: 'Take the chosen argument from an earlier result' });
  private readonly schemas: [Schema, Schema]; // of the required and of the optional arguments
  private fields = new Map<string, Field>();
  private json: Field | undefined; // set while all arguments are typed as JSON
  private hidden: Values = {}; // secret arguments are not shown as JSON
  private last = ''; // the argument that had the keyboard
  private touched: boolean;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waits = false; // for a preview of what is typed now

  constructor(private readonly content: FormContent, given: Values, json: boolean) {
    this.schemas = [resolveReferences(content.schema), resolveReferences(content.more)];
    this.touched = content.typed || getState() !== undefined;
    this.error = element('p', { id: 'error', role: 'alert' }, content.error);
    this.mode = button('Edit as JSON', () => this.switchMode(), { class: 'secondary' });
    this.form = element('form', { novalidate: true, 'aria-label': `Arguments of ${content.tool}`, 'aria-describedby': 'where' }, this.inside, this.error,
      element('div', { class: 'buttons' },
        element('button', { type: 'submit' }, content.doing),
        button(content.question ? 'Decline' : 'Cancel', () => send({ type: 'cancel' }), { class: 'secondary' }),
        ...(content.question ? [] : [this.fill]),
        this.mode),
      ...(content.question ? [] : [element('section', { class: 'preview' }, element('h2', { id: 'preview' }, 'What It Would Send'), this.preview)]));
    this.form.addEventListener('input', () => this.changed());
    this.form.addEventListener('change', () => this.changed()); // a check box takes effect after its input event
    this.form.addEventListener('focusin', ({ target }) => (this.last = nameOf(target as HTMLElement) ?? this.last));
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    window.onkeydown = (event) => this.handleKey(event);
    if (json) {
      this.showJSON(given);
    } else {
      this.showFields(given);
    }
    document.getElementById('main')?.replaceChildren(element('h1', {}, content.tool), element('p', {}, content.description), element('p', { id: 'where', role: 'status' }), this.form);
    this.focusFirst();
    this.schedule();
  }

  private showFields(given: Values): void {
    this.json = undefined;
    this.nameMode();
    const [asked, more] = this.schemas.map((schema) => fieldsOf(schema, given, true)) as [ReturnType<typeof fieldsOf>, ReturnType<typeof fieldsOf>];
    const known = [...more.fields.keys()].some((name) => Object.hasOwn(given, name)); // the form shows everything that it sends
    this.fields = new Map([...asked.fields, ...more.fields]);
    this.inside.replaceChildren(...asked.elements);
    if (more.elements.length > 0) {
      this.inside.append(element('details', { open: asked.elements.length === 0 || known || this.content.question === true }, element('summary', {}, 'Optional'), ...more.elements));
    }
  }

  /** Shows all arguments as one text. */
  private showJSON(all: Values): void {
    const visible = withoutSecrets(withoutSecrets(all, this.content.schema), this.content.more);
    this.hidden = Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(visible, name)));
    this.json = labelledField('Arguments', { type: 'object', description: Object.keys(this.hidden).length > 0 ? 'Secret arguments are sent too, and not shown here' : '' }, true, visible);
    this.inside.replaceChildren(this.json.element);
    this.nameMode();
  }

  private nameMode(): void {
    this.fill.disabled = this.json !== undefined;
    this.mode.textContent = this.json ? 'Edit as Fields' : 'Edit as JSON';
  }

  private focusFirst(): void {
    const { error, typed: wasTyped } = this.content;
    const controls = [...this.form.querySelectorAll<HTMLElement>('input, select, textarea, button')];
    const refused = controls.find((control) => error.startsWith(`${pathOf(control)}:`)) ?? controls.find((control) => isAbout(pathOf(control), error));
    if (refused) {
      return markInvalid(refused);
    }
    controls[0]?.focus();
    if (this.json === undefined && controls[0]?.matches('.text') && !wasTyped && !this.touched) {
      (controls[0] as HTMLTextAreaElement).select(); // a remembered value: typing replaces it
    }
  }

  private changed(): void {
    const args = this.typed();
    this.touched = true;
    clearError(this.error);
    const state: State = { args, json: this.json !== undefined };
    setState(state);
    send({ type: 'typed', ...state });
    this.schedule();
  }

  /** Returns the values so far, also those that the form would not submit. */
  private typed(): Values {
    if (this.json === undefined) {
      return typed(this.fields);
    }
    try {
      return this.args();
    } catch {
      return (getState() as State | undefined)?.args ?? this.content.values; // not typed completely
    }
  }

  /** Returns the arguments; throws a FieldError if what is typed is no value. */
  private args(): Values {
    if (this.json === undefined) {
      return values(this.fields);
    }
    const args = this.json.value();
    if (args === null || typeof args !== 'object' || Array.isArray(args)) {
      throw new FieldError(this.inside.querySelector('textarea') ?? this.inside, 'is no object');
    }
    return { ...this.hidden, ...args };
  }

  private submit(): void {
    clearError(this.error);
    try {
      send({ type: 'submit', args: this.args(), json: this.json !== undefined });
    } catch (fault) {
      this.showFault(fault);
    }
  }

  private showFault(fault: unknown): void {
    if (!(fault instanceof FieldError)) {
      throw fault;
    }
    const { leaveEmpty } = fault;
    this.error.textContent = `${pathOf(fault.control)} ${fault.message}.`;
    if (leaveEmpty) {
      this.error.append(' ', button('Leave It Empty', () => { leaveEmpty(); this.form.requestSubmit(); }, { class: 'secondary' }));
    }
    markInvalid(fault.control);
  }

  /** Shows all arguments as JSON, or as fields again. */
  private switchMode(): void {
    clearError(this.error);
    if (this.json === undefined) {
      this.showJSON(valuesSoFar(this.fields));
    } else {
      try {
        const args = this.args();
        const unknown = Object.keys(args).filter((name) => !this.schemas.some(({ properties }) => Object.hasOwn(properties ?? {}, name)));
        if (unknown.length > 0) { // it would be lost
          this.error.textContent = `There is no field for ${unknown.join(', ')}: take it out, or run with the JSON.`;
          return;
        }
        this.showFields(args);
      } catch (fault) {
        return this.showFault(fault);
      }
    }
    this.inside.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }

  private pick(): void {
    const name = this.fields.has(this.last) ? this.last : [...this.fields.keys()][0];
    if (name !== undefined) {
      send({ type: 'pick', name });
    }
  }

  /** Sets an argument to a value that was chosen elsewhere. */
  setValue(name: string, value: Json): void {
    const [asked, more] = this.schemas;
    const schema = [asked, more].find(({ properties }) => Object.hasOwn(properties ?? {}, name));
    const before = this.fields.get(name);
    if (schema && before && this.json === undefined) {
      const field = labelledField(name, schema.properties?.[name] ?? {}, schema.required?.includes(name) === true, value);
      before.element.replaceWith(field.element);
      this.fields.set(name, field);
      this.changed();
      field.element.querySelector<HTMLElement>('input, select, textarea')?.focus();
    }
  }

  /** Asks for the preview when nothing is typed any more. */
  private schedule(): void {
    clearTimeout(this.timer);
    this.waits = false;
    if (this.content.question) {
      return; // nothing is called
    }
    this.timer = setTimeout(() => {
      try {
        send({ type: 'preview', args: this.args() });
        this.waits = true;
      } catch (fault) {
        this.showPreview({ preview: '', reason: fault instanceof FieldError ? `${pathOf(fault.control)} ${fault.message}.` : String(fault) });
      }
    }, pause);
  }

  /** Shows the answer to a preview; one to what was typed before is too late. */
  receivePreview(preview: FormPreview): void {
    if (this.waits) {
      this.showPreview(preview);
    }
  }

  private showPreview({ preview, reason }: FormPreview): void {
    this.preview.classList.toggle('hint', preview === '');
    this.preview.textContent = preview === '' ? reason : preview;
  }

  private handleKey(event: KeyboardEvent): void {
    if (event.isComposing || event.defaultPrevented) {
      return;
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault(); // not the click of a focused button
      this.form.requestSubmit();
    } else if (event.key === 'Escape' && this.touched && this.error.textContent !== losesTyped) {
      this.error.textContent = losesTyped;
    } else if (event.key === 'Escape') {
      send({ type: 'cancel' });
    }
  }
}

/** Returns the argument to which a control belongs. */
function nameOf(control: HTMLElement): string | undefined {
  let name: string | undefined;
  for (let at = control.closest('[data-name]'); at; at = at.parentElement?.closest('[data-name]') ?? null) {
    name = at.getAttribute('data-name') ?? undefined;
  }
  return name;
}

/** Returns the values of the fields, and the text of those that the form would not submit. */
function valuesSoFar(fields: Map<string, Field>): Values {
  const all = [...fields].map(([name, field]) => {
    try {
      return [name, field.value()] as const;
    } catch {
      return [name, field.typed?.()] as const;
    }
  });
  return Object.fromEntries(all.filter((one): one is [string, Json] => one[1] !== undefined));
}

/** Shows where the call runs. */
function showLocation(where: RunLocation): void {
  const line = document.getElementById('where');
  line?.replaceChildren(where.words);
  line?.classList.toggle('protected', where.protected);
}

/** Marks the control that the error is about, and focuses it. */
function markInvalid(control: HTMLElement): void {
  control.setAttribute('aria-invalid', 'true');
  control.setAttribute('aria-describedby', [control.getAttribute('aria-describedby'), 'error'].filter(Boolean).join(' '));
  for (let at = control.closest('details'); at; at = at.parentElement?.closest('details') ?? null) {
    at.open = true; // a closed part cannot have the focus
  }
  control.focus();
}

/** Returns the path of a control in the arguments, in the server's form: items[2].qty. */
function pathOf(control: HTMLElement): string {
  let path = '';
  for (let at = control.closest(step); at; at = at.parentElement?.closest(step) ?? null) {
    const name = at.getAttribute('data-name');
    const here = name ?? `[${[...(at.parentElement?.children ?? [])].indexOf(at)}]`;
    path = here + (path === '' || path.startsWith('[') ? path : `.${path}`);
  }
  return path;
}

/** Reports whether a control belongs to the object that an error is about, or contains that object as JSON. */
function isAbout(path: string, error: string): boolean {
  const about = /^([^:]*):/.exec(error)?.[1] ?? '';
  const holds = (outer: string, inner: string) => outer !== '' && ['.', '['].some((next) => inner.startsWith(outer + next));
  return holds(about, path) || holds(path, about);
}

const step = '[data-name], [role=listitem]';

/** Removes the error and its marks. */
function clearError(error: HTMLElement): void {
  error.textContent = '';
  document.querySelectorAll('[aria-invalid]').forEach((control) => {
    control.removeAttribute('aria-invalid');
    control.setAttribute('aria-describedby', control.getAttribute('aria-describedby')?.replace(/ ?error$/, '') ?? '');
  });
}
