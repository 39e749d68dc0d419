import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../../src/platform/db/database.js';
import { jobs } from '../../../src/platform/db/schema.js';
import { type JobHandler, JobQueue, type JobQueueOptions } from '../../../src/platform/jobs/job-queue.js';
import { enqueueJob, leaseJobs } from '../../../src/platform/jobs/job-store.js';
import { eventually } from '../../eventually.js';
import { openTestDatabase } from '../db/test-database.js';

let store: Awaited<ReturnType<typeof openTestDatabase>>;
let database: Database;
const queues: JobQueue[] = [];

beforeAll(async () => {
  store = await openTestDatabase();
  database = await openDatabase(store.connection);
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(queues.splice(0).map(queue => queue.close()));
  await store.db.delete(jobs);
});

afterAll(async () => {
  await database.close();
  await store.stop();
});

const nothing = async () => {};

/**
 * Opens a queue of kind `count`, like in a replica. It polls rarely, so that jobs that were found by a notification can
 * be distinguished.
 */
function openQueue(handler: Partial<JobHandler>, options: Partial<JobQueueOptions> = {}): JobQueue {
  const queue = new JobQueue({
    db: database.db,
    listen: database.listen,
    handlers: { count: { run: nothing, failPermanently: nothing, ...handler } },
    onFailure: () => {},
    pollMs: 60_000,
    ...options,
  });
  queues.push(queue);
  return queue;
}

const left = () => store.db.select().from(jobs);
/** Resolves when all jobs are done. */
const isEmpty = () => eventually(async () => expect(await left()).toEqual([]));
/** Resolves once the signal aborts. */
const aborted = (signal: AbortSignal) =>
  new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));

describe('JobQueue', () => {
  it('runs and deletes an existing job, and is notified of the next one', async () => {
    const seen: unknown[] = [];
    await enqueueJob(store.db, 'count', { number: 1 });
    openQueue({ run: async ({ number }) => void seen.push(number) });
    await isEmpty();
    // The first job was found by polling. This one is found by notification, because the next poll is in a minute.
    await enqueueJob(store.db, 'count', { number: 2 });
    await isEmpty();
    expect(seen).toEqual([1, 2]);
  });

  it('ignores a job whose transaction was rolled back', async () => {
    const run = vi.fn(nothing);
    openQueue({ run });
    await expect(
      store.db.transaction(async tx => {
        await enqueueJob(tx, 'count', {});
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await enqueueJob(store.db, 'count', { number: 1 });
    await isEmpty();
    expect(run.mock.calls.map(([payload]: unknown[]) => payload)).toEqual([{ number: 1 }]);
  });

  it('shares jobs with other queues: each runs once', async () => {
    const seen: unknown[] = [];
    const run = async ({ number }: { number?: unknown }) => {
      await new Promise(setImmediate);
      seen.push(number);
    };
    for (let index = 0; index < 3; index++) openQueue({ run });
    const numbers = Array.from({ length: 60 }, (_, number) => number);
    await Promise.all(numbers.map(number => enqueueJob(store.db, 'count', { number })));
    await isEmpty();
    expect(seen.sort((a, b) => Number(a) - Number(b))).toEqual(numbers);
  });

  it('limits concurrent jobs', async () => {
    let now = 0;
    let maxRunning = 0;
    let open = () => {};
    const three = new Promise<void>(resolve => (open = resolve));
    const run = async () => {
      maxRunning = Math.max(maxRunning, ++now);
      // The jobs wait for each other. Three of them therefore run concurrently even if they are claimed slowly.
      if (now === 3) open();
      await three;
      await store.db.execute(sql`select pg_sleep(0.005)`);
      now--;
    };
    openQueue({ run }, { concurrency: 3 });
    await Promise.all(Array.from({ length: 20 }, () => enqueueJob(store.db, 'count', {})));
    await isEmpty();
    expect(maxRunning).toBe(3);
  });

  it('runs the job of a killed replica after its lease has expired', async () => {
    const killed = await openDatabase(store.connection);
    const started = vi.fn();
    const stuck = openQueue(
      {
        run: async (_payload, signal) => {
          started();
          await aborted(signal);
          throw new Error('given up');
        },
      },
      { db: killed.db, listen: killed.listen, leaseMs: 300 },
    );
    await enqueueJob(store.db, 'count', { number: 1 });
    await eventually(() => expect(started).toHaveBeenCalled());
    const run = vi.fn(nothing);
    openQueue({ run }, { pollMs: 50 });
    // Without its database, the queue can neither renew the lease nor release the job.
    await killed.close();
    await isEmpty();
    expect(run).toHaveBeenCalledTimes(1);
    await stuck.close();
  });

  it('renews the lease while a job runs', async () => {
    // Use fake time, because a short real lease would expire while the machine is paused.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let finish = () => {};
    const run = vi.fn(() => new Promise<void>(resolve => (finish = resolve)));
    openQueue({ run }, { leaseMs: 600_000, pollMs: 3_600_000 });
    await enqueueJob(store.db, 'count', {});
    await eventually(() => expect(run).toHaveBeenCalled());
    for (let renewal = 0; renewal < 4; renewal++) {
      await store.db.update(jobs).set({ leaseExpiresAt: sql`now() + interval '1 minute'` });
      vi.advanceTimersByTime(200_000);
      await eventually(async () =>
        expect((await left())[0]?.leaseExpiresAt?.getTime()).toBeGreaterThan(Date.now() + 300_000),
      );
    }
    expect(await leaseJobs(store.db, { owner: 'another', leaseMs: 1000, kinds: ['count'], limit: 1 })).toEqual([]);
    finish();
    await isEmpty();
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('does not run its own job again while it runs, although its lease has expired', async () => {
    const seen: unknown[] = [];
    let finish = () => {};
    const finished = new Promise<void>(resolve => (finish = resolve));
    const run = async ({ number }: { number?: unknown }) => {
      seen.push(number);
      if (number === 1) await finished;
    };
    openQueue({ run });
    const stalled = await enqueueJob(store.db, 'count', { number: 1 });
    await eventually(() => expect(seen).toEqual([1]));
    await store.db.update(jobs).set({ leaseExpiresAt: sql`now() - interval '1 minute'` });
    // The poll for the next job finds the expired lease.
    await enqueueJob(store.db, 'count', { number: 2 });
    await eventually(async () => expect(await left()).toMatchObject([{ id: stalled, attempts: 1 }]));
    finish();
    await isEmpty();
    expect(seen).toEqual([1, 2]);
  });

  it('aborts a job that another replica has claimed', async () => {
    const lost = vi.fn();
    const run = async (_payload: object, signal: AbortSignal) => {
      await aborted(signal);
      lost();
    };
    openQueue({ run }, { leaseMs: 150 });
    await enqueueJob(store.db, 'count', {});
    await eventually(async () => expect((await left())[0]?.leaseOwner).toEqual(expect.any(String)));
    await store.db.update(jobs).set({ leaseOwner: 'another', leaseExpiresAt: sql`now() + interval '1 hour'` });
    await eventually(() => expect(lost).toHaveBeenCalled());
    expect(await left()).toMatchObject([{ leaseOwner: 'another' }]);
  });

  it('retries a failing job with growing delays, and finally gives up', async () => {
    const onFailure = vi.fn();
    const failPermanently = vi.fn(nothing);
    const run = vi.fn(async () => {
      throw new Error('no luck');
    });
    openQueue({ run, failPermanently }, { maxAttempts: 3, backOffMs: 10, pollMs: 20, onFailure });
    const id = await enqueueJob(store.db, 'count', { number: 7 });
    await isEmpty();
    expect(run).toHaveBeenCalledTimes(3);
    expect(onFailure.mock.calls).toMatchObject(
      [1, 2, 3].map(attempts => [expect.any(Error), { id, kind: 'count', attempts }]),
    );
    expect(failPermanently).toHaveBeenCalledExactlyOnceWith({ number: 7 });
  });

  it('gives up on a job that crashed its process every time', async () => {
    await enqueueJob(store.db, 'count', {});
    await store.db.update(jobs).set({ attempts: 3 });
    const run = vi.fn(nothing);
    const failPermanently = vi.fn(nothing);
    openQueue({ run, failPermanently }, { maxAttempts: 3 });
    await isEmpty();
    expect(run).not.toHaveBeenCalled();
    expect(failPermanently).toHaveBeenCalledTimes(1);
  });

  it('releases its jobs on close, so that another replica runs them immediately', async () => {
    const started = vi.fn();
    const first = openQueue({
      run: async (_payload, signal) => {
        started();
        await aborted(signal);
        throw new Error('stopped');
      },
    });
    await enqueueJob(store.db, 'count', {});
    await eventually(() => expect(started).toHaveBeenCalled());
    const run = vi.fn(nothing);
    openQueue({ run });
    await first.close();
    await isEmpty();
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('repeats a recurring job', async () => {
    const run = vi.fn(nothing);
    openQueue({ run, everyMs: 10 }, { pollMs: 20 });
    await eventually(() => expect(run.mock.calls.length).toBeGreaterThan(2));
    expect(run).toHaveBeenCalledWith({}, expect.any(AbortSignal));
  });

  it('creates a recurring job once for all queues, due after its interval', async () => {
    const run = vi.fn(nothing);
    const startedAt = Date.now();
    const all = [1, 2, 3].map(() => openQueue({ run, everyMs: 600_000 }));
    // Closing a queue waits for its first poll.
    await Promise.all(all.map(queue => queue.close()));
    const created = await left();
    expect(created).toMatchObject([{ kind: 'count', attempts: 0 }]);
    expect(created[0]?.runAt.getTime()).toBeGreaterThan(startedAt + 540_000);
    expect(run).not.toHaveBeenCalled();
  });

  it('runs a recurring job again after all its attempts failed', async () => {
    const failPermanently = vi.fn(nothing);
    const run = vi.fn(async () => {
      throw new Error('no luck');
    });
    openQueue({ run, failPermanently, everyMs: 10 }, { maxAttempts: 2, backOffMs: 10, pollMs: 20 });
    await eventually(() => expect(failPermanently.mock.calls.length).toBeGreaterThan(1));
    expect(await left()).toHaveLength(1);
  });

  it('ignores jobs of unknown kinds', async () => {
    await enqueueJob(store.db, 'newer', {});
    await enqueueJob(store.db, 'count', {});
    openQueue({});
    await eventually(async () => expect(await left()).toMatchObject([{ kind: 'newer', attempts: 0 }]));
  });
});

describe('listenTo', () => {
  it('reconnects when its connection is lost, and catches up', async () => {
    const run = vi.fn(nothing);
    openQueue({ run });
    await enqueueJob(store.db, 'count', {});
    await isEmpty();
    await store.db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database() and pid <> pg_backend_pid()`,
    );
    await enqueueJob(store.db, 'count', {});
    await isEmpty();
    await enqueueJob(store.db, 'count', {});
    await isEmpty();
    expect(run).toHaveBeenCalledTimes(3);
  });
});
