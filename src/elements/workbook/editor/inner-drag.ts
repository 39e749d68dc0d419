import type { DropTargets } from './drop-targets.js';

/** Distance in px after which a press becomes a drag. */
const threshold = 6;

/** The grid on which a tile of a container is dragged. */
interface InnerDragHost {
  readonly targets: DropTargets;
  /** Ids of the tile's container and of the containers that can receive the tile. */
  readonly containers: (id: string) => ReadonlySet<string>;
  /** Called when the pointer is released; `null` outside of all containers. */
  readonly onDrop: (id: string, container: string | null) => void;
}

/** Moves a tile of a container to another container or to the grid with a pointer. */
export class InnerDrag {
  readonly #host: InnerDragHost;
  #drag: { readonly id: string; readonly x: number; readonly y: number; readonly row: HTMLElement | null } | null =
    null;
  #isMoving = false;

  constructor(host: InnerDragHost) {
    this.#host = host;
  }

  start(event: PointerEvent, id: string): void {
    if (event.button !== 0 || !(event.currentTarget instanceof HTMLElement)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    this.#drag = { id, x: event.clientX, y: event.clientY, row: event.currentTarget.closest('li') };
    this.#isMoving = false;
  }

  readonly move = (event: PointerEvent): void => {
    if (!this.#drag) return;
    const { id, x, y, row } = this.#drag;
    if (!this.#isMoving) {
      if (Math.hypot(event.clientX - x, event.clientY - y) < threshold) return;
      this.#isMoving = true;
      row?.classList.add('dragged');
      this.#host.targets.capture(this.#host.containers(id));
    }
    this.#host.targets.mark(event);
  };

  readonly drop = (event: PointerEvent): void => {
    const container = this.#host.targets.mark(event);
    const drag = this.#drag;
    if (this.#end() && drag) this.#host.onDrop(drag.id, container);
  };

  readonly cancel = (): void => void this.#end();

  /** Returns whether the tile was moved. */
  #end(): boolean {
    const isMoved = this.#isMoving;
    this.#drag?.row?.classList.remove('dragged');
    this.#drag = null;
    this.#isMoving = false;
    this.#host.targets.clear();
    return isMoved;
  }
}
