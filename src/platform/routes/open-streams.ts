import { PlatformError } from '../errors.js';

/** How many streams may be read at once: of one owner, and of all together. */
const most = { owner: 30, all: 2_000 } as const;

/** Counts the streams that are being read. A run is one, however many read it, but each reader has a connection and a chunk. */
export class OpenStreams {
  readonly #byOwner = new Map<string, number>();
  #all = 0;

  /**
   * Lets one more in.
   * @returns what counts it out again.
   * @throws PlatformError 429
   */
  enter(owner: string): () => void {
    const own = this.#byOwner.get(owner) ?? 0;
    if (own >= most.owner || this.#all >= most.all) {
      throw new PlatformError(429, 'Too many chats are being read at once: close one, or try again in a moment.');
    }
    this.#byOwner.set(owner, own + 1);
    this.#all += 1;
    return () => this.#leave(owner);
  }

  #leave(owner: string): void {
    this.#all -= 1;
    const left = (this.#byOwner.get(owner) ?? 0) - 1;
    if (left > 0) this.#byOwner.set(owner, left);
    else this.#byOwner.delete(owner);
  }
}
