import { createHash } from 'node:crypto';
import { LoggableError } from '../../errors.js';
import { BoundedCache } from '../../runtime/bounded-cache.js';
import { AcceptedSql } from '../accepted-sql.js';
import type { SqlType } from '../sql/sql-type.js';
import { statementProblem } from './check-statement.js';
import type { Engine, EngineResult, Parameter, RowStream, RunOptions } from './engine.js';

/** Maximum size of the cache of checked statements, and of that of described statements, in bytes. */
const checkedBytes = 4_000_000;
/** Approximate size of the type of a column in bytes. */
const typeBytes = 16;
/** Maximum length of a statement in characters. */
const maxStatement = 1_000_000;

/**
 * A DuckDB engine for models that are not the operator's code. Checks each statement before it runs: it may read only
 * the tables of the engine, and call only harmless functions.
 */
export class CheckedEngine implements Engine {
  /** SQL of models that the engine accepts with its current tables and data. */
  readonly accepted: AcceptedSql;
  readonly #engine: Engine;
  /** The problem of a statement, or an empty string; by table list and statement. */
  readonly #checked = new BoundedCache<string>(checkedBytes);
  /** The column types of valid statements; by tables, version of the data, and statement. */
  readonly #described = new BoundedCache<readonly SqlType[]>(checkedBytes);

  constructor(engine: Engine) {
    this.#engine = engine;
    this.accepted = new AcceptedSql(() => JSON.stringify([engine.tables, engine.dataVersion]));
  }

  get dialect() {
    return this.#engine.dialect;
  }

  get isolatesStreams() {
    return this.#engine.isolatesStreams ?? false;
  }

  get dataVersion() {
    return this.#engine.dataVersion;
  }

  get lastRefreshTime() {
    return this.#engine.lastRefreshTime;
  }

  get tables() {
    return this.#engine.tables;
  }

  /** @throws LoggableError if the statement is not allowed. */
  async run(sql: string, parameters: readonly Parameter[], options?: RunOptions): Promise<EngineResult> {
    await this.#check(sql);
    return this.#engine.run(sql, parameters, options);
  }

  /**
   * Describes a statement as `Engine.describe`. Valid statements are cached, because a validation of a model describes
   * all of its cubes, of which most have not changed since the previous one.
   * @throws LoggableError as `run`.
   */
  async describe(sql: string, parameters: readonly Parameter[]): ReturnType<Engine['describe']> {
    const { tables, dataVersion } = this.#engine;
    const statement = JSON.stringify([tables, dataVersion, sql, parameters]);
    const key = createHash('sha256').update(statement).digest('base64');
    const known = this.#described.find(key)?.value;
    if (known) return known;
    await this.#check(sql);
    const types = await this.#engine.describe(sql, parameters);
    this.#described.set(key, types, types.length * typeBytes);
    return types;
  }

  /** @throws LoggableError as `run` does. */
  async stream(sql: string, parameters: readonly Parameter[], options?: RunOptions): Promise<RowStream> {
    await this.#check(sql);
    return this.#engine.stream(sql, parameters, options);
  }

  /** Runs a statement that contains no SQL of a model. */
  runOwn(...[sql, parameters, options]: Parameters<Engine['run']>): Promise<EngineResult> {
    return this.#engine.run(sql, parameters, options);
  }

  async refresh(): Promise<void> {
    await this.#engine.refresh?.();
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async #check(sql: string): Promise<void> {
    if (sql.length > maxStatement) throw refusal('the statement is too long');
    const { tables } = this.#engine;
    const key = JSON.stringify([tables, sql]);
    const problem = this.#checked.find(key)?.value ?? (await this.#problemOf(sql, tables));
    this.#checked.set(key, problem, problem.length);
    if (problem !== '') throw refusal(problem);
  }

  async #problemOf(sql: string, tables: readonly string[]): Promise<string> {
    const serialize = 'SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true)';
    const { columns } = await this.#engine.run(serialize, [sql]);
    return statementProblem(String(columns[0]?.[0]), tables) ?? '';
  }
}

function refusal(problem: string): LoggableError {
  return new LoggableError(`SQL of the model is not allowed: ${problem}.`);
}
