import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Called once for each element that has entered the viewport or its margin. Elements in the viewport come first. */
export type ViewportCallback<T extends Element> = (onScreen: readonly T[], nextToIt: readonly T[]) => void;

/** Margin around the viewport after the first scroll, relative to the viewport's size. */
const nextShare = 1;

/**
 * Events that indicate scrolling. Scroll events of boxes in other shadow roots do not reach the window, but wheel and
 * touch events do.
 */
const scrollEvents = ['scroll', 'wheel', 'touchmove'] as const;
const listening = { capture: true, passive: true } as const;

/**
 * Reports when elements enter the viewport and, after the first scroll, its margin. A page that is never scrolled
 * therefore loads only what it shows. Uses one IntersectionObserver for all elements; reported elements are no longer
 * observed.
 */
export class ViewportController<T extends Element> implements ReactiveController {
  readonly #watched = new Set<T>();
  readonly #onNear: ViewportCallback<T>;
  #observer: IntersectionObserver | null = null;
  #scrolled = false;

  constructor(host: ReactiveControllerHost, onNear: ViewportCallback<T>) {
    this.#onNear = onNear;
    host.addController(this);
  }

  /** Replaces the observed elements. */
  watch(elements: readonly T[]): void {
    const latest = new Set(elements);
    for (const element of this.#watched) if (!latest.has(element)) this.#release(element);
    for (const element of latest) {
      if (this.#watched.has(element)) continue;
      this.#watched.add(element);
      this.#observer?.observe(element);
    }
  }

  /**
   * Checks which elements are in the viewport without waiting for the next frame. For hosts that have just laid out the
   * elements of their shadow root.
   */
  checkElements(): void {
    // Boxes inside a closed `<details>` have a size too. Browsers without `checkVisibility` rely on the observer.
    const visibleElements = [...this.#watched].filter(
      element => 'checkVisibility' in element && element.checkVisibility(),
    );
    const root = visibleElements[0]?.getRootNode();
    if (!(root instanceof ShadowRoot)) return;
    const screen = screenAround(root.host);
    const boxes = visibleElements.map(element => [element, element.getBoundingClientRect()] as const);
    this.#report(new Map(boxes.filter(([, box]) => isOn(screen, box))));
  }

  hostConnected(): void {
    // Capture the events, because a dashboard may be inside a scrolling box of the host's page.
    if (!this.#scrolled) for (const type of scrollEvents) addEventListener(type, this.#handleScroll, listening);
    this.#observe();
  }

  hostDisconnected(): void {
    this.#ignoreScrolling();
    this.#observer?.disconnect();
    this.#observer = null;
  }

  readonly #handleScroll = (): void => {
    this.#scrolled = true;
    this.#ignoreScrolling();
    this.#observer?.disconnect();
    this.#observe();
  };

  #ignoreScrolling(): void {
    for (const type of scrollEvents) removeEventListener(type, this.#handleScroll, listening);
  }

  #observe(): void {
    // In px, because percentages would refer to the width. `scrollMargin` is the equivalent of `rootMargin` for a
    // scrolling box.
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
    this.#report(new Map(near.map(entry => [entry.target, entry.boundingClientRect])));
  }

  #report(boxes: ReadonlyMap<Element, DOMRectReadOnly>): void {
    const near = [...this.#watched].filter(element => boxes.has(element));
    if (near.length === 0) return;
    for (const element of near) this.#release(element);
    const screen = wholeScreen();
    const isShown = (element: T): boolean => {
      const box = boxes.get(element);
      return box !== undefined && isOn(screen, box);
    };
    this.#onNear(
      near.filter(isShown),
      near.filter(element => !isShown(element)),
    );
  }
}

type Box = Pick<DOMRectReadOnly, 'left' | 'right' | 'top' | 'bottom'>;

/** Whether a part of a box is on the screen. Elements without layout have no size. */
function isOn(screen: Box, { left, right, top, bottom, width }: DOMRectReadOnly): boolean {
  return width > 0 && right > screen.left && left < screen.right && bottom > screen.top && top < screen.bottom;
}

function wholeScreen(): Box {
  return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
}

/** Returns the part of the viewport that is not clipped by the ancestors of an element. */
function screenAround(element: Element): Box {
  let { left, top, right, bottom } = wholeScreen();
  for (let around = renderedParent(element); around && around !== document.body; around = renderedParent(around)) {
    if (getComputedStyle(around).overflow === 'visible') continue;
    const box = around.getBoundingClientRect();
    [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
    [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
  }
  return { left, top, right, bottom };
}

/** Returns the parent of an element in the rendered tree. */
export function renderedParent(element: Element): Element | null {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
