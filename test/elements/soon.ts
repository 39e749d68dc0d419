import { waitUntil } from '@open-wc/testing';

/** Waits for what comes with time, as long as a busy machine may need. */
export function soon(predicate: () => unknown, message = 'it happens'): Promise<void> {
  return waitUntil(() => Boolean(predicate()), message, { timeout: 18_000, interval: 20 });
}
