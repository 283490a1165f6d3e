// The page of the plot: how long runs took, and which failed, over time.
import type { PlotAction, PlotContent, PlottedRun } from '../src/messages';
import { formatDuration } from '../src/units';
import { element, svg } from './dom';
import { post } from './host';

const send = (action: PlotAction) => post(action);
const main = document.getElementById('main') as HTMLElement;
const all = 'All tools';
const height = 280;
const [narrowest, widest] = [320, 960]; // px
const edge = { left: 84, right: 12, top: 12, bottom: 30 };

let runs: PlottedRun[] = [];
let chosen = all;

window.addEventListener('message', ({ data }: MessageEvent<PlotContent>) => {
  runs = data.runs.filter(({ ending }) => ending !== 'did not run'); // they only asked for something
  show();
});
window.addEventListener('resize', () => runs.length > 0 && draw());
send({ type: 'ready' });

function show(): void {
  const tools = [...new Set(runs.map(({ tool }) => tool))].sort();
  const select = element('select', { id: 'tool' }, ...[all, ...tools].map((tool) => element('option', { selected: tool === chosen }, tool)));
  select.addEventListener('change', () => {
    chosen = select.value;
    draw();
  });
  const drawn = element('div', { id: 'drawn' });
  main.replaceChildren(element('h1', {}, 'Runs over Time'), element('p', {}, element('label', { for: 'tool' }, 'Tool '), select), drawn);
  draw();
}

function draw(): void {
  const shown = runs.filter(({ tool }) => chosen === all || tool === chosen);
  document.getElementById('drawn')?.replaceChildren(...(shown.length === 0 ? [element('p', { class: 'hint' }, 'Nothing has been run yet.')] : [plot(shown), legend(), summary(shown)]));
}

/** Returns the plot: a point for each run, its height the duration on a logarithmic scale. */
function plot(shown: PlottedRun[]): Node {
  const width = Math.max(narrowest, Math.min(main.clientWidth, widest));
  const times = shown.map(({ time }) => Date.parse(time));
  const [first, last] = [least(times), most(times)];
  const [low, high] = bounds(shown.map(({ duration_ms }) => duration_ms));
  const x = (time: number) => edge.left + ((time - first) / (last - first || 1)) * (width - edge.left - edge.right);
  const y = (ms: number) => height - edge.bottom - ((Math.log10(Math.max(ms, low)) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))) * (height - edge.top - edge.bottom);
  const lines: Node[] = [];
  for (let ms = low; ms <= high; ms *= 10) {
    lines.push(svg('line', { class: 'grid', x1: edge.left, x2: width - edge.right, y1: y(ms), y2: y(ms) }), svg('text', { x: edge.left - 8, y: y(ms) + 4, 'text-anchor': 'end' }, formatDuration(ms)));
  }
  const label = (time: number, anchor: string) => svg('text', { x: x(time), y: height - 8, 'text-anchor': anchor }, new Date(time).toLocaleString());
  const points = [...shown].reverse().map((run) => point(run, x(Date.parse(run.time)), y(run.duration_ms)));
  points[0]?.setAttribute('tabindex', '0');
  const labels = last > first ? [label(first, 'start'), label(last, 'end')] : [label(first, 'start')];
  return svg('svg', { width, height, role: 'group', 'aria-label': 'Durations of runs over time' }, ...lines, ...labels, ...points);
}

/** Returns the point of a run, which opens it: a dot, or a cross if it failed. */
function point(run: PlottedRun, x: number, y: number): SVGElement {
  const said = [run.tool, run.ending, formatDuration(run.duration_ms), new Date(run.time).toLocaleString(), run.message].filter(Boolean).join(', ');
  const shape = run.ending === 'failed' ? svg('path', { d: `M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x - 4} ${y + 4}L${x + 4} ${y - 4}` }) : svg('circle', { cx: x, cy: y, r: 4 });
  const made = svg('g', { class: `point ${run.ending.replaceAll(' ', '-')}`, role: 'button', tabindex: '-1', 'aria-label': said }, svg('title', {}, said), svg('circle', { class: 'around', cx: x, cy: y, r: 9 }), shape);
  made.addEventListener('click', () => send({ type: 'open', run: run.run }));
  made.addEventListener('keydown', (event) => handleKey(event, made, run));
  return made;
}

/** The points are one stop of the keyboard: arrow keys go from one to the next. */
function handleKey(event: KeyboardEvent, at: Element, run: PlottedRun): void {
  const points = [...document.querySelectorAll<SVGElement>('.point')];
  const here = points.indexOf(at as SVGElement);
  const to = new Map([['ArrowRight', here + 1], ['ArrowLeft', here - 1], ['Home', 0], ['End', points.length - 1]]).get(event.key);
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    send({ type: 'open', run: run.run });
  } else if (to !== undefined && points[to]) {
    event.preventDefault();
    at.setAttribute('tabindex', '-1');
    points[to].setAttribute('tabindex', '0');
    points[to].focus();
  }
}

function legend(): Node {
  return element('p', { class: 'hint' }, 'Each dot is a run, each cross one that failed. Click one to see its result.');
}

/** Returns the same as a table: for each tool its runs, failures and durations. */
function summary(shown: PlottedRun[]): Node {
  const tools = [...new Set(shown.map(({ tool }) => tool))].sort();
  const head = element('tr', {}, ...['Tool', 'Runs', 'Failed', 'Median', '95 %', 'Longest'].map((name) => element('th', { scope: 'col' }, name)));
  const rows = tools.map((tool) => {
    const its = shown.filter((run) => run.tool === tool);
    const took = its.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b);
    const at = (share: number) => formatDuration(took[Math.min(took.length - 1, Math.floor(share * took.length))] ?? 0);
    const failed = its.filter(({ ending }) => ending === 'failed').length;
    return element('tr', {}, element('th', { scope: 'row' }, tool), ...[String(its.length), String(failed), at(0.5), at(0.95), at(1)].map((text) => element('td', {}, text)));
  });
  return element('div', { class: 'wide', tabindex: '0', 'aria-label': 'Runs of each tool' }, element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)));
}

/** Returns the powers of ten around durations. */
function bounds(durations: number[]): [number, number] {
  const low = 10 ** Math.floor(Math.log10(Math.max(1, least(durations))));
  return [low, Math.max(low * 10, 10 ** Math.ceil(Math.log10(Math.max(1, most(durations)))))];
}

function least(numbers: number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b), Infinity);
}

function most(numbers: number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), -Infinity);
}
