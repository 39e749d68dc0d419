import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { boundedWidth, maxColumnWidth, minColumnWidth } from '../../../report/table/column-layout.js';

/** Change of a width per key press, in px, without and with Shift. */
const step = 10;
const longStep = 50;

/** Callbacks of the column resize handles. */
export interface SizeActions {
  /** Returns the key that identifies a column in other row sets. */
  readonly keyOf: (column: number) => string | undefined;
  readonly widthOf: (column: number) => number;
  /** Returns the width that fits the rendered cells of a column. */
  readonly fittingWidth: (column: number) => number;
  readonly isRightToLeft: () => boolean;
  /** Moves the focus from the handle back to the grid. */
  readonly leave: () => void;
}

/** Column widths set by the viewer with the pointer or keyboard on a resize handle. They persist across new rows. */
export class ColumnSizes implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #actions: SizeActions;
  readonly #chosen = new Map<string, number>();
  #drag: { readonly column: number; readonly from: number; readonly width: number } | null = null;

  constructor(host: ReactiveControllerHost, actions: SizeActions) {
    this.#host = host;
    this.#actions = actions;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#drag = null;
  }

  /** Returns the width that the viewer set for a column, in px; `null` if not set. */
  chosen(key: string): number | null {
    return this.#chosen.get(key) ?? null;
  }

  /** Discards the viewer's widths, for example when another report is shown. */
  clear(): void {
    this.#chosen.clear();
  }

  /** Handles `pointerdown` on a resize handle. */
  press(column: number, event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.target instanceof Element) event.target.setPointerCapture(event.pointerId);
    this.#drag = { column, from: event.clientX, width: this.#actions.widthOf(column) };
  }

  /** Handles `pointermove` while a handle is dragged. */
  move(event: PointerEvent): void {
    if (!this.#drag) return;
    const way = (event.clientX - this.#drag.from) * (this.#actions.isRightToLeft() ? -1 : 1);
    this.#choose(this.#drag.column, this.#drag.width + way);
  }

  /** Ends the drag of a column's handle. */
  release(): void {
    this.#drag = null;
  }

  /** Fits a column to its content. */
  fit(column: number): void {
    this.#choose(column, this.#actions.fittingWidth(column));
  }

  /** Handles `keydown` on a resize handle. */
  handleKey(column: number, event: KeyboardEvent): void {
    const width = this.#widthAfter(column, event);
    if (width === null && event.key !== 'Escape' && event.key !== 'F2' && event.key !== 'Tab') return;
    event.stopPropagation();
    if (event.key !== 'Tab') event.preventDefault();
    if (width === null) this.#actions.leave();
    else this.#choose(column, width);
  }

  #widthAfter(column: number, { key, shiftKey }: KeyboardEvent): number | null {
    const wider = this.#actions.isRightToLeft() ? 'ArrowLeft' : 'ArrowRight';
    const width = this.#actions.widthOf(column);
    switch (key) {
      case 'ArrowLeft':
      case 'ArrowRight':
        return width + (key === wider ? 1 : -1) * (shiftKey ? longStep : step);
      case 'Home':
        return minColumnWidth;
      case 'End':
        return maxColumnWidth;
      case 'Enter':
        return this.#actions.fittingWidth(column);
      default:
        return null;
    }
  }

  #choose(column: number, width: number): void {
    const key = this.#actions.keyOf(column);
    if (key === undefined) return;
    this.#chosen.set(key, boundedWidth(width));
    this.#host.requestUpdate();
  }
}
