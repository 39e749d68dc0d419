import type { SqlType } from '../sql/sql-type.js';

/** A value bound to a placeholder of a statement. */
export type Parameter = string | number | boolean | null;

/** A cell in the format of the protocol: numbers and timestamps are text (`2001-01-01T00:00:00.000`). */
export type EngineCell = string | boolean | null;

/** Result of a statement as columns, in the order of the select list. All columns have the same length. */
export interface EngineResult {
  readonly columns: readonly (readonly EngineCell[])[];
}

/** SQL dialect of an engine. */
export const SqlDialect = { duckdb: 'duckdb', postgres: 'postgres' } as const;
/** SQL dialect of an engine. */
export type SqlDialect = (typeof SqlDialect)[keyof typeof SqlDialect];

/** Reason why an engine process was lost. */
export const EngineLoss = {
  /** A statement did not react to an interrupt. */
  unresponsive: 'unresponsive',
  /** The process did not respond. */
  frozen: 'frozen',
  /** The process died or could not start. */
  exited: 'exited',
} as const;
/** Reason why an engine process was lost. */
export type EngineLoss = (typeof EngineLoss)[keyof typeof EngineLoss];

/** One or more rows of a statement. */
export interface RowPiece {
  readonly rows: number;
  /**
   * The rows as UTF-8 JSON without outer brackets. Each row is an array of text and null: `["a","1"],[null,"2"]`.
   * Values are formatted as in `EngineCell`, except that booleans are `true` and `false`, dates are `2001-01-01`, and
   * non-finite numbers are `NaN`, `Infinity` and `-Infinity`.
   */
  readonly json: Uint8Array;
}

/** Rows of a running statement. */
export interface RowStream {
  /**
   * Pieces of 64 to 128 KB. The engine produces rows only on demand. Throws PlatformError like `Engine.run`, even after
   * some rows; a stream never ends early without an error.
   */
  readonly pieces: AsyncIterable<RowPiece>;
  /** Stops the statement if it is running and releases its resources. Idempotent. */
  close(): Promise<void>;
}

/** Options of one statement. */
export interface RunOptions {
  /** When this signal aborts, the statement is interrupted. */
  readonly signal?: AbortSignal;
}

/** Runs generated SQL on the data. Values from callers reach the engine only as bound parameters. */
export interface Engine {
  readonly dialect: SqlDialect;
  /** Whether streams run in a separate engine, so that they don't block other statements. Default: false. */
  readonly isolatesStreams?: boolean;
  /** Version that changes whenever the data of a table changes. */
  readonly dataVersion: string;
  /** When the newest table was imported, or `null` if rows are read live. */
  readonly lastRefreshTime: Date | null;
  /** Names of the tables that a model may read. */
  readonly tables: readonly string[];
  /**
   * Runs one SELECT.
   * @throws PlatformError 400 if the statement exceeds a limit (memory, time) or a cast fails, 499 if aborted.
   */
  run(sql: string, parameters: readonly Parameter[], options?: RunOptions): Promise<EngineResult>;
  /**
   * Returns the column types of a SELECT without running it.
   * @throws the errors of `run`.
   */
  describe(sql: string, parameters: readonly Parameter[]): Promise<readonly SqlType[]>;
  /**
   * Starts a SELECT and returns a stream of its rows. Resolves when the first rows are available or the result is
   * empty.
   * @throws the errors of `run`.
   */
  stream(sql: string, parameters: readonly Parameter[], options?: RunOptions): Promise<RowStream>;
  /** Returns a statement as callers may see it, without values of environment variables; unchanged by default. */
  showSql?(sql: string): string;
  /** Resolves when statements use the current files, for an engine that reads copies of files. */
  refresh?(): Promise<void>;
  close(): Promise<void>;
}
