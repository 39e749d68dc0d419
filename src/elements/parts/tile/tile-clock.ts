import type { PaTimingDetail } from '../../../controllers/dashboard-events.js';

/** How long the steps of a drawing took, in ms. */
export type Timing = Pick<PaTimingDetail, 'queue' | 'query' | 'draw'>;

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
