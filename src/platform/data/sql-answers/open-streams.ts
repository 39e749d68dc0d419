import { PlatformError } from '../../errors.js';

/** How many statements may be read from at once, each of which holds a connection to the engine. */
export interface OpenStreamsOptions {
  /** Of all callers; of one a quarter. */
  readonly all: number;
}

/** Counts the statements that are read from. */
export class OpenStreams {
  readonly #all: number;
  readonly #byCaller = new Map<string, number>();
  #open = 0;

  constructor({ all }: OpenStreamsOptions) {
    this.#all = all;
  }

  /**
   * Lets one more in.
   * @param caller - whose it is: any text that tells callers apart.
   * @returns what counts it out again.
   * @throws PlatformError 503 when there are too many.
   */
  enter(caller: string): () => void {
    const own = this.#byCaller.get(caller) ?? 0;
    if (this.#open >= this.#all || own >= Math.ceil(this.#all / 4)) {
      throw new PlatformError(503, 'Too many results are being read: try again in a moment.');
    }
    this.#open += 1;
    this.#byCaller.set(caller, own + 1);
    return () => {
      this.#open -= 1;
      const left = (this.#byCaller.get(caller) ?? 0) - 1;
      if (left > 0) this.#byCaller.set(caller, left);
      else this.#byCaller.delete(caller);
    };
  }
}
