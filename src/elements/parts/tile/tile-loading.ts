import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { NearController } from '../../../controllers/near-controller.js';
import { chunkProblem, type Problem } from '../../../controllers/problem.js';
import { loadTile } from '../late.js';
import type { PaTile } from './tile-element.js';

/** Loads the element of tiles while the session is minted and the dashboard asked for: by then it is there, and nobody waits for it. */
export class TileLoading implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #onProblem: (problem: Problem) => void;
  #loading: Promise<void> | null = null;
  #near: NearController<PaTile> | null = null;
  #problem: Problem | null = null;

  /** @param onProblem - called when it can't be loaded. */
  constructor(host: ReactiveControllerHost, onProblem: (problem: Problem) => void) {
    this.#host = host;
    this.#onProblem = onProblem;
    host.addController(this);
  }

  /** Tiles can be drawn. */
  get ready(): boolean {
    return this.#near !== null;
  }

  /** Has tiles load when they come near; null while none can be drawn. */
  get near(): NearController<PaTile> | null {
    return this.#near;
  }

  /** Why none can. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Resolves when tiles can be drawn, or can't. */
  get settled(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  hostConnected(): void {
    void this.settled;
  }

  /** Tries again what could not be loaded. */
  readonly retry = (): void => {
    this.#problem = null;
    this.#loading = this.#load();
    this.#host.requestUpdate();
  };

  async #load(): Promise<void> {
    try {
      const { nearTiles } = await loadTile();
      this.#near ??= nearTiles(this.#host);
    } catch {
      this.#problem = chunkProblem();
      this.#onProblem(this.#problem);
    }
    this.#host.requestUpdate();
  }
}
