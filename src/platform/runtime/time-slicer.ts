import { abortedError } from '../errors.js';

/** Sets the pieces of one request's work apart, so that other requests have their turn between them. */
export class CooperativeScheduler {
  readonly #signal: AbortSignal | undefined;
  #last = Promise.resolve();

  /** @param signal - aborts when nobody wants the work any more. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Resolves once the event loop has gone round since the turn before.
   * @throws PlatformError 499 when the signal has aborted.
   */
  async next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise(resolve => setImmediate(resolve)));
    await this.#last;
    if (this.#signal?.aborted) throw abortedError();
  }
}

/** Longest that work goes on before others have their turn, in milliseconds. */
const sliceMs = 8;

/** Cuts the work of all questions into slices, one in each turn of the event loop, so that none of them holds up other requests. */
export class TimeSlicer {
  readonly #turns = new CooperativeScheduler();
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
