import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HeadStart } from '../../src/client/head-start.js';
import { deferred } from './fake-service.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('lets the others follow as soon as the first is answered', async () => {
  const headStart = new HeadStart();
  const first = deferred<string>();
  const sent: string[] = [];
  const send = (name: string, answer: Promise<string>) =>
    headStart.run(() => {
      sent.push(name);
      return answer;
    });
  const all = [send('a', first.promise), send('b', Promise.resolve('b')), send('c', Promise.resolve('c'))];
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toEqual(['a']);
  first.resolve('a');
  await expect(Promise.all(all)).resolves.toEqual(['a', 'b', 'c']);
  expect(vi.getTimerCount()).toBe(0);
});

it('lets the others follow when the first fails, or is slow', async () => {
  for (const first of [Promise.reject(new Error('no')), new Promise<string>(() => {})]) {
    const headStart = new HeadStart();
    headStart.run(() => first).catch(() => {});
    const second = headStart.run(async () => 'b');
    await vi.advanceTimersByTimeAsync(60);
    await expect(second).resolves.toBe('b');
  }
});
