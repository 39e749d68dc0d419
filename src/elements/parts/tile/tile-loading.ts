import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { chunkProblem, type Problem } from '../../../controllers/problem.js';
import { loadTile } from '../late.js';

/** Loads the element of tiles while the session is minted and the dashboard asked for: by then it is there, and nobody waits for it. */
export class TileLoading implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #onProblem: (problem: Problem) => void;
  #loading: Promise<void> | null = null;
  #ready = false;
  #problem: Problem | null = null;

  /** @param onProblem - called when it can't be loaded. */
  constructor(host: ReactiveControllerHost, onProblem: (problem: Problem) => void) {
    this.#host = host;
    this.#onProblem = onProblem;
    host.addController(this);
  }

  /** Tiles can be drawn. */
  get ready(): boolean {
    return this.#ready;
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
      await loadTile();
      this.#ready = true;
    } catch {
      this.#problem = chunkProblem();
      this.#onProblem(this.#problem);
    }
    this.#host.requestUpdate();
  }
}
