import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { abortedError, PlatformError } from '../../../errors.js';
import { backOff, pause } from '../../../runtime/retry.js';
import type { SqlType } from '../../sql/sql-type.js';
import { EngineLoss, type EngineResult, type Parameter, type RowStream } from '../engine.js';
import { StopReason, stoppedProblem } from '../query-problem.js';
import { EngineConnection, EngineLostError, openProcessRows } from './engine-connection.js';
import type { StatementInput } from './engine-protocol.js';
import type { InstanceLimits } from './open-instance.js';
import type { ServedTable } from './serving-instance.js';
import type { StatementOptions } from './session.js';

/** Tables, limits and callbacks of an isolated engine. */
export interface IsolatedEngineOptions {
  /** Returns the current tables. A different array means a different state of the data. */
  readonly tables: () => readonly ServedTable[];
  /** Limits of each process. Each process spills to its own folder in `spillDirectory`. */
  readonly limits: InstanceLimits;
  /** How long an interrupted statement may run before its process is replaced, in milliseconds. Default: 5,000. */
  readonly graceMs?: number | undefined;
  /**
   * Ping interval in milliseconds. Default: 1,000. A process that misses five consecutive pings after its start is
   * replaced.
   */
  readonly pingMs?: number | undefined;
  /** Called when a process is lost. The next statement starts a new process. */
  readonly onLoss?: ((loss: EngineLoss) => void) | undefined;
}

/** A process and the tables that it serves. */
interface Served {
  readonly connection: EngineConnection;
  /** Folder to which queries spill rows. Processes cannot share one. */
  readonly spillDirectory: string;
  tables: readonly ServedTable[];
  opened: Promise<void>;
}

/** Maximum number of times to run a statement. It runs again if its process was lost before it returned rows. */
const maxAttempts = 2;
/** Maximum delay of the exponential backoff with which processes that die repeatedly restart, in milliseconds. */
const maxStartDelayMs = 10_000;
const firstStartDelayMs = 100;
/** A process that runs for this long, in milliseconds, resets the backoff. */
const stableAfterMs = 60_000;

/**
 * Runs statements in a separate process, started on demand. Native code that does not react to an interrupt can't be
 * stopped within a process, so the engine kills and replaces the process. This limits how long a statement can block
 * others.
 */
export class IsolatedEngine {
  readonly #options: IsolatedEngineOptions;
  readonly #closing = new AbortController();
  #serving: Promise<Served> | undefined;
  #connection: EngineConnection | undefined;
  #lastStatement = 0;
  #started = 0;
  /** Number of consecutive processes that died. */
  #deaths = 0;

  constructor(options: IsolatedEngineOptions) {
    this.#options = options;
  }

  /** ID of the current process. */
  get pid(): number | undefined {
    return this.#connection?.pid;
  }

  /**
   * Runs one SELECT.
   * @throws PlatformError like `Engine.run`; or 503 if processes are lost repeatedly.
   */
  run(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<EngineResult> {
    return this.#once(options, (connection, input) => connection.call('run', { sql, parameters, ...input }));
  }

  /**
   * Returns the column types of a SELECT.
   * @throws the errors of `run`.
   */
  describe(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<readonly SqlType[]> {
    return this.#once(options, (connection, input) => connection.call('describe', { sql, parameters, ...input }));
  }

  /**
   * Starts a SELECT and returns a stream of its rows.
   * @throws the errors of `run`.
   */
  stream(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<RowStream> {
    return this.#attempt(options, ({ connection }, timeoutMs) => {
      const input = { statement: this.#nextStatement(), sql, parameters, timeoutMs };
      return openProcessRows({ connection, input, signal: options.signal, onLost: () => this.#lossProblem(options) });
    });
  }

  /** Updates the tables of a running process, so that it releases the previous tables. */
  async refresh(): Promise<void> {
    if (this.#serving === undefined || this.#closing.signal.aborted) return;
    // After a failure, the next statement starts a new process.
    await this.#ready().catch(() => undefined);
  }

  /** Kills the process. No statement may start afterwards. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#connection?.kill(null);
    await this.#connection?.exited;
  }

  #once<T>(
    options: StatementOptions,
    call: (connection: EngineConnection, input: Pick<StatementInput, 'statement' | 'timeoutMs'>) => Promise<T>,
  ): Promise<T> {
    return this.#attempt(options, async ({ connection }, timeoutMs) => {
      const statement = this.#nextStatement();
      const result = call(connection, { statement, timeoutMs });
      // Ignore the error if the process has ended, because its statements have ended too.
      const stop = () => void connection.call('close', { statement }).catch(() => undefined);
      options.signal?.addEventListener('abort', stop);
      try {
        return await result;
      } finally {
        options.signal?.removeEventListener('abort', stop);
      }
    });
  }

  async #attempt<T>(options: StatementOptions, work: (served: Served, timeoutMs: number) => Promise<T>): Promise<T> {
    let leftMs = options.timeoutMs;
    const timed = async (served: Served) => {
      const startedAt = performance.now();
      try {
        return await work(served, leftMs);
      } finally {
        leftMs -= performance.now() - startedAt;
      }
    };
    for (let attempt = 1; ; attempt++) {
      try {
        const served = await this.#ready();
        if (options.signal?.aborted) throw abortedError();
        return await timed(served);
      } catch (error) {
        if (!(error instanceof EngineLostError)) throw error;
        if (attempt === maxAttempts || options.signal?.aborted || this.#closing.signal.aborted)
          throw this.#lossProblem(options);
        if (leftMs <= 0) throw stoppedProblem(StopReason.timeout);
      }
    }
  }

  #lossProblem({ signal }: StatementOptions): PlatformError {
    if (this.#closing.signal.aborted) return stoppedProblem(StopReason.closed);
    if (signal?.aborted) return abortedError();
    return new PlatformError(503, 'The query engine was restarted. Try again in a moment.', { retryAfter: 1 });
  }

  /** Returns a process that serves the current tables. */
  async #ready(): Promise<Served> {
    if (this.#closing.signal.aborted) throw stoppedProblem(StopReason.closed);
    this.#serving ??= this.#start();
    const served = await this.#serving;
    const tables = this.#options.tables();
    if (served.tables !== tables) this.#open(served, tables);
    await served.opened;
    return served;
  }

  async #start(): Promise<Served> {
    const { signal } = this.#closing;
    if (this.#deaths > 0) await pause(backOff(this.#deaths, firstStartDelayMs, maxStartDelayMs), { signal });
    if (signal.aborted) throw stoppedProblem(StopReason.closed);
    this.#started += 1;
    const spillDirectory = join(this.#options.limits.spillDirectory, `process-${this.#started}`);
    const startedAt = performance.now();
    const connection = new EngineConnection(this.#options.pingMs ?? 1000, loss =>
      this.#onEnd(loss, performance.now() - startedAt),
    );
    // Ignore errors, because the platform removes the whole spill folder when it closes.
    void connection.exited.then(() => rm(spillDirectory, { recursive: true, force: true })).catch(() => undefined);
    this.#connection = connection;
    const tables = this.#options.tables();
    const served = { connection, spillDirectory, tables, opened: Promise.resolve() };
    this.#open(served, tables);
    return served;
  }

  /** Opens the tables; pending statements get the error if this fails. */
  #open(served: Served, tables: readonly ServedTable[]): void {
    const { connection, spillDirectory } = served;
    const { limits, graceMs = 5000 } = this.#options;
    const files = tables.map(({ table, file }) => ({ table, file }));
    served.tables = tables;
    served.opened = connection.call('open', { tables: files, limits: { ...limits, spillDirectory }, graceMs });
    served.opened.catch(() => connection.kill(EngineLoss.exited));
  }

  #onEnd(loss: EngineLoss | null, livedMs: number): void {
    this.#serving = undefined;
    if (loss === null) return;
    // Do not count processes that were killed because of a statement.
    if (loss === EngineLoss.unresponsive || livedMs > stableAfterMs) this.#deaths = 0;
    else this.#deaths += 1;
    this.#options.onLoss?.(loss);
  }

  #nextStatement(): number {
    this.#lastStatement += 1;
    return this.#lastStatement;
  }
}
