import type { PaTimingDetail } from '../../../controllers/dashboard/dashboard-events.js';
import type { Problem } from '../../../controllers/problem.js';
import { loadPart } from './tile-body.js';
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

/** How long the steps of a drawing took, in ms. */
type Timing = Pick<PaTimingDetail, 'queue' | 'query' | 'draw'>;

/** Takes the times of a tile from when it asks for rows until they are drawn, by `performance.now()`. */
export class TileClock {
  #asked: number | null = null;
  #begun: number | null = null;
  #came: number | null = null;

  /** Rows are asked for: the clock begins anew. */
  ask(): void {
    this.#asked = performance.now();
    this.#begun = null;
    this.#came = null;
  }

  /** Called after every update: since when a query runs (null for none), and whether its rows are there. */
  follow(runningSince: number | null, isThere: boolean): void {
    if (runningSince !== null && runningSince !== this.#begun) {
      this.#asked ??= runningSince;
      this.#begun = runningSince;
      this.#came = null;
    } else if (runningSince === null && isThere && this.#begun !== null) this.#came ??= performance.now();
  }

  /** They are drawn: what it took, once for all rows that came. */
  draw(): Timing | null {
    const [asked, begun, came] = [this.#asked, this.#begun, this.#came];
    if (asked === null || begun === null || came === null) return null;
    this.#asked = null;
    this.#begun = null;
    this.#came = null;
    return { queue: Math.max(0, begun - asked), query: came - begun, draw: performance.now() - came };
  }
}

/** Whether a tile has come to rest, and how: each rest is told once. */
export class SettleTracker {
  readonly #tell: (problem: Problem | null) => void;
  #told: Problem | null | undefined;
  #settle: () => void = () => {};
  #settled: Promise<void>;

  constructor(tell: (problem: Problem | null) => void) {
    this.#tell = tell;
    this.#settled = this.#unsettled();
  }

  /** Resolves when the tile has come to rest, or holds something else. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  /** How it came to rest; null while it has not. */
  get state(): 'shown' | 'failed' | null {
    return this.#told === undefined ? null : this.#told === null ? 'shown' : 'failed';
  }

  /** It holds something else: whoever waited for what was there waits no longer. */
  begin(): void {
    this.again();
    this.release();
    this.#settled = this.#unsettled();
  }

  /** What is there is loaded again: its next rest is told. */
  again(): void {
    this.#told = undefined;
  }

  /** It has come to rest: with null when it shows what it holds or was stopped, with the problem when it can't. */
  come(problem: Problem | null): void {
    this.release();
    if (problem === this.#told) return;
    this.#told = problem;
    this.#tell(problem);
  }

  /** Nobody waits any longer. */
  release(): void {
    this.#settle();
  }

  #unsettled(): Promise<void> {
    return new Promise(resolve => {
      this.#settle = resolve;
    });
  }
}
