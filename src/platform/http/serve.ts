import type { Hono } from 'hono';
import type { OperationShape, ResponseOf } from '../../contract/operation.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Principal, ScimPrincipal } from '../auth/principal.js';
import { DatabaseCode, type Db, databaseCode } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { retry } from '../runtime/retry.js';
import { recordWrite } from './audit.js';
import { type Call, type Handler, type MountOptions, mount } from './mount.js';
import { requestIdOf } from './request-id.js';

const maxDepth = 100;
/** An unpaired surrogate. Postgres replaces it in text, and rejects JSON operators on documents that contain one. */
const loneSurrogate = /\p{Surrogate}/u;
/** Maximum length of the field path in a message, because keys may have any length. */
const maxFieldLength = 300;

/**
 * Mounts an operation that stores its input. Values that Postgres cannot store are rejected with a 400 and the name of
 * the field.
 */
export function serve<O extends OperationShape, P extends Pick<Principal, 'rights'> = Principal>(
  app: Hono,
  operation: O,
  options: MountOptions<P>,
  handler: Handler<O, P>,
): void {
  mount<O, P>(app, operation, options, async call => {
    rejectUnstorable(call.params, 'path');
    rejectUnstorable(call.query, 'query');
    rejectUnstorable(call.body, 'body');
    return handler(call);
  });
}

/**
 * Rejects values that Postgres cannot store, or stores but cannot query: JSON operators fail on a document with an
 * unpaired surrogate, so one such document would break every list that contains it.
 * @param field - path of the value in the request.
 * @throws PlatformError 400
 */
export function rejectUnstorable(value: unknown, field: string, depth = 0): void {
  const refuse = (problem: string): never => {
    throw new PlatformError(400, `${field.slice(0, maxFieldLength)}: ${problem}`);
  };
  if (typeof value === 'string') {
    if (value.includes('\0')) refuse('must not contain the NUL character');
    if (loneSurrogate.test(value)) refuse('must be valid Unicode, without unpaired surrogates');
  }
  // JSON cannot represent Infinity. A number such as 1e400 is parsed as Infinity and would be stored as null.
  if (typeof value === 'number' && !Number.isFinite(value)) refuse('must be a finite number');
  if (typeof value !== 'object' || value === null) return;
  if (depth >= maxDepth) refuse(`is nested more than ${maxDepth} levels deep`);
  for (const [key, entry] of Object.entries(value)) {
    rejectUnstorable(key, field, depth);
    rejectUnstorable(entry, `${field}.${key}`, depth + 1);
  }
}

/** The part of a call that the audit log records. */
interface WriteContext {
  readonly principal: Principal | ScimPrincipal | null;
  readonly request: Request;
  /** Target of the write: ids and names from the path, never a body. */
  readonly target: JsonObject;
}

const maxAttempts = 4;
/**
 * Postgres codes after which a transaction is retried: serialization_failure, deadlock_detected, and foreign key
 * violations, if a referenced row was deleted concurrently. Nothing was written in these cases. The retry succeeds or
 * reports the missing row.
 */
const retryableCodes: readonly unknown[] = ['40001', '40P01', DatabaseCode.foreignKeyViolation];

/**
 * Mounts an operation that writes. The handler and its audit log entry run in one transaction. Slow work (compilation,
 * calls of other services) must happen before the transaction: see `transact`.
 * @param handler - may add ids to the target that the path does not contain, such as the id of a created resource.
 */
export function write<O extends OperationShape>(
  app: Hono,
  operation: O,
  options: MountOptions & { readonly db: Db },
  handler: (call: Call<O>, tx: Db, target: JsonObject) => Promise<ResponseOf<O>>,
): void {
  serve<O>(app, operation, options, call => {
    const target: JsonObject = { ...Object(call.params) };
    return transact(options.db, operation.id, { ...call, target }, tx => handler(call, tx, target));
  });
}

/** Runs a write and its audit log entry in one transaction. Retries after conflicts with other transactions. */
export async function transact<T>(
  db: Db,
  operation: string,
  { principal, request, target }: WriteContext,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return retryTransaction(() =>
    db.transaction(async tx => {
      const done = await work(tx);
      await recordWrite(tx, { operation, principal, target, requestId: requestIdOf(request) });
      return done;
    }),
  );
}

/** Runs a transaction, and retries it after conflicts with other transactions. */
export async function retryTransaction<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await retry(transaction, { maxAttempts, isRetryable: isConflict });
  } catch (error) {
    throw isConflict(error) ? conflictProblem(error) : error;
  }
}

const isConflict = (error: unknown) => retryableCodes.includes(databaseCode(error));

/** Returns the error after the last attempt. A foreign key violation means that a referenced row no longer exists. */
function conflictProblem(cause: unknown): PlatformError {
  return databaseCode(cause) === DatabaseCode.foreignKeyViolation
    ? new PlatformError(404, 'A resource that this request refers to was deleted. Nothing was written.', { cause })
    : new PlatformError(503, 'Too many concurrent writes. Try again in a moment.', { cause, retryAfter: 1 });
}
