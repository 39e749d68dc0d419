import type { PaTimingDetail } from '../../../controllers/dashboard/dashboard-events.js';
import type { Problem } from '../../../controllers/problem.js';
import { loadPart } from './tile-body.js';
import type { PartKind } from './tile-view.js';

/**
 * Delay before the previous rows are marked as loading and show the indicators of the pending request, in ms. Faster
 * results replace the rows directly.
 */
export const markStaleAfterMs = 300;

/** Loads the element for the body of a tile, once per kind of body. */
export class PartLoader {
  readonly #onFailed: () => void;
  #loaded: PartKind | null = null;

  constructor(onFailed: () => void) {
    this.#onFailed = onFailed;
  }

  /** Called after every update; retries a failed load on the next call. */
  load(part: PartKind): void {
    if (part === this.#loaded) return;
    this.#loaded = part;
    loadPart(part).catch(() => {
      if (this.#loaded !== part) return;
      this.#loaded = null;
      this.#onFailed();
    });
  }
}

/** Duration of each step of a tile, ms. */
type Timing = Pick<PaTimingDetail, 'queue' | 'query' | 'draw'>;

/** Measures a tile from its request until its rows are rendered, with `performance.now()`. */
export class TileClock {
  #requestedAt: number | null = null;
  #startedAt: number | null = null;
  #loadedAt: number | null = null;

  /** Starts the measurement when rows are requested. */
  start(): void {
    this.#requestedAt = performance.now();
    this.#startedAt = null;
    this.#loadedAt = null;
  }

  /**
   * Called after every update.
   * @param runningSince - start time of the running query; `null` if there is none.
   * @param isReady - whether the rows have arrived.
   */
  follow(runningSince: number | null, { isReady }: { readonly isReady: boolean }): void {
    if (runningSince !== null && runningSince !== this.#startedAt) {
      this.#requestedAt ??= runningSince;
      this.#startedAt = runningSince;
      this.#loadedAt = null;
    } else if (runningSince === null && isReady && this.#startedAt !== null) this.#loadedAt ??= performance.now();
  }

  /** Called after each render; returns the timing once per loaded row set, otherwise `null`. */
  draw(): Timing | null {
    const [requested, started, loaded] = [this.#requestedAt, this.#startedAt, this.#loadedAt];
    if (requested === null || started === null || loaded === null) return null;
    this.#requestedAt = null;
    this.#startedAt = null;
    this.#loadedAt = null;
    return { queue: Math.max(0, started - requested), query: loaded - started, draw: performance.now() - loaded };
  }
}

/** Tracks whether and how a tile has settled; reports each result once. */
export class SettleTracker {
  readonly #onSettle: (problem: Problem | null) => void;
  #result: Problem | null | undefined;
  #resolve: () => void = () => {};
  #isReleased = false;
  #settled: Promise<void>;

  constructor(onSettle: (problem: Problem | null) => void) {
    this.#onSettle = onSettle;
    this.#settled = this.#createPromise();
  }

  /** Resolves when the tile shows its newest rows or has failed, or when its content is replaced. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  /** Outcome of the last load; `null` while the tile loads. */
  get state(): 'shown' | 'failed' | null {
    if (this.#result === undefined) return null;
    return this.#result === null ? 'shown' : 'failed';
  }

  /** Called when the content is replaced; resolves the promise of the previous content. */
  reset(): void {
    this.release();
    this.restart();
  }

  /** Called when rows load again; reports and resolves with their result. */
  restart(): void {
    this.#result = undefined;
    if (this.#isReleased) this.#settled = this.#createPromise();
  }

  /**
   * Called when the tile has settled: with `null` if it shows its content or was stopped, with the problem if it
   * failed.
   */
  settle(problem: Problem | null): void {
    this.release();
    if (problem === this.#result) return;
    this.#result = problem;
    this.#onSettle(problem);
  }

  /** Resolves the pending promise. */
  release(): void {
    this.#isReleased = true;
    this.#resolve();
  }

  #createPromise(): Promise<void> {
    this.#isReleased = false;
    return new Promise(resolve => {
      this.#resolve = resolve;
    });
  }
}
