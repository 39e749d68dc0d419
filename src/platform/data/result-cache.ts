import type { EngineResult } from './engine.js';

/** Bounds of a cache. */
export interface ResultCacheOptions {
  /** Bytes of all results together, about. */
  readonly maxBytes: number;
  /** A result is given out for this long: a model may speak of "now". */
  readonly maxAgeMs: number;
}

interface Entry {
  readonly result: EngineResult;
  readonly bytes: number;
  readonly storedAt: number;
}

/** Keeps the results that were used last. The key says everything that a result depends on, the row filter's values included. */
export class ResultCache {
  readonly #options: ResultCacheOptions;
  /** In the order of last use. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(options: ResultCacheOptions) {
    this.#options = options;
  }

  get(key: string): EngineResult | undefined {
    const entry = this.#take(key);
    if (!entry || Date.now() - entry.storedAt >= this.#options.maxAgeMs) return undefined;
    this.#put(key, entry);
    return entry.result;
  }

  /** Stores a result; one larger than an eighth of the cache is not worth what it would push out. */
  set(key: string, result: EngineResult): void {
    this.#take(key);
    const bytes = sizeOf(result) + 2 * key.length;
    if (bytes > this.#options.maxBytes / 8) return;
    this.#put(key, { result, bytes, storedAt: Date.now() });
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#options.maxBytes) return;
      this.#take(oldest);
    }
  }

  #put(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #take(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry) this.#bytes -= entry.bytes;
    this.#entries.delete(key);
    return entry;
  }
}

/** Two bytes a character, and a pointer with the head of a string for each cell. */
function sizeOf(result: EngineResult): number {
  let bytes = 200;
  for (const column of result.columns) {
    for (const cell of column) bytes += 24 + (typeof cell === 'string' ? 2 * cell.length : 0);
  }
  return bytes;
}
