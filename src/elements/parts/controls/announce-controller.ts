import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Options of the announcements. */
export interface AnnounceOptions {
  /** Formats the number of updated tiles. */
  readonly updated: (count: number) => string;
}

/** Quiet period before updated tiles are counted, in ms. */
const quiet = 600;

/**
 * Announces choices to assistive technology, followed by the number of tiles that were re-rendered. Tiles report this
 * by `pa-timing` on the public element that contains the bar.
 */
export class AnnounceController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: AnnounceOptions;
  readonly #updatedWidgets = new Set<unknown>();
  #target: EventTarget | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #announced = '';
  #text = '';

  constructor(host: ReactiveControllerHost & HTMLElement, options: AnnounceOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Current announcement. */
  get text(): string {
    return this.#text;
  }

  hostConnected(): void {
    const root = this.#host.getRootNode();
    this.#target = root instanceof ShadowRoot ? root.host : null;
    this.#target?.addEventListener('pa-timing', this.#handleTiming);
  }

  hostDisconnected(): void {
    this.#target?.removeEventListener('pa-timing', this.#handleTiming);
    this.#target = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#announced = '';
  }

  /** Announces a choice. Call it while the host updates. */
  say(text: string): void {
    this.#announced = text;
    this.#text = text;
    this.#updatedWidgets.clear();
    // Cancel the pending announcement, which would count tiles that were updated for the previous choice.
    clearTimeout(this.#timer);
  }

  readonly #handleTiming = (event: Event): void => {
    if (this.#announced === '' || !('detail' in event)) return;
    this.#updatedWidgets.add(widgetOf(event.detail));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#text = `${this.#announced} ${this.#options.updated(this.#updatedWidgets.size)}`;
      this.#announced = '';
      this.#host.requestUpdate();
    }, quiet);
  };
}

function widgetOf(detail: unknown): unknown {
  return typeof detail === 'object' && detail !== null && 'widgetId' in detail ? detail.widgetId : null;
}
