import type { Authenticate } from '../auth/authenticate.js';
import type { Db } from '../db/database.js';
import { defaultRateLimit, type JudgeProblem, limitFailures, limitRequests, maxRateLimit } from './limit-requests.js';
import { RateLimiter, takeAllowance } from './rate-limiter.js';

/** Signing in to the Platform API with limits around it. */
export interface RateLimits {
  readonly authenticate: Authenticate;
  /** What to make of a problem. */
  readonly judgeProblem?: JudgeProblem;
}

/**
 * The rate limit that a program gives.
 * @throws Error that says what it may be.
 */
export function readRateLimit(perMinute = defaultRateLimit): number {
  if (Number.isInteger(perMinute) && perMinute >= 0 && perMinute <= maxRateLimit) return perMinute;
  throw new Error(`rateLimit must be a whole number from 0 to ${maxRateLimit}.`);
}

/** Puts the limits around signing in; none for 0. */
export function applyRateLimits(db: Db, authenticate: Authenticate, perMinute: number): RateLimits {
  if (perMinute === 0) return { authenticate };
  const limiter = new RateLimiter({ take: (key, windowMs, amount) => takeAllowance(db, key, windowMs, amount) });
  return { authenticate: limitRequests(authenticate, limiter, perMinute), judgeProblem: limitFailures(limiter) };
}
