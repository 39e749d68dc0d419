import { moveItem, resizeItem } from '../../../report/layout/edit-layout.js';
import type { GridItem } from '../../../report/layout/grid-layout.js';
import type { DropTargets } from './drop-targets.js';

/** What a pointer does with a tile. */
export type DragKind = 'move' | 'resize';

/** A tile that is moved or resized with a pointer. */
interface Drag {
  readonly id: string;
  readonly kind: DragKind;
  /** Position of the pointer at the start, px. */
  readonly from: { readonly x: number; readonly y: number };
  readonly origin: GridItem;
  readonly items: readonly GridItem[];
  /** Distance from the start, in columns and rows. */
  readonly steps: { readonly x: number; readonly y: number };
  /** Id of the container under the pointer, into which the tile is dropped. */
  readonly container: string | null;
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
  readonly onDropInto: (id: string, container: string) => void;
}

const gap = 16;
/** If the grid is narrower, tiles are stacked and cannot be dragged. The styles use the same width. */
const stackedWidth = 720;

/** Moves and resizes tiles with a pointer. While a tile is dragged, only the positions of elements change. */
export class TileDrag {
  readonly #host: DragHost;
  #drag: Drag | null = null;

  constructor(host: DragHost) {
    this.#host = host;
  }

  start(event: PointerEvent, id: string, kind: DragKind): void {
    const { items } = this.#host.board();
    const origin = items.find(item => item.id === id);
    const isStacked = this.#host.grid.clientWidth < stackedWidth;
    if (!origin || event.button !== 0 || isStacked || !(event.currentTarget instanceof HTMLElement)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = { x: event.clientX, y: event.clientY };
    this.#drag = { id, kind, from, origin, items, steps: { x: 0, y: 0 }, container: null };
    if (kind === 'move') this.#host.targets.capture(this.#host.containers(id));
    this.#host.tileOf(id)?.classList.add('dragged');
  }

  readonly move = (event: PointerEvent): void => {
    const drag = this.#drag;
    if (!drag) return;
    const { grid, place, targets } = this.#host;
    const { columns, rowHeight, items: before } = this.#host.board();
    const column = (grid.clientWidth + gap) / columns;
    const forward = grid.matches(':dir(rtl)') ? -1 : 1;
    const x = Math.round((forward * (event.clientX - drag.from.x)) / column);
    const y = Math.round((event.clientY - drag.from.y) / (rowHeight + gap));
    const container = drag.kind === 'move' ? targets.mark(event) : null;
    // Ignore movements of the pointer within one cell.
    if (x === drag.steps.x && y === drag.steps.y && container === drag.container) return;
    const { origin, id } = drag;
    if (container) {
      // The tile leaves the grid, so the others stay at their positions.
      this.#drag = { ...drag, items: before, steps: { x, y }, container };
      place(before);
      return;
    }
    const items =
      drag.kind === 'move'
        ? moveItem(before, id, origin.x + x, origin.y + y, columns)
        : resizeItem(before, id, origin.w + x, origin.h + y, columns);
    this.#drag = { ...drag, items, steps: { x, y }, container };
    place(items);
  };

  readonly drop = (): void => {
    const drag = this.#end();
    if (drag?.container) this.#host.onDropInto(drag.id, drag.container);
    else if (drag) this.#host.onDrop(drag.items);
  };

  readonly cancel = (): void => {
    if (this.#end()) this.#host.place(this.#host.board().items);
  };

  #end(): Drag | null {
    const drag = this.#drag;
    this.#drag = null;
    this.#host.targets.clear();
    if (drag) this.#host.tileOf(drag.id)?.classList.remove('dragged');
    return drag;
  }
}
