/** A container that can receive the dragged tile. */
interface DropTarget {
  readonly id: string;
  readonly element: HTMLElement;
  /** Edges relative to the grid, px, at the start of the drag. */
  readonly edges: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
}

/**
 * Finds the container under the pointer. The edges are read once per drag, so a movement of the pointer causes no
 * layout, and the containers do not move away from the pointer when tiles make room.
 */
export class DropTargets {
  readonly #grid: () => HTMLElement | null;
  #targets: readonly DropTarget[] = [];

  constructor(grid: () => HTMLElement | null) {
    this.#grid = grid;
  }

  /** Reads the edges of the containers with these ids. */
  capture(ids: ReadonlySet<string>): void {
    const grid = this.#grid();
    if (!grid) return;
    const origin = grid.getBoundingClientRect();
    // Document order: a nested container follows the containers that enclose it.
    this.#targets = [...grid.querySelectorAll<HTMLElement>('[data-container]')].flatMap(element => {
      const id = element.dataset.container ?? '';
      if (!ids.has(id)) return [];
      const box = element.getBoundingClientRect();
      const [left, right] = [box.left - origin.left, box.right - origin.left];
      return [{ id, element, edges: { left, right, top: box.top - origin.top, bottom: box.bottom - origin.top } }];
    });
  }

  /** Returns the id of the innermost container at a position of the viewport, and highlights it. */
  mark({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): string | null {
    const origin = this.#grid()?.getBoundingClientRect();
    if (!origin || this.#targets.length === 0) return null;
    const [x, y] = [clientX - origin.left, clientY - origin.top];
    const found = this.#targets.findLast(
      ({ edges }) => x >= edges.left && x <= edges.right && y >= edges.top && y <= edges.bottom,
    );
    for (const target of this.#targets) target.element.classList.toggle('target', target === found);
    return found?.id ?? null;
  }

  /** Removes the highlight. */
  clear(): void {
    for (const { element } of this.#targets) element.classList.remove('target');
    this.#targets = [];
  }
}
