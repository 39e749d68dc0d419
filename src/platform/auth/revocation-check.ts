import { Batches, type BatchLimits } from '../batches.js';

/** Finds those of the sessions that were revoked. */
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
