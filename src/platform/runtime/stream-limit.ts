import type { PlatformError } from '../errors.js';

/** How many streams may be read at once. */
export interface StreamLimitOptions {
  readonly all: number;
  /** Of one owner. */
  readonly own: number;
  /** What one more is refused with. */
  readonly refusal: () => PlatformError;
}

/** Counts the streams that are being read, each of which holds something, if only a connection. */
export class StreamLimit {
  readonly #options: StreamLimitOptions;
  readonly #byOwner = new Map<string, number>();
  #open = 0;

  constructor(options: StreamLimitOptions) {
    this.#options = options;
  }

  /**
   * Lets one more in.
   * @param owner - whose it is: any text that tells owners apart.
   * @returns what counts it out again.
   * @throws PlatformError the refusal, where there are too many.
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
