import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backOff, pause, withDeadline } from '../../../src/client/http/fetch.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('withDeadline', () => {
  it('passes on results and failures, and leaves no timers or listeners', async () => {
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const limits = { timeoutMs: 100, signals: [controller.signal, undefined], what: 'It' };
    await expect(withDeadline(limits, async () => 7)).resolves.toBe(7);
    await expect(withDeadline(limits, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(removed).toHaveBeenCalledTimes(2);
  });

  it('does not wait for work that ignores its signal', async () => {
    const work = withDeadline({ timeoutMs: 100, signals: [], what: 'It' }, () => new Promise(() => {}));
    const refused = expect(work).rejects.toThrow('It did not respond within 100 ms.');
    await vi.advanceTimersByTimeAsync(100);
    await refused;
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
    vi.spyOn(Math, 'random').mockReturnValue(1);
    expect([0, 1, 2, 3].map(attempt => backOff(attempt, 100, 500))).toEqual([100, 200, 400, 500]);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(backOff(0, 100, 500)).toBe(50);
  });
});
