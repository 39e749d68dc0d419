import { afterEach, describe, expect, it, vi } from 'vitest';
import { ResultCache } from '../../../src/platform/data/result-cache.js';

const ofLength = (length: number) => ({ columns: [['x'.repeat(length)]] });

afterEach(() => {
  vi.useRealTimers();
});

describe('the result cache', () => {
  it('gives back what was stored under the very same key', () => {
    const cache = new ResultCache({ maxBytes: 100_000, maxAgeMs: 1000 });
    const result = ofLength(5);
    cache.set('a', result);
    expect(cache.get('a')).toBe(result);
    expect(cache.get('b')).toBeUndefined();
  });

  it('drops what was not used for longest when it is full', () => {
    const cache = new ResultCache({ maxBytes: 9000, maxAgeMs: 1000 });
    for (const key of 'abcdefgh') cache.set(key, ofLength(400));
    cache.get('a');
    cache.set('i', ofLength(400));
    expect([...'abi'].map(key => cache.get(key) !== undefined)).toEqual([true, false, true]);
  });

  it('refuses a result that would push out most others, and forgets the older one under its key', () => {
    const cache = new ResultCache({ maxBytes: 9000, maxAgeMs: 1000 });
    cache.set('a', ofLength(1));
    cache.set('b', ofLength(1));
    cache.set('a', ofLength(1000));
    expect(cache.get('a')).toBeUndefined();
    expect(cache.get('b')).toBeDefined();
  });

  it('counts what it holds right, however often a key is stored', () => {
    const cache = new ResultCache({ maxBytes: 9000, maxAgeMs: 1000 });
    cache.set('a', ofLength(400));
    for (let count = 0; count < 100; count++) cache.set('b', ofLength(400));
    expect(cache.get('a')).toBeDefined();
  });

  it('forgets a result after its time', () => {
    vi.useFakeTimers();
    const cache = new ResultCache({ maxBytes: 100_000, maxAgeMs: 1000 });
    cache.set('a', ofLength(1));
    vi.advanceTimersByTime(999);
    expect(cache.get('a')).toBeDefined();
    vi.advanceTimersByTime(1);
    expect(cache.get('a')).toBeUndefined();
  });

  it('keeps nothing when it has no room', () => {
    const cache = new ResultCache({ maxBytes: 0, maxAgeMs: 1000 });
    cache.set('a', ofLength(1));
    expect(cache.get('a')).toBeUndefined();
  });
});
