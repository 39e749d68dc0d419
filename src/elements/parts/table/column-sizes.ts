import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { boundedWidth, maxColumnWidth, minColumnWidth } from './column-layout.js';

/** Pixels that one key press changes a width by, and a press with Shift. */
const step = 10;
const longStep = 50;

/** What the handles of columns ask for. */
export interface SizeActions {
  /** Name of a column, by which it is known again among other rows. */
  readonly keyOf: (column: number) => string | undefined;
  readonly widthOf: (column: number) => number;
  /** Width that shows what is drawn of a column whole. */
  readonly fittingWidth: (column: number) => number;
  readonly isRightToLeft: () => boolean;
  /** Back from the handle to the grid. */
  readonly leave: () => void;
}

/** Widths that the viewer chose, by pointer or keyboard on the handle between two headings. They outlive new rows. */
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

  /** The chosen width of a column, px; null where nobody chose one. */
  chosen(key: string): number | null {
    return this.#chosen.get(key) ?? null;
  }

  /** Forgets what was chosen, as when another report takes the place. */
  clear(): void {
    this.#chosen.clear();
  }

  /** A pointer was pressed on the handle of a column. */
  press(column: number, event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.target instanceof Element) event.target.setPointerCapture(event.pointerId);
    this.#drag = { column, from: event.clientX, width: this.#actions.widthOf(column) };
  }

  /** The pointer moved, with the handle held. */
  move(event: PointerEvent): void {
    if (!this.#drag) return;
    const way = (event.clientX - this.#drag.from) * (this.#actions.isRightToLeft() ? -1 : 1);
    this.#choose(this.#drag.column, this.#drag.width + way);
  }

  /** The handle was let go. */
  release(): void {
    this.#drag = null;
  }

  /** As wide as what stands in it. */
  fit(column: number): void {
    this.#choose(column, this.#actions.fittingWidth(column));
  }

  /** Works on a key that was pressed on the handle of a column. */
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
