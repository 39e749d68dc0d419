import { Batches, type BatchLimits } from '../batches.js';
import { tenantKeyOf } from '../store/sessions.js';

/** Finds those of the sessions that were revoked; an embed tenant that was deleted stands among them under its own key. */
export type FindRevoked = (sessionKeys: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Tells whether a session was revoked, always by a lookup that begins after it was asked: a revoked session is refused at the next
 * request, whichever replica revoked it. Requests that come in while a lookup is under way share the next one.
 * @returns a function that throws what the lookup throws, and PlatformError 503 when it takes too long.
 */
export function createRevocationCheck(
  find: FindRevoked,
  limits?: BatchLimits,
): (sessionKey: string) => Promise<boolean> {
  const lookups = new Batches<string, boolean>(async sessionKeys => {
    const revoked = await find([...new Set(sessionKeys)]);
    return sessionKeys.map(key => revoked.has(key));
  }, limits);
  return sessionKey => lookups.add(sessionKey);
}

/** What of a token's claims tells whether it may still be used: the embed session, or the API key, that stands behind it, if any. */
export interface SessionRef {
  readonly sessionKey: string | null;
  readonly embedTenantId: number | null;
}

/** Tells whether a token's session was revoked: the session itself, or all of its embed tenant, which was deleted. */
export function createSessionCheck(find: FindRevoked): (session: SessionRef) => Promise<boolean> {
  const isRevoked = createRevocationCheck(find);
  return async ({ sessionKey, embedTenantId }) => {
    if (sessionKey === null) return false;
    const keys = embedTenantId === null ? [sessionKey] : [sessionKey, tenantKeyOf(embedTenantId)];
    return (await Promise.all(keys.map(isRevoked))).includes(true);
  };
}
