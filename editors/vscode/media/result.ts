// The page of a result: what happened, the value by its render hint, and the request and
// answers.
import { binaryParts } from '../src/bytes';
import { endingOf, type Ending } from '../src/ending';
import { parse } from '../src/exact';
import type { ResultAction, ResultContent } from '../src/messages';
import type { Attempt, Envelope, Fault, Json } from '../src/protocol';
import { withoutColours } from '../src/sanitize';
import { button, element } from './dom';
import { parts, tree } from './tree';
import { renderByShape, renderValue } from './value';

const endings: { [E in Ending]: string } = {
  succeeded: '✓ Succeeded',
  failed: '✗ Failed',
  refused: '⊘ Refused',
  cancelled: '⊘ Cancelled',
  'did not run': '⊘ Did not run',
  'its end is not known': '? Its end is not known',
};

const classes: { [ending: string]: string } = { succeeded: 'ok', failed: 'failed' };

const host = acquireVsCodeApi();
const send = (action: ResultAction) => host.postMessage(action);
const main = document.getElementById('main') as HTMLElement;

/** Tells screen readers what has changed: they follow an element that stays in the page. */
const announcement = element('div', { role: 'status', class: 'unseen' });
document.body.append(announcement);

window.addEventListener('message', (event: MessageEvent<ResultContent>) => {
  const content = event.data;
  switch (content.type) {
    case 'show':
      return show(content);
    case 'output':
      return output(content.tool, content.token, content.chunk);
    case 'ended':
      return showEnd(content.token, content.stopped);
  }
});
send('ready');

function show(content: Extract<ResultContent, { type: 'show' }>): void {
  const e = content.envelope;
  const pressed = document.activeElement instanceof HTMLButtonElement ? document.activeElement.textContent : undefined;
  const streams = [...main.querySelectorAll('.finished .stream')].filter((one) => one.getAttribute('aria-label') === outputLabel(e.tool));
  const output = streams.at(-1)?.textContent;
  const said = content.preview && e.ok ? 'Preview: this would be sent, and was not.' : status(e);
  main.replaceChildren(
    element('h1', {}, e.tool || 'Result'),
    element('p', { id: 'status', class: classes[endingOf(e.ok, e.error)] }, said),
    ...faultNodes(e),
    ...(e.warnings ?? []).map((warning) => element('p', { class: 'warning' }, `⚠ ${warning}`)),
    ...(e.ok || e.value !== null ? [element('section', { id: 'value', 'aria-label': 'Value' }, renderValue(e))] : []),
    ...detail('Output until Then', !e.ok && e.value === null && output ? element('pre', {}, output) : undefined, true), // a value contains it
    actions(content),
    ...detail('Session variables', e.set && Object.keys(e.set).length > 0 ? parts(e.set, 'Session variables') : undefined, true),
    ...detail('Console', e.console ? element('pre', {}, withoutColours(e.console)) : undefined, true),
    ...detail('Request', e.request && !content.preview ? parts(e.request, 'Request') : undefined),
    ...detail('Details of the Failure', failureDetails(e.error?.details ?? {})),
    ...detail(`Attempts (${e.attempts?.length ?? 0})`, e.attempts?.length ? attempts(e.attempts) : undefined),
    ...main.querySelectorAll('.running'),
  );
  announcement.textContent = `${e.tool}: ${said}`;
  [...main.querySelectorAll('button')].find((one) => one.textContent === pressed)?.focus();
}

function status(e: Envelope): string {
  const ending = endingOf(e.ok, e.error);
  const parts = [endings[ending] + (ending === 'failed' ? `: ${e.error?.kind ?? ''}` : ''), `${Math.round(e.duration_ms)} ms`];
  if (e.environment) {
    parts.push(`in ${e.environment}`);
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

function faultNodes(e: Envelope): Node[] {
  if (!e.error) {
    return [];
  }
  const cancelled = endingOf(e.ok, e.error) === 'cancelled'; // the status says so
  const said = cancelled ? [] : [element('p', { class: 'message' }, e.error.message)];
  if (e.error.hint) {
    said.push(element('p', { class: 'hint' }, e.error.hint));
  }
  const section = said.length > 0 ? [element('section', { id: 'error', role: 'alert' }, ...said)] : [];
  return [...section, ...answerDetail(e.error.details?.body)];
}

/** Returns the answer of the other side when it refused. */
function answerDetail(body: Json | undefined): Node[] {
  return detail('Answer', typeof body === 'string' && body !== '' ? renderByShape(parseOrText(body)) : undefined, true);
}

/** Returns those details of a failure that are not shown elsewhere. */
function failureDetails({ host: _, status: __, body: ___, ...others }: NonNullable<Fault['details']>): Node | undefined {
  const all = Object.entries(others).map(([name, value]) => detailPart(name, value ?? null));
  return all.length > 0 ? element('div', {}, ...all) : undefined;
}

/** Returns one detail; a text of several lines, such as a stack, keeps its lines. */
function detailPart(name: string, value: Json): Node {
  const lines = typeof value === 'string' && value.includes('\n');
  return lines ? element('div', {}, element('span', { class: 'key' }, `${name}:`), element('pre', {}, value)) : tree(value, name);
}

/** Returns the JSON value of a text, or the text if it is not JSON. */
function parseOrText(text: string): Json {
  try {
    return parse(text) as Json;
  } catch {
    return text;
  }
}

function actions(content: Extract<ResultContent, { type: 'show' }>): Node {
  const bar = element('div', { class: 'buttons', role: 'group', 'aria-label': 'What to do with this run' });
  const offer = (label: string, action: ResultAction, when: boolean) => {
    if (when) {
      bar.append(button(label, () => send(action), { class: 'secondary' }));
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
  return bar;
}

function detail(title: string, inside: Node | undefined, open = false): Node[] {
  return inside ? [element('details', { open }, element('summary', {}, title), inside)] : [];
}

function attempts(all: Attempt[]): Node {
  const rows = all.map((a) =>
    element('tr', {}, element('td', {}, a.started), element('td', {}, `${a.duration_ms.toFixed(1)} ms`), element('td', {}, a.status ? String(a.status) : ''), element('td', {}, a.error)),
  );
  const head = element('tr', {}, ...['Started', 'Took', 'Status', 'Error'].map((name) => element('th', { scope: 'col' }, name)));
  return element('div', { class: 'wide' }, element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)));
}

/** Shows the output of a run while it goes on. Another run has a section of its own, also below a result. */
function output(tool: string, token: string, chunk: string): void {
  let pre = document.getElementById(token);
  if (!pre) {
    pre = element('pre', { id: token, class: 'stream', role: 'log', 'aria-label': outputLabel(tool) });
    if (!main.querySelector('.running, #status')) {
      main.replaceChildren();
    }
    const section = element('section', { class: 'running' }, element('h1', {}, tool), element('p', { id: `${token}-status`, role: 'status' }, 'Running …'), pre);
    main.append(section);
    section.scrollIntoView({ block: 'nearest' }); // it may be below another result
  }
  pre.append(chunk);
}

function outputLabel(tool: string): string {
  return `Output of ${tool}`;
}

function showEnd(token: string, stopped: boolean): void {
  const status = document.getElementById(`${token}-status`);
  status?.replaceChildren(stopped ? 'Stopped: it has no result.' : 'It has ended.');
  status?.closest('.running')?.setAttribute('class', 'finished');
}
