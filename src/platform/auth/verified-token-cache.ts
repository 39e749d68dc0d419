import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Verified } from './tokens.js';

/** Verifies a token of one kind; returns `null` for any token that is malformed, forged or expired. */
export type VerifyToken<Claims> = (token: string) => Promise<Verified<Claims> | null>;

/** Approximate size of an entry without its token, in characters. */
const entryWeight = 1_000;

/**
 * Caches the claims of verified tokens by hash, because a page sends the same token with the request of each tile. The
 * expiry is checked at every call. Claims are frozen, and equal tokens return the same object, so that callers can use
 * it as a cache key. Rejected tokens are not cached, so that only valid tokens can fill the cache.
 * @param maxCharacters - total length of all cached tokens; the least recently used ones are evicted.
 */
export function cacheVerifiedTokens<Claims>(
  verify: VerifyToken<Claims>,
  maxCharacters = 16_000_000,
): VerifyToken<Claims> {
  const cached = new LRUCache<string, Verified<Claims>>({ maxSize: maxCharacters });

  return async token => {
    const key = hash('sha256', token, 'base64');
    const known = cached.get(key);
    if (known) {
      if (known.expiresAt.getTime() > Date.now()) return known;
      cached.delete(key);
      return null;
    }
    const claims = await verify(token);
    if (!claims) return null;
    // If several requests verify one token concurrently, the claims object of the first is used.
    const first = cached.get(key);
    if (first) return first;
    cached.set(key, deepFreeze(claims), { size: token.length + entryWeight });
    return claims;
  };
}

function deepFreeze<T extends object>(value: T): T {
  const open: object[] = [value];
  for (let next = open.pop(); next; next = open.pop()) {
    Object.freeze(next);
    for (const part of Object.values(next)) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return value;
}
