import { abortedProblem } from '../errors.js';

interface SharedRun<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiters: number;
}

/**
 * Runs equal work once for everyone who asks while it is under way. Each caller's abort is the caller's own; the work itself is
 * aborted when the last one has left.
 */
export class SharedRuns<T> {
  readonly #runs = new Map<string, SharedRun<T>>();

  /**
   * @param key - Everything that the result depends on.
   * @param start - Begins the work; called only when none of this key is under way.
   * @throws PlatformError 499 when the caller's own signal aborts, else what the work throws.
   */
  async run(key: string, start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw abortedProblem();
    const run = this.#runs.get(key) ?? this.#start(key, start);
    run.waiters += 1;
    try {
      return await untilAborted(run.result, signal);
    } finally {
      run.waiters -= 1;
      if (run.waiters === 0) this.#leave(key, run);
    }
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): SharedRun<T> {
    const controller = new AbortController();
    const run = { result: start(controller.signal), controller, waiters: 0 };
    this.#runs.set(key, run);
    return run;
  }

  /** Once aborted, a run takes no one in any more: whoever comes next starts afresh. */
  #leave(key: string, run: SharedRun<T>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key);
    run.controller.abort();
  }
}

async function untilAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return result;
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(abortedProblem());
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
