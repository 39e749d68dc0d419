import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';

/**
 * What comes of work while the test's own clock runs: a second each time that `between` is over, as quickly as the work itself goes on by
 * default. Nothing is given up before it had its turn, however busy the machine is.
 */
export async function overTime<T>(work: Promise<T>, between: () => Promise<unknown> = turn): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    await between();
    vi.advanceTimersByTime(1_000);
  }
  return work;
}
