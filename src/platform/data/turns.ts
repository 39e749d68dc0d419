import { abortedProblem } from '../errors.js';

/** Sets the pieces of one request's work apart, so that other requests have their turn between them. */
export class Turns {
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
    if (this.#signal?.aborted) throw abortedProblem();
  }
}
