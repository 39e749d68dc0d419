import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Where a scrolling box stands, px. */
export interface ScrollPlace {
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
