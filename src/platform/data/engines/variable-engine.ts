import { PlatformError } from '../../errors.js';
import type { VariableTokens } from '../model/variables.js';
import {
  type Engine,
  type EngineResult,
  type Parameter,
  type RowStream,
  type RunOptions,
  SqlDialect,
} from './engine.js';

/** The error of every statement while the data source is not available. */
const unavailable = () => new PlatformError(503, 'The data source is not available.');

/** Rejects all statements. Used until the platform can connect to the Postgres server. */
export const unavailableEngine: Engine = {
  dialect: SqlDialect.postgres,
  dataVersion: '',
  lastRefreshTime: null,
  tables: [],
  run: async () => Promise.reject(unavailable()),
  describe: async () => Promise.reject(unavailable()),
  stream: async () => Promise.reject(unavailable()),
  close: async () => {},
};

/**
 * An engine that replaces tokens in statements with the values of environment variables. Error messages contain the
 * references to the variables instead of their values.
 */
export class VariableEngine implements Engine {
  readonly #tokens: VariableTokens;
  #engine: Engine;
  /**
   * Number of times that the engine was replaced. Part of the data version, because another server may have other data.
   */
  #generation = 0;
  /** Whether statements are rejected, because the engine is closed. */
  #isSuspended = false;

  constructor(engine: Engine, tokens: VariableTokens) {
    this.#engine = engine;
    this.#tokens = tokens;
  }

  get dialect() {
    return this.#engine.dialect;
  }

  get isolatesStreams() {
    return this.#engine.isolatesStreams ?? false;
  }

  get dataVersion() {
    return this.#generation === 0 ? this.#engine.dataVersion : `${this.#generation} ${this.#engine.dataVersion}`;
  }

  get lastRefreshTime() {
    return this.#engine.lastRefreshTime;
  }

  get tables() {
    return this.#engine.tables;
  }

  /** Whether a server was opened, so that its tables are known. */
  get hasTables() {
    return this.#engine !== unavailableEngine;
  }

  run(sql: string, parameters: readonly Parameter[], options?: RunOptions): Promise<EngineResult> {
    return this.#reveal(sql, revealed => this.#engine.run(revealed, parameters, options));
  }

  describe(sql: string, parameters: readonly Parameter[]): ReturnType<Engine['describe']> {
    return this.#reveal(sql, revealed => this.#engine.describe(revealed, parameters));
  }

  async stream(sql: string, parameters: readonly Parameter[], options?: RunOptions): Promise<RowStream> {
    const stream = await this.#reveal(sql, revealed => this.#engine.stream(revealed, parameters, options));
    return { pieces: this.#redactPieces(sql, stream.pieces), close: () => stream.close() };
  }

  showSql(sql: string): string {
    return this.#tokens.hide(sql);
  }

  /** Sends later statements to another engine, and closes the previous one. */
  async replace(engine: Engine): Promise<void> {
    const previous = this.#isSuspended ? null : this.#engine;
    this.#isSuspended = false;
    this.#engine = engine;
    this.#generation += 1;
    await previous?.close();
  }

  /** Closes the engine and rejects statements until it is replaced. Results that are cached are not used either. */
  async suspend(): Promise<void> {
    if (this.#isSuspended) return;
    this.#isSuspended = true;
    this.#generation += 1;
    await this.#engine.close();
  }

  async close(): Promise<void> {
    if (!this.#isSuspended) await this.#engine.close();
  }

  async #reveal<T>(sql: string, work: (revealed: string) => Promise<T>): Promise<T> {
    if (this.#isSuspended) throw unavailable();
    const revealed = this.#tokens.reveal(sql);
    if (revealed === sql) return work(sql);
    try {
      return await work(revealed);
    } catch (error) {
      throw this.#redact(error, sql);
    }
  }

  async *#redactPieces(sql: string, pieces: RowStream['pieces']): RowStream['pieces'] {
    try {
      yield* pieces;
    } catch (error) {
      throw this.#redact(error, sql);
    }
  }

  /** Hides values in the messages of an error and of its causes. */
  #redact(error: unknown, sql: string): unknown {
    for (let each = error; each instanceof Error; each = each.cause) {
      each.message = this.#tokens.redact(each.message, sql);
      if (each.stack !== undefined) each.stack = this.#tokens.redact(each.stack, sql);
    }
    return error;
  }
}
