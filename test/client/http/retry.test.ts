import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backOff, pause, pauseForRetryAfter, type RetryPolicy, retry } from '../../../src/client/http/retry.js';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('retry', () => {
  const policy: RetryPolicy = { maxRetries: 3, pauseAfter: (_error, failures) => 100 * (failures + 1) };

  /** Rejects the first `count` times and records the time of each attempt. */
  function failing(count: number) {
    const times: number[] = [];
    const attempt = async (failures: number): Promise<number> => {
      times.push(Date.now());
      if (failures < count) throw new Error(`failure ${failures}`);
      return failures;
    };
    return { attempt, times };
  }

  it('pauses as the policy requests until an attempt succeeds', async () => {
    const { attempt, times } = failing(2);
    const result = retry(attempt, policy);
    await vi.runAllTimersAsync();
    await expect(result).resolves.toBe(2);
    expect(times).toEqual([0, 100, 300]);
  });

  it('rejects with the last error when all retries failed', async () => {
    const { attempt, times } = failing(10);
    const failed = expect(retry(attempt, policy)).rejects.toThrow('failure 3');
    await vi.runAllTimersAsync();
    await failed;
    expect(times).toEqual([0, 100, 300, 600]);
  });

  it('does not retry if a retry cannot help', async () => {
    const { attempt, times } = failing(10);
    await expect(retry(attempt, { ...policy, pauseAfter: () => null })).rejects.toThrow('failure 0');
    expect(times).toEqual([0]);
  });

  it('starts no attempt at or after the deadline', async () => {
    const { attempt, times } = failing(10);
    const failed = expect(retry(attempt, { ...policy, deadline: 300 })).rejects.toThrow('failure 1');
    await vi.runAllTimersAsync();
    await failed;
    expect(times).toEqual([0, 100]);
  });

  it('ends a pause when it is aborted', async () => {
    const { attempt, times } = failing(10);
    const controller = new AbortController();
    const failed = expect(retry(attempt, { ...policy, signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    await vi.advanceTimersByTimeAsync(50);
    controller.abort();
    await failed;
    expect(times).toEqual([0]);
  });
});

describe('pause', () => {
  it('ends early when it is canceled', async () => {
    const controller = new AbortController();
    const paused = pause(1000, controller.signal);
    controller.abort();
    await expect(paused).rejects.toMatchObject({ code: 'aborted' });
    await expect(pause(1000, controller.signal)).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('backOff', () => {
  it('doubles up to its maximum, with jitter in the upper half', () => {
    expect([0, 1, 2, 3].map(failures => backOff(failures, 100, 500))).toEqual([100, 200, 400, 500]);
    vi.mocked(Math.random).mockReturnValue(0);
    expect(backOff(0, 100, 500)).toBe(50);
  });
});

describe('pauseForRetryAfter', () => {
  it('adds jitter, and refuses to wait for more than 30 s', () => {
    expect(pauseForRetryAfter(2_000, 0, 250)).toBe(2_250);
    expect(pauseForRetryAfter(30_000, 9, 250)).toBe(32_000);
    expect(pauseForRetryAfter(30_001, 0, 250)).toBeNull();
  });
});
