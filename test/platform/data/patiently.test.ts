import { expect, it, vi } from 'vitest';
import { ContinueWait, Stage } from '../../../src/platform/data/continue-wait.js';
import { patiently } from '../../../src/platform/data/patiently.js';

const wait = () => Promise.reject(new ContinueWait(Stage.running, 0));
const { signal } = new AbortController();

it('asks again as long as it is told to wait', async () => {
  const ask = vi.fn<() => Promise<number>>(wait).mockImplementationOnce(wait).mockResolvedValueOnce(7);
  expect(await patiently(ask, signal)).toBe(7);
  expect(ask).toHaveBeenCalledTimes(2);
});

it('passes on why there is no answer', async () => {
  const ask = vi.fn<() => Promise<number>>().mockRejectedValue(new Error('no'));
  await expect(patiently(ask, signal)).rejects.toThrow('no');
  expect(ask).toHaveBeenCalledTimes(1);
});

it('waits no more for whoever has left', async () => {
  const controller = new AbortController();
  const ask = vi.fn<() => Promise<number>>(() => {
    controller.abort();
    return wait();
  });
  await expect(patiently(ask, controller.signal)).rejects.toMatchObject({ status: 499 });
  expect(ask).toHaveBeenCalledTimes(1);
});
