import { loadPart } from './parts.js';
import type { PartKind } from './tile-view.js';

/** Has the element loaded that draws a tile's body, once for each kind of body that the tile comes to have. */
export class PartLoader {
  readonly #onFailed: () => void;
  #loaded: PartKind | null = null;

  constructor(onFailed: () => void) {
    this.#onFailed = onFailed;
  }

  /** Called after every update; what could not be loaded is tried again when it is called anew. */
  want(part: PartKind): void {
    if (part === this.#loaded) return;
    this.#loaded = part;
    loadPart(part).catch(() => {
      if (this.#loaded !== part) return;
      this.#loaded = null;
      this.#onFailed();
    });
  }
}
