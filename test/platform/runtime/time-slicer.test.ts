import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CooperativeScheduler, TimeSlicer } from '../../../src/platform/runtime/time-slicer.js';

it('turns are sequential, each in its own round of the event loop', async () => {
  const turns = new CooperativeScheduler();
  const seen: string[] = [];
  const taken = ['a', 'b'].map(name => turns.next().then(() => seen.push(name)));
  await new Promise<void>(resolve => setImmediate(resolve));
  expect(seen.length).toBeLessThan(2);
  await Promise.all(taken);
  expect(seen).toEqual(['a', 'b']);
});

it('aborted work gets no turn', async () => {
  const leaving = new AbortController();
  const turn = new CooperativeScheduler(leaving.signal).next();
  leaving.abort();
  await expect(turn).rejects.toMatchObject({ status: 499 });
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('is due after a long time of work, and not after a pause', async () => {
  const slicer = new TimeSlicer();
  expect(slicer.isDue).toBe(false);
  vi.advanceTimersByTime(20);
  expect(slicer.isDue).toBe(true);
  await slicer.rest();
  expect(slicer.isDue).toBe(false);
});

it('gives concurrent pauses separate turns', async () => {
  const slicer = new TimeSlicer();
  const order: string[] = [];
  const one = slicer.rest().then(() => order.push('one'));
  const two = slicer.rest().then(() => order.push('two'));
  await one;
  expect(order).toEqual(['one']);
  await two;
  expect(order).toEqual(['one', 'two']);
});
