import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Height of a row, in px; what stands in it is one line. */
export const rowHeight = 32;
/** Tables up to this many rows are drawn whole: they can be found, selected and printed. */
const wholeUpTo = 200;
/** Rows that are drawn beyond the box on either side; the window moves in steps of as many. */
const overscan = 16;
/** Height that the box is taken for until it is laid out, in px. */
const assumedHeight = 640;

/** The rows that are drawn, `last` not included, and the room that the others take above and below them, in px. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
  readonly above: number;
  readonly below: number;
}

/** Draws of a long table only the rows around what its scrolling box shows. Rows are all of one height. */
export class RowWindowController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #scroller: () => Element | null;
  readonly #observer = globalThis.ResizeObserver ? new ResizeObserver(() => this.#measure()) : null;
  #watched: Element | null = null;
  #top = 0;
  #height = assumedHeight;

  constructor(host: ReactiveControllerHost, scroller: () => Element | null) {
    this.#host = host;
    this.#scroller = scroller;
    host.addController(this);
  }

  /** The window on a table of `count` rows. */
  window(count: number): RowWindow {
    if (count <= wholeUpTo) return { first: 0, last: count, above: 0, below: 0 };
    const first = Math.min(this.#top, Math.max(0, count - overscan));
    const last = Math.min(count, first + Math.ceil(this.#height / rowHeight) + 3 * overscan);
    return { first, last, above: first * rowHeight, below: (count - last) * rowHeight };
  }

  hostConnected(): void {
    this.#watch();
  }

  hostUpdated(): void {
    this.#watch();
  }

  hostDisconnected(): void {
    this.#unwatch();
  }

  #watch(): void {
    const scroller = this.#scroller();
    if (!scroller || scroller === this.#watched) return;
    this.#unwatch();
    this.#watched = scroller;
    scroller.addEventListener('scroll', this.#measure, { passive: true });
    this.#observer?.observe(scroller);
  }

  #unwatch(): void {
    this.#watched?.removeEventListener('scroll', this.#measure);
    this.#observer?.disconnect();
    this.#watched = null;
  }

  readonly #measure = (): void => {
    if (!this.#watched) return;
    const { scrollTop, clientHeight } = this.#watched;
    const row = Math.floor(scrollTop / rowHeight);
    const top = Math.max(0, Math.floor(row / overscan) * overscan - overscan);
    const height = clientHeight || this.#height;
    if (top === this.#top && height === this.#height) return;
    this.#top = top;
    this.#height = height;
    this.#host.requestUpdate();
  };
}
