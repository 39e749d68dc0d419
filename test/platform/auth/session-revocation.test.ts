import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRevocationCheck, type FindRevoked } from '../../../src/platform/auth/sessions.js';
import { eventually } from '../../eventually.js';

afterEach(() => vi.useRealTimers());

const none: ReadonlySet<string> = new Set();

/** Creates a lookup that ends when the test resolves it. */
function heldLookup() {
  const calls: {
    keys: readonly string[];
    end: (revoked: ReadonlySet<string>) => void;
    fail: (error: Error) => void;
  }[] = [];
  const find = vi.fn<FindRevoked>(keys => new Promise((end, fail) => calls.push({ keys, end, fail })));
  const begun = (count: number) => eventually(() => expect(calls).toHaveLength(count));
  return { find, calls, begun };
}

test('answers each session separately', async () => {
  const isRevoked = createRevocationCheck(async () => new Set(['b']));
  expect(await Promise.all(['a', 'b', 'c'].map(isRevoked))).toEqual([false, true, false]);
});

test('a hundred concurrent requests share one lookup, and equal sessions share one key', async () => {
  const find = vi.fn<FindRevoked>(async () => none);
  const isRevoked = createRevocationCheck(find);
  await Promise.all(Array.from({ length: 100 }, (_, index) => isRevoked(`session ${index % 10}`)));
  expect(find).toHaveBeenCalledTimes(1);
  expect(find.mock.calls[0]?.[0]).toHaveLength(10);
});

test('a request during a lookup waits for the next lookup and never uses the current result', async () => {
  const { find, calls, begun } = heldLookup();
  const isRevoked = createRevocationCheck(find);
  const early = isRevoked('a');
  await begun(1);
  const late = [isRevoked('a'), isRevoked('b'), isRevoked('a')];
  calls[0]?.end(none);
  expect(await early).toBe(false);
  await begun(2);
  expect(calls[1]?.keys).toEqual(['a', 'b']);
  calls[1]?.end(new Set(['a']));
  expect(await Promise.all(late)).toEqual([true, false, true]);
  expect(find).toHaveBeenCalledTimes(2);
});

test('repeats the lookup after previous requests have completed', async () => {
  const revoked = new Set<string>();
  const isRevoked = createRevocationCheck(async () => new Set(revoked));
  for (let round = 0; round < 3; round++) expect(await isRevoked('a')).toBe(false);
  revoked.add('a');
  expect(await isRevoked('a')).toBe(true);
});

test('a lookup contains at most the maximum number of sessions', async () => {
  const find = vi.fn<FindRevoked>(async keys => new Set(keys.filter(key => key === '7')));
  const isRevoked = createRevocationCheck(find, { maxItems: 3 });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => isRevoked(String(index))));
  expect(find.mock.calls.map(([keys]) => keys.length)).toEqual([3, 3, 3, 1]);
  expect(answers.indexOf(true)).toBe(7);
});

describe('a failing lookup', () => {
  test('rejects its callers, and the next lookup runs', async () => {
    const { find, calls, begun } = heldLookup();
    const isRevoked = createRevocationCheck(find);
    const failing = Promise.allSettled([isRevoked('a'), isRevoked('b')]);
    await begun(1);
    const next = isRevoked('a');
    const gone = new Error('the database is gone');
    calls[0]?.fail(gone);
    expect(await failing).toEqual([
      { status: 'rejected', reason: gone },
      { status: 'rejected', reason: gone },
    ]);
    await begun(2);
    calls[1]?.end(none);
    expect(await next).toBe(false);
  });

  test('may throw synchronously', async () => {
    const find = vi
      .fn<FindRevoked>(async () => none)
      .mockImplementationOnce(() => {
        throw new Error('no connection');
      });
    const isRevoked = createRevocationCheck(find);
    await expect(isRevoked('a')).rejects.toThrow('no connection');
    expect(await isRevoked('a')).toBe(false);
  });

  test('includes a lookup that times out: its callers get a 503, and the next lookup runs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const find = vi.fn<FindRevoked>(async () => none).mockImplementationOnce(() => new Promise(() => {}));
    const isRevoked = createRevocationCheck(find, { timeoutMs: 1_000 });
    const hung = isRevoked('a').catch((error: unknown) => error);
    await vi.waitUntil(() => find.mock.calls.length === 1);
    const next = isRevoked('a');
    vi.advanceTimersByTime(1_000);
    expect(await hung).toMatchObject({ name: 'PlatformError', status: 503 });
    expect(await next).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
