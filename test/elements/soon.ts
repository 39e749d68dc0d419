import { waitUntil } from '@open-wc/testing';

/** Waits for what comes with time, as long as the test has time: a busy machine may need it. */
export function soon(predicate: () => unknown, message = 'it happens'): Promise<void> {
  return waitUntil(() => Boolean(predicate()), message, { timeout: 100_000, interval: 20 });
}
