import {
  type DuckDBConnection,
  type DuckDBInstance,
  type DuckDBPreparedStatement,
  StatementType,
} from '@duckdb/node-api';
import type { Parameter } from '../engine.js';
import { StopReason, stoppedProblem } from '../query-problem.js';
import { engineProblem } from './engine-problem.js';

/** How one statement is run. */
export interface StatementOptions {
  /** Time that the engine may work on it. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How long a stopped statement may go on at most before the engine is told. */
const interruptEveryMs = 10;

/**
 * One statement on a connection of its own, until it is over. To keep connections saves a tenth of a millisecond: one each is the
 * surest way to hit nobody else by an interrupt.
 */
export class Session {
  /** Hears once that the statement is to stop. */
  onStop: () => void = () => {};
  readonly #instance: DuckDBInstance;
  readonly #signal: AbortSignal | undefined;
  readonly #onEnd: (session: Session) => void;
  readonly #onAbort = () => this.stop(StopReason.aborted);
  #connection: DuckDBConnection | undefined;
  #leftMs: number;
  #stopped: StopReason | undefined;

  /** @param onEnd - hears once that it is over, and everything given back. */
  constructor(instance: DuckDBInstance, { timeoutMs, signal }: StatementOptions, onEnd: (session: Session) => void) {
    this.#instance = instance;
    this.#signal = signal;
    this.#onEnd = onEnd;
    this.#leftMs = timeoutMs;
    if (signal?.aborted) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort);
  }

  /** Stops what is under way, and lets nothing begin any more. */
  stop(reason: StopReason): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.onStop();
  }

  /**
   * Lets the engine work. The time that it takes counts, not that between two pieces of work; one at a time.
   * @throws PlatformError as `Engine.run` says.
   */
  async work<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const timeout = setTimeout(() => this.stop(StopReason.timeout), this.#leftMs);
    // An interrupt that comes before the statement has begun is lost, so it is sent until the work is over.
    const interrupts = setInterval(() => this.#stopped && this.#connection?.interrupt(), interruptEveryMs);
    try {
      this.check();
      this.#connection ??= await this.#instance.connect();
      this.check();
      const result = await task(this.#connection);
      this.check();
      return result;
    } catch (error) {
      throw this.#stopped ? stoppedProblem(this.#stopped) : engineProblem(error);
    } finally {
      clearInterval(interrupts);
      clearTimeout(timeout);
      this.#leftMs -= performance.now() - startedAt;
    }
  }

  /** @throws PlatformError when it is to stop. */
  check(): void {
    if (this.#stopped) throw stoppedProblem(this.#stopped);
  }

  /** Interrupts what the engine has begun by itself. Nothing may be under way. */
  interrupt(): void {
    this.#connection?.interrupt();
  }

  /** Gives everything back; nothing may be under way. */
  end(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#connection?.closeSync();
    this.#connection = undefined;
    this.#onEnd(this);
  }
}

/**
 * Prepares a SELECT, its parameters bound. To be destroyed by whoever asks.
 * @throws Error when it is anything else, or has other parameters.
 */
export async function prepare(
  connection: DuckDBConnection,
  sql: string,
  parameters: readonly Parameter[],
): Promise<DuckDBPreparedStatement> {
  const statement = await connection.prepare(sql);
  if (statement.statementType !== StatementType.SELECT) throw new Error('Binder Error: only a SELECT may run');
  if (statement.parameterCount !== parameters.length) {
    throw new Error(`Binder Error: ${statement.parameterCount} values are needed, ${parameters.length} are given`);
  }
  parameters.forEach((value, index) => {
    bind(statement, index + 1, value);
  });
  return statement;
}

function bind(statement: DuckDBPreparedStatement, index: number, value: Parameter): void {
  if (value === null) statement.bindNull(index);
  else if (typeof value === 'string') statement.bindVarchar(index, value);
  else if (typeof value === 'boolean') statement.bindBoolean(index, value);
  else if (Number.isSafeInteger(value)) statement.bindBigInt(index, BigInt(value));
  else statement.bindDouble(index, value);
}
