import { renderedParent } from '../../../controllers/viewport-controller.js';

/** Distance from the edge of the scrolling box at which it starts to scroll, px. */
const margin = 56;
/** Maximum speed, px per frame. */
const maxSpeed = 18;

/** Position of the pointer in the viewport. */
export interface PointerPosition {
  readonly clientX: number;
  readonly clientY: number;
}

/**
 * Scrolls the page, or the scrolling box around an element, while the pointer is near the upper or lower edge during a
 * drag. Reports each scroll with the last position of the pointer, because the content moves under the pointer. Scroll
 * anchoring is off during a drag: when tiles make room, it would scroll the box by the height that the grid gains, and
 * the dragged tile would jump between two positions.
 */
export class EdgeScroller {
  readonly #onScroll: (pointer: PointerPosition) => void;
  #scroller: Element | null = null;
  /** Inline value of `overflow-anchor` before the drag. */
  #anchoring = '';
  #pointer: PointerPosition | null = null;
  #frame = 0;

  constructor(onScroll: (pointer: PointerPosition) => void) {
    this.#onScroll = onScroll;
  }

  start(element: Element): void {
    this.stop();
    this.#scroller = findScroller(element);
    this.#target?.addEventListener('scroll', this.#handleScroll);
    this.#anchoring = this.#setAnchoring('none');
  }

  /** Follows the pointer. */
  follow({ clientX, clientY }: PointerPosition): void {
    this.#pointer = { clientX, clientY };
    if (this.#scroller && this.#speed !== 0 && this.#frame === 0) this.#frame = requestAnimationFrame(this.#step);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#target?.removeEventListener('scroll', this.#handleScroll);
    this.#setAnchoring(this.#anchoring);
    this.#frame = 0;
    this.#scroller = null;
    this.#pointer = null;
  }

  /** Sets the scroll anchoring of the box. Returns the value before. */
  #setAnchoring(value: string): string {
    // Chromium can ignore the value of the root element.
    const box = this.#scroller === document.scrollingElement ? document.body : this.#scroller;
    if (!(box instanceof HTMLElement)) return '';
    const { style } = box;
    const before = style.getPropertyValue('overflow-anchor');
    style.setProperty('overflow-anchor', value);
    return before;
  }

  /** Returns the target of the scroll events. Those of the page are dispatched to the document. */
  get #target(): EventTarget | null {
    return this.#scroller === document.scrollingElement ? document : this.#scroller;
  }

  /** Px per frame; negative towards the top. */
  get #speed(): number {
    if (!this.#scroller || !this.#pointer) return 0;
    const isPage = this.#scroller === document.scrollingElement;
    const box = isPage ? { top: 0, bottom: innerHeight } : this.#scroller.getBoundingClientRect();
    const top = Math.max(0, box.top);
    const bottom = Math.min(innerHeight, box.bottom);
    const { clientY } = this.#pointer;
    const depth = Math.max(0, clientY - (bottom - margin)) - Math.max(0, top + margin - clientY);
    return (Math.max(-margin, Math.min(depth, margin)) / margin) * maxSpeed;
  }

  readonly #step = (): void => {
    const speed = this.#speed;
    this.#frame = speed === 0 ? 0 : requestAnimationFrame(this.#step);
    this.#scroller?.scrollBy({ top: speed, behavior: 'instant' });
  };

  readonly #handleScroll = (): void => {
    if (this.#pointer) this.#onScroll(this.#pointer);
  };
}

/** Returns the nearest box around an element that scrolls vertically; otherwise the scrolling element of the page. */
function findScroller(element: Element): Element | null {
  for (let around = renderedParent(element); around && around !== document.body; around = renderedParent(around)) {
    if (around === document.scrollingElement) break;
    const isScrollable = /^(auto|scroll)$/.test(getComputedStyle(around).overflowY);
    if (isScrollable && around.scrollHeight > around.clientHeight) return around;
  }
  return document.scrollingElement;
}
