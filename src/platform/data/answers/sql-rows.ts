import type { StreamLimit } from '../../runtime/stream-limit.js';
import type { TaskQueue } from '../../runtime/task-queue.js';
import type { Engine, RowPiece, RowStream } from '../engines/engine.js';
import type { Statement } from '../semantic-model.js';
import { Stage } from './continue-wait.js';
import type { RunHandle } from './single-flight.js';

/** The stream of a running statement, and the caller that reads it. */
interface LiveRowsOptions {
  readonly stream: RowStream;
  readonly queue: TaskQueue;
  /** Key that identifies the caller in the queue. */
  readonly caller: string;
  /** Called once, after the statement has released its resources. */
  readonly onEnd: () => void;
}

/**
 * Rows of a statement that are generated while one caller reads them. They occupy a slot of the queue only during
 * reads.
 */
class LiveRows {
  /** Time that the engine has spent so far, in milliseconds. */
  engineMs = 0;
  readonly #options: LiveRowsOptions;
  readonly #pieces: AsyncIterator<RowPiece>;
  readonly #closing = new AbortController();
  #isTaken = false;

  constructor(options: LiveRowsOptions) {
    this.#options = options;
    this.#pieces = options.stream.pieces[Symbol.asyncIterator]();
  }

  /** Claims the rows. Returns true for the first caller, which reads them. */
  take(): boolean {
    const isFirst = !this.#isTaken;
    this.#isTaken = true;
    return isFirst;
  }

  /**
   * Reads the next rows without queueing, for callers that already occupy a slot of the queue. Returns `null` at the
   * end.
   * @throws as `Engine.stream` does.
   */
  async read(): Promise<RowPiece | null> {
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
   * Queues a read of the next rows. Returns `null` at the end.
   * @throws as `Engine.stream` and `TaskQueue.run` do.
   */
  next(): Promise<RowPiece | null> {
    const { queue, caller } = this.#options;
    return queue.run(caller, () => this.read(), this.#closing.signal);
  }

  /** Stops the statement if it is still running. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    const { stream, onEnd } = this.#options;
    stream.close().then(onEnd, onEnd);
  }
}

/** The first rows of a statement and the stream of the remaining rows. */
export interface FirstRows {
  readonly pieces: readonly RowPiece[];
  /** Total size of the pieces. */
  readonly bytes: number;
  /** `null` if `pieces` contains all rows. */
  readonly rest: LiveRows | null;
  /** Time when the rows were read, in milliseconds since 1970. */
  readonly readAt: number;
  readonly queueMs: number;
  readonly engineMs: number;
}

/** Dependencies for running statements. */
export interface SqlRowsOptions {
  readonly engine: Engine;
  readonly queue: TaskQueue;
  readonly open: StreamLimit;
}

/** Number of bytes to read before a response starts, so that a small result is a single piece. */
const headBytes = 64 * 1024;

/**
 * Starts a statement when the queue admits it and reads its first rows.
 * @throws PlatformError as `Engine.stream`, `TaskQueue.run` and `StreamLimit.enter` do.
 */
export async function startStatement(
  { engine, queue, open }: SqlRowsOptions,
  { sql, parameters }: Statement,
  caller: string,
  handle: RunHandle,
): Promise<FirstRows> {
  const queuedAt = performance.now();
  return queue.run(
    caller,
    async () => {
      const startedAt = performance.now();
      handle.stage = Stage.running;
      const onEnd = open.enter(caller);
      const stream = await engine.stream(sql, parameters, { signal: handle.signal }).catch((error: unknown) => {
        onEnd();
        throw error;
      });
      const first = await readFirstRows(new LiveRows({ stream, queue, caller, onEnd }));
      const engineMs = performance.now() - startedAt;
      return { ...first, readAt: Date.now(), queueMs: startedAt - queuedAt, engineMs };
    },
    handle.signal,
  );
}

async function readFirstRows(rows: LiveRows): Promise<Pick<FirstRows, 'pieces' | 'bytes' | 'rest'>> {
  const pieces: RowPiece[] = [];
  let bytes = 0;
  while (bytes < headBytes) {
    const piece = await rows.read();
    if (piece === null) return { pieces, bytes, rest: null };
    pieces.push(piece);
    bytes += piece.json.byteLength;
  }
  return { pieces, bytes, rest: rows };
}
