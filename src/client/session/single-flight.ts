import { PaAbortError } from '../errors.js';
import { untilAborted } from '../http/fetch.js';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Lets callers that ask for the same thing at the same time share one request. Each may leave by its own signal; when the last has
 * left, the request is aborted.
 */
export class SingleFlight<T> {
  readonly #calls = new Map<string, Flight<T>>();

  /** Requests in flight. */
  get size(): number {
    return this.#calls.size;
  }

  /** Joins the request of a key, or starts it. */
  async run(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal?.aborted) throw new PaAbortError();
    const call = this.#calls.get(key) ?? this.#start(key, start);
    call.waiting += 1;
    try {
      return await untilAborted(call.result, signal);
    } finally {
      call.waiting -= 1;
      if (call.waiting === 0) {
        this.#forget(key, call);
        call.controller.abort();
      }
    }
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const call = { result: start(controller.signal), controller, waiting: 0 };
    this.#calls.set(key, call);
    // Whoever comes once it is settled begins anew; callers get the rejection themselves.
    const settled = (): void => this.#forget(key, call);
    call.result.then(settled, settled);
    return call;
  }

  #forget(key: string, call: Flight<T>): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}

const key = '';

/** One thing that is fetched when it is first asked for, by all who ask for it then together, and kept for a while. */
export class CachedCall<T> {
  readonly #ageMs: number;
  readonly #fetch: (signal: AbortSignal) => Promise<T>;
  readonly #calls = new SingleFlight<T>();
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

/** Longest that the first request goes ahead of the others. */
const maxGateMs = 30;

/**
 * Lets the first request to an address go ahead, until it is answered or for a moment: its preflight then answers for the others,
 * where all at once would send a preflight each.
 */
export class PreflightGate {
  #gate: Promise<void> | null = null;

  /** Runs `send` at once if it is the first, else when the first has had its head start. */
  async run<T>(send: () => Promise<T>): Promise<T> {
    if (this.#gate) {
      await this.#gate;
      return send();
    }
    const result = send();
    this.#gate = new Promise(resolve => {
      const timer = setTimeout(resolve, maxGateMs);
      const open = (): void => {
        clearTimeout(timer);
        resolve();
      };
      result.then(open, open);
    });
    return result;
  }
}
