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

  /** A query runs since `at`. */
  run(at: number): void {
    if (at === this.#begun) return;
    this.#asked ??= at;
    this.#begun = at;
    this.#came = null;
  }

  /** The rows are there. */
  come(): void {
    if (this.#begun !== null) this.#came ??= performance.now();
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
