import { ErrorCode } from '../../contract/error.js';
import type { Principal } from '../auth/principal.js';
import { PlatformError } from '../errors.js';

/**
 * True for API keys and signed-in users with the admin role, who may do everything. Always false for embed sessions.
 */
export function isManager(principal: Principal): boolean {
  return principal.kind !== 'embed' && principal.rights.isAdmin;
}

/** @throws PlatformError 403 if the caller is not a manager. */
export function requireManager(principal: Principal): void {
  if (!isManager(principal))
    throw new PlatformError(403, 'This operation requires an API key or a signed-in user with the admin role.');
}

/** Creates the 404 for a resource that does not exist or that the caller may not see. */
export function notFound(what: string): PlatformError {
  return new PlatformError(404, `${what} not found`);
}

/** Creates the 409 of an upsert after a concurrent write. Nothing was written, so the client can retry. */
export function upsertConflict(what: string): PlatformError {
  const message = `${what} was created or deleted by another request at the same time. Nothing was written; try again.`;
  return new PlatformError(409, message, { code: ErrorCode.upsertBranchChanged });
}
