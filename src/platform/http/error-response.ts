import { STATUS_CODES } from 'node:http';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PlatformErrorBody } from '../../contract/error.js';
import { PlatformError } from '../errors.js';

/** SQLSTATEs of a server that is going down, coming up or full; class 08 is the connection itself. */
const awayStates: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '53300']);
/** Of a socket. A missing file is of a socket only when connecting: the server's has gone. */
const socketCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN']);
/** What the client library and its pool throw without a code. */
const goneMessages: ReadonlySet<string> = new Set([
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

/** What a caller is told of anything that was thrown: a PlatformError as it is, 503 while the database is away, else a bare 500. */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (isDatabaseAway(error))
    return new PlatformError(503, 'The platform is not ready: try again in a moment.', { cause: error });
  return new PlatformError(500, 'Internal error.', { cause: error });
}

/** The status of a problem, as Hono has it: its type lists those that are registered, and 499 is not. */
export function statusOf({ status }: PlatformError): ContentfulStatusCode {
  return status as ContentfulStatusCode;
}

function isDatabaseAway(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < maxCauses && current instanceof Error; depth++) {
    if (tellsOfAbsence(current)) return true;
    current = current.cause;
  }
  return false;
}

function tellsOfAbsence(error: Error): boolean {
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code !== 'string') return goneMessages.has(error.message);
  if (socketCodes.has(code)) return true;
  if (code === 'ENOENT') return Reflect.get(error, 'syscall') === 'connect';
  return awayStates.has(code) || /^08\w{3}$/.test(code);
}

/** What a body of the Platform API says of an error. */
interface ErrorBodyInput {
  readonly status: number;
  readonly message: string;
  readonly code?: string | undefined;
}

/** The body of an error of the Platform and Chat API (spec 7). */
export function errorBody({ status, message, code }: ErrorBodyInput): PlatformErrorBody {
  const error = STATUS_CODES[status] ?? 'Error';
  return code === undefined ? { statusCode: status, message, error } : { statusCode: status, message, error, code };
}
