import { isIPv6 } from 'node:net';
import type { Authenticate } from '../auth/authenticate.js';
import type { Principal } from '../auth/principal.js';
import type { PlatformError } from '../errors.js';
import { toPlatformError } from './error-response.js';
import type { RateLimiter } from './rate-limiter.js';

/** Requests a minute that a user of an embed tenant may send, where nothing else is asked for. */
export const defaultRateLimit = 6_000;

/** The most that may be asked for. */
export const maxRateLimit = 10_000_000;

/** An API key speaks for all users of a host. */
const keyFactor = 20;

/** Credentials a minute that may fail from one address. */
const maxFailures = 600;

/**
 * Signing in that counts: each API key by itself and each user of each tenant, so that nobody uses up what is another's.
 * @param perMinute - requests of an embed user; an API key may send 20 times as many.
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
  return `user ${principal.embedTenantId} ${principal.userId}`;
}

/** What is answered in place of a problem; `address` is null where nobody knows it. */
export type JudgeProblem = (problem: PlatformError, address: string | null) => Promise<PlatformError>;

/**
 * Counts credentials that fail, the session ids of an exchange among them, by the address that they come from, and answers 429 when
 * they are too many. A good credential is never refused for the bad ones of others behind the same proxy.
 */
export function limitFailures(limiter: RateLimiter): JudgeProblem {
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

/** An IPv4 address as it is, of IPv6 the network: whoever has one address there has 2^64. */
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
