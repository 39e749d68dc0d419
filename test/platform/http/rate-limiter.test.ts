import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { rateLimits } from '../../../src/platform/db/schema.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { limitFailures, limitRequests, networkOf } from '../../../src/platform/http/limit-requests.js';
import {
  deleteOldRateLimitWindows,
  RateLimiter,
  type RateLimiterOptions,
  takeAllowance,
} from '../../../src/platform/http/rate-limiter.js';
import { openTestDatabase } from '../db/test-database.js';

const hour = 3_600_000;

/** Returns the number of requests that are allowed. */
async function allowed(limiter: RateLimiter, who: string, allowance: number, requests: number): Promise<number> {
  let count = 0;
  for (let index = 0; index < requests; index++) {
    await limiter.count(who, allowance).then(
      () => count++,
      () => undefined,
    );
  }
  return count;
}

/** Creates a limiter on a fake store with a fake clock. */
function fakeLimiter(options: Partial<RateLimiterOptions> = {}) {
  const clock = { now: 1_000_000_000_000 };
  const windowEnd = () => (Math.floor(clock.now / 60_000) + 1) * 60_000;
  const used = new Map<string, number>();
  const take = vi.fn<RateLimiterOptions['take']>(async (key, _windowMs, amount) => {
    const window = `${key} ${windowEnd()}`;
    used.set(window, (used.get(window) ?? 0) + amount);
    return { used: used.get(window) ?? 0, msLeft: windowEnd() - clock.now };
  });
  return { clock, take, windowEnd, limiter: new RateLimiter({ take, now: () => clock.now, ...options }) };
}

describe('RateLimiter', () => {
  it('allows exactly the limit, also for concurrent requests', async () => {
    const { limiter } = fakeLimiter();
    expect(await allowed(limiter, 'ann', 100, 150)).toBe(100);
    const results = await Promise.allSettled(Array.from({ length: 150 }, () => limiter.count('bob', 100)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    expect(await allowed(limiter, 'carl', 1, 5)).toBe(1);
  });

  it('returns the start of the next window to rejected callers', async () => {
    const { limiter, clock, windowEnd } = fakeLimiter();
    await allowed(limiter, 'ann', 10, 10);
    const refusal = await limiter.count('ann', 10).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PlatformError);
    const retryAfter = Math.ceil((windowEnd() - clock.now) / 1000);
    expect(refusal).toMatchObject({ status: 429, retryAfter, message: expect.stringContaining(`${retryAfter} s`) });
    expect(refusal).toMatchObject({ message: expect.stringContaining('10 per minute') });
  });

  it('resets with the next window', async () => {
    const { limiter, clock, windowEnd } = fakeLimiter();
    expect(await allowed(limiter, 'ann', 10, 20)).toBe(10);
    clock.now = windowEnd() - 1;
    expect(await allowed(limiter, 'ann', 10, 20)).toBe(0);
    clock.now += 1;
    expect(await allowed(limiter, 'ann', 10, 20)).toBe(10);
  });

  it('counts callers separately', async () => {
    const { limiter } = fakeLimiter();
    await allowed(limiter, 'ann', 10, 20);
    expect(await allowed(limiter, 'bob', 10, 20)).toBe(10);
  });

  it('queries the store a few times per limit, and not for callers with few requests', async () => {
    const { limiter, take } = fakeLimiter();
    await allowed(limiter, 'ann', 6000, 300);
    expect(take).not.toHaveBeenCalled();
    await allowed(limiter, 'ann', 6000, 6000);
    expect(take.mock.calls.length).toBeLessThanOrEqual(20);
    const calls = take.mock.calls.length;
    await allowed(limiter, 'ann', 6000, 1000);
    expect(take).toHaveBeenCalledTimes(calls);
  });

  it('stores no caller names', async () => {
    const { limiter, take } = fakeLimiter();
    await allowed(limiter, 'address 192.0.2.7', 10, 10);
    expect(JSON.stringify(take.mock.calls)).not.toContain('192.0.2.7');
  });

  it('evicts the oldest callers above the maximum number', async () => {
    const { limiter } = fakeLimiter({ maxBytes: 100_000 });
    for (let index = 0; index < 10_000; index++) await limiter.count(`address ${index}`, 100);
    expect(limiter.size).toBeLessThan(500);
  });

  it('fails while the store is unavailable and continues counting afterwards', async () => {
    const { limiter, take } = fakeLimiter();
    await allowed(limiter, 'ann', 20, 1);
    take.mockRejectedValueOnce(new Error('away'));
    await expect(limiter.count('ann', 20)).rejects.toThrow('away');
    expect(await allowed(limiter, 'ann', 20, 40)).toBe(19);
  });
});

describe('limiters on one database', () => {
  let store: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeAll(async () => {
    store = await openTestDatabase();
  });
  afterEach(() => store.db.delete(rateLimits));
  afterAll(() => store.stop());

  // A window of one hour sometimes ends during a test; a window of a thousand hours almost never does.
  const windowMs = 1000 * hour;
  const open = () =>
    new RateLimiter({ take: (key, window, amount) => takeAllowance(store.db, key, window, amount), windowMs });

  it('share one limit, except for requests that each can allow on credit', async () => {
    const limiters = [open(), open(), open()];
    const counts = await Promise.all(limiters.map(limiter => allowed(limiter, 'ann', 200, 200)));
    const all = counts.reduce((sum, count) => sum + count, 0);
    expect(all).toBeGreaterThanOrEqual(200);
    expect(all).toBeLessThanOrEqual(200 + 2 * 10);
  });

  it('include usage from before their start', async () => {
    expect(await allowed(open(), 'ann', 100, 200)).toBe(100);
    expect(await allowed(open(), 'ann', 100, 200)).toBe(5);
    expect(await allowed(open(), 'bob', 100, 200)).toBe(100);
  });

  it('reset if the database is in a later window', async () => {
    const take = () => takeAllowance(store.db, 'key', windowMs, 10);
    await take();
    expect(await take()).toMatchObject({ used: 20, msLeft: expect.any(Number) });
    await store.db.update(rateLimits).set({ windowStart: sql`${rateLimits.windowStart} - interval '1 year'` });
    expect(await take()).toMatchObject({ used: 10 });
    expect((await take()).msLeft).toBeGreaterThan(0);
  });

  it('delete windows that ended long ago', async () => {
    await takeAllowance(store.db, 'now', 60_000, 1);
    await takeAllowance(store.db, 'then', 60_000, 1);
    await store.db
      .update(rateLimits)
      .set({ windowStart: sql`now() - interval '2 hours'` })
      .where(sql`${rateLimits.key} = 'then'`);
    await deleteOldRateLimitWindows(store.db);
    expect(await store.db.select({ key: rateLimits.key }).from(rateLimits)).toEqual([{ key: 'now' }]);
  });
});

describe('limitRequests', () => {
  const request = new Request('https://platform.example/api/v1/deployments');
  const rights = { isAdmin: false, tier: 0, policies: [] } as const;
  const user = (embedTenantId: number, userId: number) => ({ kind: 'embed', embedTenantId, userId, rights }) as never;

  it('counts users of embed tenants separately, so that tenants do not affect each other', async () => {
    const { limiter } = fakeLimiter();
    const ann = limitRequests(async () => user(1, 1), limiter, 20);
    for (let index = 0; index < 20; index++) await ann(request);
    await expect(ann(request)).rejects.toMatchObject({ status: 429 });
    await limitRequests(async () => user(1, 2), limiter, 20)(request);
    await limitRequests(async () => user(2, 3), limiter, 20)(request);
  });

  it('allows an API key twenty times as many requests', async () => {
    const { limiter } = fakeLimiter();
    const key = limitRequests(async () => ({ kind: 'api-key', keyId: 1, userId: 1, rights }), limiter, 2);
    for (let index = 0; index < 40; index++) await key(request);
    await expect(key(request)).rejects.toMatchObject({ status: 429 });
  });

  it('does not count unauthenticated callers', async () => {
    const { limiter } = fakeLimiter();
    const refused = limitRequests(() => Promise.reject(new PlatformError(401, 'no')), limiter, 20);
    await expect(refused(request)).rejects.toMatchObject({ status: 401 });
    expect(limiter.size).toBe(0);
  });
});

describe('limitFailures', () => {
  const refused = new PlatformError(401, 'The credential is unknown, expired or revoked.');

  it('returns 429 instead of 401 after too many failures from one address', async () => {
    const { limiter } = fakeLimiter();
    const judge = limitFailures(limiter);
    for (let index = 0; index < 600; index++) expect(await judge(refused, '192.0.2.7')).toBe(refused);
    expect(await judge(refused, '192.0.2.7')).toMatchObject({ status: 429, retryAfter: expect.any(Number) });
    expect(await judge(refused, '::ffff:192.0.2.7')).toMatchObject({ status: 429 });
    expect(await judge(refused, '192.0.2.8')).toBe(refused);
  });

  it('does not count other problems or requests without an address', async () => {
    const { limiter } = fakeLimiter();
    const judge = limitFailures(limiter);
    const missing = new PlatformError(404, 'not found');
    expect(await judge(missing, '192.0.2.7')).toBe(missing);
    expect(await judge(refused, null)).toBe(refused);
    expect(limiter.size).toBe(0);
  });

  it('returns the original problem while the store is unavailable', async () => {
    const { limiter, take } = fakeLimiter();
    take.mockRejectedValue(new Error('away'));
    const judge = limitFailures(limiter);
    for (let index = 0; index < 50; index++) expect(await judge(refused, '192.0.2.7')).toBe(refused);
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));
});
