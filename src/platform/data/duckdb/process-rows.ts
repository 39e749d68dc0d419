import type { RowPiece, RowStream } from '../engine.js';
import { StopReason, stoppedProblem } from '../query-problem.js';
import { type EngineConnection, EngineLostError } from './engine-connection.js';
import type { NextRows, StatementInput } from './engine-operations.js';

/** A statement in an engine process. */
export interface ProcessRowsOptions {
  readonly connection: EngineConnection;
  readonly input: StatementInput;
  readonly signal?: AbortSignal | undefined;
  /** The error of rows that can't be read on since the process ended. */
  readonly onLost: () => Error;
}

/**
 * Begins a statement in an engine process; resolves with its first rows.
 * @throws EngineLostError when the process ends first, else as `Engine.stream` does.
 */
export async function openProcessRows(options: ProcessRowsOptions): Promise<RowStream> {
  const rows = new ProcessRows(options);
  await rows.begin();
  return rows;
}

class ProcessRows implements RowStream {
  readonly pieces: AsyncIterable<RowPiece> = { [Symbol.asyncIterator]: () => this.#pieces() };
  readonly #options: ProcessRowsOptions;
  readonly #stop = () => void this.close();
  #next: Promise<NextRows>;
  /** Nothing of the statement is left in the process. */
  #isOver = false;
  #closed: Promise<void> | undefined;

  constructor(options: ProcessRowsOptions) {
    this.#options = options;
    const { connection, input, signal } = options;
    signal?.addEventListener('abort', this.#stop);
    this.#next = this.#read(connection.call('begin', input));
  }

  async begin(): Promise<void> {
    await this.#next;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async *#pieces(): AsyncGenerator<RowPiece> {
    const { connection, input, onLost } = this.#options;
    try {
      for (;;) {
        const { piece, isLast } = await this.#next;
        this.#check();
        // The process makes the next piece while this one is read.
        if (!isLast) this.#next = this.#read(connection.call('next', { statement: input.statement }));
        if (piece !== null) yield piece;
        if (isLast) return;
        this.#check();
      }
    } catch (error) {
      throw error instanceof EngineLostError ? onLost() : error;
    } finally {
      await this.close();
    }
  }

  #check(): void {
    if (this.#closed) throw stoppedProblem(StopReason.aborted);
  }

  #read(reading: Promise<NextRows>): Promise<NextRows> {
    reading.then(
      ({ isLast }) => {
        this.#isOver ||= isLast;
      },
      () => {
        this.#isOver = true;
        this.#options.signal?.removeEventListener('abort', this.#stop);
      },
    );
    return reading;
  }

  async #close(): Promise<void> {
    const { connection, input, signal } = this.#options;
    signal?.removeEventListener('abort', this.#stop);
    if (this.#isOver) return;
    // Of a process that ended nothing is left.
    await connection.call('close', { statement: input.statement }).catch(() => undefined);
  }
}
