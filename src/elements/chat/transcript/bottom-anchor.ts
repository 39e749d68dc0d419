import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Distance from the end within which the reader counts as being at the end, px. */
const nearEnd = 40;

/** A scrolling box and its growing content. */
export interface Scrolled {
  readonly box: HTMLElement;
  readonly content: HTMLElement;
}

/**
 * Keeps the end of a box in view while the reader is there. When the content grows, the distance from the end stays the
 * same. Does not move a reader who has scrolled up. Updates its host when the reader scrolls away from the end or
 * reaches it.
 */
export class BottomAnchor implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #find: () => Scrolled | null;
  #scrolled: Scrolled | null = null;
  #observer: ResizeObserver | null = null;
  #isAtEnd = true;
  /** Distance between the scroll position and the end, px. Preserved when the content grows while `isAtEnd` is true. */
  #distance = 0;
  #top = 0;

  constructor(host: ReactiveControllerHost, find: () => Scrolled | null) {
    this.#host = host;
    this.#find = find;
    host.addController(this);
  }

  /** Whether the reader is at the end. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** Scrolls to the end and stays there. */
  toEnd(): void {
    this.#distance = 0;
    this.#setAtEnd(true);
    this.#pin();
  }

  hostConnected(): void {
    this.#observer = new ResizeObserver(() => this.#pin());
    this.#observe();
  }

  hostUpdated(): void {
    this.#observe();
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    this.#scrolled?.box.removeEventListener('scroll', this.#handleScroll);
    this.#scrolled = null;
  }

  #observe(): void {
    if (this.#scrolled || !this.#observer) return;
    this.#scrolled = this.#find();
    if (!this.#scrolled) return;
    const { box, content } = this.#scrolled;
    box.addEventListener('scroll', this.#handleScroll, { passive: true });
    this.#observer.observe(box);
    this.#observer.observe(content);
  }

  #pin(): void {
    const box = this.#scrolled?.box;
    if (!box || !this.#isAtEnd) return;
    // Compute the position, because reading it back would force another layout.
    this.#top = box.scrollHeight - box.clientHeight - this.#distance;
    box.scrollTop = this.#top;
  }

  readonly #handleScroll = (): void => {
    const box = this.#scrolled?.box;
    if (!box) return;
    const top = box.scrollTop;
    const distance = box.scrollHeight - box.clientHeight - top;
    // Ignore growth since the last frame, because only scrolling up leaves the end.
    if (this.#isAtEnd) this.#distance = Math.min(distance, this.#distance + Math.max(0, this.#top - top));
    else this.#distance = distance;
    this.#top = top;
    this.#setAtEnd(this.#distance <= nearEnd);
  };

  #setAtEnd(isAtEnd: boolean): void {
    if (isAtEnd === this.#isAtEnd) return;
    this.#isAtEnd = isAtEnd;
    this.#host.requestUpdate();
  }
}
