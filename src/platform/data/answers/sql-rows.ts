import type { StreamLimit } from '../../runtime/stream-limit.js';
import type { TaskQueue } from '../../runtime/task-queue.js';
import type { Engine, RowPiece, RowStream } from '../engines/engine.js';
import type { Statement } from '../semantic-model.js';
import { Stage } from './continue-wait.js';
import type { RunHandle } from './single-flight.js';

/** Where the rows of a statement under way come from, and whose they are. */
interface LiveRowsOptions {
  readonly stream: RowStream;
  readonly lane: TaskQueue;
  /** Any text that tells callers apart. */
  readonly caller: string;
  /** Called once, when everything is given back. */
  readonly onEnd: () => void;
}

/** Rows of a statement that are made as they are read, by one reader. While nobody reads they take no place in the lane. */
class LiveRows {
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
   * @throws as `Engine.stream` and `TaskQueue.run` do.
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

/** The first rows of a statement, and what comes after them. */
export interface FirstRows {
  readonly pieces: readonly RowPiece[];
  /** Of the pieces. */
  readonly bytes: number;
  /** Null where the pieces are all that there is. */
  readonly rest: LiveRows | null;
  /** When they were read, in milliseconds since 1970. */
  readonly readAt: number;
  readonly queueMs: number;
  readonly engineMs: number;
}

/** What statements are run by. */
export interface SqlRowsOptions {
  readonly engine: Engine;
  readonly lane: TaskQueue;
  readonly open: StreamLimit;
}

/** Rows of so many bytes are read before an answer begins: a small result is one piece. */
const headBytes = 64 * 1024;

/**
 * Begins a statement when its turn has come, and reads its first rows.
 * @throws PlatformError as `Engine.stream`, `TaskQueue.run` and `StreamLimit.enter` do.
 */
export async function startStatement(
  { engine, lane, open }: SqlRowsOptions,
  { sql, parameters }: Statement,
  caller: string,
  handle: RunHandle,
): Promise<FirstRows> {
  const askedAt = performance.now();
  return lane.run(
    caller,
    async () => {
      const startedAt = performance.now();
      handle.stage = Stage.running;
      const onEnd = open.enter(caller);
      const stream = await engine.stream(sql, parameters, { signal: handle.signal }).catch((error: unknown) => {
        onEnd();
        throw error;
      });
      const begun = await firstRows(new LiveRows({ stream, lane, caller, onEnd }));
      const engineMs = performance.now() - startedAt;
      return { ...begun, readAt: Date.now(), queueMs: startedAt - askedAt, engineMs };
    },
    handle.signal,
  );
}

async function firstRows(rows: LiveRows): Promise<Pick<FirstRows, 'pieces' | 'bytes' | 'rest'>> {
  const pieces: RowPiece[] = [];
  let bytes = 0;
  while (bytes < headBytes) {
    const piece = await rows.make();
    if (piece === null) return { pieces, bytes, rest: null };
    pieces.push(piece);
    bytes += piece.json.byteLength;
  }
  return { pieces, bytes, rest: rows };
}
