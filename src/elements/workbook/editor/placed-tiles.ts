import type { GridItem } from '../../../report/layout/grid-layout.js';

/** The elements of the tiles on the grid, and their positions. */
export class PlacedTiles {
  readonly #root: () => ParentNode;
  #elements: ReadonlyMap<string, HTMLElement> = new Map();
  /** The positions that were written last. A drag changes those of few tiles. */
  #written = new WeakMap<HTMLElement, string>();

  constructor(root: () => ParentNode) {
    this.#root = root;
  }

  /** Finds the elements after the grid has rendered. */
  refresh(): void {
    const tiles = [...this.#root().querySelectorAll<HTMLElement>('.tile')];
    this.#elements = new Map(tiles.map(tile => [tile.dataset.id ?? '', tile]));
  }

  of(id: string): HTMLElement | null {
    return this.#elements.get(id) ?? null;
  }

  /** Returns the handle of a tile, which may be in a container. */
  handleOf(id: string): HTMLElement | null {
    const handle = this.of(id)?.querySelector<HTMLElement>('.handle');
    return handle ?? this.#root().querySelector(`[data-child="${CSS.escape(id)}"] .inner-handle`);
  }

  /** Writes positions to the elements, and shows a placeholder for a tile that is dragged out of a container. */
  place(items: readonly GridItem[], placeholder: GridItem | null = null): void {
    for (const item of items) {
      const tile = this.of(item.id);
      if (tile) this.#write(tile, item);
    }
    const mark = this.#root().querySelector<HTMLElement>('.placeholder');
    if (!mark) return;
    mark.hidden = placeholder === null;
    if (placeholder) this.#write(mark, placeholder);
  }

  #write(element: HTMLElement, { x, y, w, h }: GridItem): void {
    const key = `${x} ${y} ${w} ${h}`;
    if (this.#written.get(element) === key) return;
    this.#written.set(element, key);
    element.style.setProperty('grid-column', `${x + 1} / span ${w}`);
    element.style.setProperty('grid-row', `${y + 1} / span ${h}`);
  }
}
