/** A value that is bound to a placeholder of a statement. */
export type Parameter = string | number | boolean | null;

/** A cell as an engine returns it, in the protocol's form: numbers and timestamps as text (`2001-01-01T00:00:00.000`). */
export type EngineCell = string | boolean | null;

/** What a statement returned, column by column in the order of its select list; all columns are of one length. */
export interface EngineResult {
  readonly columns: readonly (readonly EngineCell[])[];
}

/** How one statement is run. */
export interface RunOptions {
  /** Interrupts the statement in the engine when it aborts. */
  readonly signal?: AbortSignal;
}

/** The one door to whatever holds the rows. Statements are ours alone: a caller's text never reaches it. */
export interface Engine {
  /** Changes whenever the data behind the tables did. */
  readonly dataVersion: string;
  /** When the newest table was imported. */
  readonly lastRefreshTime: Date;
  /** Names of the tables that a model may read. */
  readonly tables: readonly string[];
  /**
   * Runs one SELECT.
   * @throws PlatformError 400 when the statement breaks a limit (memory, time, a bad cast), 499 when the signal aborted it.
   */
  run(sql: string, parameters: readonly Parameter[], options?: RunOptions): Promise<EngineResult>;
  close(): Promise<void>;
}
