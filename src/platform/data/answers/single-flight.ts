import { abortedError } from '../../errors.js';
import { ContinueWait, Stage } from './continue-wait.js';

/** A running task, as seen by the code that runs it. */
export interface RunHandle {
  /** Aborts when no caller needs the result. */
  readonly signal: AbortSignal;
  /** Stage that `ContinueWait` reports to callers. */
  stage: Stage;
}

/** How one caller waits for the result. */
export interface WaitOptions {
  /** Aborts when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the wait starts. The promise resolves when the caller should get `ContinueWait`. */
  readonly waitExpired?: () => Promise<unknown>;
  /** How long the task and its result are retained for a caller that got `ContinueWait`, in milliseconds. */
  readonly keepMs?: number;
  /**
   * Called when the result was delivered, with a function that restores it. Callers use the function if another part of
   * their request fails with `ContinueWait`, because they will repeat the whole request.
   */
  readonly onDelivered?: (restore: () => void) => void;
}

/** Limits for finished results. */
export interface SingleFlightOptions<T> {
  /**
   * Maximum size of all results that their callers have not received yet. The newest result is retained regardless of
   * its size.
   */
  readonly readyBytes: number;
  /** Returns the approximate size of a result in bytes. */
  readonly bytesOf: (result: T) => number;
  /** Releases the resources of a result that was never delivered. */
  readonly discard?: (result: T) => void;
}

interface Flight<T> extends RunHandle {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  readonly startedAt: number;
  settled: boolean;
  /** Approximate size of key and result. */
  bytes: number;
  /** Whether the result is finished and waits for a caller. */
  isReady: boolean;
  waiters: number;
  /** Time (`performance.now()`) until which the run is retained for callers that may retry after `ContinueWait`. */
  retainUntil: number;
  /** Timer that ends a run without callers. */
  expiry: NodeJS.Timeout | undefined;
  /** Discards the result; `undefined` before the result is finished and after it was delivered. */
  discard: (() => void) | undefined;
}

const defaultKeepMs = 10_000;

/**
 * Runs identical tasks once for all concurrent callers. An abort affects only the caller that aborted. A caller that
 * gets `ContinueWait` is expected to repeat its request. Until then, the task continues without callers, and its result
 * is retained. The task is aborted when the retention time is over or when the last caller disconnects.
 */
export class SingleFlight<T> {
  readonly #options: SingleFlightOptions<T>;
  /** Runs by key. Finished runs are in the order in which they finished. */
  readonly #runs = new Map<string, Flight<T>>();
  #readyBytes = 0;

  constructor(options: SingleFlightOptions<T>) {
    this.#options = options;
  }

  /** Whether a run with this key is in progress, or has a result that no caller has received yet. */
  has(key: string): boolean {
    return this.#runs.has(key);
  }

  /** Whether a run with this key has a result that no caller has received yet. */
  isReady(key: string): boolean {
    return this.#runs.get(key)?.isReady === true;
  }

  /**
   * Returns the result of a task.
   * @param key - identifies everything that the result depends on.
   * @param start - starts the task; called only if no run with this key exists.
   * @throws PlatformError 499 if the caller's signal aborts, ContinueWait if the maximum wait is over, or the error of
   * the task.
   */
  async run(key: string, start: (handle: RunHandle) => Promise<T>, options: WaitOptions = {}): Promise<T> {
    if (options.signal?.aborted) throw abortedError();
    const run = this.#runs.get(key) ?? this.#start(key, start);
    this.#pickUp(run);
    run.waiters += 1;
    try {
      const result = await waitForResult(run, options);
      run.discard = undefined;
      options.onDelivered?.(() => this.#restore(key, run));
      return result;
    } catch (error) {
      if (error instanceof ContinueWait) run.retainUntil = performance.now() + (options.keepMs ?? defaultKeepMs);
      throw error;
    } finally {
      run.waiters -= 1;
      if (run.waiters === 0) this.#leave(key, run);
    }
  }

  #start(key: string, start: (handle: RunHandle) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const handle: RunHandle = { signal: controller.signal, stage: Stage.waiting };
    const state = { settled: false, bytes: 0, isReady: false, waiters: 0, retainUntil: 0 };
    const later = { expiry: undefined, discard: undefined };
    const result = start(handle);
    const run: Flight<T> = Object.assign(handle, {
      result,
      controller,
      startedAt: performance.now(),
      ...state,
      ...later,
    });
    const settle = (bytes: number) => {
      run.settled = true;
      run.bytes = bytes + 2 * key.length;
      // Results get stale quickly, so a result is retained for at most the default time, even if the task was allowed
      // to run longer.
      if (run.waiters === 0) this.#retain(key, run, Math.min(run.retainUntil - performance.now(), defaultKeepMs));
    };
    // Current and returning callers get the error. If there are none, the error must not become an unhandled rejection.
    run.result.then(
      value => {
        run.discard = () => this.#options.discard?.(value);
        settle(this.#options.bytesOf(value));
      },
      () => settle(0),
    );
    this.#runs.set(key, run);
    return run;
  }

  #leave(key: string, run: Flight<T>): void {
    this.#retain(key, run, run.settled ? 0 : run.retainUntil - performance.now());
  }

  /** Restores a delivered result, unless a new run has started in the meantime. */
  #restore(key: string, run: Flight<T>): void {
    if (this.#runs.has(key)) return;
    this.#runs.set(key, run);
    this.#retain(key, run, defaultKeepMs);
  }

  #retain(key: string, run: Flight<T>, ms: number): void {
    this.#pickUp(run);
    if (ms <= 0) {
      this.#end(key, run);
      return;
    }
    run.expiry = setTimeout(() => this.#end(key, run), ms).unref();
    if (run.settled) this.#makeReady(key, run);
  }

  #makeReady(key: string, run: Flight<T>): void {
    run.isReady = true;
    this.#readyBytes += run.bytes;
    this.#runs.delete(key);
    this.#runs.set(key, run);
    for (const [name, other] of this.#runs) {
      if (this.#readyBytes <= this.#options.readyBytes) return;
      if (other.isReady && other !== run) this.#end(name, other);
    }
  }

  #pickUp(run: Flight<T>): void {
    clearTimeout(run.expiry);
    if (run.isReady) this.#readyBytes -= run.bytes;
    run.isReady = false;
  }

  /** Removes a run. The next caller starts a new one. */
  #end(key: string, run: Flight<T>): void {
    this.#pickUp(run);
    if (this.#runs.get(key) === run) this.#runs.delete(key);
    if (!run.settled) run.controller.abort();
    run.discard?.();
    run.discard = undefined;
  }
}

async function waitForResult<T>(run: Flight<T>, { signal, waitExpired }: WaitOptions): Promise<T> {
  if (!signal && !waitExpired) return run.result;
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(abortedError());
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  const expired = waitExpired?.().then(() => {
    throw new ContinueWait(run.stage, performance.now() - run.startedAt);
  });
  try {
    return await Promise.race(expired ? [run.result, aborted, expired] : [run.result, aborted]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
