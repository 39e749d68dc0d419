import { describe, expect, it } from 'vitest';
import { PlatformError } from '../../../src/platform/errors.js';
import { TaskQueue } from '../../../src/platform/runtime/task-queue.js';

function gate() {
  let open = () => {};
  let fail = (_error: Error) => {};
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { passed, open, fail };
}

const signal = () => new AbortController().signal;

describe('TaskQueue', () => {
  it('runs tasks up to its concurrency, then the next in order', async () => {
    const queue = new TaskQueue({ concurrency: 2, queueLimit: 10 });
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    const tasks = gates.map(({ passed }, index) => {
      const task = async () => {
        started.push(index);
        await passed;
        return index;
      };
      return queue.run(`caller ${index}`, task, signal());
    });
    expect(started).toEqual([0, 1]);
    gates[1]?.open();
    expect(await tasks[1]).toBe(1);
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3]);
  });

  it('starts the next task after a failure', async () => {
    const queue = new TaskQueue({ concurrency: 1, queueLimit: 10 });
    const failing = queue.run('a', () => Promise.reject(new Error('no')), signal());
    const next = queue.run('a', async () => 'yes', signal());
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await queue.run('a', async () => 'again', signal())).toBe('again');
  });

  it('rejects tasks beyond its capacity, and accepts more when there is room', async () => {
    const queue = new TaskQueue({ concurrency: 1, queueLimit: 1 });
    const { passed, open } = gate();
    const running = queue.run('a', () => passed, signal());
    const waiting = queue.run('a', async () => 'waited', signal());
    await expect(queue.run('b', async () => 'refused', signal())).rejects.toMatchObject({ status: 503 });
    open();
    await running;
    expect(await waiting).toBe('waited');
    expect(await queue.run('a', async () => 'taken', signal())).toBe('taken');
  });

  it('removes an aborted waiting task, and keeps the order of the others', async () => {
    const queue = new TaskQueue({ concurrency: 1, queueLimit: 8 });
    const { passed, open } = gate();
    const running = queue.run('a', () => passed, signal());
    const leaving = new AbortController();
    const left = queue.run('a', async () => 'never', leaving.signal);
    const waiting = queue.run('a', async () => 'waited', signal());
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    open();
    await running;
    expect(await waiting).toBe('waited');
  });

  it('reserves a slot for other callers', async () => {
    const queue = new TaskQueue({ concurrency: 3, queueLimit: 100 });
    const { passed, open } = gate();
    const many = Array.from({ length: 10 }, () => queue.run('greedy', () => passed, signal()));
    expect(await queue.run('modest', async () => 'at once', signal())).toBe('at once');
    open();
    await Promise.all(many);
  });

  it('alternates between callers, however many tasks each has', async () => {
    const queue = new TaskQueue({ concurrency: 1, queueLimit: 100 });
    const { passed, open } = gate();
    const order: string[] = [];
    const tasks = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map((caller, index) =>
      queue.run(
        caller,
        async () => {
          await passed;
          order.push(`${caller}${index}`);
        },
        signal(),
      ),
    );
    open();
    await Promise.all(tasks);
    expect(order).toEqual(['a0', 'b4', 'c6', 'a1', 'b5', 'a2', 'a3']);
  });

  it('rejects a greedy caller before the others', async () => {
    const queue = new TaskQueue({ concurrency: 1, queueLimit: 8 });
    const { passed, open } = gate();
    const many = Array.from({ length: 3 }, () => queue.run('greedy', () => passed, signal()));
    await expect(queue.run('greedy', async () => 'refused', signal())).rejects.toMatchObject({ status: 503 });
    const modest = queue.run('modest', async () => 'waited', signal());
    open();
    expect(await modest).toBe('waited');
    await Promise.all(many);
    expect(await queue.run('greedy', async () => 'welcome again', signal())).toBe('welcome again');
  });

  it('replaces the last task of the greediest caller if the queue is full', async () => {
    const rejection = (limit: string) => new PlatformError(limit === 'caller' ? 429 : 503, 'full');
    const queue = new TaskQueue({ concurrency: 1, queueLimit: 8, rejection });
    const { passed, open } = gate();
    const run = (caller: string) => queue.run(caller, () => passed.then(() => caller), signal());
    const running = run('first');
    const many = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'].map(run);
    await expect(run('a')).rejects.toMatchObject({ status: 429 });
    const fair = run('e');
    await expect(many[1]).rejects.toMatchObject({ status: 503 });
    const late = ['f', 'g', 'h'].map(run);
    // Now each caller has one task.
    await expect(run('i')).rejects.toMatchObject({ status: 503 });
    open();
    await Promise.allSettled([running, ...many, ...late]);
    expect(await fair).toBe('e');
    expect(queue.waiting).toBe(0);
  });
});
