import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';

/**
 * Runs `work` with fake timers: advances them by one second per turn of the event loop, or each time `between`
 * resolves, until the work settles. A time-out never fires too early, even on a busy machine.
 */
export async function withFakeTimers<T>(work: Promise<T>, between: () => Promise<unknown> = turn): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  work.then(settle, settle);
  while (!isSettled) {
    await between();
    vi.advanceTimersByTime(1_000);
  }
  return work;
}
