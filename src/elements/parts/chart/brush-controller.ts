import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { BrushShape } from '../../../controllers/report/chart-controller.js';
import type { Anchor } from '../popover.js';

/** What brushing needs from its host. */
export interface BrushOptions {
  /** The element that holds the drawing. */
  readonly container: () => HTMLElement | null;
  /** Which frames can be drawn now; null for none. */
  readonly shape: () => BrushShape | null;
  /** Called with the frame as it was left, px of the screen. */
  readonly onBrush: (box: Anchor, how: 'add' | 'replace') => void;
}

/** A frame under way. */
interface Brush {
  readonly pointerId: number;
  readonly shape: BrushShape;
  readonly from: Point;
  readonly to: Point;
  readonly isDrawn: boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A press that moves less is a click, px. */
const slack = 5;

/**
 * Draws a frame over a chart with a mouse or a pen: dragging begins it, letting go chooses what is in it, Escape calls it off. A finger
 * scrolls the page. Ctrl, Shift or Cmd add to what is chosen. By keys, marks are added one by one.
 */
export class BrushController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: BrushOptions;
  #brush: Brush | null = null;
  /** The press that drew a frame ends in a click, which is none. */
  #swallowsClick = false;

  constructor(host: ReactiveControllerHost, options: BrushOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** The frame that is being drawn, px of the screen from the corner of the container; null while there is none. */
  get box(): Anchor | null {
    const brush = this.#brush;
    const container = this.#options.container();
    if (!brush?.isDrawn || !container) return null;
    const { left, top } = container.getBoundingClientRect();
    const box = boxOf(brush, container);
    return { left: box.left - left, right: box.right - left, top: box.top - top, bottom: box.bottom - top };
  }

  hostDisconnected(): void {
    this.#leave();
  }

  readonly handleDown = (event: PointerEvent): void => {
    this.#swallowsClick = false;
    if (event.button !== 0 || !event.isPrimary || event.pointerType === 'touch') return;
    const shape = this.#options.shape();
    if (!shape || isOnScrollbar(event, this.#options.container())) return;
    const from = { x: event.clientX, y: event.clientY };
    this.#brush = { pointerId: event.pointerId, shape, from, to: from, isDrawn: false };
  };

  readonly handleMove = (event: PointerEvent): void => {
    const brush = this.#brush;
    if (!brush || event.pointerId !== brush.pointerId) return;
    // It was let go where nobody told: outside the window, or over a menu of the browser's.
    if ((event.buttons & 1) === 0) {
      this.#leave();
      return;
    }
    const { clientX: x, clientY: y } = event;
    const isDrawn = brush.isDrawn || Math.hypot(x - brush.from.x, y - brush.from.y) > slack;
    if (!isDrawn) return;
    // From here on it is no business of the drawing, nor of what lies beside the chart.
    if (!brush.isDrawn) this.#options.container()?.setPointerCapture(brush.pointerId);
    this.#brush = { ...brush, to: { x, y }, isDrawn };
    this.#host.requestUpdate();
  };

  readonly handleUp = (event: PointerEvent): void => {
    const brush = this.#brush;
    const container = this.#options.container();
    if (!brush || event.pointerId !== brush.pointerId) return;
    this.#leave();
    if (!brush.isDrawn || !container) return;
    this.#swallowsClick = true;
    // What is drawn by now may be framed otherwise, or not at all.
    if (this.#options.shape() !== brush.shape) return;
    this.#options.onBrush(
      boxOf(brush, container),
      event.ctrlKey || event.metaKey || event.shiftKey ? 'add' : 'replace',
    );
  };

  readonly handleCancel = (event: PointerEvent): void => {
    if (event.pointerId === this.#brush?.pointerId) this.#leave();
  };

  /** True where the key called a frame off. */
  handleKey({ key }: KeyboardEvent): boolean {
    if (key !== 'Escape' || !this.#brush?.isDrawn) return false;
    this.#leave();
    this.#swallowsClick = true;
    return true;
  }

  /** Before the drawing hears of a click. */
  readonly click = {
    capture: true,
    handleEvent: (event: Event): void => {
      if (this.#swallowsClick) event.stopPropagation();
      this.#swallowsClick = false;
    },
  };

  #leave(): void {
    if (!this.#brush) return;
    this.#brush = null;
    this.#host.requestUpdate();
  }
}

/** What a frame covers, within the container; one along an axis is as high as that. */
function boxOf({ from, to, shape }: Brush, container: HTMLElement): Anchor {
  const around = container.getBoundingClientRect();
  const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));
  const left = within(Math.min(from.x, to.x), around.left, around.right);
  const right = within(Math.max(from.x, to.x), around.left, around.right);
  if (shape === 'span') return { left, right, top: around.top, bottom: around.bottom };
  const top = within(Math.min(from.y, to.y), around.top, around.bottom);
  return { left, right, top, bottom: within(Math.max(from.y, to.y), around.top, around.bottom) };
}

function isOnScrollbar({ clientX, clientY }: PointerEvent, container: HTMLElement | null): boolean {
  if (!container) return false;
  const { left, top } = container.getBoundingClientRect();
  const scale = scaleOf(container);
  return (clientX - left) / scale > container.clientWidth || (clientY - top) / scale > container.clientHeight;
}

/** Px of the screen to one of its own: a page may have scaled what the chart stands in. */
export function scaleOf(container: HTMLElement): number {
  return container.getBoundingClientRect().width / container.offsetWidth || 1;
}
