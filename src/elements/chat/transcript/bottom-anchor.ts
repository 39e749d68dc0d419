import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** So near to the end, in px, that a reader is taken to be there. */
const nearEnd = 40;

/** What is scrolled, and what in it grows. */
export interface Scrolled {
  readonly box: HTMLElement;
  readonly content: HTMLElement;
}

/**
 * Keeps the end of a box in view while the reader is there: whatever grows, they stay as far from the end as they were. Who has
 * scrolled away is left where they are. Updates its host when they leave the end or come back.
 */
export class BottomAnchor implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #find: () => Scrolled | null;
  #scrolled: Scrolled | null = null;
  #observer: ResizeObserver | null = null;
  #isAtEnd = true;
  /** How far the reader is from the end, in px, while they are at it. */
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

  /** Goes to the end, and stays there. */
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
    // Not read back: that would lay out once more.
    this.#top = box.scrollHeight - box.clientHeight - this.#distance;
    box.scrollTop = this.#top;
  }

  readonly #handleScroll = (): void => {
    const box = this.#scrolled?.box;
    if (!box) return;
    const top = box.scrollTop;
    const distance = box.scrollHeight - box.clientHeight - top;
    // What grew since the last frame is not the reader's doing: only their own way up leads away from the end.
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
