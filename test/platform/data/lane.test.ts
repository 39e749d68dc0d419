import { describe, expect, it } from 'vitest';
import { Lane } from '../../../src/platform/data/lane.js';

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
    const lane = new Lane({ concurrency: 2, queueLimit: 10 });
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    const tasks = gates.map(({ passed }, index) =>
      lane.run(async () => {
        started.push(index);
        await passed;
        return index;
      }, signal()),
    );
    expect(started).toEqual([0, 1]);
    gates[1]?.open();
    expect(await tasks[1]).toBe(1);
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3]);
  });

  it('gives the place of a failed task to the next', async () => {
    const lane = new Lane({ concurrency: 1, queueLimit: 10 });
    const failing = lane.run(() => Promise.reject(new Error('no')), signal());
    const next = lane.run(async () => 'yes', signal());
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await lane.run(async () => 'again', signal())).toBe('again');
  });

  it('refuses what is one too many, and takes more once there is room', async () => {
    const lane = new Lane({ concurrency: 1, queueLimit: 1 });
    const { passed, open } = gate();
    const running = lane.run(() => passed, signal());
    const waiting = lane.run(async () => 'waited', signal());
    await expect(lane.run(async () => 'refused', signal())).rejects.toMatchObject({ status: 503 });
    open();
    await running;
    expect(await waiting).toBe('waited');
    expect(await lane.run(async () => 'taken', signal())).toBe('taken');
  });

  it('lets one that waits leave, and keeps the order of the others', async () => {
    const lane = new Lane({ concurrency: 1, queueLimit: 2 });
    const { passed, open } = gate();
    const running = lane.run(() => passed, signal());
    const leaving = new AbortController();
    const left = lane.run(async () => 'never', leaving.signal);
    const waiting = lane.run(async () => 'waited', signal());
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    open();
    await running;
    expect(await waiting).toBe('waited');
  });
});
