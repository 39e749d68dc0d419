import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { NearController } from '../../../controllers/near-controller.js';
import { chunkProblem, type Problem } from '../../../controllers/problem.js';
import type { PaTile } from './tile-element.js';

/** What is loaded with the element of tiles. */
interface TileKit {
  readonly nearTiles: (host: ReactiveControllerHost) => NearController<PaTile>;
}

/** Loads the element of tiles while the session is minted and the dashboard asked for: by then it is there, and nobody waits for it. */
export class TileLoading<Kit extends TileKit> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #load: () => Promise<Kit>;
  readonly #onProblem: (problem: Problem) => void;
  #loading: Promise<void> | null = null;
  #kit: Kit | null = null;
  #near: NearController<PaTile> | null = null;
  #problem: Problem | null = null;

  /**
   * @param load - loads it, with what else takes part in drawing.
   * @param onProblem - called when it can't be loaded.
   */
  constructor(host: ReactiveControllerHost, load: () => Promise<Kit>, onProblem: (problem: Problem) => void) {
    this.#host = host;
    this.#load = load;
    this.#onProblem = onProblem;
    host.addController(this);
  }

  /** What tiles are drawn with; null while none can be. */
  get kit(): Kit | null {
    return this.#kit;
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
    this.#loading ??= this.#start();
    return this.#loading;
  }

  hostConnected(): void {
    void this.settled;
  }

  /** Tries again what could not be loaded. */
  readonly retry = (): void => {
    this.#problem = null;
    this.#loading = this.#start();
    this.#host.requestUpdate();
  };

  async #start(): Promise<void> {
    try {
      const kit = await this.#load();
      this.#near ??= kit.nearTiles(this.#host);
      this.#kit = kit;
    } catch {
      this.#problem = chunkProblem();
      this.#onProblem(this.#problem);
    }
    this.#host.requestUpdate();
  }
}
