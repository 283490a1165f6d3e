// The page of the form: a tool's parameters, Run and Cancel.
import type { FormAnswer, FormContent, RunLocation } from '../src/messages';
import { button, element } from './dom';
import { FieldError, type Field } from './field';
import { fieldsOf, typed, values } from './fields';
import { getState, post, setState } from './host';
import { resolveReferences } from './schema';

const send = (answer: FormAnswer) => post(answer);

window.addEventListener('message', ({ data }: MessageEvent<FormContent | { where: RunLocation }>) => ('where' in data ? showLocation(data.where) : show(data)));
send({ type: 'ready' });

const losesTyped = 'Escape again closes the form, and what you typed is lost.';

function show(content: FormContent): void {
  const given = (getState() as FormContent['values'] | undefined) ?? content.values; // VS Code reloads the page in another window
  const asked = fieldsOf(resolveReferences(content.schema), given, true);
  const more = fieldsOf(resolveReferences(content.more), given, true);
  const known = [...more.fields.keys()].some((name) => Object.hasOwn(given, name)); // the form shows everything that it sends
  const fields = new Map([...asked.fields, ...more.fields]);
  const error = element('p', { id: 'error', role: 'alert' }, content.error);
  const form = element('form', { novalidate: true, 'aria-label': `Arguments of ${content.tool}`, 'aria-describedby': 'where' }, ...asked.elements);
  if (more.elements.length > 0) {
    form.append(element('details', { open: asked.elements.length === 0 || known }, element('summary', {}, 'Optional'), ...more.elements));
  }
  form.append(error, element('div', { class: 'buttons' }, element('button', { type: 'submit' }, content.doing), button('Cancel', () => send({ type: 'cancel' }), { class: 'secondary' })));
  let touched = content.typed || getState() !== undefined;
  const changed = () => {
    const args = typed(fields);
    touched = true;
    clearError(error);
    setState(args);
    send({ type: 'typed', args });
  };
  form.addEventListener('input', changed);
  form.addEventListener('change', changed); // a check box takes effect after its input event
  window.onkeydown = (event) => {
    if (event.isComposing || event.defaultPrevented) {
      return;
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault(); // not the click of a focused button
      form.requestSubmit();
      return;
    }
    if (event.key !== 'Escape') {
      return;
    }
    if (touched && error.textContent !== losesTyped) {
      error.textContent = losesTyped;
    } else {
      send({ type: 'cancel' });
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(fields, error, form);
  });
  document.getElementById('main')?.replaceChildren(element('h1', {}, content.tool), element('p', {}, content.description), element('p', { id: 'where', role: 'status' }), form);
  const controls = [...form.querySelectorAll<HTMLElement>('input, select, textarea, button')];
  const refused = controls.find((control) => content.error.startsWith(`${pathOf(control)}:`)) ?? controls.find((control) => isAbout(pathOf(control), content.error));
  if (refused) {
    markInvalid(refused);
  } else {
    controls[0]?.focus();
    if (controls[0]?.matches('.text') && !touched) {
      (controls[0] as HTMLTextAreaElement).select(); // a remembered value: typing replaces it
    }
  }
}

/** Shows where the call runs. */
function showLocation(where: RunLocation): void {
  const line = document.getElementById('where');
  line?.replaceChildren(where.words);
  line?.classList.toggle('protected', where.protected);
}

function submit(fields: Map<string, Field>, error: HTMLElement, form: HTMLFormElement): void {
  clearError(error);
  try {
    send({ type: 'submit', args: values(fields) });
  } catch (fault) {
    if (!(fault instanceof FieldError)) {
      throw fault;
    }
    const { leaveEmpty } = fault;
    error.textContent = `${pathOf(fault.control)} ${fault.message}.`;
    if (leaveEmpty) {
      error.append(' ', button('Leave It Empty', () => { leaveEmpty(); form.requestSubmit(); }, { class: 'secondary' }));
    }
    markInvalid(fault.control);
  }
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
