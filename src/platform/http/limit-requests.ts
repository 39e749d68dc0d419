import { isIPv6 } from 'node:net';
import type { Authenticate } from '../auth/authenticate.js';
import type { Principal } from '../auth/principal.js';
import type { PlatformError } from '../errors.js';
import { toPlatformError } from './error-response.js';
import type { RateLimiter } from './rate-limiter.js';

/** Default limit of requests per minute for a user of an embed tenant. */
export const defaultRateLimit = 6_000;

/** Maximum of the configurable limit. */
export const maxRateLimit = 10_000_000;

/** Factor for API keys, because one key sends the requests of all users of a host. */
export const keyFactor = 20;

/** Maximum number of failed authentications per minute and address. */
const maxFailures = 600;

/**
 * Wraps authentication with rate limits: one per API key, one per signed-in user, and one per user of each tenant, so
 * that no caller uses up the allowance of another.
 * @param perMinute - requests per embed user; an API key may send 20 times as many.
 */
export function limitRequests(authenticate: Authenticate, limiter: RateLimiter, perMinute: number): Authenticate {
  return async request => {
    const principal = await authenticate(request);
    await limiter.count(nameOf(principal), principal.kind === 'api-key' ? perMinute * keyFactor : perMinute);
    return principal;
  };
}

function nameOf(principal: Principal): string {
  if (principal.kind === 'api-key') return `key ${principal.keyId}`;
  if (principal.kind === 'person') return `person ${principal.userId}`;
  return `user ${principal.embedTenantId} ${principal.userId}`;
}

/** Returns the error to respond with, which is the given one or a 429. `address` is `null` if unknown. */
export type LimitProblems = (problem: PlatformError, address: string | null) => Promise<PlatformError>;

/**
 * Counts failed authentications, including exchanges of unknown session ids, by client address, and replaces the error
 * with a 429 if there are too many. Requests with valid credentials are never rejected, even if other clients behind
 * the same proxy fail.
 */
export function limitFailures(limiter: RateLimiter): LimitProblems {
  return async (problem, address) => {
    if (problem.status !== 401 || address === null) return problem;
    try {
      await limiter.count(`address ${networkOf(address)}`, maxFailures);
      return problem;
    } catch (error) {
      const { status } = toPlatformError(error);
      return status === 429 ? toPlatformError(error) : problem;
    }
  };
}

/**
 * Returns the key for an address: an IPv4 address itself, or the /64 network of an IPv6 address, because a client
 * usually controls all addresses of that network.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const before = head.split(':').filter(group => group !== '');
  const after = tail?.split(':').filter(group => group !== '') ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map(group => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
