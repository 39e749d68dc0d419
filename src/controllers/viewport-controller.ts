import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Called once for every element that has come near; those on the screen come before those next to it. */
export type ViewportCallback<T extends Element> = (onScreen: readonly T[], nextToIt: readonly T[]) => void;

/** How far beyond the screen an element is next to it, as a share of the screen, once somebody scrolls. */
const nextShare = 1;

/** What tells that somebody scrolls: of boxes in other elements' shadow roots a window hears of wheels and fingers alone. */
const scrollings = ['scroll', 'wheel', 'touchmove'] as const;
const listening = { capture: true, passive: true } as const;

/**
 * Says when elements come onto the screen, and from the first scrolling on when they come next to it: a page that nobody scrolls asks for
 * what it shows. One IntersectionObserver for all of them; an element that has come near is not watched any longer.
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

  /** Looks what is on the screen without waiting for the next frame: for a host that has just laid the elements of its shadow root out. */
  look(): void {
    // Boxes have a place and a size within a closed `<details>` too; browsers that can't tell leave it to the observer.
    const drawn = [...this.#watched].filter(element => 'checkVisibility' in element && element.checkVisibility());
    const root = drawn[0]?.getRootNode();
    if (!(root instanceof ShadowRoot)) return;
    const screen = screenAround(root.host);
    const boxes = drawn.map(element => [element, element.getBoundingClientRect()] as const);
    this.#tell(new Map(boxes.filter(([, box]) => isOn(screen, box))));
  }

  hostConnected(): void {
    // Captured, since a dashboard may stand inside a scrolling box of the host's page.
    if (!this.#scrolled) for (const type of scrollings) addEventListener(type, this.#handleScroll, listening);
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
    for (const type of scrollings) removeEventListener(type, this.#handleScroll, listening);
  }

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

/** Whether any of a box lies on the screen. What isn't laid out has no size. */
function isOn(screen: Box, { left, right, top, bottom, width }: DOMRectReadOnly): boolean {
  return width > 0 && right > screen.left && left < screen.right && bottom > screen.top && top < screen.bottom;
}

function wholeScreen(): Box {
  return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
}

/** What of the screen the boxes around an element leave that cut off what is larger than they are, or scroll it. */
function screenAround(element: Element): Box {
  let { left, top, right, bottom } = wholeScreen();
  for (let around = parentOf(element); around && around !== document.body; around = parentOf(around)) {
    if (getComputedStyle(around).overflow === 'visible') continue;
    const box = around.getBoundingClientRect();
    [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
    [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
  }
  return { left, top, right, bottom };
}

/** What an element is drawn in. */
function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
