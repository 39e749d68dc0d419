import { afterEach, describe, expect, test, vi } from 'vitest';
import { cacheVerifiedTokens } from '../../../src/platform/auth/verified-token-cache.js';
import { testTokens as tokens } from './test-tokens.js';

const securityContext = {
  airport: 'ATL',
  list: [{ deep: ['x'] }],
  platform: { groups: ['g'], userAttributes: { a: 1 } },
};
const sign = (airport = 'ATL', expiresAt = new Date(Date.now() + 60_000)) =>
  tokens.signDataToken({
    securityContext: { ...securityContext, airport },
    embedTenantId: 1,
    sessionKey: 'key',
    expiresAt,
  });

function remembering(maxCharacters?: number) {
  const verify = vi.fn(tokens.verifyDataToken);
  return { verify, remembered: cacheVerifiedTokens(verify, maxCharacters) };
}

afterEach(() => vi.useRealTimers());

test('verifies a token once and then returns the same object', async () => {
  const { verify, remembered } = remembering();
  const token = await sign();
  const first = await remembered(token);
  expect(first).toMatchObject({ securityContext, sessionKey: 'key' });
  expect(await remembered(token)).toBe(first);
  expect(verify).toHaveBeenCalledTimes(1);
});

test('returns one object for concurrent requests with a new token', async () => {
  const { remembered } = remembering();
  const token = await sign();
  const all = await Promise.all(Array.from({ length: 20 }, () => remembered(token)));
  expect(new Set(all.map(claims => claims?.securityContext)).size).toBe(1);
});

test('returns separate objects for different tokens with equal claims', async () => {
  const { remembered } = remembering();
  const [one, other] = [await remembered(await sign()), await remembered(await sign())];
  expect(one?.securityContext).toEqual(other?.securityContext);
  expect(one?.securityContext).not.toBe(other?.securityContext);
});

test('deep-freezes the claims', async () => {
  const { remembered } = remembering();
  const claims = await remembered(await sign());
  expect(Object.isFrozen(claims)).toBe(true);
  expect(() => Object.assign(claims?.securityContext ?? {}, { airport: 'ORD' })).toThrow(TypeError);
  expect(() => Object.assign(claims?.securityContext.platform.groups ?? [], { 0: 'h' })).toThrow(TypeError);
  expect(Object.isFrozen(Reflect.get(Object(claims?.securityContext.list), 0).deep)).toBe(true);
});

describe('an expired token', () => {
  test('is rejected exactly at its expiry, even if it is cached', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
    const { remembered } = remembering();
    const token = await sign('ATL', new Date('2030-01-01T00:01:00Z'));
    vi.setSystemTime(new Date('2030-01-01T00:00:59.999Z'));
    expect(await remembered(token)).not.toBeNull();
    vi.setSystemTime(new Date('2030-01-01T00:01:00Z'));
    expect(await remembered(token)).toBeNull();
    expect(await remembered(token)).toBeNull();
  });

  test('is verified on every request, like an invalid token', async () => {
    const { verify, remembered } = remembering();
    const over = await sign('ATL', new Date(Date.now() - 1_000));
    for (const bad of [over, over, 'x', 'x', `${await sign()}x`]) expect(await remembered(bad)).toBeNull();
    expect(verify).toHaveBeenCalledTimes(5);
  });
});

test('rejects a token that differs from a cached one only in its signature', async () => {
  const { remembered } = remembering();
  const token = await sign();
  await remembered(token);
  const middle = token.length - 20;
  const forged = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`;
  expect(await remembered(forged)).toBeNull();
});

test('evicts the least recently used tokens above the limit', async () => {
  const [a, b, c] = [await sign('AAA'), await sign('BBB'), await sign('CCC')];
  // Room for two tokens with 1,000 characters of claims each.
  const { verify, remembered } = remembering(2 * (a.length + 1_000) + 100);
  for (const token of [a, b, a, c]) await remembered(token);
  verify.mockClear();
  await remembered(a);
  await remembered(c);
  expect(verify).not.toHaveBeenCalled();
  await remembered(b);
  expect(verify).toHaveBeenCalledTimes(1);
});
