import { LoggableError, PlatformError } from '../../../errors.js';
import type { SqlType } from '../../sql/sql-type.js';
import type { EngineResult, Parameter, RowPiece } from '../engine.js';
import type { InstanceLimits } from './open-instance.js';
import type { ServedTable } from './serving-instance.js';

/** One SELECT for the engine process. */
export interface StatementInput {
  /** Chosen by the caller; names the statement in `next` and `close`. */
  readonly statement: number;
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly timeoutMs: number;
}

/** The next rows of a statement. */
export interface NextRows {
  readonly piece: RowPiece | null;
  readonly isLast: boolean;
}

/** What the engine process does for its parent. Errors are those of `Engine`. */
export interface EngineOperations {
  /** Serves these tables from now on. Statements that run end on the tables that they began with. */
  open(input: {
    readonly tables: readonly ServedTable[];
    readonly limits: InstanceLimits;
    readonly graceMs: number;
  }): Promise<void>;
  run(input: StatementInput): Promise<EngineResult>;
  describe(input: StatementInput): Promise<readonly SqlType[]>;
  /** Begins a statement and returns its first rows. */
  begin(input: StatementInput): Promise<NextRows>;
  next(input: { readonly statement: number }): Promise<NextRows>;
  /** Stops a statement, and resolves when its connection is closed. */
  close(input: { readonly statement: number }): Promise<void>;
  ping(input: null): Promise<void>;
}

/** What the parent sends. */
export interface EngineRequest {
  readonly id: number;
  readonly operation: keyof EngineOperations;
  readonly input: unknown;
}

/** What the engine process sends. */
export type EngineReply =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: WireError }
  /** A statement does not react to its interruption: the process must be killed. */
  | { readonly kind: 'unresponsive' };

/** An error in a message. */
export interface WireError {
  /** Null for an error that is only for the log. */
  readonly status: number | null;
  readonly message: string;
}

/** Writes an error. Of an error that may quote a value only the type is left. */
export function toWireError(error: unknown): WireError {
  if (error instanceof PlatformError) return { status: error.status, message: error.message };
  if (error instanceof LoggableError) return { status: null, message: error.message };
  return {
    status: null,
    message: `The engine process failed: ${error instanceof Error ? error.name : 'unknown error'}`,
  };
}

/** Reads an error. */
export function fromWireError({ status, message }: WireError): Error {
  return status === null ? new LoggableError(message) : new PlatformError(status, message);
}
