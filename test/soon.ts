import { vi } from 'vitest';

/** Longest that a test waits for what comes with time, ms: it ends what hangs, and nothing that a busy machine takes its time for. */
export const patienceMs = 60_000;

/** Waits until an assertion holds, asked every `interval` ms. Alone, `vi.waitFor` gives up after a second. */
export const soon = <T>(assertion: () => T | Promise<T>, interval = 50): Promise<T> =>
  vi.waitFor(assertion, { timeout: patienceMs, interval });
