import { ErrorCode } from '../../contract/error.js';
import type { Principal } from '../auth/principal.js';
import { PlatformError } from '../errors.js';

/** True for who may do everything: an API key of an admin. Embed sessions read what is shared with them and no more. */
export function isManager(principal: Principal): boolean {
  return principal.kind === 'api-key' && principal.rights.isAdmin;
}

/** Refuses whoever may not write. */
export function requireManager(principal: Principal): void {
  if (!isManager(principal)) throw new PlatformError(403, 'This operation needs an API key with the admin role.');
}

/** A 404 for something that is not there, or that the caller may not know of. */
export function notFound(what: string): PlatformError {
  return new PlatformError(404, `${what} not found`);
}

/** The transient 409 of an upsert: nothing was applied. */
export function upsertConflict(what: string): PlatformError {
  const message = `${what} was created or deleted by another writer in between: nothing was applied, retry.`;
  return new PlatformError(409, message, { code: ErrorCode.upsertBranchChanged });
}
