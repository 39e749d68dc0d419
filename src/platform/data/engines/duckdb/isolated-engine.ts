import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { abortedError, PlatformError } from '../../../errors.js';
import type { SqlType } from '../../sql/sql-type.js';
import { EngineLoss, type EngineResult, type Parameter, type RowStream } from '../engine.js';
import { StopReason, stoppedProblem } from '../query-problem.js';
import { EngineConnection, EngineLostError, openProcessRows } from './engine-connection.js';
import type { StatementInput } from './engine-protocol.js';
import type { InstanceLimits } from './open-instance.js';
import type { ServedTable } from './serving-instance.js';
import type { StatementOptions } from './session.js';

/** What an engine process serves. */
export interface IsolatedEngineOptions {
  /** The tables as they are now. Another list is another state of the data. */
  readonly tables: () => readonly ServedTable[];
  /** Of each process. Each spills to a folder of its own in `spillDirectory`. */
  readonly limits: InstanceLimits;
  /** How long an interrupted statement may go on before its process is replaced, in milliseconds; 5,000 by default. */
  readonly graceMs?: number | undefined;
  /** Time between two looks whether a process answers, in milliseconds; 1,000 by default. It is replaced if it misses five. */
  readonly pingMs?: number | undefined;
  /** Called when a process was lost. The next statement starts another one. */
  readonly onLoss?: ((loss: EngineLoss) => void) | undefined;
}

/** A process that serves a state of the data. */
interface Served {
  readonly connection: EngineConnection;
  /** Processes can't share one. */
  readonly spillDirectory: string;
  tables: readonly ServedTable[];
  opened: Promise<void>;
}

/** A statement runs again when its process was lost, unless it has returned rows. */
const maxAttempts = 2;
/** Processes that die one after the other are started at growing intervals, in milliseconds. */
const maxStartDelayMs = 10_000;
const firstStartDelayMs = 100;
/** A process that lives for this long, in milliseconds, ends the growth. */
const stableAfterMs = 60_000;

/**
 * Runs statements in a process of its own, which starts with the first of them. Native code that does not react to an interrupt can't be
 * stopped within a process, so the process is killed and replaced: nothing that a statement does holds up another one for long.
 */
export class IsolatedEngine {
  readonly #options: IsolatedEngineOptions;
  readonly #closing = new AbortController();
  #serving: Promise<Served> | undefined;
  #connection: EngineConnection | undefined;
  #lastStatement = 0;
  #started = 0;
  /** Processes that died in a row. */
  #deaths = 0;

  constructor(options: IsolatedEngineOptions) {
    this.#options = options;
  }

  /** Of the process that serves now. */
  get pid(): number | undefined {
    return this.#connection?.pid;
  }

  /**
   * Runs one SELECT.
   * @throws PlatformError as `Engine.run` says; 503 when processes are lost again and again.
   */
  run(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<EngineResult> {
    return this.#once(options, (connection, how) => connection.call('run', { sql, parameters, ...how }));
  }

  /**
   * Types of the columns that a SELECT has.
   * @throws as `run` does.
   */
  describe(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<readonly SqlType[]> {
    return this.#once(options, (connection, how) => connection.call('describe', { sql, parameters, ...how }));
  }

  /**
   * Begins a SELECT whose rows are read as they are made.
   * @throws as `run` does.
   */
  stream(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<RowStream> {
    return this.#attempt(options, ({ connection }, timeoutMs) => {
      const input = { statement: this.#nextStatement(), sql, parameters, timeoutMs };
      return openProcessRows({ connection, input, signal: options.signal, onLost: () => this.#lossProblem(options) });
    });
  }

  /** Has a running process serve the tables as they are now, so that it releases the former ones. */
  async refresh(): Promise<void> {
    if (this.#serving === undefined || this.#closing.signal.aborted) return;
    // The next statement starts another process if this fails.
    await this.#ready().catch(() => undefined);
  }

  /** Kills the process. Nothing may be started afterwards. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#connection?.kill(null);
    await this.#connection?.exited;
  }

  #once<T>(
    options: StatementOptions,
    call: (connection: EngineConnection, how: Pick<StatementInput, 'statement' | 'timeoutMs'>) => Promise<T>,
  ): Promise<T> {
    return this.#attempt(options, async ({ connection }, timeoutMs) => {
      const statement = this.#nextStatement();
      const called = call(connection, { statement, timeoutMs });
      const stop = () => void connection.call('close', { statement }).catch(() => undefined);
      options.signal?.addEventListener('abort', stop);
      try {
        return await called;
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
    return new PlatformError(503, 'The query engine was restarted: try again in a moment.', { retryAfter: 1 });
  }

  /** A process that serves the tables as they are now. */
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
    const delayMs = this.#deaths === 0 ? 0 : Math.min(firstStartDelayMs * 2 ** (this.#deaths - 1), maxStartDelayMs);
    if (delayMs > 0) await setTimeout(delayMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    if (this.#closing.signal.aborted) throw stoppedProblem(StopReason.closed);
    this.#started += 1;
    const spillDirectory = join(this.#options.limits.spillDirectory, `process-${this.#started}`);
    const startedAt = performance.now();
    const connection = new EngineConnection(this.#options.pingMs ?? 1000, loss =>
      this.#onEnd(loss, performance.now() - startedAt),
    );
    void connection.exited.then(() => rm(spillDirectory, { recursive: true, force: true })).catch(() => undefined);
    this.#connection = connection;
    const tables = this.#options.tables();
    const served = { connection, spillDirectory, tables, opened: Promise.resolve() };
    this.#open(served, tables);
    return served;
  }

  /** Statements that wait for it get its error. */
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
    // A process that was killed for a statement is not one that fails.
    if (loss === EngineLoss.unresponsive || livedMs > stableAfterMs) this.#deaths = 0;
    else this.#deaths += 1;
    this.#options.onLoss?.(loss);
  }

  #nextStatement(): number {
    this.#lastStatement += 1;
    return this.#lastStatement;
  }
}
