import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Scroll position and size of a box, in px. */
interface ScrollPlace {
  readonly top: number;
  /** Distance from the inline start, in either text direction. */
  readonly start: number;
  readonly width: number;
  readonly height: number;
}

/** Assumed size of the box before layout, in px. */
const assumed: ScrollPlace = { top: 0, start: 0, width: 800, height: 640 };

/** Observes the scroll position and size of the scrolling box of an element. */
export class ScrollController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #scroller: () => Element | null;
  readonly #onChange: () => void;
  readonly #observer = globalThis.ResizeObserver ? new ResizeObserver(() => this.#measure()) : null;
  #watched: Element | null = null;
  #place = assumed;

  constructor(host: ReactiveControllerHost & Element, scroller: () => Element | null, onChange: () => void) {
    this.#host = host;
    this.#scroller = scroller;
    this.#onChange = onChange;
    host.addController(this);
  }

  /** Position and size at the last scroll or resize. */
  get place(): ScrollPlace {
    return this.#place;
  }

  /** Re-reads the position after the box was scrolled by code. */
  read(): ScrollPlace {
    const box = this.#watched;
    if (!box) return this.#place;
    const { scrollTop: top, scrollLeft, clientWidth, clientHeight } = box;
    this.#place = {
      top,
      start: Math.abs(scrollLeft),
      width: clientWidth || this.#place.width,
      height: clientHeight || this.#place.height,
    };
    return this.#place;
  }

  hostConnected(): void {
    this.#watch();
  }

  hostUpdated(): void {
    this.#watch();
  }

  hostDisconnected(): void {
    this.#watched?.removeEventListener('scroll', this.#measure);
    this.#observer?.disconnect();
    this.#watched = null;
  }

  #watch(): void {
    const scroller = this.#scroller();
    if (!scroller || scroller === this.#watched) return;
    this.hostDisconnected();
    this.#watched = scroller;
    scroller.addEventListener('scroll', this.#measure, { passive: true });
    // The content of the element changes the size of the box. Observing the box itself would resize it during
    // observation.
    this.#observer?.observe(this.#host);
  }

  readonly #measure = (): void => {
    const { top, start, width, height } = this.#place;
    const now = this.read();
    if (now.top !== top || now.start !== start || now.width !== width || now.height !== height) this.#onChange();
  };
}

/** Range of rendered lines, `last` excluded, and the space that the other lines take before and after it, in px. */
export interface VisibleRange {
  readonly first: number;
  readonly last: number;
  readonly before: number;
  readonly after: number;
}

/** Number of lines rendered beyond the visible ones on each side. The range moves in steps of this size. */
const overscan = 6;
/**
 * Maximum height of the table body, in px: browser engines limit heights to between 17 and 33 million px. Longer tables
 * scroll faster than their scrollbar.
 */
const maxBodyHeight = 12_000_000;

/** Rows of equal height in a scrolling box. */
export interface RowSpace {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of the part of the box below the head, in px. */
  readonly viewport: number;
}

/** Returns the height of the body in layout, in px. */
export function bodyHeight({ count, rowHeight }: RowSpace): number {
  return Math.min(maxBodyHeight, count * rowHeight);
}

/** Returns the offset in the rows, in px of their true height, for a scrollbar position. */
export function rowOffset(space: RowSpace, scrollTop: number): number {
  return scrollTop * scrollRatio(space);
}

/** Returns the scrollbar position for an offset in the rows: the inverse of `rowOffset`. */
export function scrollOffset(space: RowSpace, offset: number): number {
  return offset / scrollRatio(space);
}

/** Returns the rows to render at a scroll position. */
export function visibleRows(space: RowSpace, scrollTop: number): VisibleRange {
  const { count, rowHeight, viewport } = space;
  const offset = rowOffset(space, scrollTop);
  const top = Math.floor(Math.floor(offset / rowHeight) / overscan) * overscan;
  const renderedSize = Math.ceil(viewport / rowHeight) + 3 * overscan;
  const first = Math.max(0, Math.min(top, count) - overscan);
  const last = Math.min(count, first + renderedSize);
  const before = Math.max(0, first * rowHeight + scrollTop - offset);
  const after = Math.max(0, bodyHeight(space) - before - (last - first) * rowHeight);
  return { first, last, before, after };
}

/** Returns the offset that shows a row with the least scrolling. */
export function offsetShowing({ rowHeight, viewport }: RowSpace, row: number, offset: number): number {
  const [top, bottom] = [row * rowHeight, (row + 1) * rowHeight];
  if (top < offset) return top;
  return bottom > offset + viewport ? Math.max(0, bottom - viewport) : offset;
}

function scrollRatio(space: RowSpace): number {
  const renderedSize = bodyHeight(space) - space.viewport;
  return renderedSize > 0 ? Math.max(1, (space.count * space.rowHeight - space.viewport) / renderedSize) : 1;
}

/**
 * Returns the columns to render, starting with column `from`, at the scroll position `scrollLeft` in a viewport of
 * `viewport` px.
 */
export function visibleColumns(
  widths: readonly number[],
  from: number,
  scrollLeft: number,
  viewport: number,
): VisibleRange {
  const edge = { start: scrollLeft - viewport / 2, end: scrollLeft + viewport * 1.5 };
  let [first, last, before, position] = [from, from, 0, 0];
  for (let column = from; column < widths.length; column++) {
    const end = position + (widths[column] ?? 0);
    if (end <= edge.start) [first, last, before] = [column + 1, column + 1, end];
    else if (position < edge.end) last = column + 1;
    position = end;
  }
  const renderedSize = widths.slice(first, last).reduce((sum, width) => sum + width, 0);
  return { first, last, before, after: position - before - renderedSize };
}
