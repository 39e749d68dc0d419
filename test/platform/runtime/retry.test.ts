import { describe, expect, it, vi } from 'vitest';
import { backOff, pause, retry } from '../../../src/platform/runtime/retry.js';
import { eventually } from '../../eventually.js';

describe('retry', () => {
  /** Rejects `count` times, then returns the number of attempts. */
  function failing(count: number) {
    let attempts = 0;
    return vi.fn(async () => {
      attempts += 1;
      if (attempts <= count) throw new Error(`failure ${attempts}`);
      return attempts;
    });
  }

  it('repeats an attempt until it succeeds', async () => {
    await expect(retry(failing(3), { maxAttempts: 4, isRetryable: () => true })).resolves.toBe(4);
  });

  it('rejects with the last error after the last attempt', async () => {
    await expect(retry(failing(9), { maxAttempts: 4, isRetryable: () => true })).rejects.toThrow('failure 4');
  });

  it('does not repeat an attempt after an error that is not retryable', async () => {
    const attempt = failing(9);
    const isRetryable = (error: unknown) => String(error).includes('failure 1');
    await expect(retry(attempt, { maxAttempts: 4, isRetryable })).rejects.toThrow('failure 2');
    expect(attempt).toHaveBeenCalledTimes(2);
  });

  it('rejects with 499 if it is aborted during a pause', async () => {
    const attempt = failing(9);
    const aborter = new AbortController();
    const policy = { maxAttempts: 4, isRetryable: () => true, pauseMs: () => 60_000, signal: aborter.signal };
    const failed = expect(retry(attempt, policy)).rejects.toMatchObject({ status: 499 });
    await eventually(() => expect(attempt).toHaveBeenCalled());
    aborter.abort();
    await failed;
    expect(attempt).toHaveBeenCalledTimes(1);
  });
});

describe('pause', () => {
  it('ends when the signal aborts, without an error', async () => {
    const aborter = new AbortController();
    const paused = pause(60_000, { signal: aborter.signal });
    aborter.abort();
    await paused;
    await pause(60_000, { signal: aborter.signal });
  });
});

describe('backOff', () => {
  it('doubles with each failure up to its maximum', () => {
    expect([0, 1, 2, 3, 4].map(failures => backOff(failures, 100, 500))).toEqual([0, 100, 200, 400, 500]);
  });
});
