import { setTimeout } from 'node:timers/promises';
import type { DuckDBInstance } from '@duckdb/node-api';
import { LoggableError } from '../../../errors.js';
import type { SqlType } from '../../sql/sql-type.js';
import type { EngineResult, Parameter, RowStream } from '../engine.js';
import { StopReason } from '../query-problem.js';
import { readColumns } from './cells.js';
import type { ImportedTable } from './import-source.js';
import { type InstanceLimits, openInstance, sqlString } from './open-instance.js';
import { columnTypes, openRowStream, sqlTypeOf } from './row-stream.js';
import { prepare, Session, type SessionOptions, type StatementOptions } from './session.js';

/** What an instance reports, and how long it waits for an interrupted statement. */
export interface ServingOptions extends Pick<SessionOptions, 'graceMs'> {
  /** Called when a statement does not react to its interruption. */
  readonly onUnresponsive?: () => void;
}

/** A table and the DuckDB file that holds it. */
export type ServedTable = Pick<ImportedTable, 'table' | 'file'>;

/** How long `close` waits for interrupted statements, in milliseconds. */
const maxCloseMs = 1000;

/**
 * A DuckDB instance that serves one state of the data: every table attached read-only, then locked down. Nothing it runs can
 * open a path (beyond its own files), load an extension or change a setting.
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

  /** Whether every statement that was interrupted has ended. */
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
   * @throws PlatformError as `Engine.run` says.
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
   * Types of the columns that a SELECT has.
   * @throws PlatformError as `Engine.run` says.
   */
  describe(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<readonly SqlType[]> {
    return this.#once(options, async session => {
      const types = await session.work(connection => columnTypes(connection, sql, parameters));
      return types.map(({ typeId }) => sqlTypeOf(typeId));
    });
  }

  /**
   * Begins a SELECT whose rows are read as they are made. The instance is in use until it is closed, or read to its end.
   * @throws PlatformError as `Engine.run` says.
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

  /** Lets what runs come to its end, then frees everything. Nothing may be started afterwards. */
  retire(): Promise<void> {
    this.#retired ??= this.#whenIdle().then(() => this.#instance.closeSync());
    return this.#retired;
  }

  /**
   * Stops what runs, then frees everything.
   * @throws LoggableError when a statement does not react to its interruption within a second: its thread keeps the process.
   */
  async close(): Promise<void> {
    for (const session of this.#running) session.stop(StopReason.closed);
    const late = new AbortController();
    await Promise.race([this.retire(), setTimeout(maxCloseMs, undefined, { signal: late.signal })]).finally(() =>
      late.abort(),
    );
    if (this.#running.size > 0) throw new LoggableError('A statement does not react to its interruption.');
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
