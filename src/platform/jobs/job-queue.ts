import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import type { ChannelListener } from '../db/listen.js';
import { backOff, pause } from '../runtime/retry.js';
import {
  ensureRecurringJob,
  finishJob,
  jobsChannel,
  type LeasedJob,
  leaseJobs,
  postponeJob,
  releaseJobs,
  renewLease,
  rescheduleJob,
} from './job-store.js';

/** Handles jobs of one kind. */
export interface JobHandler {
  /**
   * Executes the job. Must be idempotent, because a process can fail after the work is done and before the job is
   * marked as finished.
   * @param signal - aborts if the lease of the job is lost or the platform shuts down.
   */
  run(payload: JsonObject, signal: AbortSignal): Promise<void>;
  /** Records that all attempts failed. The job is not retried afterwards; a recurring job runs again when it is due. */
  failPermanently(payload: JsonObject): Promise<void>;
  /**
   * Makes the job recurring: time in ms between the end of a run and the start of the next one. The queue creates the
   * job, with an empty payload; do not enqueue jobs of this kind.
   */
  readonly everyMs?: number;
}

/** Options of a job queue. Times are in ms. */
export interface JobQueueOptions {
  readonly db: Db;
  /** Subscribes to notifications: `listen` of `Database`. */
  readonly listen: (channel: string, onNotify: () => void) => ChannelListener;
  /** Handlers by kind of job. Jobs of other kinds are ignored. */
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Called with the reason why an attempt failed; without a job if the queue itself failed. */
  readonly onFailure: (error: unknown, job?: LeasedJob) => void;
  /** Maximum number of concurrent jobs; 2 by default. */
  readonly concurrency?: number;
  /** Duration of a lease; 30 s by default. After it, other processes can take the job. */
  readonly leaseMs?: number;
  /** Interval of polling for jobs whose notification was missed; 5 s by default. */
  readonly pollMs?: number;
  /** Maximum number of attempts per job; 5 by default. */
  readonly maxAttempts?: number;
  /** Delay after the first failure, doubled after each further failure; 2 s by default. */
  readonly backOffMs?: number;
}

interface RunningJob {
  readonly id: string;
  readonly controller: AbortController;
}

/** Interval at which a queue checks that its recurring jobs exist, because restoring a backup can delete them. */
const ensureEveryMs = 600_000;
/** How long `close` waits for handlers that ignore their signal. */
const stopMs = 5_000;

/**
 * Executes the jobs in the database, together with the queues of other replicas. A lease that is renewed during the
 * work gives each job to one replica at a time. Jobs are executed at least once, so handlers must be idempotent.
 */
export class JobQueue {
  readonly #options: Required<JobQueueOptions>;
  readonly #owner = randomUUID();
  readonly #running = new Map<Promise<void>, RunningJob>();
  readonly #listening: ChannelListener;
  readonly #timer: NodeJS.Timeout;
  /** Time of the next check of the recurring jobs, in ms since 1970. */
  #ensureAt = 0;
  #polling: Promise<void> | null = null;
  #pollAgain = false;
  #closing: Promise<void> | null = null;

  constructor(options: JobQueueOptions) {
    const defaults = { concurrency: 2, leaseMs: 30_000, pollMs: 5_000, maxAttempts: 5, backOffMs: 2_000 };
    this.#options = { ...defaults, ...options };
    this.#listening = options.listen(jobsChannel, () => this.#wake());
    this.#timer = setInterval(() => this.#wake(), this.#options.pollMs).unref();
    this.#wake();
  }

  /** Stops the queue: aborts running jobs and releases their leases for other replicas. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#listening.close();
    await this.#polling;
    for (const { controller } of this.#running.values()) controller.abort();
    const stopped = new AbortController();
    await Promise.race([Promise.all(this.#running.keys()), pause(stopMs, { signal: stopped.signal })]);
    stopped.abort();
    // If releasing fails, the leases expire.
    await releaseJobs(this.#options.db, this.#owner).catch((error: unknown) => this.#options.onFailure(error));
  }

  #wake(): void {
    this.#pollAgain = true;
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = null;
      // If the queue was woken after the last query, it polls again.
      if (this.#pollAgain && !this.#closing) this.#wake();
    });
  }

  /** Leases and starts jobs until no job is due or the concurrency limit is reached. */
  async #poll(): Promise<void> {
    const { db, handlers, leaseMs, concurrency, onFailure } = this.#options;
    while (this.#pollAgain && !this.#closing) {
      this.#pollAgain = false;
      const free = concurrency - this.#running.size;
      if (free <= 0) return;
      try {
        await this.#ensureRecurringJobs();
        const running = [...this.#running.values()].map(({ id }) => id);
        const kinds = Object.keys(handlers);
        const leased = await leaseJobs(db, { owner: this.#owner, leaseMs, kinds, limit: free, running });
        for (const job of leased) this.#begin(job);
        if (leased.length === free) this.#pollAgain = true;
      } catch (error) {
        // Report the failure. The next poll retries.
        onFailure(error);
      }
    }
  }

  async #ensureRecurringJobs(): Promise<void> {
    if (Date.now() < this.#ensureAt) return;
    const { db, handlers } = this.#options;
    for (const [kind, { everyMs }] of Object.entries(handlers)) {
      if (everyMs !== undefined) await ensureRecurringJob(db, kind, everyMs);
    }
    this.#ensureAt = Date.now() + ensureEveryMs;
  }

  #begin(job: LeasedJob): void {
    const controller = new AbortController();
    const done = this.#work(job, controller)
      .catch((error: unknown) => this.#options.onFailure(error, job))
      .finally(() => {
        this.#running.delete(done);
        if (!this.#closing) this.#wake();
      });
    this.#running.set(done, { id: job.id, controller });
  }

  async #work(job: LeasedJob, controller: AbortController): Promise<void> {
    const { db, handlers, maxAttempts, backOffMs, onFailure } = this.#options;
    const { signal } = controller;
    const handler = handlers[job.kind];
    if (!handler) return;
    const stopRenewing = this.#renew(job, controller);
    try {
      // A job that exceeds the limit probably crashed its process during the last attempt.
      if (job.attempts > maxAttempts) await handler.failPermanently(job.payload);
      else await handler.run(job.payload, signal);
      await this.#finish(job, handler);
    } catch (error) {
      // After an abort, either another process holds the job, or `close` releases it.
      if (signal.aborted) return;
      onFailure(error, job);
      if (job.attempts < maxAttempts) {
        await postponeJob(db, job.id, this.#owner, backOff(job.attempts, backOffMs, Number.POSITIVE_INFINITY));
        return;
      }
      await handler.failPermanently(job.payload);
      await this.#finish(job, handler);
    } finally {
      stopRenewing();
    }
  }

  async #finish({ id }: LeasedJob, { everyMs }: JobHandler): Promise<void> {
    const { db } = this.#options;
    if (everyMs === undefined) await finishJob(db, id, this.#owner);
    else await rescheduleJob(db, id, this.#owner, everyMs);
  }

  #renew(job: LeasedJob, controller: AbortController): () => void {
    const { db, leaseMs } = this.#options;
    let heldUntil = Date.now() + leaseMs;
    const renew = async () => {
      const requestedAt = Date.now();
      // If the renewal fails, the last lease remains valid until it expires.
      const isHeld = await renewLease(db, job.id, { owner: this.#owner, leaseMs }).catch(() => null);
      if (isHeld) heldUntil = requestedAt + leaseMs;
      else if (isHeld === false || Date.now() >= heldUntil) controller.abort();
    };
    const timer = setInterval(() => void renew(), leaseMs / 3).unref();
    return () => clearInterval(timer);
  }
}
