import { waitUntil } from '@open-wc/testing';

/** Waits until the predicate is truthy. The long time-out allows for a busy machine. */
export function eventually(predicate: () => unknown, message = 'condition is met'): Promise<void> {
  return waitUntil(() => Boolean(predicate()), message, { timeout: 100_000, interval: 20 });
}
