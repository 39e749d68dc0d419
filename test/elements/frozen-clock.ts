/** Runs `work` while `performance.now()` is frozen, so a slow machine does not use up time budgets. */
export async function withFrozenClock<T>(work: (now: number) => T | Promise<T>): Promise<T> {
  const { now } = performance;
  const start = performance.now();
  performance.now = () => start;
  try {
    return await work(start);
  } finally {
    performance.now = now;
  }
}
