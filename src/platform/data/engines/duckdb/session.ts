import {
  type DuckDBConnection,
  type DuckDBInstance,
  type DuckDBPreparedStatement,
  StatementType,
} from '@duckdb/node-api';
import { LoggableError, PlatformError } from '../../../errors.js';
import type { Parameter } from '../engine.js';
import { QueryProblem, StopReason, stoppedProblem, ValueProblem } from '../query-problem.js';

/** Messages for errors that the query causes, by the error class before the colon. */
const queryProblems: ReadonlyMap<string, string> = new Map([
  ['Out of Memory Error', QueryProblem.memory],
  ['Conversion Error', QueryProblem.value],
  ['Out of Range Error', ValueProblem.range],
]);

/** Message for an invalid pattern that is the value of a row or an expression. */
const patternProblem =
  'A LIKE pattern ends with its escape character. Double the character, or exclude such rows with a filter.';

/** DuckDB measures the depth of its own syntax tree, so the depth cannot be checked in advance. */
const depthProblem = 'The query is nested too deeply, or an expression is too complex. Move parts of it to WITH.';

/** Messages for errors that the class alone does not identify. Patterns end where a value may start. */
const causes: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/^Syntax Error: Like pattern must not end with escape character/, patternProblem],
  [/^(Binder|Parser) Error: Max expression depth limit of /, depthProblem],
  [/^Out of Range Error: cannot take logarithm of /, ValueProblem.logarithm],
  [/^Out of Range Error: cannot take square root of /, ValueProblem.root],
  [/^Conversion Error: Type \w+ with value \S+ can't be cast because the value is out of range /, ValueProblem.range],
  [/^Conversion Error: (Date out of range|Date and time not in timestamp range)/, ValueProblem.range],
];

/** Messages that generated SQL raises with `error()`. They follow the error class in the first line. */
const valueProblems: ReadonlySet<string> = new Set(Object.values(ValueProblem));

/** Error classes whose first line contains only names from generated SQL, never values of rows. */
const namesOnly: ReadonlySet<string> = new Set(['Binder Error', 'Catalog Error', 'Parser Error']);

/**
 * Maps an error of the engine to an error that is safe to report: a `PlatformError` if the query caused it, otherwise a
 * `LoggableError`. Drops engine messages that may quote a value of a row or a policy.
 */
export function engineProblem(error: unknown): Error {
  if (error instanceof PlatformError) return error;
  const firstLine = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : '';
  const kind = firstLine.split(':', 1)[0] ?? '';
  const problem = causes.find(([pattern]) => pattern.test(firstLine))?.[1] ?? queryProblems.get(kind);
  if (problem !== undefined) return new PlatformError(400, problem);
  const own = firstLine.slice('Invalid Input Error: '.length);
  if (kind === 'Invalid Input Error' && valueProblems.has(own)) return new PlatformError(400, own);
  if (own.startsWith('More than one row returned by a subquery')) return new PlatformError(400, QueryProblem.rows);
  if (namesOnly.has(kind)) return new LoggableError(`The engine rejected a statement: ${firstLine}`);
  return new LoggableError(`The engine failed: ${/^[A-Za-z ]{1,40} Error$/.test(kind) ? kind : 'unknown error'}`);
}

/** Options of one statement. */
export interface StatementOptions {
  /** Total time that the engine may spend on the statement, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Callbacks of a session, and how long it waits. */
export interface SessionOptions {
  /** Called once when the statement has ended and its connection is closed. */
  readonly onEnd: (session: Session) => void;
  /**
   * Called when the statement still runs `graceMs` after the first interrupt. The caller gets an error; the native code
   * continues to run.
   */
  readonly onUnresponsive: (session: Session) => void;
  /** Time from the first interrupt until the statement is abandoned, in milliseconds. Default: 5,000. */
  readonly graceMs?: number | undefined;
}

/** Interval between interrupts of a stopped statement, in milliseconds. */
const interruptEveryMs = 10;
const defaultGraceMs = 5000;

/**
 * One statement on its own connection. Reusing connections would save 0.1 ms, but an interrupt could hit another
 * statement.
 */
export class Session {
  /** Called once when the statement must stop. */
  onStop: () => void = () => {};
  readonly #instance: DuckDBInstance;
  readonly #signal: AbortSignal | undefined;
  readonly #options: SessionOptions;
  readonly #onAbort = () => this.stop(StopReason.aborted);
  #connection: DuckDBConnection | undefined;
  #leftMs: number;
  #stopped: StopReason | undefined;
  #stoppedAt = 0;
  /** The task that did not react to an interrupt. */
  #abandoned: Promise<unknown> | undefined;

  constructor(instance: DuckDBInstance, { timeoutMs, signal }: StatementOptions, options: SessionOptions) {
    this.#instance = instance;
    this.#signal = signal;
    this.#options = options;
    this.#leftMs = timeoutMs;
    if (signal?.aborted) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort);
  }

  /** Stops the running task and rejects later tasks. */
  stop(reason: StopReason): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.#stoppedAt = performance.now();
    this.onStop();
  }

  /** Whether the statement did not react to an interrupt. Its native code then still uses the connection. */
  get isAbandoned(): boolean {
    return this.#abandoned !== undefined;
  }

  /**
   * Runs a task on the engine. Tasks must not overlap. Only time spent in tasks counts toward the time limit.
   * @throws PlatformError like `Engine.run`.
   */
  async work<T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const timeout = setTimeout(() => this.stop(StopReason.timeout), this.#leftMs);
    try {
      return await this.#untilUnresponsive(async () => {
        this.check();
        this.#connection ??= await this.#instance.connect();
        this.check();
        const result = await task(this.#connection);
        this.check();
        return result;
      });
    } catch (error) {
      throw this.#stopped ? stoppedProblem(this.#stopped) : engineProblem(error);
    } finally {
      clearTimeout(timeout);
      this.#leftMs -= performance.now() - startedAt;
    }
  }

  /** Runs a task that releases resources of a stopped statement. Never rejects. */
  async release(task: () => Promise<void>): Promise<void> {
    // Ignore errors, because the statement has already ended, and `onUnresponsive` reports an engine that does not
    // react.
    await this.#untilUnresponsive(task).catch(() => undefined);
  }

  /** Interrupts the task while the session is stopped. Rejects if the task does not react in time. */
  async #untilUnresponsive<T>(task: () => Promise<T>): Promise<T> {
    const { graceMs = defaultGraceMs, onUnresponsive } = this.#options;
    const startedAt = performance.now();
    const working = task();
    let interrupts: NodeJS.Timeout | undefined;
    const unresponsive = new Promise<never>((_resolve, reject) => {
      // The engine ignores an interrupt that arrives before the statement starts, so repeat it until the task ends.
      interrupts = setInterval(() => {
        if (!this.#stopped) return;
        this.#connection?.interrupt();
        if (performance.now() - Math.max(startedAt, this.#stoppedAt) < graceMs) return;
        this.#abandoned = working;
        reject(new Error('The statement did not stop when it was interrupted.'));
        onUnresponsive(this);
      }, interruptEveryMs);
    });
    try {
      return await Promise.race([working, unresponsive]);
    } finally {
      clearInterval(interrupts);
    }
  }

  /** @throws PlatformError if the session was stopped. */
  check(): void {
    if (this.#stopped) throw stoppedProblem(this.#stopped);
  }

  /** Interrupts background work of the engine. Call it only if no task is running. */
  interrupt(): void {
    this.#connection?.interrupt();
  }

  /** Closes the connection, immediately or when the native code of an abandoned statement returns. */
  end(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (this.#abandoned === undefined) this.#close();
    else
      this.#abandoned.then(
        () => this.#close(),
        () => this.#close(),
      );
  }

  #close(): void {
    this.#connection?.closeSync();
    this.#connection = undefined;
    this.#options.onEnd(this);
  }
}

/**
 * Prepares a SELECT and binds its parameters. The caller must destroy the statement.
 * @throws Error if the SQL is not a SELECT or has a different number of parameters.
 */
export async function prepare(
  connection: DuckDBConnection,
  sql: string,
  parameters: readonly Parameter[],
): Promise<DuckDBPreparedStatement> {
  const statement = await connection.prepare(sql);
  if (statement.statementType !== StatementType.SELECT) throw new Error('Binder Error: only SELECT is supported');
  if (statement.parameterCount !== parameters.length) {
    throw new Error(
      `Binder Error: the statement requires ${statement.parameterCount} values, but received ${parameters.length}`,
    );
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
