import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Measures the content width of a host in whole CSS px; 0 before the first layout. Measures a separate element without
 * height (the ruler), because the host's own box changes with the content that depends on the width.
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
    // Read once, so that the first layout uses the real width.
    this.#width ||= ruler.clientWidth;
    this.#observer?.observe(ruler);
  }

  #handleResize(entries: readonly ResizeObserverEntry[]): void {
    const width = Math.floor(entries.at(-1)?.contentRect.width ?? 0);
    // A hidden host measures 0 and keeps its previous width.
    if (width === 0 || width === this.#width) return;
    // Use a separate frame. Otherwise, a scroll bar that appears or disappears with the new layout would cause
    // "ResizeObserver loop" errors on the host's page.
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#width = width;
      this.#host.requestUpdate();
    });
  }
}
