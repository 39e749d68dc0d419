import { PlatformError } from '../errors.js';

/** Of all results of a request that holds several queries. A result alone may be as large as the engine lets it be. */
const maxBytes = 128 * 1024 * 1024;

/** What one request holds until its answer is written. */
export class HeldResults {
  #bytes = 0;
  #parts = 0;
  #giveBacks: (() => void)[] = [];

  /** Notes a result that was picked up, and how it is given back. */
  readonly take = (giveBack: () => void): void => {
    this.#giveBacks.push(giveBack);
  };

  /**
   * Notes that a query is answered.
   * @param bytes - of its rows in memory, about.
   * @throws PlatformError 413 when it is too much together with the others.
   */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.#parts += 1;
    if (this.#parts === 1 || this.#bytes <= maxBytes) return;
    this.#giveBacks = [];
    throw new PlatformError(
      413,
      'The results of this request are too large together: send fewer queries at once, or set smaller limits.',
    );
  }

  /** The client asks for all of it again, and must find what was ready: else it would never have everything at once. */
  giveBack(): void {
    for (const giveBack of this.#giveBacks) giveBack();
  }
}
