import { Turns } from '../../data/turns.js';

/** Longest that work goes on before others have their turn, in milliseconds. */
const sliceMs = 8;

/** Cuts the work of all questions into slices, one in each turn of the event loop, so that none of them holds up other requests. */
export class Pace {
  readonly #turns = new Turns();
  #since = performance.now();

  /** Whether others have waited for long enough. Asked first: a promise for each small step would cost more than the steps. */
  get isDue(): boolean {
    return performance.now() - this.#since >= sliceMs;
  }

  /** Lets others have their turn. */
  async rest(): Promise<void> {
    await this.#turns.next();
    this.#since = performance.now();
  }
}
