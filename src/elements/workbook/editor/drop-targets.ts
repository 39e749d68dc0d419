import { type Edges, insertionIndex } from '../../../report/layout/insertion-index.js';

/** A container that can receive the dragged tile. */
interface DropTarget {
  readonly id: string;
  readonly element: HTMLElement;
  /** Edges relative to the grid, px, at the start of the drag. */
  readonly edges: Edges;
  /** Its tiles, without the dragged one. */
  readonly tiles: readonly { readonly element: HTMLElement; readonly edges: Edges }[];
}

/** Where a tile is dropped: a container, and the position among its other tiles. */
export interface DropPosition {
  readonly container: string;
  readonly index: number;
}

/**
 * Finds the container under the pointer, and the position in it. The edges are read once per drag, so a movement of the
 * pointer causes no layout, and the containers do not move away from the pointer when tiles are displaced.
 */
export class DropTargets {
  readonly #grid: () => HTMLElement | null;
  #targets: readonly DropTarget[] = [];

  constructor(grid: () => HTMLElement | null) {
    this.#grid = grid;
  }

  /** Reads the edges of the containers with these ids, and of their tiles except the dragged one. */
  capture(ids: ReadonlySet<string>, dragged: string): void {
    const grid = this.#grid();
    if (!grid) return;
    const origin = grid.getBoundingClientRect();
    const edgesOf = (element: HTMLElement): Edges => {
      const box = element.getBoundingClientRect();
      const [left, right] = [box.left - origin.left, box.right - origin.left];
      return { left, right, top: box.top - origin.top, bottom: box.bottom - origin.top };
    };
    // Document order: a nested container follows the containers that enclose it.
    this.#targets = [...grid.querySelectorAll<HTMLElement>('[data-container]')].flatMap(element => {
      const id = element.dataset.container ?? '';
      if (!ids.has(id)) return [];
      const tiles = [...element.querySelectorAll<HTMLElement>(':scope > .inside > [data-child]')]
        .filter(({ dataset }) => dataset.child !== dragged)
        .map(tile => ({ element: tile, edges: edgesOf(tile) }));
      return [{ id, element, edges: edgesOf(element), tiles }];
    });
  }

  /** Returns the position in the innermost container at a position of the viewport, and highlights it. */
  mark({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): DropPosition | null {
    const grid = this.#grid();
    if (!grid || this.#targets.length === 0) return null;
    const origin = grid.getBoundingClientRect();
    const [x, y] = [clientX - origin.left, clientY - origin.top];
    const found = this.#targets.findLast(
      ({ edges }) => x >= edges.left && x <= edges.right && y >= edges.top && y <= edges.bottom,
    );
    const edges = found?.tiles.map(tile => tile.edges) ?? [];
    const index = insertionIndex(edges, { x, y, isMirrored: grid.matches(':dir(rtl)') });
    for (const target of this.#targets) {
      target.element.classList.toggle('target', target === found);
      markInsertion(target, target === found ? index : null);
    }
    return found ? { container: found.id, index } : null;
  }

  /** Removes the highlight. */
  clear(): void {
    for (const target of this.#targets) {
      target.element.classList.remove('target');
      markInsertion(target, null);
    }
    this.#targets = [];
  }
}

/** Marks the tile before which the dragged one is inserted, or the last one; none if `index` is `null`. */
function markInsertion({ tiles }: DropTarget, index: number | null): void {
  for (const [at, { element }] of tiles.entries()) {
    element.classList.toggle('insert-before', at === index);
    element.classList.toggle('insert-after', index === tiles.length && at === index - 1);
  }
}
