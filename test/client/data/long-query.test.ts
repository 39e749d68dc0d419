import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { load } from '../../../src/client/data/load.js';
import type { QueryOptions, QueryProgress } from '../../../src/client/data/long-query.js';
import type { PaError } from '../../../src/client/errors.js';
import { json, loadAnswer, query } from '../fake-service.js';

type Answer = () => Response | Promise<Response>;

const rows: Answer = () => json(loadAnswer([]));
const wait: Answer = () => json({ error: 'Continue wait', stage: 'Executing query', timeElapsed: 5 });
const busy =
  (retryAfter: string | null = '1', status = 503): Answer =>
  () =>
    json({ error: 'Too many queries are running' }, status, retryAfter === null ? {} : { 'retry-after': retryAfter });

/** Returns the response after a delay. */
const held =
  (ms: number, answer: Answer): Answer =>
  () =>
    new Promise(resolve => setTimeout(() => resolve(answer()), ms));

/** Starts a query against a service with these responses; the last one repeats. */
function start(answers: readonly Answer[], options: QueryOptions = {}) {
  const sentAt: number[] = [];
  const began = Date.now();
  const fetch: typeof globalThis.fetch = async () => {
    const answer = answers[Math.min(sentAt.length, answers.length - 1)] ?? rows;
    sentAt.push(Date.now() - began);
    return answer();
  };
  const result = load({ baseUrl: 'https://data.example/data-api', token: 'jwt', fetch }, query, options);
  const failure: Promise<PaError> = result.then(
    () => Promise.reject(new Error('it succeeded')),
    error => error,
  );
  failure.catch(() => {});
  return { result, failure, sentAt };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a long query', () => {
  it('is repeated immediately if the service held the request', async () => {
    const { result, sentAt } = start([held(5000, wait), held(5000, wait), held(2000, rows)]);
    await vi.advanceTimersByTimeAsync(12_000);
    await expect(result).resolves.toMatchObject({ rows: [] });
    expect(sentAt).toEqual([0, 5000, 10_000]);
  });

  it('is repeated with growing pauses if the service responds immediately', async () => {
    const { result, sentAt } = start([wait, wait, wait, wait, wait, rows]);
    await vi.advanceTimersByTimeAsync(3000);
    await expect(result).resolves.toBeDefined();
    expect(sentAt).toEqual([0, 0, 250, 750, 1750, 2750]);
  });

  it('has jitter in its pauses', async () => {
    vi.mocked(Math.random).mockReturnValue(0);
    const { result, sentAt } = start([wait, wait, wait, rows]);
    await vi.advanceTimersByTimeAsync(1000);
    await result;
    expect(sentAt).toEqual([0, 0, 125, 375]);
  });

  it('resets its pauses after a held request', async () => {
    const { result, sentAt } = start([wait, wait, held(5000, wait), wait, rows]);
    await vi.advanceTimersByTimeAsync(6000);
    await result;
    expect(sentAt).toEqual([0, 0, 250, 5250, 5250]);
  });

  it('reports the elapsed time and the stage of the service', async () => {
    const reported: QueryProgress[] = [];
    const silent = () => json({ error: 'Continue wait', stage: 7 });
    const { result } = start([held(5000, wait), held(5000, silent), rows], {
      onProgress: progress => reported.push(progress),
    });
    await vi.advanceTimersByTimeAsync(10_000);
    await result;
    expect(reported).toEqual([
      { elapsedMs: 5000, stage: 'Executing query' },
      { elapsedMs: 10_000, stage: null },
    ]);
  });

  it('may exceed the time limit of one request, up to 10 minutes', async () => {
    const { failure, sentAt } = start([held(5000, wait)]);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await failure).toMatchObject({ name: 'PaTimeoutError', code: 'timed_out' });
    expect(sentAt.length).toBe(120);
  });

  it('respects the time limit of its caller', async () => {
    const { failure, sentAt } = start([held(100, wait)], { waitMs: 1000 });
    await vi.advanceTimersByTimeAsync(1000);
    expect((await failure).name).toBe('PaTimeoutError');
    const sent = sentAt.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(sentAt.length).toBe(sent);
  });

  it('fails if one of its requests takes too long', async () => {
    const { failure, sentAt } = start([held(5000, wait), () => new Promise(() => {})]);
    await vi.advanceTimersByTimeAsync(35_000);
    expect((await failure).message).toContain('30000 ms');
    expect(sentAt).toEqual([0, 5000]);
  });

  it.each([
    ['during a pause', [wait], 300],
    ['while the service holds the request', [held(5000, wait)], 300],
    ['while waiting for a busy service', [busy('20')], 300],
  ])('can be canceled %s', async (_when, answers, afterMs) => {
    const controller = new AbortController();
    const onProgress = vi.fn();
    const { failure, sentAt } = start(answers, { signal: controller.signal, onProgress });
    await vi.advanceTimersByTimeAsync(afterMs);
    const [sent, reported] = [sentAt.length, onProgress.mock.calls.length];
    controller.abort();
    expect((await failure).name).toBe('PaAbortError');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sentAt.length).toBe(sent);
    expect(onProgress.mock.calls.length).toBe(reported);
  });
});

describe('a busy service', () => {
  it.each([503, 429])('is retried after Retry-After (%i)', async status => {
    const { result, sentAt } = start([busy('2', status), rows]);
    await vi.advanceTimersByTimeAsync(1999);
    expect(sentAt).toEqual([0]);
    await vi.advanceTimersByTimeAsync(251);
    await expect(result).resolves.toBeDefined();
    expect(sentAt).toEqual([0, 2250]);
  });

  it('may send Retry-After as a date', async () => {
    const { result, sentAt } = start([busy(new Date(Date.now() + 3000).toUTCString()), rows]);
    await vi.advanceTimersByTimeAsync(3500);
    await expect(result).resolves.toBeDefined();
    expect(sentAt.length).toBe(2);
  });

  it('is retried four times, then reports its error', async () => {
    const { failure, sentAt } = start([busy()]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await failure).toMatchObject({ status: 503, retryAfterMs: 1000, message: 'Too many queries are running' });
    expect(sentAt).toEqual([0, 1250, 2750, 4750, 7750]);
  });

  it('may reject any request of a long query', async () => {
    const { result, sentAt } = start([held(5000, wait), busy(), rows]);
    await vi.advanceTimersByTimeAsync(7000);
    await expect(result).resolves.toBeDefined();
    expect(sentAt).toEqual([0, 5000, 6250]);
  });

  it.each([
    ['sends no Retry-After', busy(null)],
    ['sends an invalid Retry-After', busy('soon')],
    ['requests a very long wait', busy('3600')],
    ['failed', busy('1', 500)],
  ])('is not retried if it %s', async (_what, answer) => {
    const { failure, sentAt } = start([answer]);
    await failure;
    expect(sentAt).toEqual([0]);
  });

  it('is not retried beyond the time limit of the caller', async () => {
    const { failure, sentAt } = start([busy('5')], { waitMs: 4000 });
    expect(await failure).toMatchObject({ status: 503 });
    expect(sentAt).toEqual([0]);
  });
});
