import { vi } from 'vitest';

/** Time-out for awaited conditions, in ms. It is long enough for a busy machine, and still ends hung tests. */
export const waitTimeoutMs = 60_000;

/** Retries an assertion every `interval` ms until it passes. The default time-out of `vi.waitFor` is one second. */
export const eventually = <T>(assertion: () => T | Promise<T>, interval = 50): Promise<T> =>
  vi.waitFor(assertion, { timeout: waitTimeoutMs, interval });
