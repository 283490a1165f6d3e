// What the views of a value have in common: the page shows one of them, and finds in it.

/** The places where a view has a text. */
export interface Matches {
  count: number;
  chosen?: number; // the one that is chosen already
  show(nth: number): void; // draws the place if necessary, and marks it
}

export interface View {
  element: HTMLElement;
  find(wanted: RegExp | undefined): Matches; // undefined removes the marks
  focus(): void;
  onArrange?: () => void; // is called after it has other rows, or another order
}

export const noMatches: Matches = { count: 0, show: () => undefined };

/** At most so many matches are counted. */
export const mostMatches = 10_000;
