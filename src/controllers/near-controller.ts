import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Called once for every element that has come near; those on the screen come before those next to it. */
export type NearCallback<T extends Element> = (onScreen: readonly T[], nextToIt: readonly T[]) => void;

/** How far beyond the screen an element is next to it, as a share of the screen: what nobody scrolls to asks for nothing. */
const nextShare = 0.25;

/**
 * Says when elements come onto the screen or next to it: one IntersectionObserver for all of them. An element that has come near is not
 * watched any longer.
 */
export class NearController<T extends Element> implements ReactiveController {
  readonly #watched = new Set<T>();
  readonly #onNear: NearCallback<T>;
  #observer: IntersectionObserver | null = null;

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

  /** Looks where the elements stand without waiting for the next frame: for a host that has just laid them out. */
  look(): void {
    const boxes = [...this.#watched].map(element => [element, element.getBoundingClientRect()] as const);
    this.#tell(new Map(boxes.filter(([, box]) => isWithin(box, nextShare))));
  }

  hostConnected(): void {
    // In pixels: a percentage would count from the width. `scrollMargin` is what `rootMargin` is, for a dashboard inside a scrolling
    // box of the host's page.
    const margin = `${innerHeight * nextShare}px ${innerWidth * nextShare}px`;
    const options: IntersectionObserverInit & { scrollMargin: string } = { rootMargin: margin, scrollMargin: margin };
    this.#observer = new IntersectionObserver(entries => this.#handleEntries(entries), options);
    for (const element of this.#watched) this.#observer.observe(element);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#observer = null;
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
    const isOnScreen = (element: T): boolean => {
      const box = boxes.get(element);
      return box !== undefined && isWithin(box, 0);
    };
    this.#onNear(
      near.filter(isOnScreen),
      near.filter(element => !isOnScreen(element)),
    );
  }
}

/** Whether any of a box lies on the screen, or so far beyond it. What isn't laid out has no size. */
function isWithin(box: DOMRectReadOnly, share: number): boolean {
  const [x, y] = [innerWidth * share, innerHeight * share];
  const isAcross = box.right > -x && box.left < innerWidth + x;
  return box.width > 0 && isAcross && box.bottom > -y && box.top < innerHeight + y;
}
