import { PaAbortError } from '../errors.js';

/** Maximum `Retry-After` that is honored, in ms. */
const maxRetryAfterMs = 30_000;

/** When and how often `retry` repeats an attempt. */
export interface RetryPolicy {
  readonly maxRetries: number;
  /**
   * Returns the pause before the next attempt, in ms, or `null` if a retry cannot help. `failures` counts the earlier
   * failures.
   */
  readonly pauseAfter: (error: unknown, failures: number) => number | null;
  /** Unix time in ms at which no further attempt starts. */
  readonly deadline?: number | undefined;
  /** Ends a pause with PaAbortError. */
  readonly signal?: AbortSignal | undefined;
}

/** Repeats an attempt after failures, as the policy allows. Rejects with the last error. */
export async function retry<T>(attempt: (failures: number) => Promise<T>, policy: RetryPolicy): Promise<T> {
  const { maxRetries, pauseAfter, deadline = Number.POSITIVE_INFINITY, signal } = policy;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt(failures);
    } catch (error) {
      const pauseMs = failures < maxRetries ? pauseAfter(error, failures) : null;
      if (pauseMs === null || Date.now() + pauseMs >= deadline) throw error;
      await pause(pauseMs, signal);
    }
  }
}

/** Waits for `ms` milliseconds; rejects with PaAbortError if the signal is aborted first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new PaAbortError());
    const done = (): void => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const stop = (): void => {
      clearTimeout(timer);
      reject(new PaAbortError());
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Returns the pause before the next attempt: exponential from `firstMs` to `maxMs`, with jitter in the upper half. */
export function backOff(failures: number, firstMs: number, maxMs: number): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** failures);
  return ceiling / 2 + (ceiling / 2) * Math.random();
}

/**
 * Returns the pause for a `Retry-After`, or `null` if it is too long. Adds jitter, so that rejected clients do not
 * return at the same time.
 */
export function pauseForRetryAfter(retryAfterMs: number, failures: number, firstMs: number): number | null {
  return retryAfterMs > maxRetryAfterMs ? null : retryAfterMs + backOff(failures, firstMs, 8 * firstMs);
}
