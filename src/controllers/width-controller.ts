import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Keeps the width of the host's content box, in whole CSS px; 0 until it is laid out for the first time. */
export class WidthController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  #observer: ResizeObserver | null = null;
  #width = 0;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /** Width in whole px. */
  get width(): number {
    return this.#width;
  }

  hostConnected(): void {
    this.#observer = new ResizeObserver(entries => {
      const width = Math.floor(entries.at(-1)?.contentRect.width ?? 0);
      // A host that is hidden measures 0: what it showed before is what it will show again.
      if (width === 0 || width === this.#width) return;
      this.#width = width;
      this.#host.requestUpdate();
    });
    this.#observer.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#observer = null;
  }
}
