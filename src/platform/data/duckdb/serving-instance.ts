import {
  type DuckDBConnection,
  type DuckDBInstance,
  type DuckDBPreparedStatement,
  StatementType,
} from '@duckdb/node-api';
import type { EngineCell, EngineResult, Parameter } from '../engine.js';
import { readColumns } from './cells.js';
import { engineProblem, StopReason, stoppedProblem } from './engine-problem.js';
import type { ImportedTable } from './import-source.js';
import { type InstanceLimits, openInstance, quoted } from './instance-options.js';

/** How one statement is run. */
export interface StatementOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How long a stopped statement may go on at most before the engine is told. */
const interruptEveryMs = 10;

/**
 * A DuckDB instance that serves one state of the data: every table attached read-only, then locked down. Nothing it runs can
 * open a path (beyond its own files), load an extension or change a setting.
 */
export class ServingInstance {
  readonly #instance: DuckDBInstance;
  readonly #running = new Set<(reason: StopReason) => void>();
  #idle: (() => void) | undefined;
  #retired: Promise<void> | undefined;

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  static async open(tables: readonly ImportedTable[], limits: InstanceLimits): Promise<ServingInstance> {
    const instance = await openInstance(':memory:', limits);
    try {
      const connection = await instance.connect();
      for (const statement of setUp(tables)) await connection.run(statement);
      connection.closeSync();
    } catch (error) {
      instance.closeSync();
      throw error;
    }
    return new ServingInstance(instance);
  }

  /**
   * Runs one SELECT on a connection of its own.
   * @throws PlatformError as `Engine.run` says.
   */
  async run(sql: string, parameters: readonly Parameter[], options: StatementOptions): Promise<EngineResult> {
    let stopped: StopReason | undefined;
    const stop = (reason: StopReason) => {
      stopped ??= reason;
    };
    const onAbort = () => stop(StopReason.aborted);
    if (options.signal?.aborted) onAbort();
    options.signal?.addEventListener('abort', onAbort);
    const timeout = setTimeout(stop, options.timeoutMs, StopReason.timeout);
    this.#running.add(stop);
    try {
      const columns = await this.#select(sql, parameters, () => stopped !== undefined);
      if (stopped) throw stoppedProblem(stopped);
      return { columns };
    } catch (error) {
      throw stopped ? stoppedProblem(stopped) : engineProblem(error);
    } finally {
      clearTimeout(timeout);
      options.signal?.removeEventListener('abort', onAbort);
      this.#running.delete(stop);
      if (this.#running.size === 0) this.#idle?.();
    }
  }

  async #select(sql: string, parameters: readonly Parameter[], isStopped: () => boolean): Promise<EngineCell[][]> {
    if (isStopped()) return [];
    // To keep connections saves a tenth of a millisecond: one each is the surest way to hit nobody else by an interrupt.
    const connection = await this.#instance.connect();
    // An interrupt that comes before the statement has begun is lost, so it is sent until the statement is over.
    const interrupts = setInterval(() => isStopped() && connection.interrupt(), interruptEveryMs);
    try {
      if (isStopped()) return [];
      const statement = await prepare(connection, sql, parameters);
      try {
        return isStopped() ? [] : await readColumns(await statement.run());
      } finally {
        statement.destroySync();
      }
    } finally {
      clearInterval(interrupts);
      connection.closeSync();
    }
  }

  /** Lets what runs come to its end, then frees everything. Nothing may be started afterwards. */
  retire(): Promise<void> {
    this.#retired ??= this.#whenIdle().then(() => this.#instance.closeSync());
    return this.#retired;
  }

  /** Stops what runs, then frees everything. */
  close(): Promise<void> {
    for (const stop of this.#running) stop(StopReason.closed);
    return this.retire();
  }

  async #whenIdle(): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>(resolve => {
      this.#idle = resolve;
    });
  }
}

function setUp(tables: readonly ImportedTable[]): string[] {
  return [
    ...tables.flatMap(({ table, file }) => [
      `ATTACH ${quoted(file)} AS "source_${table}" (READ_ONLY)`,
      `CREATE VIEW "${table}" AS SELECT * FROM "source_${table}"."${table}"`,
    ]),
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ];
}

async function prepare(
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
