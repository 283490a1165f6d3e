// The attempts of a run, and where the time of each went.
import type { Attempt } from '../src/protocol';
import { formatDuration, formatTime } from '../src/units';
import { element } from './dom';
import { noMatches, type View } from './view';

const phases: { [name: string]: string } = {
  secrets: 'Secrets',
  'sign-in': 'Sign-in',
  dns: 'DNS',
  connect: 'Connect',
  tls: 'TLS',
  'first-byte': 'First byte',
  body: 'Body',
};

export function timing(all: Attempt[]): View {
  const head = element('tr', {}, ...['Attempt', 'Start', 'Took', 'Status', 'Course'].map((name) => element('th', { scope: 'col' }, name)));
  const area = element('div', { class: 'scroller timing', tabindex: '0', 'aria-label': 'Timing' },
    element('table', {}, element('thead', {}, head), ...all.map(attempt)));
  return { element: element('div', { class: 'view' }, area), find: () => noMatches, focus: () => area.focus() };
}

function attempt({ started, duration_ms, status, error, phases: its }: Attempt, nth: number): HTMLElement {
  const longest = (its ?? []).reduce((max, phase) => Math.max(max, phase.start_ms + phase.duration_ms), duration_ms) || 1;
  const rows = (its ?? []).map(({ name, start_ms, duration_ms }) => element('tr', { class: 'phase' },
    element('th', { scope: 'row' }, phases[name] ?? name),
    element('td', { class: 'numeric' }, `+${formatDuration(start_ms)}`),
    element('td', { class: 'numeric' }, formatDuration(duration_ms)),
    element('td'),
    element('td', { class: 'course' }, bar(start_ms / longest, duration_ms / longest, name))));
  return element('tbody', {},
    element('tr', { class: 'attempt' },
      element('th', { scope: 'row' }, String(nth + 1)),
      element('td', { title: started }, formatTime(started)),
      element('td', { class: 'numeric' }, formatDuration(duration_ms)),
      element('td', {}, status ? String(status) : ''),
      element('td', { class: 'course' }, error)),
    ...rows);
}

/** Returns a bar; start and length are shares of the whole. */
function bar(start: number, length: number, name: string): HTMLElement {
  const drawn = element('div', { class: `bar ${name}`, 'aria-hidden': 'true' });
  drawn.style.marginLeft = `${100 * start}%`;
  drawn.style.width = `${100 * length}%`;
  return drawn;
}
