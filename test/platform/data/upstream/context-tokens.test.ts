import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ContextTokens } from '../../../../src/platform/data/upstream/context-tokens.js';

const secret = 'the-secret-of-the-cluster';
const key = new TextEncoder().encode(secret);
const context = { airport: 'ORD', platform: { groups: ['finance'], userAttributes: { region: ['a', 'b'] } } };

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2024-05-06T07:08:09.123Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

it("contains the caller's security context and an expiry", async () => {
  const token = await new ContextTokens(secret).of(context);
  const iat = Date.parse('2024-05-06T07:08:09Z') / 1000;
  expect((await jwtVerify(token, key, { algorithms: ['HS256'] })).payload).toEqual({ ...context, iat, exp: iat + 120 });
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
});

it('always uses our lifetime, even if the context contains another', async () => {
  const claims = decodeJwt(await new ContextTokens(secret).of({ ...context, exp: 9e9, iat: 1 }));
  expect(Number(claims.exp) - Number(claims.iat)).toBe(120);
});

it('is cached per context, and renewed before it expires', async () => {
  const tokens = new ContextTokens(secret);
  const first = tokens.of(context);
  vi.advanceTimersByTime(59_000);
  expect(tokens.of(context)).toBe(first);
  vi.advanceTimersByTime(1_500);
  const second = await tokens.of(context);
  expect(second).not.toBe(await first);
  expect(Number(decodeJwt(second).exp)).toBeGreaterThan(Date.now() / 1000 + 110);
});

it('is never shared by two contexts', async () => {
  const tokens = new ContextTokens(secret);
  const payloads = await Promise.all([context, { ...context, airport: 'ATL' }].map(each => tokens.of(each)));
  expect(payloads.map(token => decodeJwt(token).airport)).toEqual(['ORD', 'ATL']);
});

it('can be verified only with our secret', async () => {
  const token = await new ContextTokens(`${secret}!`).of(context);
  await expect(jwtVerify(token, key)).rejects.toThrow('signature');
});
