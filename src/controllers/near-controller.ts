import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Called once for every element that has come near; those on the screen come before those next to it. */
export type NearCallback<T extends Element> = (onScreen: readonly T[], nextToIt: readonly T[]) => void;

/**
 * Says when elements come within one viewport of the screen: one IntersectionObserver for all of them. An element that
 * has come near is not watched any longer.
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

  hostConnected(): void {
    // One viewport, in pixels: a percentage would count from the width. `scrollMargin` is what `rootMargin` is, for a dashboard
    // inside a scrolling box of the host's page.
    const margin = `${innerHeight}px ${innerWidth}px`;
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
    const boxes = new Map(entries.filter(entry => entry.isIntersecting).map(entry => [entry.target, entry]));
    const near = [...this.#watched].filter(element => boxes.has(element));
    if (near.length === 0) return;
    for (const element of near) this.#release(element);
    const onScreen = near.filter(element => isOnScreen(boxes.get(element)?.boundingClientRect));
    this.#onNear(
      onScreen,
      near.filter(element => !onScreen.includes(element)),
    );
  }
}

function isOnScreen(box: DOMRectReadOnly | undefined): boolean {
  return box !== undefined && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
}
