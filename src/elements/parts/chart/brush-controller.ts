import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { BrushShape } from '../../../controllers/report/chart-controller.js';
import type { Anchor } from '../popover.js';

/** Options of the brush. */
export interface BrushOptions {
  /** Returns the element that contains the drawing. */
  readonly container: () => HTMLElement | null;
  /** Returns the brush shapes currently available; `null` if there is none. */
  readonly shape: () => BrushShape | null;
  /** Called with the completed brush box, in screen px. */
  readonly onBrush: (box: Anchor, how: 'add' | 'replace') => void;
}

/** A brush in progress. */
interface Brush {
  readonly pointerId: number;
  readonly shape: BrushShape;
  readonly from: Point;
  readonly to: Point;
  readonly hasStarted: boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Minimum movement of a drag, in px. Smaller movements count as a click. */
const slack = 5;

/**
 * Draws a brush over a chart with a mouse or a pen. Dragging starts the brush, releasing selects the marks inside it,
 * and Escape cancels it. Touch scrolls the page. Ctrl, Shift or Cmd adds to the selection. With the keyboard, marks are
 * added one by one.
 */
export class BrushController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: BrushOptions;
  #brush: Brush | null = null;
  /** Whether to suppress the click that follows the press that drew a brush. */
  #swallowsClick = false;

  constructor(host: ReactiveControllerHost, options: BrushOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** The brush in progress, in screen px relative to the container; `null` if there is none. */
  get box(): Anchor | null {
    const brush = this.#brush;
    const container = this.#options.container();
    if (!brush?.hasStarted || !container) return null;
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
    this.#brush = { pointerId: event.pointerId, shape, from, to: from, hasStarted: false };
  };

  readonly handleMove = (event: PointerEvent): void => {
    const brush = this.#brush;
    if (!brush || event.pointerId !== brush.pointerId) return;
    // The browser sends no event if the button is released outside the window or over a browser menu.
    if ((event.buttons & 1) === 0) {
      this.#leave();
      return;
    }
    const { clientX: x, clientY: y } = event;
    const hasStarted = brush.hasStarted || Math.hypot(x - brush.from.x, y - brush.from.y) > slack;
    if (!hasStarted) return;
    // Capture the pointer, so that neither the drawing nor elements around the chart receive its events.
    if (!brush.hasStarted) this.#options.container()?.setPointerCapture(brush.pointerId);
    this.#brush = { ...brush, to: { x, y }, hasStarted };
    this.#host.requestUpdate();
  };

  readonly handleUp = (event: PointerEvent): void => {
    const brush = this.#brush;
    const container = this.#options.container();
    if (!brush || event.pointerId !== brush.pointerId) return;
    this.#leave();
    if (!brush.hasStarted || !container) return;
    this.#swallowsClick = true;
    // The chart may have been re-rendered with another brush shape or none.
    if (this.#options.shape() !== brush.shape) return;
    this.#options.onBrush(
      boxOf(brush, container),
      event.ctrlKey || event.metaKey || event.shiftKey ? 'add' : 'replace',
    );
  };

  readonly handleCancel = (event: PointerEvent): void => {
    if (event.pointerId === this.#brush?.pointerId) this.#leave();
  };

  /** Returns true if the key canceled a brush. */
  handleKey({ key }: KeyboardEvent): boolean {
    if (key !== 'Escape' || !this.#brush?.hasStarted) return false;
    this.#leave();
    this.#swallowsClick = true;
    return true;
  }

  /** Runs before the click handlers of the drawing. */
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

/** Returns the box of a brush, clamped to the container. A `span` brush covers the full height. */
function boxOf({ from, to, shape }: Brush, container: HTMLElement): Anchor {
  const around = container.getBoundingClientRect();
  const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(max, value));
  const left = clamp(Math.min(from.x, to.x), around.left, around.right);
  const right = clamp(Math.max(from.x, to.x), around.left, around.right);
  if (shape === 'span') return { left, right, top: around.top, bottom: around.bottom };
  const top = clamp(Math.min(from.y, to.y), around.top, around.bottom);
  return { left, right, top, bottom: clamp(Math.max(from.y, to.y), around.top, around.bottom) };
}

function isOnScrollbar({ clientX, clientY }: PointerEvent, container: HTMLElement | null): boolean {
  if (!container) return false;
  const { left, top } = container.getBoundingClientRect();
  const scale = scaleOf(container);
  return (clientX - left) / scale > container.clientWidth || (clientY - top) / scale > container.clientHeight;
}

/** Returns the ratio of screen px to CSS px of the element; the page may scale the container of the chart. */
export function scaleOf(container: HTMLElement): number {
  return container.getBoundingClientRect().width / container.offsetWidth || 1;
}
