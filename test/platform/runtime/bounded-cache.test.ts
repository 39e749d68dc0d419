import { afterEach, describe, expect, it, vi } from 'vitest';
import { BoundedCache } from '../../../src/platform/runtime/bounded-cache.js';

afterEach(() => {
  vi.useRealTimers();
});

describe('a bounded cache', () => {
  it('gives back what was stored under the very same key', () => {
    const cache = new BoundedCache<string>(100_000);
    cache.set('a', 'A', 5);
    expect(cache.find('a')?.value).toBe('A');
    expect(cache.find('b')).toBeUndefined();
  });

  it('drops what was not used for longest when it is full', () => {
    const cache = new BoundedCache<string>(9000);
    for (const key of 'abcdefgh') cache.set(key, 'value', 1024);
    cache.find('a');
    cache.set('i', 'value', 1024);
    expect([...'abi'].map(key => cache.find(key) !== undefined)).toEqual([true, false, true]);
  });

  it('refuses a result that would push out most others, and forgets the older one under its key', () => {
    const cache = new BoundedCache<string>(9000);
    cache.set('a', 'value', 226);
    cache.set('b', 'value', 226);
    cache.set('a', 'value', 2224);
    expect(cache.find('a')).toBeUndefined();
    expect(cache.find('b')).toBeDefined();
  });

  it('counts what it holds right, however often a key is stored', () => {
    const cache = new BoundedCache<string>(9000);
    cache.set('a', 'value', 1024);
    for (let count = 0; count < 100; count++) cache.set('b', 'value', 1024);
    expect(cache.find('a')).toBeDefined();
    expect(cache).toMatchObject({ size: 2, bytes: 2 * (400 * 2 + 224 + 2) });
  });

  it('says when a value was stored, however often it was used since', () => {
    vi.useFakeTimers({ now: 1000 });
    const cache = new BoundedCache<string>(100_000);
    cache.set('a', 'A', 1);
    vi.advanceTimersByTime(500);
    expect(cache.find('a')?.storedAt).toBe(1000);
    expect(cache.find('a')?.storedAt).toBe(1000);
    cache.set('a', 'B', 1);
    expect(cache.find('a')).toMatchObject({ value: 'B', storedAt: 1500 });
  });

  it('keeps nothing when it has no room', () => {
    const cache = new BoundedCache<string>(0);
    cache.set('a', 'value', 226);
    expect(cache.find('a')).toBeUndefined();
  });
});
