import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Keeps the size of an element, whole px: 0 by 0 until it is laid out. */
export class RoomController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  #observer: ResizeObserver | null = null;
  #frame = 0;
  #width = 0;
  #height = 0;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /** Width, px. */
  get width(): number {
    return this.#width;
  }

  /** Height, px. */
  get height(): number {
    return this.#height;
  }

  hostConnected(): void {
    this.#observer = new ResizeObserver(entries => this.#handleResize(entries));
    this.#observer.observe(this.#host);
  }

  hostDisconnected(): void {
    cancelAnimationFrame(this.#frame);
    this.#observer?.disconnect();
    this.#observer = null;
  }

  #handleResize(entries: readonly ResizeObserverEntry[]): void {
    const box = entries.at(-1)?.contentRect;
    const [width, height] = [Math.floor(box?.width ?? 0), Math.floor(box?.height ?? 0)];
    // What is hidden measures nothing: what it showed before is what it will show again.
    if (width === 0 || height === 0 || (width === this.#width && height === this.#height)) return;
    cancelAnimationFrame(this.#frame);
    // At once the first time, so that nothing blank is painted; later in a frame of its own, as layouts can come of it.
    if (this.#width === 0) this.#take(width, height);
    else this.#frame = requestAnimationFrame(() => this.#take(width, height));
  }

  #take(width: number, height: number): void {
    this.#width = width;
    this.#height = height;
    this.#host.requestUpdate();
  }
}
