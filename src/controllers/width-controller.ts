import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Keeps the width that a host has for its content, in whole CSS px; 0 until it is laid out for the first time. It is measured on
 * a ruler in the host, an element without height: the host's own box changes with what is laid out by the answer.
 */
export class WidthController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #ruler: () => Element | null;
  #observer: ResizeObserver | null = null;
  #observed: Element | null = null;
  #frame = 0;
  #width = 0;

  constructor(host: ReactiveControllerHost, ruler: () => Element | null) {
    this.#host = host;
    this.#ruler = ruler;
    host.addController(this);
  }

  /** Width in whole px. */
  get width(): number {
    return this.#width;
  }

  hostConnected(): void {
    this.#observer = new ResizeObserver(entries => this.#handleResize(entries));
    this.#observe();
  }

  hostUpdated(): void {
    this.#observe();
  }

  hostDisconnected(): void {
    cancelAnimationFrame(this.#frame);
    this.#observer?.disconnect();
    this.#observer = null;
    this.#observed = null;
  }

  #observe(): void {
    const ruler = this.#ruler();
    if (!ruler || ruler === this.#observed) return;
    this.#observed = ruler;
    // Read once, so that nothing is laid out for a width that is only assumed.
    this.#width ||= ruler.clientWidth;
    this.#observer?.observe(ruler);
  }

  #handleResize(entries: readonly ResizeObserverEntry[]): void {
    const width = Math.floor(entries.at(-1)?.contentRect.width ?? 0);
    // A host that is hidden measures 0: what it showed before is what it will show again.
    if (width === 0 || width === this.#width) return;
    // A frame of its own: a scroll bar that comes or goes by the new layout would otherwise end in "ResizeObserver loop" errors
    // on the host's page.
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#width = width;
      this.#host.requestUpdate();
    });
  }
}
