import { SharedCalls } from './shared-calls.js';

const key = '';

/** One thing that is fetched when it is first asked for, by all who ask for it then together, and kept for a while. */
export class KeptCall<T> {
  readonly #ageMs: number;
  readonly #fetch: (signal: AbortSignal) => Promise<T>;
  readonly #calls = new SharedCalls<T>();
  #kept: { readonly value: T; readonly readAt: number } | null = null;

  constructor(ageMs: number, fetch: (signal: AbortSignal) => Promise<T>) {
    this.#ageMs = ageMs;
    this.#fetch = fetch;
  }

  /** What is kept, or fetched anew. A failure is not kept. */
  async get(signal: AbortSignal | undefined): Promise<T> {
    if (this.#kept && Date.now() - this.#kept.readAt < this.#ageMs) return this.#kept.value;
    return this.#calls.run(key, signal, async shared => {
      const value = await this.#fetch(shared);
      if (!shared.aborted) this.#kept = { value, readAt: Date.now() };
      return value;
    });
  }

  /** Forgets what is kept. */
  clear(): void {
    this.#kept = null;
  }
}
