// The box that finds a text in the view that is shown, also in what is not drawn yet.
import { button, element } from './dom';
import { patternOf } from './pattern';
import { mostMatches, noMatches, type Matches, type View } from './view';

const pause = 120; // ms without a key, after which a text is looked for

export class FindBox {
  readonly element: HTMLElement;
  private readonly input = element('input', { type: 'text', 'aria-label': 'Find', placeholder: 'Find' });
  private readonly count = element('span', { class: 'count', role: 'status' });
  private matches: Matches = noMatches;
  private at = 0; // -1: before the first
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly view: () => View | undefined) {
    this.element = element('div', { class: 'find', role: 'search', hidden: true }, this.input, this.count,
      button('↑', () => this.go(-1), { class: 'secondary', 'aria-label': 'Previous match', title: 'Previous match (Shift+Enter)' }),
      button('↓', () => this.go(1), { class: 'secondary', 'aria-label': 'Next match', title: 'Next match (Enter)' }),
      button('✕', () => this.close(), { class: 'secondary', 'aria-label': 'Close', title: 'Close (Escape)' }));
    this.input.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.search(), pause);
    });
    this.element.addEventListener('keydown', (event) => this.handleKey(event));
  }

  open(): void {
    this.element.hidden = false;
    this.input.focus();
    this.input.select();
    this.search();
  }

  /** Looks again, in another view. */
  refresh(): void {
    if (!this.element.hidden) {
      this.search();
    }
  }

  private close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.element.hidden = true;
    this.view()?.find(undefined);
    this.view()?.focus();
  }

  private handleKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.preventDefault();
      this.close();
    } else if (event.key === 'Enter' && event.target === this.input) {
      event.preventDefault();
      this.go(event.shiftKey ? -1 : 1);
    }
  }

  private search(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.look();
    this.at = 0;
    this.show();
  }

  private look(): void {
    const wanted = this.input.value === '' ? undefined : patternOf(this.input.value);
    const view = this.view();
    this.matches = view?.find(wanted) ?? noMatches;
    if (view) {
      view.onArrange = () => this.recount();
    }
  }

  /** Looks again in a view that was arranged anew; it stays where it is. */
  private recount(): void {
    if (!this.element.hidden && this.timer === undefined) {
      this.look();
      this.at = this.matches.chosen ?? -1;
      this.showCount();
    }
  }

  private go(by: number): void {
    if (this.timer !== undefined) { // what was typed was not looked for yet
      return this.search();
    }
    const { count } = this.matches;
    this.at = count === 0 ? 0 : (Math.max(this.at, by < 0 ? 0 : -1) + by + count) % count;
    this.show();
  }

  private show(): void {
    this.showCount();
    if (this.matches.count > 0) {
      this.matches.show(this.at);
    }
  }

  private showCount(): void {
    const { count } = this.matches;
    const all = count < mostMatches ? String(count) : `${mostMatches} or more`;
    this.count.textContent = this.input.value === '' ? '' : count === 0 ? 'no results' : `${this.at < 0 ? '?' : this.at + 1} of ${all}`;
    this.count.classList.toggle('none', this.input.value !== '' && count === 0);
  }
}
