import type { Hono } from 'hono';
import type { OperationShape, ResponseOf } from '../../contract/operation.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Principal } from '../auth/principal.js';
import { DatabaseCode, type Db, databaseCode } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { recordWrite } from './audit.js';
import { type Call, type Handler, type MountOptions, mount } from './mount.js';
import { requestIdOf } from './request-id.js';

const maxDepth = 100;
/** Half a character: Postgres stores another one in its place in text, and looks into no JSON that holds it. */
const loneSurrogate = /\p{Surrogate}/u;
/** Most characters that a message tells of where a value stands: keys may be of any length. */
const maxField = 300;

/** Mounts an operation whose input goes into the store: what that can't hold is a 400 that names the field, not a 500. */
export function serve<O extends OperationShape, P extends Pick<Principal, 'rights'> = Principal>(
  app: Hono,
  operation: O,
  options: MountOptions<P>,
  handler: Handler<O, P>,
): void {
  mount<O, P>(app, operation, options, async call => {
    refuseUnstorable(call.params, 'path');
    refuseUnstorable(call.query, 'query');
    refuseUnstorable(call.body, 'body');
    return handler(call);
  });
}

/**
 * Refuses what the store can't hold, or holds and can't look into: Postgres refuses JSON operators on a document with half a pair of
 * surrogates in it, so that one such document would fail every list that it is in.
 * @param field - where the value stands in the request.
 * @throws PlatformError 400
 */
export function refuseUnstorable(value: unknown, field: string, depth = 0): void {
  const refuse = (problem: string): never => {
    throw new PlatformError(400, `${field.slice(0, maxField)}: ${problem}`);
  };
  if (typeof value === 'string') {
    if (value.includes('\0')) refuse('must not hold the NUL character');
    if (loneSurrogate.test(value)) refuse('must be Unicode text, with no half of a pair of surrogates in it');
  }
  // JSON has no Infinity: a number such as 1e400 is read as Infinity and would be written as null.
  if (typeof value === 'number' && !Number.isFinite(value)) refuse('is a number out of range');
  if (typeof value !== 'object' || value === null) return;
  if (depth >= maxDepth) refuse(`is nested more than ${maxDepth} levels deep`);
  for (const [key, entry] of Object.entries(value)) {
    refuseUnstorable(key, field, depth);
    refuseUnstorable(entry, `${field}.${key}`, depth + 1);
  }
}

/** Who writes, and what for: the part of a call that the audit log tells of. */
interface WriteContext {
  readonly principal: Principal | null;
  readonly request: Request;
  /** What is written: ids and names of the path; a `body` never. */
  readonly target: JsonObject;
}

const maxAttempts = 4;
/**
 * Postgres: serialization_failure, deadlock_detected, and what a row was to refer to was deleted in between. Nothing was written, and
 * doing it again succeeds, or finds out what is missing.
 */
const retried: readonly unknown[] = ['40001', '40P01', DatabaseCode.foreignKeyViolation];

/**
 * Mounts an operation that writes: its handler runs in one transaction together with its entry in the audit log, so that either
 * all of it is there or nothing. What takes long (compiling, another service) belongs before it: see `transact`.
 * @param handler - may add to the target what its path can't name: the id that a create gave.
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

/** Runs a write in one transaction, with its entry in the audit log; again where it met another one and nothing was written. */
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

/** Does a transaction again where it met another one and nothing was written. */
export async function retryTransaction<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      const code = databaseCode(error);
      if (!retried.includes(code)) throw error;
      if (attempt === maxAttempts) throw givenUp(code, error);
    }
  }
}

/** Nothing was written in all attempts: what was settled before them is gone, or others are always quicker. */
function givenUp(code: string | null, cause: unknown): PlatformError {
  return code === DatabaseCode.foreignKeyViolation
    ? new PlatformError(404, 'Something that this is about was deleted in between: nothing was written.', { cause })
    : new PlatformError(503, 'Others write the same all the time: try again in a moment.', { cause, retryAfter: 1 });
}
