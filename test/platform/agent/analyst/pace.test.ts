import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pace } from '../../../../src/platform/agent/analyst/pace.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('is due when work has gone on for long, and not when it has just rested', async () => {
  const pace = new Pace();
  expect(pace.isDue).toBe(false);
  vi.advanceTimersByTime(20);
  expect(pace.isDue).toBe(true);
  await pace.rest();
  expect(pace.isDue).toBe(false);
});

it('gives two who rest at once turns of their own', async () => {
  const pace = new Pace();
  const order: string[] = [];
  const one = pace.rest().then(() => order.push('one'));
  const two = pace.rest().then(() => order.push('two'));
  await one;
  expect(order).toEqual(['one']);
  await two;
  expect(order).toEqual(['one', 'two']);
});
