import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withDeadline } from '../../../src/client/http/fetch.js';

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
