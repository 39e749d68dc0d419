import type { Hono } from 'hono';
import type { OperationShape } from '../../contract/operation.js';
import { PlatformError } from '../errors.js';
import { type Handler, type MountOptions, mount } from '../mount.js';
import type { Principal } from '../principal.js';

const maxDepth = 100;

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
 * Refuses what the store can't hold.
 * @param field - where the value stands in the request.
 * @throws PlatformError 400
 */
export function refuseUnstorable(value: unknown, field: string, depth = 0): void {
  if (typeof value === 'string' && value.includes('\0')) {
    throw new PlatformError(400, `${field}: must not hold the NUL character`);
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= maxDepth) throw new PlatformError(400, `${field}: is nested more than ${maxDepth} levels deep`);
  for (const [key, entry] of Object.entries(value)) {
    refuseUnstorable(key, field, depth);
    refuseUnstorable(entry, `${field}.${key}`, depth + 1);
  }
}
