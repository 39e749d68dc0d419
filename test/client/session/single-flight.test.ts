import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PreflightGate, SingleFlight } from '../../../src/client/session/single-flight.js';
import { deferred } from '../fake-service.js';

describe('SingleFlight', () => {
  it('runs one call per key at a time, and another one afterwards', async () => {
    const calls = new SingleFlight<number>();
    const start = vi.fn(async () => 1);
    await Promise.all([
      calls.run('a', undefined, start),
      calls.run('a', undefined, start),
      calls.run('b', undefined, start),
    ]);
    expect(start).toHaveBeenCalledTimes(2);
    await calls.run('a', undefined, start);
    expect(start).toHaveBeenCalledTimes(3);
    expect(calls.size).toBe(0);
  });

  it('rejects for all callers and caches nothing', async () => {
    const calls = new SingleFlight<number>();
    const answer = deferred<number>();
    const shared = [calls.run('a', undefined, () => answer.promise), calls.run('a', undefined, () => answer.promise)];
    answer.reject(new Error('no'));
    expect((await Promise.allSettled(shared)).map(result => result.status)).toEqual(['rejected', 'rejected']);
    expect(calls.size).toBe(0);
  });

  it('starts a new call after all callers have left, even if the first is still running', async () => {
    const calls = new SingleFlight<string>();
    const leaver = new AbortController();
    let first: AbortSignal | undefined;
    const left = calls.run('a', leaver.signal, signal => {
      first = signal;
      return new Promise(() => {});
    });
    leaver.abort();
    await expect(left).rejects.toMatchObject({ code: 'aborted' });
    expect(first?.aborted).toBe(true);
    await expect(calls.run('a', undefined, async () => 'second')).resolves.toBe('second');
  });

  it('starts nothing for an aborted caller', async () => {
    const start = vi.fn(async () => 1);
    await expect(new SingleFlight<number>().run('a', AbortSignal.abort(), start)).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(start).not.toHaveBeenCalled();
  });
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('releases the others when the first has a response', async () => {
  const headStart = new PreflightGate();
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

it('releases the others if the first fails or is slow', async () => {
  for (const first of [Promise.reject(new Error('no')), new Promise<string>(() => {})]) {
    const headStart = new PreflightGate();
    headStart.run(() => first).catch(() => {});
    const second = headStart.run(async () => 'b');
    await vi.advanceTimersByTimeAsync(60);
    await expect(second).resolves.toBe('b');
  }
});
