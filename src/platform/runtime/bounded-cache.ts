/** A cached value. */
export interface CacheEntry<V> {
  readonly value: V;
  /** Approximate size of value and key. */
  readonly bytes: number;
  /** Time when the value was stored, in milliseconds since 1970. */
  readonly storedAt: number;
}

/** LRU cache that is limited by a number of bytes. Keys must include everything that a value depends on. */
export class BoundedCache<V> {
  readonly #maxBytes: number;
  /** In order of last use. */
  readonly #entries = new Map<string, CacheEntry<V>>();
  #bytes = 0;

  /** @param maxBytes - approximate limit for all values together; 0 disables the cache. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Approximate bytes of all values. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of values. */
  get size(): number {
    return this.#entries.size;
  }

  /** Maximum size of one value: an eighth of the cache, because a larger value would evict too many others. */
  get maxValueBytes(): number {
    return this.#maxBytes / 8;
  }

  /** The value of a key, regardless of its age. */
  find(key: string): CacheEntry<V> | undefined {
    const entry = this.#take(key);
    if (entry) this.#put(key, entry);
    return entry;
  }

  /**
   * Stores a value unless it is too large.
   * @param storedAt - time since which the value is valid, in milliseconds since 1970; now by default.
   */
  set(key: string, value: V, bytes: number, storedAt = Date.now()): void {
    this.#take(key);
    const all = bytes + 2 * key.length;
    if (all > this.maxValueBytes) return;
    this.#put(key, { value, bytes: all, storedAt });
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#take(oldest);
    }
  }

  /** Removes the value of a key. */
  delete(key: string): void {
    this.#take(key);
  }

  #put(key: string, entry: CacheEntry<V>): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #take(key: string): CacheEntry<V> | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#bytes -= entry.bytes;
    this.#entries.delete(key);
    return entry;
  }
}
