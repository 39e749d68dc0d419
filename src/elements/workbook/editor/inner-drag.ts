import { moveItem } from '../../../report/layout/edit-layout.js';
import type { GridItem } from '../../../report/layout/grid-layout.js';
import type { DropPosition, DropTargets } from './drop-targets.js';
import { EdgeScroller, type PointerPosition } from './edge-scroller.js';
import { canDrag, gap, stackedWidth } from './tile-drag.js';

/** Distance in px after which a press becomes a drag. */
const threshold = 6;

/** Where a tile of a container is dropped. */
export type InnerDrop =
  | DropPosition
  /** Positions of the tile and of the tiles that it displaces; `null` for the first free position. */
  | { readonly container: null; readonly items: readonly GridItem[] | null };

/** The grid on which a tile of a container is dragged. */
interface InnerDragHost {
  readonly targets: DropTargets;
  readonly grid: () => HTMLElement | null;
  readonly board: () => { readonly columns: number; readonly rowHeight: number; readonly items: readonly GridItem[] };
  /** Returns the size of a tile on the grid. */
  readonly sizeOf: (id: string) => { readonly w: number; readonly h: number } | null;
  /** Shows tiles at their positions, and a placeholder for the dragged tile (`null` if it is not over the grid). */
  readonly place: (items: readonly GridItem[], placeholder: GridItem | null) => void;
  /** Ids of the tile's container and of the containers that can receive the tile. */
  readonly containers: (id: string) => ReadonlySet<string>;
  /** Called when the pointer is released. */
  readonly onDrop: (id: string, drop: InnerDrop) => void;
}

/** A tile of a container that is pressed or dragged. */
interface Drag {
  readonly id: string;
  /** Position of the pointer at the start, px. */
  readonly x: number;
  readonly y: number;
  readonly row: HTMLElement | null;
  readonly size: { readonly w: number; readonly h: number } | null;
}

/** Moves a tile of a container within it, to another container or to the grid with a pointer. */
export class InnerDrag {
  readonly #host: InnerDragHost;
  readonly #scroller = new EdgeScroller(pointer => this.#follow(pointer));
  #drag: Drag | null = null;
  /** The result of a drop at the current position of the pointer; `null` until the pointer has moved. */
  #drop: InnerDrop | null = null;
  /** The container or cell under the pointer. */
  #target = '';

  constructor(host: InnerDragHost) {
    this.#host = host;
  }

  start(event: PointerEvent, id: string): void {
    if (!canDrag(event) || !(event.currentTarget instanceof HTMLElement)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const row = event.currentTarget.closest('li');
    this.#drag = { id, x: event.clientX, y: event.clientY, row, size: this.#host.sizeOf(id) };
    this.#drop = null;
  }

  readonly move = (event: PointerEvent): void => {
    const grid = this.#host.grid();
    if (!this.#drag || !grid) return;
    const { id, x, y, row } = this.#drag;
    if (!this.#drop) {
      if (Math.hypot(event.clientX - x, event.clientY - y) < threshold) return;
      row?.classList.add('dragged');
      this.#scroller.start(grid);
      this.#host.targets.capture(this.#host.containers(id), id);
    }
    this.#scroller.follow(event);
    this.#follow(event);
  };

  /** Shows where the tile would be dropped. */
  #follow(pointer: PointerPosition): void {
    const drag = this.#drag;
    if (!drag) return;
    const position = this.#host.targets.mark(pointer);
    const placeholder = position ? null : this.#itemAt(pointer, drag);
    // Ignore movements of the pointer within one cell.
    const target = `${position?.container} ${position?.index} ${placeholder?.x} ${placeholder?.y}`;
    if (this.#drop && target === this.#target) return;
    this.#target = target;
    const { columns, items } = this.#host.board();
    if (!placeholder) {
      this.#drop = position ?? { container: null, items: null };
      this.#host.place(items, null);
      return;
    }
    const { id, x, y } = placeholder;
    const placed = moveItem([...items, placeholder], id, x, y, columns);
    this.#drop = { container: null, items: placed };
    this.#host.place(placed, placed.find(item => item.id === id) ?? null);
  }

  /** Returns the tile at the cell under the pointer; `null` if tiles are stacked. */
  #itemAt({ clientX, clientY }: PointerPosition, { id, size }: Drag): GridItem | null {
    const grid = this.#host.grid();
    if (!grid || !size || grid.clientWidth < stackedWidth) return null;
    const { columns, rowHeight } = this.#host.board();
    const { left, right, top } = grid.getBoundingClientRect();
    const along = grid.matches(':dir(rtl)') ? right - clientX : clientX - left;
    const x = Math.floor((along * columns) / (grid.clientWidth + gap));
    const y = Math.floor((clientY - top) / (rowHeight + gap));
    return { id, ...size, x: Math.max(0, Math.min(x, columns - size.w)), y: Math.max(0, y) };
  }

  readonly drop = (event: PointerEvent): void => {
    if (this.#drop) this.#follow(event);
    const [drag, drop] = [this.#drag, this.#drop];
    if (this.cancel() && drag && drop) this.#host.onDrop(drag.id, drop);
  };

  /** Ends the drag without a change. Returns whether the tile was moved. */
  readonly cancel = (): boolean => {
    const isMoved = this.#drop !== null;
    this.#drag?.row?.classList.remove('dragged');
    this.#drag = null;
    this.#drop = null;
    this.#scroller.stop();
    this.#host.targets.clear();
    if (isMoved) this.#host.place(this.#host.board().items, null);
    return isMoved;
  };
}
