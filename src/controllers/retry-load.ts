import { retry } from '../client/http/retry.js';

/** Delays before each retry, ms, so that a short network failure does not require a manual retry. */
const retryDelaysMs = [300, 1500];

/** Loads a chunk and retries on failure. Tests shorten the delays. */
export function retryLoad<T>(load: () => Promise<T>, delaysMs: readonly number[] = retryDelaysMs): Promise<T> {
  return retry(load, { maxRetries: delaysMs.length, pauseAfter: (_error, failures) => delaysMs[failures] ?? null });
}
