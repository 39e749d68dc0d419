import { setTimeout } from 'node:timers/promises';
import { abortedError } from '../errors.js';

/** When and how often `retry` repeats an attempt. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  /** Whether an attempt that failed with this error can succeed later. */
  readonly isRetryable: (error: unknown) => boolean;
  /** Returns the pause before the next attempt, in ms; 0 by default. */
  readonly pauseMs?: () => number;
  /** Ends a pause with PlatformError 499. */
  readonly signal?: AbortSignal;
}

/** Repeats an attempt after retryable failures. Rejects with the last error. */
export async function retry<T>(attempt: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  const { maxAttempts, isRetryable, pauseMs = () => 0, signal } = policy;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts >= maxAttempts || !isRetryable(error)) throw error;
    }
    const ms = pauseMs();
    if (ms <= 0) continue;
    await pause(ms, { signal });
    if (signal?.aborted) throw abortedError();
  }
}

/** Options of `pause`. */
interface PauseOptions {
  /** Ends the pause. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the pause keeps the process alive; true by default. */
  readonly ref?: boolean;
}

/** Waits for `ms` milliseconds, or until the signal aborts. Never rejects. */
export async function pause(ms: number, { signal, ref = true }: PauseOptions = {}): Promise<void> {
  // Rejects only if the signal aborts.
  await setTimeout(ms, undefined, { ref, ...(signal && { signal }) }).catch(() => undefined);
}

/** Returns a delay that doubles with each failure, from `firstMs` to `maxMs`. 0 without failures. */
export function backOff(failures: number, firstMs: number, maxMs: number): number {
  return failures === 0 ? 0 : Math.min(firstMs * 2 ** (failures - 1), maxMs);
}
