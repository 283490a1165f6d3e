// Tabs (WAI-ARIA): one stop of the keyboard, arrow keys choose. A tab's content is made when it is first shown.
import { element } from './dom';
import type { View } from './view';

export interface Tab {
  name: string;
  make(): View;
}

const panelID = 'value'; // there is one group of tabs in a page
let groups = 0;

export class Tabs {
  readonly list: HTMLElement;
  readonly panel: HTMLElement;
  private readonly buttons: HTMLElement[];
  private readonly views = new Map<string, View>();
  private readonly id = `tabs-${++groups}`;
  private chosen = '';
  private byPerson = false;

  /** changed is called after another tab was chosen. */
  constructor(private readonly tabs: Tab[], label: string, first: string | undefined, private readonly changed: () => void) {
    this.buttons = tabs.map(({ name }, i) => {
      const tab = element('button', { type: 'button', role: 'tab', id: `${this.id}-${i}`, 'aria-controls': panelID }, name);
      tab.addEventListener('click', () => this.pick(name));
      return tab;
    });
    this.list = element('div', { role: 'tablist', 'aria-label': label }, ...this.buttons);
    this.panel = element('div', { role: 'tabpanel', id: panelID });
    this.list.addEventListener('keydown', (event) => this.handleKey(event));
    const kept = tabs.find(({ name }) => name === first)?.name;
    this.byPerson = kept !== undefined;
    this.choose(kept ?? tabs[0]?.name ?? '');
  }

  /** The tab that the person has chosen; undefined if it is the first one by itself. */
  get picked(): string | undefined {
    return this.byPerson ? this.chosen : undefined;
  }

  get view(): View | undefined {
    return this.views.get(this.chosen);
  }

  private pick(name: string): void {
    this.byPerson = true;
    this.choose(name);
  }

  private choose(name: string): void {
    const tab = this.tabs.find((one) => one.name === name);
    if (tab === undefined || name === this.chosen) {
      return;
    }
    this.view?.find(undefined); // its marks would come back with it
    this.chosen = name;
    const view = this.views.get(name) ?? tab.make();
    this.views.set(name, view);
    this.tabs.forEach((one, i) => {
      this.buttons[i]?.setAttribute('aria-selected', String(one === tab));
      this.buttons[i]?.setAttribute('tabindex', one === tab ? '0' : '-1');
    });
    this.panel.setAttribute('aria-labelledby', `${this.id}-${this.tabs.indexOf(tab)}`);
    this.panel.replaceChildren(view.element);
    this.changed();
  }

  private handleKey(event: KeyboardEvent): void {
    const here = this.tabs.findIndex(({ name }) => name === this.chosen);
    const last = this.tabs.length - 1;
    const to = new Map([['ArrowRight', here === last ? 0 : here + 1], ['ArrowLeft', here === 0 ? last : here - 1], ['Home', 0], ['End', last]]).get(event.key);
    if (to !== undefined && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      this.pick(this.tabs[to]?.name ?? '');
      this.buttons[to]?.focus();
    }
  }
}
