import { untilAborted } from './deadline.js';
import { PaAbortError } from './errors.js';

interface SharedCall<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Lets callers that ask for the same thing at the same time share one request. Each may leave by its own signal; when the last has
 * left, the request is aborted.
 */
export class SharedCalls<T> {
  readonly #calls = new Map<string, SharedCall<T>>();

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

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): SharedCall<T> {
    const controller = new AbortController();
    const call = { result: start(controller.signal), controller, waiting: 0 };
    this.#calls.set(key, call);
    // Whoever comes once it is settled begins anew; callers get the rejection themselves.
    const settled = (): void => this.#forget(key, call);
    call.result.then(settled, settled);
    return call;
  }

  #forget(key: string, call: SharedCall<T>): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}
