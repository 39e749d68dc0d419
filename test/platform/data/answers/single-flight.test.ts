import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContinueWait, Stage } from '../../../../src/platform/data/answers/continue-wait.js';
import { type RunHandle, SingleFlight } from '../../../../src/platform/data/answers/single-flight.js';
import { eventually } from '../../../eventually.js';

/** Returns a task that the test completes, and that fails on abort. */
function work() {
  let finish = (_value: string) => {};
  let fail = (_error: Error) => {};
  const start = vi.fn(
    ({ signal }: RunHandle) =>
      new Promise<string>((resolve, reject) => {
        finish = resolve;
        fail = reject;
        signal.addEventListener('abort', () => reject(new Error('interrupted')));
      }),
  );
  return { start, finish: (value: string) => finish(value), fail: (error: Error) => fail(error) };
}

/** Runs whose retained results total up to 100 characters. */
function sharedRuns() {
  return new SingleFlight<string>({ readyBytes: 100, bytesOf: text => text.length });
}

describe('SingleFlight', () => {
  it('runs once for equal keys, and once per other key', async () => {
    const runs = sharedRuns();
    const [a, b] = [work(), work()];
    const all = [runs.run('a', a.start), runs.run('a', a.start), runs.run('b', b.start)];
    expect(a.start).toHaveBeenCalledTimes(1);
    a.finish('A');
    b.finish('B');
    expect(await Promise.all(all)).toEqual(['A', 'A', 'B']);
  });

  it('runs again after the first run has ended', async () => {
    const runs = sharedRuns();
    const first = work();
    const running = runs.run('a', first.start);
    first.finish('1');
    await running;
    const second = work();
    const again = runs.run('a', second.start);
    second.finish('2');
    expect(await again).toBe('2');
  });

  it('rejects for every waiting caller', async () => {
    const runs = sharedRuns();
    const { start, fail } = work();
    const all = [runs.run('a', start), runs.run('a', start)];
    fail(new Error('broken'));
    expect(await Promise.allSettled(all)).toEqual([
      { status: 'rejected', reason: new Error('broken') },
      { status: 'rejected', reason: new Error('broken') },
    ]);
  });

  it('continues for the others when one caller leaves', async () => {
    const runs = sharedRuns();
    const { start, finish } = work();
    const leaving = new AbortController();
    const left = runs.run('a', start, { signal: leaving.signal });
    const staying = runs.run('a', start, { signal: new AbortController().signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    expect(start.mock.calls[0]?.[0].signal.aborted).toBe(false);
    finish('A');
    expect(await staying).toBe('A');
  });

  it('aborts when the last caller leaves, and accepts no new caller', async () => {
    const runs = sharedRuns();
    const first = work();
    const leaving = new AbortController();
    const left = runs.run('a', first.start, { signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    expect(first.start.mock.calls[0]?.[0].signal.aborted).toBe(true);
    const second = work();
    const next = runs.run('a', second.start);
    second.finish('fresh');
    expect(await next).toBe('fresh');
  });

  it('does not start for an aborted caller', async () => {
    const { start } = work();
    await expect(sharedRuns().run('a', start, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      status: 499,
    });
    expect(start).not.toHaveBeenCalled();
  });
});

describe('a run that exceeds the wait limit', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Makes one call, which ends with ContinueWait. */
  async function askOnce(runs: SingleFlight<string>, { start }: ReturnType<typeof work>) {
    const result = runs.run('a', start, { waitExpired: () => Promise.resolve(), keepMs: 1000 });
    await expect(result).rejects.toBeInstanceOf(ContinueWait);
  }

  it('returns ContinueWait with its stage and elapsed time', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const { start } = work();
    const result = runs.run('a', start, { waitExpired: () => new Promise(resolve => setTimeout(resolve, 300)) });
    const expectation = expect(result).rejects.toMatchObject({
      message: 'Continue wait',
      stage: Stage.running,
      elapsedMs: 300,
    });
    const [handle] = start.mock.calls[0] ?? [];
    if (handle) handle.stage = Stage.running;
    await vi.advanceTimersByTimeAsync(300);
    await expectation;
  });

  it('continues for a returning caller', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const first = work();
    await askOnce(runs, first);
    await vi.advanceTimersByTimeAsync(900);
    const again = runs.run('a', first.start);
    await vi.advanceTimersByTimeAsync(5000);
    first.finish('A');
    expect(await again).toBe('A');
    expect(first.start).toHaveBeenCalledTimes(1);
  });

  it('retains its result until it is returned once', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const first = work();
    await askOnce(runs, first);
    first.finish('A');
    await vi.advanceTimersByTimeAsync(900);
    expect(runs.has('a')).toBe(true);
    expect(await runs.run('a', first.start)).toBe('A');
    expect(runs.has('a')).toBe(false);
  });

  it('retains a finished result only for a short time', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const first = work();
    const result = runs.run('a', first.start, { waitExpired: () => Promise.resolve(), keepMs: 120_000 });
    await expect(result).rejects.toBeInstanceOf(ContinueWait);
    await vi.advanceTimersByTimeAsync(60_000);
    first.finish('A');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(runs.has('a')).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs.has('a')).toBe(false);
  });

  it('retains a result again for a caller that has to retry', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const first = work();
    let restore = () => {};
    const result = runs.run('a', first.start, {
      onDelivered: back => {
        restore = back;
      },
    });
    first.finish('A');
    await result;
    expect(runs.has('a')).toBe(false);
    restore();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(await runs.run('a', first.start)).toBe('A');
    restore();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs.has('a')).toBe(false);
    expect(first.start).toHaveBeenCalledTimes(1);
  });

  it('does not retain a result if a new run has started', async () => {
    const runs = sharedRuns();
    const [first, second] = [work(), work()];
    let restore = () => {};
    const result = runs.run('a', first.start, {
      onDelivered: back => {
        restore = back;
      },
    });
    first.finish('old');
    await result;
    const afresh = runs.run('a', second.start);
    restore();
    second.finish('new');
    expect(await afresh).toBe('new');
    expect(runs.has('a')).toBe(false);
  });

  it('retains the newest results up to the limit, and always the latest', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const ready = async (key: string, length: number) => {
      const { start, finish } = work();
      await expect(runs.run(key, start, { waitExpired: () => Promise.resolve() })).rejects.toBeInstanceOf(ContinueWait);
      finish('x'.repeat(length));
      await vi.advanceTimersByTimeAsync(1);
    };
    const retained = () => ['a', 'b', 'c', 'd'].filter(key => runs.has(key));
    await ready('a', 40);
    await ready('b', 40);
    expect(retained()).toEqual(['a', 'b']);
    await ready('c', 40);
    expect(retained()).toEqual(['b', 'c']);
    await ready('d', 1000);
    expect(retained()).toEqual(['d']);
  });

  it('discards a result that was never returned', async () => {
    vi.useFakeTimers();
    const discard = vi.fn();
    const runs = new SingleFlight<string>({ readyBytes: 100, bytesOf: text => text.length, discard });
    const taken = work();
    await askOnce(runs, taken);
    taken.finish('taken');
    await runs.run('a', taken.start);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(discard).not.toHaveBeenCalled();
    const left = work();
    await askOnce(runs, left);
    left.finish('left');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(discard).toHaveBeenCalledExactlyOnceWith('left');
  });

  it('discards a result that arrives after all callers have left', async () => {
    const discard = vi.fn();
    const runs = new SingleFlight<string>({ readyBytes: 100, bytesOf: text => text.length, discard });
    let finish = (_value: string) => {};
    const start = () => new Promise<string>(resolve => (finish = resolve));
    const leaving = new AbortController();
    const left = runs.run('a', start, { signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    finish('late');
    await eventually(() => expect(discard).toHaveBeenCalledExactlyOnceWith('late'));
  });

  it('retains an error for the next call', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const first = work();
    await askOnce(runs, first);
    first.fail(new Error('broken'));
    await expect(runs.run('a', first.start)).rejects.toThrow('broken');
  });

  it('is aborted if no caller returns', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const first = work();
    await askOnce(runs, first);
    const signal = first.start.mock.calls[0]?.[0].signal;
    await vi.advanceTimersByTimeAsync(999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(signal?.aborted).toBe(true);
    expect(runs.has('a')).toBe(false);
  });

  it('is retained for a caller that may return, even if another leaves', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const first = work();
    await askOnce(runs, first);
    const leaving = new AbortController();
    const left = runs.run('a', first.start, { signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    const signal = first.start.mock.calls[0]?.[0].signal;
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(signal?.aborted).toBe(true);
  });
});
