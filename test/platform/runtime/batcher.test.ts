import { afterEach, expect, test, vi } from 'vitest';
import { Batcher, type RunBatch } from '../../../src/platform/runtime/batcher.js';

afterEach(() => vi.useRealTimers());

const double: RunBatch<number, number> = async items => items.map(item => 2 * item);

test('concurrent items form a batch, and each gets its own result', async () => {
  const work = vi.fn(double);
  const batches = new Batcher(work);
  expect(await Promise.all([3, 1, 3].map(item => batches.add(item)))).toEqual([6, 2, 6]);
  expect(work.mock.calls).toEqual([[[3, 1, 3]]]);
});

test('items added during a batch share the next one, up to the limit', async () => {
  const ends: (() => void)[] = [];
  const work = vi.fn<typeof double>(items => new Promise(resolve => ends.push(() => resolve(items))));
  const batches = new Batcher(work, { maxItems: 2 });
  const first = batches.add(1);
  await expect.poll(() => ends).toHaveLength(1);
  const late = [2, 3, 4].map(item => batches.add(item));
  ends[0]?.();
  expect(await first).toBe(1);
  await expect.poll(() => ends).toHaveLength(2);
  ends[1]?.();
  await expect.poll(() => ends).toHaveLength(3);
  ends[2]?.();
  expect(await Promise.all(late)).toEqual([2, 3, 4]);
  expect(work.mock.calls.map(([items]) => items)).toEqual([[1], [2, 3], [4]]);
});

test('a batch that fails or omits an item fails only its own items', async () => {
  const work = vi.fn(double).mockRejectedValueOnce(new Error('gone')).mockResolvedValueOnce([1]);
  const batches = new Batcher(work, { maxItems: 2 });
  const settled = await Promise.allSettled([1, 2, 3, 4, 5].map(item => batches.add(item)));
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
  expect(settled[0]).toMatchObject({ reason: { message: 'gone' } });
});

test('a batch that hangs is aborted, and the next one runs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const work = vi.fn(double).mockImplementationOnce(() => new Promise(() => {}));
  const batches = new Batcher(work, { timeoutMs: 1000 });
  const hung = batches.add(1).catch((error: unknown) => error);
  await expect.poll(() => work).toHaveBeenCalledOnce();
  const next = batches.add(2);
  vi.advanceTimersByTime(1000);
  expect(await hung).toMatchObject({ name: 'PlatformError', status: 503 });
  expect(await next).toBe(4);
  expect(vi.getTimerCount()).toBe(0);
});
