import { abortedError } from '../errors.js';

/** Pauses the work of one request, so that other requests can run in between. */
export class CooperativeScheduler {
  readonly #signal: AbortSignal | undefined;
  #last = Promise.resolve();

  /** @param signal - aborts if the result is no longer needed. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Resolves in the event-loop turn after the previous call.
   * @throws PlatformError 499 if the signal is aborted.
   */
  async next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise(resolve => setImmediate(resolve)));
    await this.#last;
    if (this.#signal?.aborted) throw abortedError();
  }
}

/** Maximum duration of uninterrupted work, in milliseconds. */
const sliceMs = 8;

/**
 * Splits the work of all chat questions into slices, one per event-loop turn, so that none of them blocks other
 * requests.
 */
export class TimeSlicer {
  readonly #turns = new CooperativeScheduler();
  #since = performance.now();

  /**
   * True if the current slice has ended. Check it before calling `rest()`, because a promise for each small step would
   * cost more than the steps.
   */
  get isDue(): boolean {
    return performance.now() - this.#since >= sliceMs;
  }

  /** Lets other work run until the next slice. */
  async rest(): Promise<void> {
    await this.#turns.next();
    this.#since = performance.now();
  }
}
