// A long text. All of it is in the page, so that it can be selected; the browser lays out only
// the visible pieces, because a text of a million lines would stop VS Code's window for a minute.
import { copy, saveAs } from './copy';
import { button, element } from './dom';
import { mostMatches, type Matches, type View } from './view';

const pieceLines = 300;
const pieceLength = 20_000; // characters
const lineHeight = 20; // px, an estimate
const lineLength = 120; // characters, an estimate

/** A place in a text between two characters. */
interface Boundary {
  piece: Text;
  offset: number;
}

/** Where a match begins and ends. */
interface Place {
  from: Boundary;
  to: Boundary;
}

export interface TextOptions {
  label: string;
  class?: string; // code: without wrapping words
  note?: string; // about the text, above it
  suffix: string; // of the file that it is saved in
  save?: { text: string; base64: boolean }; // what is saved instead of the text
}

export class TextView implements View {
  readonly element: HTMLElement;
  private readonly area: HTMLElement;
  private readonly pieces: Text[];
  private places: Place[] = [];

  constructor(private readonly text: string, options: TextOptions) {
    const pieces = cut(text);
    this.pieces = pieces.map((piece) => document.createTextNode(piece));
    this.area = element('pre', { class: ['scroller', options.class ?? ''].join(' ').trim(), tabindex: '0', 'aria-label': options.label }, ...this.pieces.map((piece) => (pieces.length > 1 ? pieceElement(piece) : element('div', {}, piece))));
    const save = options.save ?? { text, base64: false };
    this.element = element('div', { class: 'view' },
      element('div', { class: 'tools', role: 'toolbar', 'aria-label': `${options.label}: copy and save` },
        button('Copy', () => copy(text, 'the text'), { class: 'secondary' }),
        button('Save as File…', () => saveAs(options.suffix, save.text, save.base64), { class: 'secondary' }),
        ...(options.note ? [element('span', { class: 'hint' }, options.note)] : [])),
      this.area);
  }

  focus(): void {
    this.area.focus();
  }

  find(wanted: RegExp | undefined): Matches {
    this.places = wanted ? places(this.text, this.pieces, wanted) : [];
    highlight('found', this.places.map(rangeOf));
    highlight('current', []);
    return { count: this.places.length, show: (nth) => this.show(nth) };
  }

  private show(nth: number): void {
    const place = this.places[nth];
    if (place) {
      const range = rangeOf(place);
      highlight('current', [range]);
      place.from.piece.parentElement?.scrollIntoView({ block: 'nearest' }); // it is laid out from now on
      const [line, area] = [range.getBoundingClientRect(), this.area.getBoundingClientRect()];
      if (line.top < area.top || line.bottom > area.bottom) {
        this.area.scrollTop += line.top - area.top - area.height / 2;
      }
    }
  }
}

function pieceElement(text: Text): HTMLElement {
  const piece = element('div', { class: 'piece' }, text);
  const lines = text.data.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / lineLength), 0);
  piece.style.containIntrinsicBlockSize = `auto ${lines * lineHeight}px`;
  return piece;
}

/** Cuts a text between lines, and a very long line between characters. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let end = from;
    for (let lines = 0; lines < pieceLines && end < text.length && end - from < pieceLength; lines++) {
      const next = text.indexOf('\n', end);
      end = next < 0 ? text.length : next + 1;
    }
    end = Math.min(end, from + 2 * pieceLength);
    if (end < text.length && /[\uDC00-\uDFFF]/.test(text[end] ?? '')) {
      end++; // a character of two units stays whole
    }
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces;
}

/** Returns where a pattern is in a text, which is cut into pieces. */
function places(text: string, pieces: Text[], wanted: RegExp): Place[] {
  const found: Place[] = [];
  let [at, before] = [0, 0]; // the piece in which the last place is, and the length of those before it
  const boundary = (character: number, offset: number): Boundary => { // in the piece with that character; they only grow
    for (let piece = pieces[at] as Text; character - before >= piece.length; piece = pieces[++at] as Text) {
      before += piece.length;
    }
    return { piece: pieces[at] as Text, offset: offset - before };
  };
  for (const { index, 0: part } of text.matchAll(new RegExp(wanted.source, `${wanted.flags}g`))) {
    const end = index + part.length;
    found.push({ from: boundary(index, index), to: boundary(end - 1, end) });
    if (found.length === mostMatches) {
      break;
    }
  }
  return found;
}

function rangeOf({ from, to }: Place): Range {
  const range = new Range();
  range.setStart(from.piece, from.offset);
  range.setEnd(to.piece, to.offset);
  return range;
}

/** Colours ranges without a change of the page. */
function highlight(name: string, ranges: Range[]): void {
  CSS.highlights.set(name, new Highlight(...ranges));
}
