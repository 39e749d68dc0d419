import { moveItem, resizeItem } from '../../../report/layout/edit-layout.js';
import type { GridItem } from '../../../report/layout/grid-layout.js';
import type { DropPosition, DropTargets } from './drop-targets.js';
import { EdgeScroller, type PointerPosition } from './edge-scroller.js';

/** Kind of drag: what a pointer does to a tile. */
export type DragKind = 'move' | 'resize';

/** A tile that is moved or resized with a pointer. */
interface Drag {
  readonly id: string;
  readonly kind: DragKind;
  /** Position of the pointer in the grid at the start, px. */
  readonly from: { readonly x: number; readonly y: number };
  readonly origin: GridItem;
  readonly items: readonly GridItem[];
  /** Distance from the start, in columns and rows. */
  readonly steps: { readonly x: number; readonly y: number };
  /** Position in the container under the pointer, into which the tile is dropped. */
  readonly inside: DropPosition | null;
}

/** The grid on which tiles are dragged. */
export interface DragHost {
  readonly grid: HTMLElement;
  readonly board: () => { readonly columns: number; readonly rowHeight: number; readonly items: readonly GridItem[] };
  readonly tileOf: (id: string) => HTMLElement | null;
  /** Writes positions to the elements. */
  readonly place: (items: readonly GridItem[]) => void;
  readonly targets: DropTargets;
  /** Ids of the containers that can receive a tile. */
  readonly containers: (id: string) => ReadonlySet<string>;
  /** Called when the pointer is released. */
  readonly onDrop: (items: readonly GridItem[]) => void;
  /** Called when the pointer is released over a container. */
  readonly onDropInto: (id: string, position: DropPosition) => void;
}

/** Distance between tiles, px. The styles use the same distance. */
export const gap = 16;
/** If the grid is narrower, tiles are stacked and cannot be dragged. The styles use the same width. */
export const stackedWidth = 720;

/**
 * Whether a press can start a drag. With touch or a pen, only the grip starts one, so a swipe over a title scrolls the
 * page.
 */
export function canDrag(event: PointerEvent): boolean {
  if (event.button !== 0) return false;
  const isTouch = event.pointerType === 'touch' || event.pointerType === 'pen';
  return !isTouch || (event.target instanceof Element && event.target.closest('.grip, .resize') !== null);
}

/** Moves and resizes tiles with a pointer. While a tile is dragged, only the positions of elements change. */
export class TileDrag {
  readonly #host: DragHost;
  readonly #scroller = new EdgeScroller(pointer => this.#follow(pointer));
  #drag: Drag | null = null;

  constructor(host: DragHost) {
    this.#host = host;
  }

  start(event: PointerEvent, id: string, kind: DragKind): void {
    const { items } = this.#host.board();
    const origin = items.find(item => item.id === id);
    const isStacked = this.#host.grid.clientWidth < stackedWidth;
    if (!origin || !canDrag(event) || isStacked || !(event.currentTarget instanceof HTMLElement)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = this.#positionOf(event);
    this.#drag = { id, kind, from, origin, items, steps: { x: 0, y: 0 }, inside: null };
    this.#scroller.start(this.#host.grid);
    if (kind === 'move') this.#host.targets.capture(this.#host.containers(id), id);
    this.#host.tileOf(id)?.classList.add('dragged');
  }

  readonly move = (event: PointerEvent): void => {
    if (!this.#drag) return;
    this.#scroller.follow(event);
    this.#follow(event);
  };

  /** Moves or resizes the tile for a position of the pointer, which may have changed by scrolling. */
  #follow(pointer: PointerPosition): void {
    const drag = this.#drag;
    if (!drag) return;
    const { grid, place, targets } = this.#host;
    const { columns, rowHeight, items: before } = this.#host.board();
    const column = (grid.clientWidth + gap) / columns;
    const forward = grid.matches(':dir(rtl)') ? -1 : 1;
    const position = this.#positionOf(pointer);
    const x = Math.round((forward * (position.x - drag.from.x)) / column);
    const y = Math.round((position.y - drag.from.y) / (rowHeight + gap));
    const inside = drag.kind === 'move' ? targets.mark(pointer) : null;
    if (inside) {
      // The tile leaves the grid, so the others stay at their positions.
      this.#drag = { ...drag, items: before, steps: { x, y }, inside };
      place(before);
      return;
    }
    // Ignore movements of the pointer within one cell.
    if (x === drag.steps.x && y === drag.steps.y && !drag.inside) return;
    const { origin, id } = drag;
    const items =
      drag.kind === 'move'
        ? moveItem(before, id, origin.x + x, origin.y + y, columns)
        : resizeItem(before, id, origin.w + x, origin.h + y, columns);
    this.#drag = { ...drag, items, steps: { x, y }, inside };
    place(items);
  }

  readonly drop = (): void => {
    const drag = this.#end();
    if (drag?.inside) this.#host.onDropInto(drag.id, drag.inside);
    else if (drag) this.#host.onDrop(drag.items);
  };

  /** Ends the drag without a change. Returns whether there was one. */
  readonly cancel = (): boolean => {
    const isDragging = this.#end() !== null;
    if (isDragging) this.#host.place(this.#host.board().items);
    return isDragging;
  };

  #end(): Drag | null {
    const drag = this.#drag;
    this.#drag = null;
    this.#scroller.stop();
    this.#host.targets.clear();
    if (drag) this.#host.tileOf(drag.id)?.classList.remove('dragged');
    return drag;
  }

  /** Returns the position of the pointer relative to the grid, which moves when the page scrolls. */
  #positionOf({ clientX, clientY }: PointerPosition): { readonly x: number; readonly y: number } {
    const { left, top } = this.#host.grid.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }
}
