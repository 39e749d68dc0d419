import { type CommentedDashboard, type Tile, tilesOf } from './commented-dashboard.js';
import { PaTileComments } from './tile-comments-element.js';

/** Content of the button of a tile. */
interface TileButton {
  readonly label: string;
  readonly count: string;
  readonly onOpen: () => void;
}

/** Shows a button in the corner of each tile with unread comments, also of tiles in tabs that are opened later. */
export class UnreadTiles {
  readonly #observer = new MutationObserver(() => this.#render());
  #dashboard: CommentedDashboard | null = null;
  #describe: (tile: Tile) => TileButton | null = () => null;

  /** Shows the buttons. `describe` returns `null` for a tile without unread comments. */
  show(dashboard: CommentedDashboard | null, describe: (tile: Tile) => TileButton | null): void {
    if (dashboard !== this.#dashboard) this.clear();
    this.#dashboard = dashboard;
    this.#describe = describe;
    this.#render();
    if (dashboard?.shadowRoot) this.#observer.observe(dashboard.shadowRoot, { childList: true, subtree: true });
  }

  /** Removes all buttons. */
  clear(): void {
    this.#observer.disconnect();
    this.#describe = () => null;
    this.#render();
    this.#dashboard = null;
  }

  #render(): void {
    for (const tile of this.#dashboard ? tilesOf(this.#dashboard) : []) {
      const shown = tile.querySelector('pa-tile-comments');
      const wanted = this.#describe(tile);
      if (!wanted) {
        shown?.remove();
        continue;
      }
      const button = shown ?? new PaTileComments();
      Object.assign(button, wanted);
      button.slot = 'corner';
      if (!shown) tile.append(button);
    }
  }
}
