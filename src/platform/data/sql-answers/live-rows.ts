import type { RowPiece, RowStream } from '../engine.js';
import type { Lane } from '../lane.js';

/** Where the rows of a statement under way come from, and whose they are. */
export interface LiveRowsOptions {
  readonly stream: RowStream;
  readonly lane: Lane;
  /** Any text that tells callers apart. */
  readonly caller: string;
  /** Called once, when everything is given back. */
  readonly onEnd: () => void;
}

/** Rows of a statement that are made as they are read, by one reader. While nobody reads they take no place in the lane. */
export class LiveRows {
  /** What the engine has taken so far. */
  engineMs = 0;
  readonly #options: LiveRowsOptions;
  readonly #pieces: AsyncIterator<RowPiece>;
  readonly #closing = new AbortController();
  #isTaken = false;

  constructor(options: LiveRowsOptions) {
    this.#options = options;
    this.#pieces = options.stream.pieces[Symbol.asyncIterator]();
  }

  /** True for the first who asks: the one who reads. */
  take(): boolean {
    const isFirst = !this.#isTaken;
    this.#isTaken = true;
    return isFirst;
  }

  /**
   * The next rows, by whoever has a place in the lane; null when there are no more.
   * @throws as `Engine.stream` says.
   */
  async make(): Promise<RowPiece | null> {
    const startedAt = performance.now();
    try {
      const next = await this.#pieces.next();
      if (!next.done) return next.value;
      this.close();
      return null;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.engineMs += performance.now() - startedAt;
    }
  }

  /**
   * The next rows, in a turn of their own; null when there are no more.
   * @throws as `Engine.stream` and `Lane.run` say.
   */
  next(): Promise<RowPiece | null> {
    const { lane, caller } = this.#options;
    return lane.run(caller, () => this.make(), this.#closing.signal);
  }

  /** Stops the statement where it isn't over. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    const { stream, onEnd } = this.#options;
    stream.close().then(onEnd, onEnd);
  }
}
