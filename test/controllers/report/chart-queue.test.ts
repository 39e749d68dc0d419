import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChartQueue } from '../../../src/controllers/report/chart-queue.js';

/** Enough microtasks for the charts of one task. */
async function finishMicrotasks(): Promise<void> {
  for (let count = 0; count < 50; count++) await Promise.resolve();
}

describe('the queue of charts', () => {
  const page = { hidden: false };
  let log: string[] = [];
  beforeEach(() => {
    log = [];
    page.hidden = false;
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    vi.stubGlobal('document', page);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Adds a chart that takes this long to render. */
  const add = (queue: ChartQueue, name: string, ms = 20): Promise<void> =>
    queue.run(() => {
      log.push(`measure ${name}`);
      return async () => {
        log.push(`render ${name}`);
        advance(ms);
      };
    });
  /** Lets time pass without running timers. */
  const advance = (ms: number): void => {
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + ms);
  };

  it('renders one long chart per task, and measures those that wait together', async () => {
    const queue = new ChartQueue();
    const done = Promise.all(['a', 'b', 'c'].map(name => add(queue, name)));
    await finishMicrotasks();
    expect(log).toEqual(['measure a', 'render a']);
    vi.runOnlyPendingTimers();
    await finishMicrotasks();
    expect(log.slice(2)).toEqual(['measure b', 'measure c', 'render b']);
    vi.runOnlyPendingTimers();
    await done;
    expect(log.slice(5)).toEqual(['render c']);
  });

  it('renders several short charts in one task', async () => {
    const queue = new ChartQueue();
    for (const name of ['a', 'b', 'c']) void add(queue, name, 4);
    await finishMicrotasks();
    expect(log.filter(entry => entry.startsWith('render'))).toEqual(['render a', 'render b']);
  });

  /** Adds a chart that waits until it may be shown. */
  const addShown = (queue: ChartQueue, name: string): void => {
    void queue.run(() => async show => {
      log.push(`render ${name}`);
      await show();
      log.push(`show ${name}`);
    });
  };

  it('shows charts together when all of them are rendered', async () => {
    const queue = new ChartQueue();
    for (const name of ['a', 'b']) addShown(queue, name);
    await finishMicrotasks();
    expect(log).toEqual(['render a', 'render b', 'show a', 'show b']);
  });

  it('shows a chart after a tenth of a second while others are rendered', async () => {
    const queue = new ChartQueue();
    void queue.run(() => () => new Promise(() => {}));
    addShown(queue, 'next');
    await vi.advanceTimersByTimeAsync(90);
    expect(log).toEqual(['render next']);
    await vi.advanceTimersByTimeAsync(20);
    expect(log).toEqual(['render next', 'show next']);
  });

  it('continues while a chart waits for a chunk', async () => {
    const queue = new ChartQueue();
    void queue.run(() => () => new Promise(() => {}));
    const next = add(queue, 'next');
    vi.runOnlyPendingTimers();
    await next;
    expect(log).toEqual(['measure next', 'render next']);
  });

  it('does not wait for timers in a hidden page, which throttles them', async () => {
    page.hidden = true;
    const queue = new ChartQueue();
    void add(queue, 'a');
    await add(queue, 'b');
    expect(log).toContain('render b');
  });

  it('reports errors to the caller and continues', async () => {
    const queue = new ChartQueue();
    const failures = [
      queue.run(() => () => Promise.reject(new Error('render'))),
      queue.run(() => {
        throw new Error('measure');
      }),
    ];
    const settled = Promise.allSettled(failures);
    const next = add(queue, 'next');
    vi.runOnlyPendingTimers();
    await next;
    expect((await settled).map(result => result.status === 'rejected' && String(result.reason))).toEqual([
      'Error: render',
      'Error: measure',
    ]);
  });
});
