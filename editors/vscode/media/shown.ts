// A result: its status and actions, which stay visible, and its views in tabs.
import { binaryParts } from '../src/bytes';
import { endingOf, type Ending } from '../src/ending';
import { exactText, hasLines, indentJSON, parse, stringify } from '../src/exact';
import { failureTitle } from '../src/failure';
import type { ResultAction, ResultCommand, ResultContent } from '../src/messages';
import type { Envelope, Fault, Json, Response } from '../src/protocol';
import { withoutColours } from '../src/sanitize';
import { formatBytes, formatDate, formatDuration } from '../src/units';
import { button, element } from './dom';
import type { FindBox } from './find';
import { post } from './host';
import { Tabs, type Tab } from './tabs';
import { TextView } from './text';
import { timing } from './timing';
import { TreeView } from './tree';
import { shapeTabs, valueTabs } from './value';
import type { View } from './view';

type Show = Extract<ResultContent, { type: 'show' }>;

const marks: { [E in Ending]: string } = {
  succeeded: '✓',
  failed: '✗',
  refused: '⊘',
  cancelled: '⊘',
  'did not run': '⊘',
  'its end is not known': '?',
};

const classes: { [ending: string]: string } = { succeeded: 'ok', failed: 'failed' };

type FocusAgain = (shown: ShownResult) => void;

export class ShownResult {
  readonly element: HTMLElement;
  readonly status: string;
  private readonly tabs: Tabs | undefined;
  private focusAgain: FocusAgain | undefined; // gives the keyboard back to what had it

  /** output is what the run printed until it failed. before is the result that this one replaces: the
   * keyboard stays where it was, and so does the chosen tab for another result of the same tool. */
  constructor(content: Show, output: string | undefined, private readonly find: FindBox, before: ShownResult | undefined) {
    const e = content.envelope;
    this.status = content.preview && e.ok ? 'Preview: this would be sent, and was not.' : statusText(e);
    const all = tabsOf(content, output);
    const same = before?.element.dataset['tool'] === e.tool ? before.tabs?.picked : undefined;
    this.tabs = all.length > 0 ? new Tabs(all, 'Views of the result', same, () => find.refresh()) : undefined;
    this.focusAgain = before?.focusAgain ?? before?.heldFocus();
    this.element = element('div', { class: 'shown', 'data-tool': e.tool },
      element('header', {},
        element('h1', {}, e.tool || 'Result'),
        element('p', { id: 'status', class: classes[judgedEnding(e)] }, this.status),
        actions(content),
        ...(this.tabs ? [element('div', { class: 'views' }, this.tabs.list, button('Find', () => find.open(), { class: 'secondary', title: 'Find in this view (Ctrl+F)' }))] : []),
        find.element),
      element('div', { class: 'content' }, ...notes(e), ...(this.tabs ? [this.tabs.panel] : [])));
  }

  /** Puts the result into the page. */
  place(into: HTMLElement): void {
    into.prepend(this.element);
    this.restore();
  }

  /** Whether no run has taken its place. */
  get isVisible(): boolean {
    return !this.element.hidden;
  }

  get view(): View | undefined {
    return this.tabs?.view;
  }

  /** Hides the result while a run goes on; returns false if it was hidden already. */
  hide(): boolean {
    if (this.element.hidden) {
      return false;
    }
    this.focusAgain = this.heldFocus();
    this.element.hidden = true;
    return this.focusAgain !== undefined;
  }

  restore(): void {
    this.element.hidden = false;
    this.focusAgain?.(this);
    this.focusAgain = undefined;
  }

  /** Returns what gives the keyboard to the same part of a result; undefined if it is elsewhere. */
  private heldFocus(): FocusAgain | undefined {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || !this.element.contains(activeElement)) {
      return undefined;
    }
    if (activeElement instanceof HTMLButtonElement) {
      const label = activeElement.textContent;
      return (shown) => [...shown.element.querySelectorAll('button')].find((one) => one.textContent === label)?.focus();
    }
    if (!document.hasFocus()) { // the person works in another part of VS Code
      return undefined;
    }
    return this.find.element.contains(activeElement) ? () => activeElement.focus() : (shown) => shown.view?.focus();
  }
}

/** Returns how a run ended; that of a saved case ends as its expectations say. */
function judgedEnding(e: Envelope): Ending {
  const { verdict } = e;
  return verdict === 'passed' ? 'succeeded' : verdict === 'failed' || verdict === 'errored' ? 'failed' : endingOf(e.ok, e.error);
}

function statusText(e: Envelope): string {
  const title = e.error ? failureTitle(e.error) : e.ok ? 'Succeeded' : 'Failed';
  const mark = marks[judgedEnding(e)];
  const parts = e.verdict ? [`${mark} The case ${e.verdict}`, title] : [`${mark} ${title}`];
  if (e.response) {
    const told = title.includes(` ${e.response.status}`);
    parts.push(...(told ? [] : [String(e.response.status)]), formatBytes(e.response.bytes));
  }
  parts.push(formatDuration(e.duration_ms));
  if (e.environment) {
    parts.push(`in ${e.environment}`);
  }
  if (e.time) {
    parts.push(`ran on ${formatDate(e.time)}`); // it is not the result of a run just now
  }
  if (e.cached) {
    parts.push('from the cache');
  }
  if (e.verified !== null) {
    parts.push(e.verified ? 'verified' : 'not verified');
  }
  if (e.truncated) {
    parts.push(`${e.truncated.kept} of ${e.truncated.total ?? 'more'} kept`);
  }
  if (e.breaker && e.breaker !== 'closed') {
    parts.push(`circuit breaker ${e.breaker}`);
  }
  return parts.join(' · ');
}

/** Returns the error and the warnings. */
function notes(e: Envelope): Node[] {
  const cancelled = endingOf(e.ok, e.error) === 'cancelled'; // the status says so
  const said = e.error && !cancelled ? [element('p', { class: 'message' }, e.error.message)] : [];
  if (e.error?.hint) {
    said.push(element('p', { class: 'hint' }, e.error.hint));
  }
  return [
    ...(said.length > 0 ? [element('section', { id: 'error', role: 'alert' }, ...said)] : []),
    ...(e.warnings ?? []).map((warning) => element('p', { class: 'warning' }, `⚠ ${warning}`)),
  ];
}

function tabsOf({ envelope: e, preview }: Show, output: string | undefined): Tab[] {
  const words = (label: string, text: string, suffix: string) => ({ name: label, make: () => new TextView(text, { label, class: 'code', suffix }) });
  const parts = (label: string, value: Json, root: string) => ({ name: label, make: () => new TreeView(value, { label, root, isWhole: true }) });
  const body = e.error?.details?.body;
  const answer = !e.ok && e.value === null ? (typeof body === 'string' && body !== '' ? parseOrText(body) : undefined) : e.value;
  const details = failureDetails(e.error?.details ?? {});
  return [
    ...(e.ok || e.value !== null ? valueTabs(e) : answer === undefined ? [] : answerTabs(answer)),
    ...(!e.ok && e.value === null && output ? [words('Output until Then', output, 'txt')] : []), // a value contains it
    ...rawTab(e),
    ...(e.set && Object.keys(e.set).length > 0 ? [parts('Session variables', e.set, 'set')] : []),
    ...(e.response ? [{ name: 'Headers', make: () => headersView(e.response as Response) }] : []),
    ...(e.attempts?.length ? [{ name: e.attempts.length > 1 ? `Timing (${e.attempts.length})` : 'Timing', make: () => timing(e.attempts ?? []) }] : []),
    ...(e.console ? [words('Console', withoutColours(e.console), 'log')] : []),
    ...(e.request && !preview ? [parts('Request', e.request, 'request')] : []),
    ...(details === '' ? [] : [words('Details of the Failure', details, 'txt')]),
  ];
}

/** Returns the views of the answer with which the other side refused. */
function answerTabs(answer: Json): Tab[] {
  return shapeTabs(answer, 'answer').map(({ name, make }) => ({ name: `Answer as ${name}`, make }));
}

/** Returns the bytes of the body as they came, else the value as JSON. */
function rawTab(e: Envelope): Tab[] {
  const { raw, raw_encoding, raw_cut, bytes } = e.response ?? {};
  if (raw !== undefined && raw !== '') {
    const note = [raw_encoding === 'base64' && 'as base64', raw_cut && `only the beginning of ${formatBytes(bytes ?? 0)}`].filter(Boolean).join(', ');
    const suffix = raw_encoding === 'base64' ? 'bin' : suffixOf(e.response?.headers['content-type'] ?? e.content_type);
    return [{ name: 'Raw', make: () => new TextView(raw, { label: 'Raw', class: 'code', note, suffix, save: { text: raw, base64: raw_encoding === 'base64' } }) }];
  }
  const isText = typeof e.value === 'string' && exactText(e.value) === undefined && !e.encoding; // it is shown as it is
  const nothing = e.value === null && !e.ok;
  return isText || nothing ? [] : [{ name: 'Raw', make: () => new TextView(indentJSON(e.value), { label: 'Raw', class: 'code', note: 'the value as JSON', suffix: 'json' }) }];
}

function suffixOf(contentType: string): string {
  const kind = /^[\w.+-]+\/(?:[\w.-]+\+)?([\w-]+)/.exec(contentType)?.[1] ?? '';
  return new Map([['plain', 'txt'], ['javascript', 'js']]).get(kind) ?? (/^[a-z0-9]{2,5}$/.test(kind) ? kind : 'txt');
}

function headersView(response: Response): View {
  return new TreeView(response.headers, { label: 'Headers', root: 'headers', isWhole: true });
}

/** Returns those details of a failure that are not shown elsewhere; a text of several lines, such as a stack, keeps its lines. */
function failureDetails({ host: _, status: __, body: ___, ...others }: NonNullable<Fault['details']>): string {
  const lines = ([name, value]: [string, Json | undefined]) => (hasLines(value) ? `${name}:\n${value}` : `${name}: ${typeof value === 'string' ? value : stringify(value)}`);
  return Object.entries(others).map(lines).join('\n');
}

/** Returns the JSON value of a text, or the text if it is not JSON. */
function parseOrText(text: string): Json {
  try {
    return parse(text) as Json;
  } catch {
    return text;
  }
}

function actions(content: Show): Node {
  const bar = element('div', { class: 'buttons', role: 'group', 'aria-label': 'What to do with this run' });
  const offer = (label: string, command: ResultCommand, when: boolean) => {
    if (when) {
      bar.append(button(label, () => post({ type: 'do', command } satisfies ResultAction), { class: 'secondary' }));
    }
  };
  const { file, line } = content.envelope.error?.details ?? {};
  offer(content.preview ? 'Run' : 'Run Again', 'again', content.rerunnable);
  offer('Edit Arguments', 'edit', content.rerunnable);
  offer(`Go to Line ${line}`, 'failure', file !== undefined && line !== undefined);
  offer('Compare with the Run Before', 'compare', content.comparable);
  offer('Save as Case', 'case', content.rerunnable);
  offer('Save as File', 'save', binaryParts(content.envelope).length > 0);
  offer('Copy as curl', 'curl', content.rerunnable && content.envelope.kind === 'http');
  offer('Copy as abl-lsp run', 'command', content.rerunnable);
  offer('Undo', 'revert', content.envelope.can_revert === true);
  bar.append(pin(content.pinned));
  return bar;
}

/** Returns the button that keeps the result where it is; the next run opens another panel. */
function pin(pinned: boolean): Node {
  const made = button('Pin', () => {
    const now = made.getAttribute('aria-pressed') !== 'true';
    made.setAttribute('aria-pressed', String(now));
    post({ type: 'pin', pinned: now } satisfies ResultAction);
  }, { class: 'secondary', 'aria-pressed': String(pinned), title: 'Keep this result; the next run opens another panel' });
  return made;
}
