import { hash } from 'node:crypto';
import type { Verified } from './tokens.js';

/** Reads a token of one kind; null for everything that isn't one of ours, whole and in time. */
export type VerifyToken<Claims> = (token: string) => Promise<Verified<Claims> | null>;

interface Entry<Claims> {
  readonly claims: Verified<Claims>;
  readonly weight: number;
}

/** What an entry takes beside the text of its claims, about. */
const entryWeight = 1_000;

/**
 * Verifies a token once and then remembers what it says, under its hash: a page asks for every tile with the same one. Its
 * end is looked at each time. Claims are frozen and, for one token, one object, so others may keep what they work out beside it.
 * Tokens that were refused are not remembered: nobody can fill the memory without a token of ours.
 * @param maxCharacters - length of all remembered tokens together; those that were used last are kept.
 */
export function cacheVerifiedTokens<Claims>(
  verify: VerifyToken<Claims>,
  maxCharacters = 16_000_000,
): VerifyToken<Claims> {
  /** In the order of last use. */
  const entries = new Map<string, Entry<Claims>>();
  let characters = 0;

  function take(key: string): Entry<Claims> | undefined {
    const entry = entries.get(key);
    if (entry) characters -= entry.weight;
    entries.delete(key);
    return entry;
  }

  function put(key: string, entry: Entry<Claims>): void {
    entries.set(key, entry);
    characters += entry.weight;
    for (const oldest of entries.keys()) {
      if (characters <= maxCharacters) return;
      take(oldest);
    }
  }

  return async token => {
    const key = hash('sha256', token, 'base64');
    const known = take(key);
    if (known) {
      if (known.claims.expiresAt.getTime() <= Date.now()) return null;
      put(key, known);
      return known.claims;
    }
    const claims = await verify(token);
    if (!claims) return null;
    // Of several requests that verify one token at once, the first says which object its claims are.
    const entry = take(key) ?? { claims: deepFreeze(claims), weight: token.length + entryWeight };
    put(key, entry);
    return entry.claims;
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
