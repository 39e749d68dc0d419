import type { SqlType } from '../../sql/sql-type.js';
import type { EngineResult, RowPiece, RowStream } from '../engine.js';
import type { EngineOperations, NextRows, StatementInput } from './engine-protocol.js';
import { minPieceSize } from './row-stream.js';
import { ServingInstance } from './serving-instance.js';
import type { StatementOptions } from './session.js';

/** A stream that the parent reads. */
interface OpenStream {
  readonly stream: RowStream;
  readonly pieces: AsyncIterator<RowPiece>;
  /** The next rows, which are read while the parent receives the previous rows. */
  ahead?: Promise<IteratorResult<RowPiece>>;
}

/** Runs statements for the parent process. */
export class EngineServer implements EngineOperations {
  readonly #onUnresponsive: () => void;
  /** Abort controllers of running statements by statement ID. */
  readonly #controllers = new Map<number, AbortController>();
  readonly #streams = new Map<number, OpenStream>();
  #instance: ServingInstance | undefined;

  /** @param onUnresponsive - called when a statement does not react to an interrupt. */
  constructor(onUnresponsive: () => void) {
    this.#onUnresponsive = onUnresponsive;
  }

  async open({ tables, limits, graceMs }: Parameters<EngineOperations['open']>[0]): Promise<void> {
    const previous = this.#instance;
    this.#instance = await ServingInstance.open(tables, limits, { graceMs, onUnresponsive: this.#onUnresponsive });
    void previous?.retire();
  }

  run(input: StatementInput): Promise<EngineResult> {
    return this.#once(input, (instance, options) => instance.run(input.sql, input.parameters, options));
  }

  describe(input: StatementInput): Promise<readonly SqlType[]> {
    return this.#once(input, (instance, options) => instance.describe(input.sql, input.parameters, options));
  }

  async begin(input: StatementInput): Promise<NextRows> {
    const { statement, sql, parameters } = input;
    try {
      const stream = await this.#serving().stream(sql, parameters, this.#optionsOf(input));
      this.#streams.set(statement, { stream, pieces: stream.pieces[Symbol.asyncIterator]() });
      return await this.next({ statement });
    } catch (error) {
      this.#forget(statement);
      throw error;
    }
  }

  async next({ statement }: { readonly statement: number }): Promise<NextRows> {
    try {
      const open = this.#streams.get(statement);
      const next = await (open?.ahead ?? open?.pieces.next());
      const piece = next === undefined || next.done ? null : next.value;
      if (open && piece !== null) open.ahead = readAhead(open.pieces);
      // A short piece is usually the last one. Report the end with it to save the parent a call.
      const isLast = piece === null || (piece.json.byteLength < minPieceSize && (await open?.ahead)?.done === true);
      if (isLast) this.#forget(statement);
      return { piece, isLast };
    } catch (error) {
      this.#forget(statement);
      throw error;
    }
  }

  async close({ statement }: { readonly statement: number }): Promise<void> {
    const { stream } = this.#streams.get(statement) ?? {};
    this.#controllers.get(statement)?.abort();
    await stream?.close();
    this.#forget(statement);
  }

  async ping(): Promise<void> {}

  async #once<T>(
    input: StatementInput,
    work: (instance: ServingInstance, options: StatementOptions) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(this.#serving(), this.#optionsOf(input));
    } finally {
      this.#forget(input.statement);
    }
  }

  #serving(): ServingInstance {
    if (this.#instance === undefined) throw new Error('The engine process has no open tables.');
    return this.#instance;
  }

  #optionsOf({ statement, timeoutMs }: StatementInput): StatementOptions {
    const controller = new AbortController();
    this.#controllers.set(statement, controller);
    return { timeoutMs, signal: controller.signal };
  }

  #forget(statement: number): void {
    this.#controllers.delete(statement);
    this.#streams.delete(statement);
  }
}

/** Starts reading the next rows. */
function readAhead(pieces: AsyncIterator<RowPiece>): Promise<IteratorResult<RowPiece>> {
  const next = pieces.next();
  // The next call gets the error. Prevent an unhandled rejection until then.
  next.catch(() => {});
  return next;
}
