// A long list of which only the visible rows are in the page. TanStack Virtual says which.
import { elementScroll, measureElement, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';

export interface RowSource {
  count: number;
  rowHeight: number; // an estimate, in pixels; rows are measured
  draw(index: number): HTMLElement;
}

export class VirtualRows {
  private readonly drawn = new Map<number, HTMLElement>();
  private readonly virtualizer: Virtualizer<HTMLElement, HTMLElement>;

  /** The rows are drawn into body, which is inside scroller. head is the height of what
   * stays above the rows. */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly body: HTMLElement,
    private source: RowSource,
    head = 0,
  ) {
    body.classList.add('virtual');
    this.virtualizer = new Virtualizer({
      count: source.count,
      getScrollElement: () => scroller,
      estimateSize: () => this.source.rowHeight,
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      measureElement,
      overscan: 12,
      scrollPaddingEnd: head,
      initialRect: { width: 800, height: 800 },
      onChange: () => this.draw(),
    });
    this.virtualizer._didMount();
    new ResizeObserver(() => this.draw()).observe(scroller);
    this.draw();
  }

  /** Shows other rows, or the same ones anew. */
  update(source: RowSource): void {
    this.source = source;
    this.virtualizer.setOptions({ ...this.virtualizer.options, count: source.count });
    this.virtualizer.measure(); // an index may have another row now
    this.redraw();
  }

  /** Draws the visible rows anew. */
  redraw(): void {
    this.drawn.forEach((row) => row.remove());
    this.drawn.clear();
    this.draw();
  }

  /** Scrolls to a row, which may be drawn a little later. */
  reveal(index: number): void {
    this.virtualizer.scrollToIndex(index, { align: 'auto' });
  }

  /** The number of rows that are visible at once. */
  get pageSize(): number {
    return Math.max(1, Math.floor(this.scroller.clientHeight / this.source.rowHeight) - 1);
  }

  private draw(): void {
    this.virtualizer._willUpdate();
    const items = this.virtualizer.getVirtualItems();
    this.body.style.height = `${this.virtualizer.getTotalSize()}px`;
    const kept = new Set(items.map(({ index }) => index));
    for (const [index, row] of this.drawn) {
      if (!kept.has(index)) {
        row.remove();
        this.drawn.delete(index);
      }
    }
    for (const { index, start } of items) {
      const row = this.drawn.get(index) ?? this.add(index);
      row.style.transform = `translateY(${start}px)`;
    }
  }

  private add(index: number): HTMLElement {
    const row = this.source.draw(index);
    row.dataset['index'] = String(index);
    this.drawn.set(index, row);
    const after = [...this.drawn.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
    this.body.insertBefore(row, after === undefined ? null : (this.drawn.get(after) ?? null)); // screen readers read them in this order
    this.virtualizer.measureElement(row);
    return row;
  }
}
