import { afterEach, describe, expect, it, vi } from 'vitest';
import { BoundedCache } from '../../../src/platform/runtime/bounded-cache.js';

afterEach(() => {
  vi.useRealTimers();
});

describe('a bounded cache', () => {
  it('returns the value of exactly the same key', () => {
    const cache = new BoundedCache<string>(100_000);
    cache.set('a', 'A', 5);
    expect(cache.find('a')?.value).toBe('A');
    expect(cache.find('b')).toBeUndefined();
  });

  it('evicts the least recently used value when it is full', () => {
    const cache = new BoundedCache<string>(9000);
    for (const key of 'abcdefgh') cache.set(key, 'value', 1024);
    cache.find('a');
    cache.set('i', 'value', 1024);
    expect([...'abi'].map(key => cache.find(key) !== undefined)).toEqual([true, false, true]);
  });

  it('rejects a value that would evict most others, and drops the old value of its key', () => {
    const cache = new BoundedCache<string>(9000);
    cache.set('a', 'value', 226);
    cache.set('b', 'value', 226);
    cache.set('a', 'value', 2224);
    expect(cache.find('a')).toBeUndefined();
    expect(cache.find('b')).toBeDefined();
  });

  it('counts its size correctly, however often a key is set', () => {
    const cache = new BoundedCache<string>(9000);
    cache.set('a', 'value', 1024);
    for (let count = 0; count < 100; count++) cache.set('b', 'value', 1024);
    expect(cache.find('a')).toBeDefined();
    expect(cache).toMatchObject({ size: 2, bytes: 2 * (400 * 2 + 224 + 2) });
  });

  it('returns when a value was set, regardless of reads', () => {
    vi.useFakeTimers({ now: 1000 });
    const cache = new BoundedCache<string>(100_000);
    cache.set('a', 'A', 1);
    vi.advanceTimersByTime(500);
    expect(cache.find('a')?.storedAt).toBe(1000);
    expect(cache.find('a')?.storedAt).toBe(1000);
    cache.set('a', 'B', 1);
    expect(cache.find('a')).toMatchObject({ value: 'B', storedAt: 1500 });
  });

  it('stores nothing without capacity', () => {
    const cache = new BoundedCache<string>(0);
    cache.set('a', 'value', 226);
    expect(cache.find('a')).toBeUndefined();
  });
});
