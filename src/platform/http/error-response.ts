import { STATUS_CODES } from 'node:http';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PlatformErrorBody } from '../../contract/error.js';
import { PlatformError } from '../errors.js';

/**
 * SQLSTATEs of a server that is shutting down, starting up or out of connections. Class 08 covers connection errors.
 */
const unavailableStates: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '53300']);
/**
 * Codes of socket errors. `ENOENT` is not listed, because it is a socket error only for `connect`, if the server's
 * socket file is missing.
 */
const socketCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN']);
/** Messages of the client library and its pool for connection errors that have no code. */
const connectionMessages: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]);
const maxCauses = 5;

/**
 * Converts any thrown value: returns a PlatformError unchanged, 503 if the database is unavailable, else 500 without
 * details.
 */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (isDatabaseUnavailable(error))
    return new PlatformError(503, 'The platform is not ready. Try again in a moment.', { cause: error });
  return new PlatformError(500, 'Internal error.', { cause: error });
}

/** Converts a status to Hono's type, which contains only registered status codes; 499 is not registered. */
export function statusOf({ status }: PlatformError): ContentfulStatusCode {
  return status as ContentfulStatusCode;
}

function isDatabaseUnavailable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < maxCauses && current instanceof Error; depth++) {
    if (isConnectionError(current)) return true;
    current = current.cause;
  }
  return false;
}

function isConnectionError(error: Error): boolean {
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code !== 'string') return connectionMessages.has(error.message);
  if (socketCodes.has(code)) return true;
  if (code === 'ENOENT') return Reflect.get(error, 'syscall') === 'connect';
  return unavailableStates.has(code) || /^08\w{3}$/.test(code);
}

/** Fields that the body of an error is created from. */
interface ErrorBodyInput {
  readonly status: number;
  readonly message: string;
  readonly code?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the error body of the Platform and Chat API (spec 7). */
export function errorBody({ status, message, code, details }: ErrorBodyInput): PlatformErrorBody {
  const error = STATUS_CODES[status] ?? 'Error';
  return { ...details, statusCode: status, message, error, ...(code !== undefined && { code }) };
}
