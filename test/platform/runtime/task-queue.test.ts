import { describe, expect, it } from 'vitest';
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

describe('a lane', () => {
  it('runs as many as it may, then the next in order as each ends', async () => {
    const lane = new TaskQueue({ concurrency: 2, queueLimit: 10 });
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    const tasks = gates.map(({ passed }, index) => {
      const task = async () => {
        started.push(index);
        await passed;
        return index;
      };
      return lane.run(`caller ${index}`, task, signal());
    });
    expect(started).toEqual([0, 1]);
    gates[1]?.open();
    expect(await tasks[1]).toBe(1);
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3]);
  });

  it('gives the place of a failed task to the next', async () => {
    const lane = new TaskQueue({ concurrency: 1, queueLimit: 10 });
    const failing = lane.run('a', () => Promise.reject(new Error('no')), signal());
    const next = lane.run('a', async () => 'yes', signal());
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await lane.run('a', async () => 'again', signal())).toBe('again');
  });

  it('refuses what is one too many, and takes more once there is room', async () => {
    const lane = new TaskQueue({ concurrency: 1, queueLimit: 1 });
    const { passed, open } = gate();
    const running = lane.run('a', () => passed, signal());
    const waiting = lane.run('a', async () => 'waited', signal());
    await expect(lane.run('b', async () => 'refused', signal())).rejects.toMatchObject({ status: 503 });
    open();
    await running;
    expect(await waiting).toBe('waited');
    expect(await lane.run('a', async () => 'taken', signal())).toBe('taken');
  });

  it('lets one that waits leave, and keeps the order of the others', async () => {
    const lane = new TaskQueue({ concurrency: 1, queueLimit: 8 });
    const { passed, open } = gate();
    const running = lane.run('a', () => passed, signal());
    const leaving = new AbortController();
    const left = lane.run('a', async () => 'never', leaving.signal);
    const waiting = lane.run('a', async () => 'waited', signal());
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    open();
    await running;
    expect(await waiting).toBe('waited');
  });

  it('leaves a place to others, whatever one caller asks for', async () => {
    const lane = new TaskQueue({ concurrency: 3, queueLimit: 100 });
    const { passed, open } = gate();
    const many = Array.from({ length: 10 }, () => lane.run('greedy', () => passed, signal()));
    expect(await lane.run('modest', async () => 'at once', signal())).toBe('at once');
    open();
    await Promise.all(many);
  });

  it('lets callers take turns, however much each has waiting', async () => {
    const lane = new TaskQueue({ concurrency: 1, queueLimit: 100 });
    const { passed, open } = gate();
    const order: string[] = [];
    const tasks = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map((caller, index) =>
      lane.run(
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

  it('refuses one caller long before the others', async () => {
    const lane = new TaskQueue({ concurrency: 1, queueLimit: 8 });
    const { passed, open } = gate();
    const many = Array.from({ length: 3 }, () => lane.run('greedy', () => passed, signal()));
    await expect(lane.run('greedy', async () => 'refused', signal())).rejects.toMatchObject({ status: 503 });
    const modest = lane.run('modest', async () => 'waited', signal());
    open();
    expect(await modest).toBe('waited');
    await Promise.all(many);
    expect(await lane.run('greedy', async () => 'welcome again', signal())).toBe('welcome again');
  });
});
