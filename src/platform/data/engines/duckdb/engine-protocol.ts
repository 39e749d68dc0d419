import { LoggableError, PlatformError } from '../../../errors.js';
import type { SqlType } from '../../sql/sql-type.js';
import type { EngineResult, Parameter, RowPiece } from '../engine.js';
import type { InstanceLimits } from './open-instance.js';
import type { ServedTable } from './serving-instance.js';

/** A SELECT for the engine process. */
export interface StatementInput {
  /** ID chosen by the caller, used by `next` and `close`. */
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

/** Operations of the engine process. They throw the errors of `Engine`. */
export interface EngineOperations {
  /** Opens tables for new statements. Running statements continue to use the previous tables. */
  open(input: {
    readonly tables: readonly ServedTable[];
    readonly limits: InstanceLimits;
    readonly graceMs: number;
  }): Promise<void>;
  run(input: StatementInput): Promise<EngineResult>;
  describe(input: StatementInput): Promise<readonly SqlType[]>;
  /** Starts a statement and returns its first rows. */
  begin(input: StatementInput): Promise<NextRows>;
  next(input: { readonly statement: number }): Promise<NextRows>;
  /** Stops a statement. Resolves when its connection is closed. */
  close(input: { readonly statement: number }): Promise<void>;
  ping(input: null): Promise<void>;
}

/** Message from the parent. */
export interface EngineRequest {
  readonly id: number;
  readonly operation: keyof EngineOperations;
  readonly input: unknown;
}

/** Message from the engine process. */
export type EngineReply =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: WireError }
  /** A statement did not react to an interrupt. The parent must kill the process. */
  | { readonly kind: 'unresponsive' };

/** A serialized error. */
export interface WireError {
  /** HTTP status; `null` for a `LoggableError`. */
  readonly status: number | null;
  readonly message: string;
}

/** Serializes an error. Omits the message of errors that may quote a value. */
export function toWireError(error: unknown): WireError {
  if (error instanceof PlatformError) return { status: error.status, message: error.message };
  if (error instanceof LoggableError) return { status: null, message: error.message };
  return {
    status: null,
    message: `The engine process failed: ${error instanceof Error ? error.name : 'unknown error'}`,
  };
}

/** Deserializes an error. */
export function fromWireError({ status, message }: WireError): Error {
  return status === null ? new LoggableError(message) : new PlatformError(status, message);
}
