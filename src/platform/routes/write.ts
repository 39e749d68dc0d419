import type { Hono } from 'hono';
import type { OperationShape, ResponseOf } from '../../contract/operation.js';
import type { JsonObject } from '../../contract/wire.js';
import { PlatformError } from '../errors.js';
import type { Call, MountOptions } from '../mount.js';
import type { Principal } from '../principal.js';
import { requestIdOf } from '../request-id.js';
import { recordWrite } from '../store/audit.js';
import type { Db } from '../store/database.js';
import { DatabaseCode, databaseCode } from '../store/database-code.js';
import { serve } from './serve.js';

/** Who writes, and what for: the part of a call that the audit log tells of. */
export interface Writer {
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
  { principal, request, target }: Writer,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return retrying(() =>
    db.transaction(async tx => {
      const done = await work(tx);
      await recordWrite(tx, { operation, principal, target, requestId: requestIdOf(request) });
      return done;
    }),
  );
}

/** Does a transaction again where it met another one and nothing was written. */
export async function retrying<T>(transaction: () => Promise<T>): Promise<T> {
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
