import { PaAbortError } from '../errors.js';
import { untilAborted } from '../http/fetch.js';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Shares one request between concurrent callers with the same key. Each caller can abort its own signal. When the last
 * caller has aborted, the request is aborted too.
 */
export class SingleFlight<T> {
  readonly #calls = new Map<string, Flight<T>>();

  /** Number of requests in flight. */
  get size(): number {
    return this.#calls.size;
  }

  /** Joins the request for a key, or starts it. */
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
    // Later callers start a new request. Current callers receive the rejection themselves.
    const settled = (): void => this.#forget(key, call);
    call.result.then(settled, settled);
    return call;
  }

  #forget(key: string, call: Flight<T>): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}

const key = '';

/** Caches the result of one request. Concurrent callers share a single flight. */
export class CachedCall<T> {
  readonly #ageMs: number;
  readonly #fetch: (signal: AbortSignal) => Promise<T>;
  readonly #calls = new SingleFlight<T>();
  #cached: { readonly value: T; readonly readAt: number } | null = null;

  constructor(ageMs: number, fetch: (signal: AbortSignal) => Promise<T>) {
    this.#ageMs = ageMs;
    this.#fetch = fetch;
  }

  /** Returns the cached value, or fetches it. Failures are not cached. */
  async get(signal: AbortSignal | undefined): Promise<T> {
    if (this.#cached && Date.now() - this.#cached.readAt < this.#ageMs) return this.#cached.value;
    return this.#calls.run(key, signal, async shared => {
      const value = await this.#fetch(shared);
      if (!shared.aborted) this.#cached = { value, readAt: Date.now() };
      return value;
    });
  }

  /** Clears the cache. */
  clear(): void {
    this.#cached = null;
  }
}

/** Maximum time that the first request delays the others, in ms. */
const maxGateMs = 30;

/**
 * Sends the first request to a service alone, until it is answered or `maxGateMs` have passed. The browser caches its
 * CORS preflight for the other requests, which would otherwise each send their own.
 */
export class PreflightGate {
  #gate: Promise<void> | null = null;

  /**
   * Calls `send` immediately for the first request. Later requests wait until the first one has finished or `maxGateMs`
   * ms have passed.
   */
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
