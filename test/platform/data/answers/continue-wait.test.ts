import { expect, it, vi } from 'vitest';
import { ContinueWait, pollUntilReady, Stage } from '../../../../src/platform/data/answers/continue-wait.js';

const wait = () => Promise.reject(new ContinueWait(Stage.running, 0));
const { signal } = new AbortController();

it('retries on ContinueWait', async () => {
  const ask = vi.fn<() => Promise<number>>(wait).mockImplementationOnce(wait).mockResolvedValueOnce(7);
  expect(await pollUntilReady(ask, signal)).toBe(7);
  expect(ask).toHaveBeenCalledTimes(2);
});

it('rejects with other errors', async () => {
  const ask = vi.fn<() => Promise<number>>().mockRejectedValue(new Error('no'));
  await expect(pollUntilReady(ask, signal)).rejects.toThrow('no');
  expect(ask).toHaveBeenCalledTimes(1);
});

it('stops retrying when the caller aborts', async () => {
  const controller = new AbortController();
  const ask = vi.fn<() => Promise<number>>(() => {
    controller.abort();
    return wait();
  });
  await expect(pollUntilReady(ask, controller.signal)).rejects.toMatchObject({ status: 499 });
  expect(ask).toHaveBeenCalledTimes(1);
});
