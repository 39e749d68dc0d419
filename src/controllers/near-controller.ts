import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Called once for every element that has come near; those on the screen come before those next to it. */
export type NearCallback<T extends Element> = (onScreen: readonly T[], nextToIt: readonly T[]) => void;

/** How far beyond the screen an element is next to it, as a share of the screen, once somebody scrolls. */
const nextShare = 1;

/**
 * Says when elements come onto the screen, and from the first scrolling on when they come next to it: a page that nobody scrolls asks for
 * what it shows. One IntersectionObserver for all of them; an element that has come near is not watched any longer.
 */
export class NearController<T extends Element> implements ReactiveController {
  readonly #watched = new Set<T>();
  readonly #onNear: NearCallback<T>;
  #observer: IntersectionObserver | null = null;
  #scrolled = false;

  constructor(host: ReactiveControllerHost, onNear: NearCallback<T>) {
    this.#onNear = onNear;
    host.addController(this);
  }

  /** Watches exactly these elements from now on. */
  watch(elements: readonly T[]): void {
    const wanted = new Set(elements);
    for (const element of this.#watched) if (!wanted.has(element)) this.#release(element);
    for (const element of wanted) {
      if (this.#watched.has(element)) continue;
      this.#watched.add(element);
      this.#observer?.observe(element);
    }
  }

  /** Looks what is on the screen without waiting for the next frame: for a host that has just laid its elements out. */
  look(): void {
    const boxes = [...this.#watched].map(element => [element, element.getBoundingClientRect()] as const);
    this.#tell(new Map(boxes.filter(([, box]) => isOnScreen(box))));
  }

  hostConnected(): void {
    // Captured, since a dashboard may stand inside a scrolling box of the host's page.
    if (!this.#scrolled) addEventListener('scroll', this.#handleScroll, { capture: true, passive: true, once: true });
    this.#observe();
  }

  hostDisconnected(): void {
    removeEventListener('scroll', this.#handleScroll, { capture: true });
    this.#observer?.disconnect();
    this.#observer = null;
  }

  readonly #handleScroll = (): void => {
    this.#scrolled = true;
    this.#observer?.disconnect();
    this.#observe();
  };

  #observe(): void {
    // In pixels: a percentage would count from the width. `scrollMargin` is what `rootMargin` is, for a scrolling box.
    const share = this.#scrolled ? nextShare : 0;
    const margin = `${innerHeight * share}px ${innerWidth * share}px`;
    const options: IntersectionObserverInit & { scrollMargin: string } = { rootMargin: margin, scrollMargin: margin };
    this.#observer = new IntersectionObserver(entries => this.#handleEntries(entries), options);
    for (const element of this.#watched) this.#observer.observe(element);
  }

  #release(element: T): void {
    this.#watched.delete(element);
    this.#observer?.unobserve(element);
  }

  #handleEntries(entries: readonly IntersectionObserverEntry[]): void {
    const near = entries.filter(entry => entry.isIntersecting);
    this.#tell(new Map(near.map(entry => [entry.target, entry.boundingClientRect])));
  }

  #tell(boxes: ReadonlyMap<Element, DOMRectReadOnly>): void {
    const near = [...this.#watched].filter(element => boxes.has(element));
    if (near.length === 0) return;
    for (const element of near) this.#release(element);
    const isShown = (element: T): boolean => {
      const box = boxes.get(element);
      return box !== undefined && isOnScreen(box);
    };
    this.#onNear(
      near.filter(isShown),
      near.filter(element => !isShown(element)),
    );
  }
}

/** Whether any of a box lies on the screen. What isn't laid out has no size. */
function isOnScreen({ left, right, top, bottom, width }: DOMRectReadOnly): boolean {
  return width > 0 && right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
}
