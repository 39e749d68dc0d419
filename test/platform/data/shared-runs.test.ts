import { describe, expect, it, vi } from 'vitest';
import { SharedRuns } from '../../../src/platform/data/shared-runs.js';

/** Work that ends when the test says so, and fails on abort. */
function work() {
  let finish = (_value: string) => {};
  let fail = (_error: Error) => {};
  const start = vi.fn(
    (signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        finish = resolve;
        fail = reject;
        signal.addEventListener('abort', () => reject(new Error('interrupted')));
      }),
  );
  return { start, finish: (value: string) => finish(value), fail: (error: Error) => fail(error) };
}

describe('shared runs', () => {
  it('start once for equal keys, and once per key for others', async () => {
    const runs = new SharedRuns<string>();
    const [a, b] = [work(), work()];
    const all = [runs.run('a', a.start), runs.run('a', a.start), runs.run('b', b.start)];
    expect(a.start).toHaveBeenCalledTimes(1);
    a.finish('A');
    b.finish('B');
    expect(await Promise.all(all)).toEqual(['A', 'A', 'B']);
  });

  it('start anew once the first has ended', async () => {
    const runs = new SharedRuns<string>();
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
    const runs = new SharedRuns<string>();
    const { start, fail } = work();
    const all = [runs.run('a', start), runs.run('a', start)];
    fail(new Error('broken'));
    expect(await Promise.allSettled(all)).toEqual([
      { status: 'rejected', reason: new Error('broken') },
      { status: 'rejected', reason: new Error('broken') },
    ]);
  });

  it('go on for the others when one leaves', async () => {
    const runs = new SharedRuns<string>();
    const { start, finish } = work();
    const leaving = new AbortController();
    const left = runs.run('a', start, leaving.signal);
    const staying = runs.run('a', start, new AbortController().signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    expect(start.mock.calls[0]?.[0].aborted).toBe(false);
    finish('A');
    expect(await staying).toBe('A');
  });

  it('are aborted when the last one leaves, and take no one in any more', async () => {
    const runs = new SharedRuns<string>();
    const first = work();
    const leaving = new AbortController();
    const left = runs.run('a', first.start, leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    expect(first.start.mock.calls[0]?.[0].aborted).toBe(true);
    const second = work();
    const next = runs.run('a', second.start);
    second.finish('fresh');
    expect(await next).toBe('fresh');
  });

  it('never start for a caller who has left already', async () => {
    const { start } = work();
    await expect(new SharedRuns<string>().run('a', start, AbortSignal.abort())).rejects.toMatchObject({ status: 499 });
    expect(start).not.toHaveBeenCalled();
  });
});
