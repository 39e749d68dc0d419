/** A value of the cache. */
export interface CacheEntry<V> {
  readonly value: V;
  /** Of value and key, about. */
  readonly bytes: number;
  /** When it was stored, in milliseconds since 1970. */
  readonly storedAt: number;
}

/** Keeps the values that were used last, within a number of bytes. The key says everything that a value depends on. */
export class BoundedCache<V> {
  readonly #maxBytes: number;
  /** In the order of last use. */
  readonly #entries = new Map<string, CacheEntry<V>>();
  #bytes = 0;

  /** @param maxBytes - of all values together, about; 0 keeps nothing. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of all values together, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many values there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** Most bytes that one value may have: an eighth, since a larger one is not worth what it would push out. */
  get maxValueBytes(): number {
    return this.#maxBytes / 8;
  }

  /** The value of a key, however old it is. */
  find(key: string): CacheEntry<V> | undefined {
    const entry = this.#take(key);
    if (entry) this.#put(key, entry);
    return entry;
  }

  /**
   * Stores a value, if it isn't too large.
   * @param storedAt - since when it is true, in milliseconds since 1970; now by default.
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

  /** Forgets the value of a key. */
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
