import type { Hono } from 'hono';
import type { OperationShape } from '../../contract/operation.js';
import { PlatformError } from '../errors.js';
import { type Handler, type MountOptions, mount } from '../mount.js';
import type { Principal } from '../principal.js';

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
