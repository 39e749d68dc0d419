import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type CellPosition, type CellRange, clampCell, type GridSize, moveCell, rangeOf } from './grid-cells.js';

/** Maximum pointer movement between press and release that still counts as a click, in px. */
const clickSlack = 4;

/** Callbacks of the grid. All positions refer to existing cells. */
export interface GridActions {
  readonly size: () => GridSize;
  /** Returns the first column of the cell at a position and its column span. */
  readonly spanAt: (place: CellPosition) => { readonly from: number; readonly span: number };
  readonly isRightToLeft: () => boolean;
  /** Scrolls a cell into view. */
  readonly reveal: (place: CellPosition) => void;
  /** Sorts by the column of a heading; `extend` adds it to the current sort. */
  readonly sort: (column: number, how: { readonly extend: boolean }) => void;
  /** Selects a cell or opens its menu. */
  readonly pick: (place: CellPosition, how: { readonly intent: 'choose' | 'menu'; readonly extend: boolean }) => void;
  /** Follows the link of a cell; returns false if the cell has no link. */
  readonly follow: (place: CellPosition) => boolean;
  /** Moves the focus to the resize handle of a column. */
  readonly editWidth: (column: number) => void;
}

/**
 * Keyboard and pointer navigation of a grid, following the grid pattern of the ARIA Authoring Practices. The focus
 * stays on the grid, which references the active cell, so scrolling and new rows do not move the focus.
 */
export class GridController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #actions: GridActions;
  #active: CellPosition | null = null;
  /** The opposite corner of the range. */
  #anchor: CellPosition | null = null;
  #pressed: { readonly place: CellPosition; readonly x: number; readonly y: number } | null = null;

  constructor(host: ReactiveControllerHost, actions: GridActions) {
    this.#host = host;
    this.#actions = actions;
    host.addController(this);
  }

  /** The cell that keys act on; `null` if the grid has not been used yet or has no cells. */
  get active(): CellPosition | null {
    if (!this.#active) return null;
    const size = this.#actions.size();
    return size.columns > 0 ? clampCell(this.#active, size) : null;
  }

  /** The selected cells; `null` if only the active cell is selected. */
  get range(): CellRange | null {
    const { active } = this;
    if (!active || !this.#anchor) return null;
    const anchor = clampCell(this.#anchor, this.#actions.size());
    return anchor.row === active.row && anchor.column === active.column ? null : rangeOf(anchor, active);
  }

  hostDisconnected(): void {
    this.#pressed = null;
  }

  /** Activates the first body cell if no cell is active. */
  enter(): void {
    if (!this.#active) this.#moveTo({ row: 0, column: 0 }, 'alone');
  }

  /** Activates a cell. */
  goTo(place: CellPosition): void {
    this.#moveTo(place, 'alone');
  }

  /** Clears the range, for example when the rows have changed. */
  clearRange(): void {
    this.#anchor = null;
    this.#host.requestUpdate();
  }

  /** Handles a key press; unused keys are left to the browser. */
  handleKey(event: KeyboardEvent): void {
    const { active } = this;
    if (!active || event.defaultPrevented || event.altKey) return;
    if (this.#handleMove(event, active) || this.#handleSelect(event, active) || this.#handleCommand(event, active)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Handles `pointerdown` on a cell. */
  press(place: CellPosition, event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#pressed = { place, x: event.clientX, y: event.clientY };
    if (event.shiftKey && this.#active) {
      // Prevents the browser from selecting the text between the two cells.
      event.preventDefault();
      this.#moveTo(place, 'extend');
    } else this.#moveTo(place, 'alone');
  }

  /** Extends the selection to a cell while the pointer button is held. Touch scrolls instead. */
  enterCell(place: CellPosition, event: PointerEvent): void {
    if (!this.#pressed || event.pointerType === 'touch') return;
    if ((event.buttons & 1) === 0) {
      this.#pressed = null;
      return;
    }
    const { row, column } = this.#pressed.place;
    if (this.range === null && row === place.row && column === place.column) return;
    getSelection()?.removeAllRanges();
    this.#moveTo(place, 'extend');
  }

  /** Returns whether a click ends a press without dragging. Dragging selects a range instead. */
  isClick(event: MouseEvent): boolean {
    const pressed = this.#pressed;
    this.#pressed = null;
    if (!pressed) return true;
    return Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) <= clickSlack;
  }

  #handleMove(event: KeyboardEvent, active: CellPosition): boolean {
    const size = this.#actions.size();
    const forward = this.#actions.isRightToLeft() ? 'ArrowLeft' : 'ArrowRight';
    const { from, span } = this.#actions.spanAt(active);
    const isForward = event.key === forward;
    const start = isForward ? { ...active, column: Math.min(from + span, size.columns) - 1 } : active;
    const target = moveCell(start, { key: event.key, far: event.ctrlKey || event.metaKey, forward }, size);
    if (!target) return false;
    const place = { ...target, column: this.#actions.spanAt(target).from };
    this.#moveTo(isVertical(event.key) ? target : place, event.shiftKey ? 'extend' : 'alone');
    this.#actions.reveal(target);
    return true;
  }

  #handleSelect(event: KeyboardEvent, active: CellPosition): boolean {
    const { rows, columns, headRows } = this.#actions.size();
    const isFar = event.ctrlKey || event.metaKey;
    if (isFar && event.key.toLowerCase() === 'a') {
      this.#select({ row: -headRows, column: 0 }, { row: rows - 1, column: columns - 1 });
    } else if (event.key === ' ' && event.shiftKey) {
      this.#select({ row: active.row, column: 0 }, { row: active.row, column: columns - 1 });
    } else if (event.key === ' ' && event.ctrlKey) {
      this.#select({ row: -headRows, column: active.column }, { row: rows - 1, column: active.column });
    } else if (event.key === 'Escape' && this.range) {
      this.clearRange();
    } else return false;
    return true;
  }

  #handleCommand(event: KeyboardEvent, active: CellPosition): boolean {
    const extend = event.shiftKey || event.ctrlKey || event.metaKey;
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      if (active.row < 0) return false;
      this.#actions.pick(active, { intent: 'menu', extend: false });
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (active.row === -1) this.#actions.sort(active.column, { extend: event.shiftKey });
      else if (active.row >= 0 && !this.#actions.follow(active)) {
        this.#actions.pick(active, { intent: 'choose', extend });
      }
    } else if (event.key === 'F2' && active.row === -1) {
      this.#actions.editWidth(active.column);
    } else return false;
    return true;
  }

  #select(anchor: CellPosition, active: CellPosition): void {
    this.#anchor = anchor;
    this.#active = active;
    this.#host.requestUpdate();
  }

  #moveTo(place: CellPosition, how: 'alone' | 'extend'): void {
    this.#anchor = how === 'extend' ? (this.#anchor ?? this.active) : null;
    this.#active = place;
    this.#host.requestUpdate();
  }
}

function isVertical(key: string): boolean {
  return ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'].includes(key);
}
