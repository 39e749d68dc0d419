import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CooperativeScheduler, TimeSlicer } from '../../../src/platform/runtime/time-slicer.js';

it('turns come one after another, each in its own round of the event loop', async () => {
  const turns = new CooperativeScheduler();
  const seen: string[] = [];
  const taken = ['a', 'b'].map(name => turns.next().then(() => seen.push(name)));
  await new Promise<void>(resolve => setImmediate(resolve));
  expect(seen.length).toBeLessThan(2);
  await Promise.all(taken);
  expect(seen).toEqual(['a', 'b']);
});

it('no turn is given to work that nobody wants any more', async () => {
  const leaving = new AbortController();
  const turn = new CooperativeScheduler(leaving.signal).next();
  leaving.abort();
  await expect(turn).rejects.toMatchObject({ status: 499 });
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('is due when work has gone on for long, and not when it has just rested', async () => {
  const pace = new TimeSlicer();
  expect(pace.isDue).toBe(false);
  vi.advanceTimersByTime(20);
  expect(pace.isDue).toBe(true);
  await pace.rest();
  expect(pace.isDue).toBe(false);
});

it('gives two who rest at once turns of their own', async () => {
  const pace = new TimeSlicer();
  const order: string[] = [];
  const one = pace.rest().then(() => order.push('one'));
  const two = pace.rest().then(() => order.push('two'));
  await one;
  expect(order).toEqual(['one']);
  await two;
  expect(order).toEqual(['one', 'two']);
});
