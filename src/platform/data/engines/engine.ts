import type { SqlType } from '../sql/sql-type.js';

/** A value that is bound to a placeholder of a statement. */
export type Parameter = string | number | boolean | null;

/** A cell as an engine returns it, in the protocol's form: numbers and timestamps as text (`2001-01-01T00:00:00.000`). */
export type EngineCell = string | boolean | null;

/** What a statement returned, column by column in the order of its select list; all columns are of one length. */
export interface EngineResult {
  readonly columns: readonly (readonly EngineCell[])[];
}

/** Whose SQL an engine reads. */
export const SqlDialect = { duckdb: 'duckdb', postgres: 'postgres' } as const;
/** Whose SQL an engine reads. */
export type SqlDialect = (typeof SqlDialect)[keyof typeof SqlDialect];

/** Why an engine process ended before it was closed. */
export const EngineLoss = {
  /** A statement did not react to its interruption. */
  unresponsive: 'unresponsive',
  /** The process did not answer. */
  frozen: 'frozen',
  /** The process died, or could not start. */
  exited: 'exited',
} as const;
/** Why an engine process ended before it was closed. */
export type EngineLoss = (typeof EngineLoss)[keyof typeof EngineLoss];

/** Some rows of a statement, one at least. */
export interface RowPiece {
  readonly rows: number;
  /**
   * The rows as JSON in UTF-8, made by the engine: arrays of text or NULL, with commas between and no brackets around
   * (`["a","1"],[null,"2"]`). Values read as those of `EngineCell`, booleans as `true` and `false`, dates as `2001-01-01`, numbers that are none
   * as `NaN`, `Infinity` and `-Infinity`.
   */
  readonly json: Uint8Array;
}

/** Rows of a statement while they are made. */
export interface RowStream {
  /**
   * Many rows a piece: 64 KB, about. The engine makes no more than what is asked for. Throws PlatformError as `Engine.run` does, also
   * midway; never ends early in silence.
   */
  readonly pieces: AsyncIterable<RowPiece>;
  /** Stops the statement where it isn't over, and gives everything back. May be called at any time, and again. */
  close(): Promise<void>;
}

/** How one statement is run. */
export interface RunOptions {
  /** Interrupts the statement in the engine when it aborts. */
  readonly signal?: AbortSignal;
}

/** The one door to whatever holds the rows. Statements are ours alone: a caller's text never reaches it. */
export interface Engine {
  readonly dialect: SqlDialect;
  /** Whether streams have an engine of their own, so that they and other statements don't wait for each other; false by default. */
  readonly isolatesStreams?: boolean;
  /** Changes whenever the data behind the tables did. */
  readonly dataVersion: string;
  /** When the newest table was imported; null where rows are those of the moment in which they are read. */
  readonly lastRefreshTime: Date | null;
  /** Names of the tables that a model may read. */
  readonly tables: readonly string[];
  /**
   * Runs one SELECT.
   * @throws PlatformError 400 when the statement breaks a limit (memory, time, a bad cast), 499 when the signal aborted it.
   */
  run(sql: string, parameters: readonly Parameter[], options?: RunOptions): Promise<EngineResult>;
  /**
   * Types of the columns that a SELECT has, without running it.
   * @throws as `run` does.
   */
  describe(sql: string, parameters: readonly Parameter[]): Promise<readonly SqlType[]>;
  /**
   * Begins a SELECT whose rows are read as they are made; resolves once the first rows are there, or it is clear that there are none.
   * @throws as `run` does.
   */
  stream(sql: string, parameters: readonly Parameter[], options?: RunOptions): Promise<RowStream>;
  close(): Promise<void>;
}
