import type { DuckDBInstance } from '@duckdb/node-api';
import { LoggableError } from '../../../errors.js';
import { pause } from '../../../runtime/retry.js';
import type { SqlType } from '../../sql/sql-type.js';
import type { EngineResult, Parameter, RowStream } from '../engine.js';
import { StopReason } from '../query-problem.js';
import { readColumns } from './cells.js';
import type { ImportedTable } from './import-source.js';
import { type InstanceLimits, openInstance, sqlString } from './open-instance.js';
import { columnTypes, openRowStream, sqlTypeOf } from './row-stream.js';
import { prepare, Session, type SessionOptions, type StatementOptions } from './session.js';

/** Callbacks of an instance, and how long it waits for an interrupted statement. */
export interface ServingOptions extends Pick<SessionOptions, 'graceMs'> {
  /** Called when a statement does not react to an interrupt. */
  readonly onUnresponsive?: () => void;
}

/** A table and the DuckDB file that contains it. */
export type ServedTable = Pick<ImportedTable, 'table' | 'file'>;

/** How long `close` waits for interrupted statements, in milliseconds. */
const maxCloseMs = 1000;

/**
 * A DuckDB instance that serves one state of the data: attaches every table read-only and then locks the configuration.
 * Statements can't open other paths, load extensions or change settings.
 */
export class ServingInstance {
  readonly #instance: DuckDBInstance;
  readonly #options: ServingOptions;
  readonly #running = new Set<Session>();
  #idle: (() => void) | undefined;
  #retired: Promise<void> | undefined;

  private constructor(instance: DuckDBInstance, options: ServingOptions) {
    this.#instance = instance;
    this.#options = options;
  }

  /** Whether all interrupted statements have ended. */
  get isResponsive(): boolean {
    return ![...this.#running].some(({ isAbandoned }) => isAbandoned);
  }

  static async open(
    tables: readonly ServedTable[],
    limits: InstanceLimits,
    options: ServingOptions = {},
  ): Promise<ServingInstance> {
    const instance = await openInstance(':memory:', limits);
    try {
      const connection = await instance.connect();
      for (const statement of setUp(tables)) await connection.run(statement);
      connection.closeSync();
    } catch (error) {
      instance.closeSync();
      throw error;
    }
    return new ServingInstance(instance, options);
  }

  /**
   * Runs one SELECT.
   * @throws PlatformError like `Engine.run`.
   */
  run(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<EngineResult> {
    return this.#once(options, async session => ({
      columns: await session.work(async connection => {
        const statement = await prepare(connection, sql, parameters);
        try {
          session.check();
          return await readColumns(await statement.run());
        } finally {
          statement.destroySync();
        }
      }),
    }));
  }

  /**
   * Returns the column types of a SELECT.
   * @throws PlatformError like `Engine.run`.
   */
  describe(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<readonly SqlType[]> {
    return this.#once(options, async session => {
      const types = await session.work(connection => columnTypes(connection, sql, parameters));
      return types.map(({ typeId }) => sqlTypeOf(typeId));
    });
  }

  /**
   * Starts a SELECT and returns a stream of its rows. The stream uses the instance until it is closed or read
   * completely.
   * @throws PlatformError like `Engine.run`.
   */
  stream(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<RowStream> {
    return openRowStream(this.#begin(options), sql, parameters);
  }

  #begin(options: StatementOptions): Session {
    const session = new Session(this.#instance, options, {
      graceMs: this.#options.graceMs,
      onUnresponsive: () => this.#options.onUnresponsive?.(),
      onEnd: ended => {
        this.#running.delete(ended);
        if (this.#running.size === 0) this.#idle?.();
      },
    });
    this.#running.add(session);
    return session;
  }

  async #once<T>(options: StatementOptions, work: (session: Session) => Promise<T>): Promise<T> {
    const session = this.#begin(options);
    try {
      return await work(session);
    } finally {
      session.end();
    }
  }

  /** Waits for running statements, then closes the instance. Call it when no more statements will start. */
  retire(): Promise<void> {
    this.#retired ??= this.#whenIdle().then(() => this.#instance.closeSync());
    return this.#retired;
  }

  /**
   * Stops running statements, then closes the instance.
   * @throws LoggableError if a statement does not stop within a second of the interrupt, because its thread then blocks
   * the exit of the process.
   */
  async close(): Promise<void> {
    for (const session of this.#running) session.stop(StopReason.closed);
    const timeout = new AbortController();
    await Promise.race([this.retire(), pause(maxCloseMs, { signal: timeout.signal })]).finally(() => timeout.abort());
    if (this.#running.size > 0) throw new LoggableError('A statement did not stop when it was interrupted.');
  }

  async #whenIdle(): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>(resolve => {
      this.#idle = resolve;
    });
  }
}

function setUp(tables: readonly ServedTable[]): string[] {
  return [
    ...tables.flatMap(({ table, file }) => [
      `ATTACH ${sqlString(file)} AS "source_${table}" (READ_ONLY)`,
      `CREATE VIEW "${table}" AS SELECT * FROM "source_${table}"."${table}"`,
    ]),
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ];
}
