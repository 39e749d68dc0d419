import {
  type DuckDBConnection,
  type DuckDBInstance,
  type DuckDBPreparedStatement,
  StatementType,
} from '@duckdb/node-api';
import { LoggableError, PlatformError } from '../../../errors.js';
import type { Parameter } from '../engine.js';
import { QueryProblem, StopReason, stoppedProblem, ValueProblem } from '../query-problem.js';

/** Errors that the query itself brings about, by the class that stands before the engine's colon. */
const queryProblems: ReadonlyMap<string, string> = new Map([
  ['Out of Memory Error', QueryProblem.memory],
  ['Conversion Error', QueryProblem.value],
  ['Out of Range Error', ValueProblem.range],
]);

/** A pattern that a row or an expression gave. */
const patternProblem =
  'A pattern of LIKE ends with its escape character: write that twice, or leave out the rows where it does by a filter.';

/** What DuckDB counts in its own tree of a statement, so we can't before. */
const depthProblem = 'The query is nested too deeply, or makes too much of one expression: take it apart with WITH.';

/** What the beginnings of some errors say more of, by the whole line up to where a value may stand. */
const causes: readonly (readonly [beginning: RegExp, told: string])[] = [
  [/^Syntax Error: Like pattern must not end with escape character/, patternProblem],
  [/^(Binder|Parser) Error: Max expression depth limit of /, depthProblem],
  [/^Out of Range Error: cannot take logarithm of /, ValueProblem.logarithm],
  [/^Out of Range Error: cannot take square root of /, ValueProblem.root],
  [/^Conversion Error: Type \w+ with value \S+ can't be cast because the value is out of range /, ValueProblem.range],
  [/^Conversion Error: (Date out of range|Date and time not in timestamp range)/, ValueProblem.range],
];

/** What our own SQL says of a value: the rest of such an error's first line, as it stands. */
const valueProblems: ReadonlySet<string> = new Set(Object.values(ValueProblem));

/** Classes whose first line speaks of names in our SQL, never of a value in a row. */
const namesOnly: ReadonlySet<string> = new Set(['Binder Error', 'Catalog Error', 'Parser Error']);

/**
 * Turns what the engine threw into what may be shown: a `PlatformError` for what the query brought about, else an error for the
 * log. The engine's own text is dropped wherever it can quote a value of a row or of a policy.
 */
export function engineProblem(error: unknown): Error {
  if (error instanceof PlatformError) return error;
  const firstLine = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : '';
  const kind = firstLine.split(':', 1)[0] ?? '';
  const told = causes.find(([beginning]) => beginning.test(firstLine))?.[1] ?? queryProblems.get(kind);
  if (told !== undefined) return new PlatformError(400, told);
  const own = firstLine.slice('Invalid Input Error: '.length);
  if (kind === 'Invalid Input Error' && valueProblems.has(own)) return new PlatformError(400, own);
  if (own.startsWith('More than one row returned by a subquery')) return new PlatformError(400, QueryProblem.rows);
  if (namesOnly.has(kind)) return new LoggableError(`The engine refused a statement: ${firstLine}`);
  return new LoggableError(`The engine failed: ${/^[A-Za-z ]{1,40} Error$/.test(kind) ? kind : 'unknown error'}`);
}

/** How one statement is run. */
export interface StatementOptions {
  /** Time that the engine may work on it. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a session reports, and how long it waits. */
export interface SessionOptions {
  /** Called once when the statement is over and its connection is closed. */
  readonly onEnd: (session: Session) => void;
  /** Called when the statement still runs `graceMs` after its interruption: the caller gets an error, the native code runs on. */
  readonly onUnresponsive: (session: Session) => void;
  /** Time between the first interrupt and giving the statement up, in milliseconds; 5,000 by default. */
  readonly graceMs?: number | undefined;
}

/** How long a stopped statement may go on at most before the engine is told. */
const interruptEveryMs = 10;
const defaultGraceMs = 5000;

/**
 * One statement on a connection of its own, until it is over. To keep connections saves a tenth of a millisecond: one each is the
 * surest way to hit nobody else by an interrupt.
 */
export class Session {
  /** Hears once that the statement is to stop. */
  onStop: () => void = () => {};
  readonly #instance: DuckDBInstance;
  readonly #signal: AbortSignal | undefined;
  readonly #options: SessionOptions;
  readonly #onAbort = () => this.stop(StopReason.aborted);
  #connection: DuckDBConnection | undefined;
  #leftMs: number;
  #stopped: StopReason | undefined;
  #stoppedAt = 0;
  /** The work that did not react to its interruption. */
  #abandoned: Promise<unknown> | undefined;

  constructor(instance: DuckDBInstance, { timeoutMs, signal }: StatementOptions, options: SessionOptions) {
    this.#instance = instance;
    this.#signal = signal;
    this.#options = options;
    this.#leftMs = timeoutMs;
    if (signal?.aborted) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort);
  }

  /** Stops what is under way, and lets nothing begin any more. */
  stop(reason: StopReason): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.#stoppedAt = performance.now();
    this.onStop();
  }

  /** Whether the statement did not react to its interruption. Native code still uses its connection. */
  get isAbandoned(): boolean {
    return this.#abandoned !== undefined;
  }

  /**
   * Lets the engine work. The time that it takes counts, not that between two pieces of work; one at a time.
   * @throws PlatformError as `Engine.run` says.
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

  /** Lets the engine release what a stopped statement holds. Never rejects. */
  async release(task: () => Promise<void>): Promise<void> {
    await this.#untilUnresponsive(task).catch(() => undefined);
  }

  /** Interrupts the task while the session is stopped. Rejects if the task does not react in time. */
  async #untilUnresponsive<T>(task: () => Promise<T>): Promise<T> {
    const { graceMs = defaultGraceMs, onUnresponsive } = this.#options;
    const startedAt = performance.now();
    const working = task();
    let interrupts: NodeJS.Timeout | undefined;
    const unresponsive = new Promise<never>((_resolve, reject) => {
      // The engine loses an interrupt that comes before the statement begins, so it is sent until the work is over.
      interrupts = setInterval(() => {
        if (!this.#stopped) return;
        this.#connection?.interrupt();
        if (performance.now() - Math.max(startedAt, this.#stoppedAt) < graceMs) return;
        this.#abandoned = working;
        reject(new Error('The statement does not react to its interruption.'));
        onUnresponsive(this);
      }, interruptEveryMs);
    });
    try {
      return await Promise.race([working, unresponsive]);
    } finally {
      clearInterval(interrupts);
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

  /** Closes the connection: now, or when the native code of an abandoned statement returns. */
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
