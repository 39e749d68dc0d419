import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContinueWait, Stage } from '../../../../src/platform/data/answers/continue-wait.js';
import { type RunHandle, SingleFlight } from '../../../../src/platform/data/answers/single-flight.js';
import { soon } from '../../../soon.js';

/** Work that ends when the test says so, and fails on abort. */
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

/** Runs that keep results of a hundred characters together. */
function sharedRuns() {
  return new SingleFlight<string>({ readyBytes: 100, bytesOf: text => text.length });
}

describe('shared runs', () => {
  it('start once for equal keys, and once per key for others', async () => {
    const runs = sharedRuns();
    const [a, b] = [work(), work()];
    const all = [runs.run('a', a.start), runs.run('a', a.start), runs.run('b', b.start)];
    expect(a.start).toHaveBeenCalledTimes(1);
    a.finish('A');
    b.finish('B');
    expect(await Promise.all(all)).toEqual(['A', 'A', 'B']);
  });

  it('start anew once the first has ended', async () => {
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

  it('tell a failure to everyone who waits', async () => {
    const runs = sharedRuns();
    const { start, fail } = work();
    const all = [runs.run('a', start), runs.run('a', start)];
    fail(new Error('broken'));
    expect(await Promise.allSettled(all)).toEqual([
      { status: 'rejected', reason: new Error('broken') },
      { status: 'rejected', reason: new Error('broken') },
    ]);
  });

  it('go on for the others when one leaves', async () => {
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

  it('are aborted when the last one leaves, and take no one in any more', async () => {
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

  it('never start for a caller who has left already', async () => {
    const { start } = work();
    await expect(sharedRuns().run('a', start, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      status: 499,
    });
    expect(start).not.toHaveBeenCalled();
  });
});

describe('runs that take longer than a caller waits', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Asks once, and is told to ask again. */
  async function askOnce(runs: SingleFlight<string>, { start }: ReturnType<typeof work>) {
    const asked = runs.run('a', start, { waitExpired: () => Promise.resolve(), keepMs: 1000 });
    await expect(asked).rejects.toBeInstanceOf(ContinueWait);
  }

  it('tell the caller to ask again, what they do and since when', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const { start } = work();
    const asked = runs.run('a', start, { waitExpired: () => new Promise(resolve => setTimeout(resolve, 300)) });
    const told = expect(asked).rejects.toMatchObject({
      message: 'Continue wait',
      stage: Stage.running,
      elapsedMs: 300,
    });
    const [handle] = start.mock.calls[0] ?? [];
    if (handle) handle.stage = Stage.running;
    await vi.advanceTimersByTimeAsync(300);
    await told;
  });

  it('go on for whoever comes back, who gets the same run', async () => {
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

  it('keep a result until it is picked up, once', async () => {
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

  it('keep what is ready for a short while, however long they were to go on', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const first = work();
    const asked = runs.run('a', first.start, { waitExpired: () => Promise.resolve(), keepMs: 120_000 });
    await expect(asked).rejects.toBeInstanceOf(ContinueWait);
    await vi.advanceTimersByTimeAsync(60_000);
    first.finish('A');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(runs.has('a')).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs.has('a')).toBe(false);
  });

  it('take a result back from whoever has to come again, for a while', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const first = work();
    let restore = () => {};
    const asked = runs.run('a', first.start, {
      onDelivered: back => {
        restore = back;
      },
    });
    first.finish('A');
    await asked;
    expect(runs.has('a')).toBe(false);
    restore();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(await runs.run('a', first.start)).toBe('A');
    restore();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs.has('a')).toBe(false);
    expect(first.start).toHaveBeenCalledTimes(1);
  });

  it('take nothing back where someone has begun afresh', async () => {
    const runs = sharedRuns();
    const [first, second] = [work(), work()];
    let restore = () => {};
    const asked = runs.run('a', first.start, {
      onDelivered: back => {
        restore = back;
      },
    });
    first.finish('old');
    await asked;
    const afresh = runs.run('a', second.start);
    restore();
    second.finish('new');
    expect(await afresh).toBe('new');
    expect(runs.has('a')).toBe(false);
  });

  it('keep so much of what is ready, the newest in any case', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const ready = async (key: string, length: number) => {
      const { start, finish } = work();
      await expect(runs.run(key, start, { waitExpired: () => Promise.resolve() })).rejects.toBeInstanceOf(ContinueWait);
      finish('x'.repeat(length));
      await vi.advanceTimersByTimeAsync(1);
    };
    const kept = () => ['a', 'b', 'c', 'd'].filter(key => runs.has(key));
    await ready('a', 40);
    await ready('b', 40);
    expect(kept()).toEqual(['a', 'b']);
    await ready('c', 40);
    expect(kept()).toEqual(['b', 'c']);
    await ready('d', 1000);
    expect(kept()).toEqual(['d']);
  });

  it('discard a result that nobody was given, and no other', async () => {
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

  it('discard a result that came although all had left', async () => {
    const discard = vi.fn();
    const runs = new SingleFlight<string>({ readyBytes: 100, bytesOf: text => text.length, discard });
    let finish = (_value: string) => {};
    const start = () => new Promise<string>(resolve => (finish = resolve));
    const leaving = new AbortController();
    const left = runs.run('a', start, { signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    finish('late');
    await soon(() => expect(discard).toHaveBeenCalledExactlyOnceWith('late'));
  });

  it('keep a failure to be told to whoever comes back', async () => {
    vi.useFakeTimers();
    const runs = sharedRuns();
    const first = work();
    await askOnce(runs, first);
    first.fail(new Error('broken'));
    await expect(runs.run('a', first.start)).rejects.toThrow('broken');
  });

  it('are aborted when nobody comes back', async () => {
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

  it('are kept for one who may come back though another leaves for good', async () => {
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
