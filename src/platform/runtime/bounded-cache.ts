import { LRUCache } from 'lru-cache';

/** A cached value. */
export interface CacheEntry<V> {
  readonly value: V;
  /** Approximate size of the value and its key, in bytes. */
  readonly bytes: number;
  /** Time when the value was stored, in milliseconds since 1970. */
  readonly storedAt: number;
}

/** LRU cache that is limited by a number of bytes. Keys must include everything that a value depends on. */
export class BoundedCache<V> {
  /** Maximum size of one value in bytes: an eighth of the cache, because a larger value would evict too many others. */
  readonly maxValueBytes: number;
  /** `null` if the cache is disabled. `LRUCache` would treat a maximum size of 0 as unlimited. */
  readonly #entries: LRUCache<string, CacheEntry<V>> | null;

  /** @param maxBytes - approximate limit for all values together; 0 disables the cache. */
  constructor(maxBytes: number) {
    this.maxValueBytes = Math.floor(maxBytes / 8);
    const limits = { maxSize: Math.floor(maxBytes), maxEntrySize: this.maxValueBytes };
    this.#entries = this.maxValueBytes > 0 ? new LRUCache(limits) : null;
  }

  /** Approximate size of all values, in bytes. */
  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  /** Number of values. */
  get size(): number {
    return this.#entries?.size ?? 0;
  }

  /** Returns the value of a key, regardless of its age. */
  find(key: string): CacheEntry<V> | undefined {
    return this.#entries?.get(key);
  }

  /**
   * Stores a value. If the value is too large, only removes the previous value of the key.
   * @param bytes - approximate size of the value, an integer.
   * @param storedAt - time since which the value is valid, in milliseconds since 1970; now by default.
   */
  set(key: string, value: V, bytes: number, storedAt = Date.now()): void {
    const size = bytes + 2 * key.length;
    this.#entries?.set(key, { value, bytes: size, storedAt }, { size });
  }

  /** Removes the value of a key. */
  delete(key: string): void {
    this.#entries?.delete(key);
  }
}
