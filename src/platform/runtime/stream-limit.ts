import type { PlatformError } from '../errors.js';

/** Limits of concurrent streams. */
export interface StreamLimitOptions {
  /** Maximum number of streams of all owners. */
  readonly all: number;
  /** Maximum number of streams per owner. */
  readonly own: number;
  /** Creates the error for a stream over the limit. */
  readonly refusal: () => PlatformError;
}

/** Limits the number of open streams, because each uses at least a connection. */
export class StreamLimit {
  readonly #options: StreamLimitOptions;
  readonly #byOwner = new Map<string, number>();
  #open = 0;

  constructor(options: StreamLimitOptions) {
    this.#options = options;
  }

  /**
   * Counts a new stream.
   * @param owner - a key that identifies the owner.
   * @returns a function that removes the stream from the count.
   * @throws PlatformError `refusal()` if there are too many.
   */
  enter(owner: string): () => void {
    const { all, own, refusal } = this.#options;
    const count = this.#byOwner.get(owner) ?? 0;
    if (this.#open >= all || count >= own) throw refusal();
    this.#byOwner.set(owner, count + 1);
    this.#open += 1;
    return () => this.#leave(owner);
  }

  #leave(owner: string): void {
    this.#open -= 1;
    const left = (this.#byOwner.get(owner) ?? 0) - 1;
    if (left > 0) this.#byOwner.set(owner, left);
    else this.#byOwner.delete(owner);
  }
}
