import type { Authenticate } from '../auth/authenticate.js';
import type { Db } from '../db/database.js';
import {
  defaultRateLimit,
  keyFactor,
  type LimitProblems,
  limitFailures,
  limitRequests,
  maxRateLimit,
} from './limit-requests.js';
import { RateLimiter, takeAllowance } from './rate-limiter.js';

/** Authentication wrapped with rate limits. */
export interface RateLimits {
  readonly authenticate: Authenticate;
  /** Replaces errors of callers whose authentication fails too often. */
  readonly limitProblems?: LimitProblems;
  /**
   * Counts a request of a caller that is not authenticated by `authenticate`, with the limit of an embed user.
   * @throws PlatformError 429
   */
  readonly countRequest: (caller: string) => Promise<void>;
  /**
   * Counts a request of a key that is not an API key, with the limit of an API key.
   * @throws PlatformError 429
   */
  readonly countKeyRequest: (caller: string) => Promise<void>;
}

/**
 * Validates the configured rate limit.
 * @throws Error with the allowed range.
 */
export function readRateLimit(perMinute = defaultRateLimit): number {
  if (Number.isInteger(perMinute) && perMinute >= 0 && perMinute <= maxRateLimit) return perMinute;
  throw new Error(`rateLimit must be a whole number from 0 to ${maxRateLimit}.`);
}

/** Wraps authentication with rate limits; 0 means no limits. */
export function applyRateLimits(db: Db, authenticate: Authenticate, perMinute: number): RateLimits {
  if (perMinute === 0) {
    const countNothing = async () => undefined;
    return { authenticate, countRequest: countNothing, countKeyRequest: countNothing };
  }
  const limiter = new RateLimiter({ take: (key, windowMs, amount) => takeAllowance(db, key, windowMs, amount) });
  return {
    authenticate: limitRequests(authenticate, limiter, perMinute),
    limitProblems: limitFailures(limiter),
    countRequest: caller => limiter.count(caller, perMinute),
    countKeyRequest: caller => limiter.count(caller, perMinute * keyFactor),
  };
}
