import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Where a scrolling box stands, px. */
interface ScrollPlace {
  readonly top: number;
  /** From the side where the text begins, in either direction of writing. */
  readonly start: number;
  readonly width: number;
  readonly height: number;
}

/** Size that the box is taken for until it is laid out, px. */
const assumed: ScrollPlace = { top: 0, start: 0, width: 800, height: 640 };

/** Watches the scrolling box of an element: where it is scrolled to, and how large it is as the element is resized. */
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

  /** As of the last scroll or change of size. */
  get place(): ScrollPlace {
    return this.#place;
  }

  /** Looks anew, after the box was scrolled by code. */
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
    // What is drawn in the element changes the size of the box: observed itself, the box would be resized while it is being observed.
    this.#observer?.observe(this.#host);
  }

  readonly #measure = (): void => {
    const { top, start, width, height } = this.#place;
    const now = this.read();
    if (now.top !== top || now.start !== start || now.width !== width || now.height !== height) this.#onChange();
  };
}

/** The lines that are drawn, `last` not included, and the room that the others take before and behind them, in px. */
export interface VisibleRange {
  readonly first: number;
  readonly last: number;
  readonly before: number;
  readonly after: number;
}

/** Lines that are drawn beyond what is in sight, on either side; the stretch moves in steps of as many. */
const overscan = 6;
/** Highest body that is laid out, px: engines end between 17 and 33 million. A longer table moves faster than its scrollbar. */
const maxBodyHeight = 12_000_000;

/** Rows of one height in a scrolling box. */
export interface RowSpace {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of what of the box is not covered by the head, px. */
  readonly viewport: number;
}

/** Height of the body as it is laid out, px. */
export function bodyHeight({ count, rowHeight }: RowSpace): number {
  return Math.min(maxBodyHeight, count * rowHeight);
}

/** Place in the rows, in px of their true height, that a place of the scrollbar stands for. */
export function rowOffset(space: RowSpace, scrollTop: number): number {
  return scrollTop * scrollRatio(space);
}

/** The inverse: where the scrollbar has to be for a place in the rows. */
export function scrollOffset(space: RowSpace, offset: number): number {
  return offset / scrollRatio(space);
}

/** The rows to draw where the box is scrolled to. */
export function visibleRows(space: RowSpace, scrollTop: number): VisibleRange {
  const { count, rowHeight, viewport } = space;
  const offset = rowOffset(space, scrollTop);
  const top = Math.floor(Math.floor(offset / rowHeight) / overscan) * overscan;
  const drawn = Math.ceil(viewport / rowHeight) + 3 * overscan;
  const first = Math.max(0, Math.min(top, count) - overscan);
  const last = Math.min(count, first + drawn);
  const before = Math.max(0, first * rowHeight + scrollTop - offset);
  const after = Math.max(0, bodyHeight(space) - before - (last - first) * rowHeight);
  return { first, last, before, after };
}

/** Where rows have to be scrolled to, so that one is in sight and as little as possible moves. */
export function offsetShowing({ rowHeight, viewport }: RowSpace, row: number, offset: number): number {
  const [top, bottom] = [row * rowHeight, (row + 1) * rowHeight];
  if (top < offset) return top;
  return bottom > offset + viewport ? Math.max(0, bottom - viewport) : offset;
}

function scrollRatio(space: RowSpace): number {
  const drawn = bodyHeight(space) - space.viewport;
  return drawn > 0 ? Math.max(1, (space.count * space.rowHeight - space.viewport) / drawn) : 1;
}

/** The columns to draw, of those from `from` on, where the box is scrolled to by `scrollLeft` and shows `viewport` px of them. */
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
  const drawn = widths.slice(first, last).reduce((sum, width) => sum + width, 0);
  return { first, last, before, after: position - before - drawn };
}
