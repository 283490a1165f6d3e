// The runs that go on, above or below a result: elapsed time, a button that cancels, and output.
import type { ResultAction } from '../src/messages';
import { formatDuration } from '../src/units';
import { button, element } from './dom';
import { post } from './host';

const tick = 100; // ms between two times
const pause = 200; // ms after the end of a run in which its result or a question comes

/** What the list does with the result that is shown. */
export interface OldResult {
  hide(): boolean; // false if there is none
  restore(): void;
}

interface Run {
  tool: string;
  section: HTMLElement;
  status: HTMLElement;
  doing: HTMLElement;
  output: HTMLElement;
  timer: ReturnType<typeof setInterval> | undefined;
  since: number;
  covers: boolean; // it has taken the place of a result
}

export class RunningList {
  private readonly runs = new Map<string, Run>();
  private readonly early = new Map<string, string>(); // what runs do that are not shown yet

  constructor(private readonly into: HTMLElement, private readonly old: OldResult) {}

  /** Shows a run instead of the result before. */
  start(tool: string, token: string, since: number): void {
    const run = this.runs.get(token) ?? this.add(tool, token, since);
    run.since = since;
    const elapsed = element('span', { class: 'elapsed', role: 'timer' });
    const count = () => (elapsed.textContent = formatDuration(Date.now() - since));
    count();
    run.timer = setInterval(count, tick);
    run.status.append(' ', elapsed, ' ', button('Cancel', () => post({ type: 'cancel', token } satisfies ResultAction), { class: 'secondary' }));
    run.covers = true;
    if (this.old.hide()) {
      run.section.tabIndex = -1;
      run.section.focus(); // not the button: a second Enter would cancel
    }
  }

  /** Shows what a run does now. */
  progress(token: string, message: string): void {
    const run = this.runs.get(token);
    if (run) {
      run.doing.textContent = message;
    } else {
      this.early.set(token, message);
    }
  }

  /** Shows output of a run. */
  output(tool: string, token: string, chunk: string): void {
    const run = this.runs.get(token) ?? this.add(tool, token, Date.now());
    run.output.hidden = false;
    run.output.append(chunk);
  }

  end(token: string, stopped: boolean): void {
    this.early.delete(token);
    const run = this.runs.get(token);
    if (run === undefined) {
      return;
    }
    clearInterval(run.timer);
    run.doing.textContent = '';
    run.section.className = 'finished';
    if (stopped) {
      run.status.replaceChildren(`Stopped${run.covers ? ` after ${formatDuration(Date.now() - run.since)}` : ''}: it has no result.`);
      if (run.covers) {
        run.status.append(' ', button('Show the Result Before', () => this.drop(token), { class: 'secondary' }));
      }
      return;
    }
    run.status.replaceChildren('It has ended.');
    if (run.covers) {
      setTimeout(() => this.drop(token), pause); // a question follows, and no result
    }
  }

  /** Removes the runs that have ended, and returns the last output of a tool's run; a result is shown now. */
  take(tool: string): string | undefined {
    let output: string | undefined;
    for (const [token, run] of this.runs) {
      if (run.section.className === 'finished') {
        output = run.tool === tool && run.output.textContent ? run.output.textContent : output;
        this.runs.delete(token);
        run.section.remove();
      }
    }
    return output;
  }

  /** Removes a run, and shows the result before again unless another run goes on. */
  private drop(token: string): void {
    const run = this.runs.get(token);
    if (run) {
      this.runs.delete(token);
      run.section.remove();
      if (![...this.runs.values()].some(({ covers }) => covers)) {
        this.old.restore();
      }
    }
  }

  private add(tool: string, token: string, since: number): Run {
    const output = element('pre', { id: token, class: 'stream', role: 'log', hidden: true, 'aria-label': `Output of ${tool}`, tabindex: '0' });
    const status = element('p', { class: 'status' }, 'Running …');
    const doing = element('p', { class: 'doing hint', role: 'status' }, this.early.get(token) ?? '');
    const section = element('section', { class: 'running', 'aria-label': `Run of ${tool}` }, element('h1', {}, tool), status, doing, output);
    const run: Run = { tool, section, status, doing, output, timer: undefined, since, covers: false };
    this.runs.set(token, run);
    this.early.delete(token);
    this.into.append(section);
    section.scrollIntoView({ block: 'nearest' }); // it may be below a result
    return run;
  }
}
