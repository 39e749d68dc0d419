import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What an announcement is made of. */
export interface AnnounceOptions {
  /** How many tiles show something new, in words. */
  readonly updated: (count: number) => string;
}

/** How long all has to be quiet before tiles are counted, in ms. */
const quiet = 600;

/**
 * Says to assistive technology what was chosen, and, once tiles have drawn what they asked for, how many did. Tiles tell of it by
 * `pa-timing` on the public element around the bar.
 */
export class AnnounceController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: AnnounceOptions;
  readonly #drawn = new Set<unknown>();
  #target: EventTarget | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #said = '';
  #text = '';

  constructor(host: ReactiveControllerHost & HTMLElement, options: AnnounceOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** What is said now. */
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
    this.#said = '';
  }

  /** Says what was chosen. Call it while the host updates. */
  say(text: string): void {
    this.#said = text;
    this.#text = text;
    this.#drawn.clear();
    // It would count what was drawn for the choice before.
    clearTimeout(this.#timer);
  }

  readonly #handleTiming = (event: Event): void => {
    if (this.#said === '' || !('detail' in event)) return;
    this.#drawn.add(widgetOf(event.detail));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#text = `${this.#said} ${this.#options.updated(this.#drawn.size)}`;
      this.#said = '';
      this.#host.requestUpdate();
    }, quiet);
  };
}

function widgetOf(detail: unknown): unknown {
  return typeof detail === 'object' && detail !== null && 'widgetId' in detail ? detail.widgetId : null;
}
