import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import type { ChannelListener } from '../db/listen.js';
import {
  finishJob,
  jobsChannel,
  type LeasedJob,
  leaseJobs,
  postponeJob,
  releaseJobs,
  renewLease,
} from './job-store.js';

/** What is done for jobs of one kind. */
export interface JobHandler {
  /**
   * Does the job. It may have been done before, in part or wholly: a process can die after the work and before that is noted.
   * @param signal - aborts when the job belongs to somebody else, or the platform stops.
   */
  run(payload: JsonObject, signal: AbortSignal): Promise<void>;
  /** Notes that the job failed every time; nothing more is done for it. */
  giveUp(payload: JsonObject): Promise<void>;
}

/** What a queue is put together from. Times are in ms. */
export interface JobQueueOptions {
  readonly db: Db;
  /** Hears what others notify: `listen` of `Database`. */
  readonly listen: (channel: string, hear: () => void) => ChannelListener;
  /** By kind. Jobs of other kinds are left to others. */
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Hears why a job failed. */
  readonly onFailure: (error: unknown) => void;
  /** Jobs at once; 2 by default. */
  readonly concurrency?: number;
  /** How long a job of a process that died stays with it; 30 s by default. */
  readonly leaseMs?: number;
  /** How often it looks for jobs that it was not told of; 5 s by default. */
  readonly pollMs?: number;
  /** How often a job is tried; 5 times by default. */
  readonly maxAttempts?: number;
  /** How long a job rests after its first failure, twice as long after each other; 2 s by default. */
  readonly backOffMs?: number;
}

/** How long work that doesn't heed its signal can hold up the end. */
const stopMs = 5_000;

/**
 * Works on the jobs of the database, together with the queues of other replicas: each job is with one of them at a time, by a lease that
 * is renewed while the work goes on. A job is done once at least, so that its handler must bear doing it twice.
 */
export class JobQueue {
  readonly #options: Required<JobQueueOptions>;
  readonly #owner = randomUUID();
  readonly #running = new Map<Promise<void>, AbortController>();
  readonly #listening: ChannelListener;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #closing: Promise<void> | null = null;

  constructor(options: JobQueueOptions) {
    const defaults = { concurrency: 2, leaseMs: 30_000, pollMs: 5_000, maxAttempts: 5, backOffMs: 2_000 };
    this.#options = { ...defaults, ...options };
    this.#listening = options.listen(jobsChannel, () => this.#wake());
    this.#timer = setInterval(() => this.#wake(), this.#options.pollMs).unref();
    this.#wake();
  }

  /** Stops: what is under way is aborted and given back, to be done by another one. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#listening.close();
    await this.#looking;
    for (const controller of this.#running.values()) controller.abort();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, stopMs);
    });
    await Promise.race([Promise.all(this.#running.keys()), late]);
    clearTimeout(timer);
    // Where that fails the leases run out by themselves.
    await releaseJobs(this.#options.db, this.#owner).catch(this.#options.onFailure);
  }

  #wake(): void {
    this.#lookAgain = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      // It was woken when it had looked for the last time.
      if (this.#lookAgain && !this.#closing) this.#wake();
    });
  }

  /** Takes jobs for as long as there are any, and room for them. */
  async #look(): Promise<void> {
    const { db, handlers, leaseMs, concurrency, onFailure } = this.#options;
    while (this.#lookAgain && !this.#closing) {
      this.#lookAgain = false;
      const room = concurrency - this.#running.size;
      if (room <= 0) return;
      try {
        const taken = await leaseJobs(db, Object.keys(handlers), { owner: this.#owner, leaseMs }, room);
        for (const job of taken) this.#begin(job);
        if (taken.length === room) this.#lookAgain = true;
      } catch (error) {
        // The next poll tries again.
        onFailure(error);
      }
    }
  }

  #begin(job: LeasedJob): void {
    const controller = new AbortController();
    const done = this.#work(job, controller)
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#running.delete(done);
        if (!this.#closing) this.#wake();
      });
    this.#running.set(done, controller);
  }

  async #work(job: LeasedJob, controller: AbortController): Promise<void> {
    const { db, handlers, maxAttempts, backOffMs, onFailure } = this.#options;
    const { signal } = controller;
    const handler = handlers[job.kind];
    if (!handler) return;
    const stopRenewing = this.#renew(job, controller);
    try {
      // One that is over the limit took its process down the last time.
      if (job.attempts > maxAttempts) await handler.giveUp(job.payload);
      else await handler.run(job.payload, signal);
      await finishJob(db, job.id, this.#owner);
    } catch (error) {
      // Who aborted it has settled what becomes of the job: it is somebody else's, or given back at the end.
      if (signal.aborted) return;
      onFailure(error);
      if (job.attempts < maxAttempts) {
        await postponeJob(db, job.id, this.#owner, backOffMs * 2 ** (job.attempts - 1));
        return;
      }
      await handler.giveUp(job.payload);
      await finishJob(db, job.id, this.#owner);
    } finally {
      stopRenewing();
    }
  }

  #renew(job: LeasedJob, controller: AbortController): () => void {
    const { db, leaseMs } = this.#options;
    let heldUntil = Date.now() + leaseMs;
    const renew = async () => {
      const asked = Date.now();
      const isHeld = await renewLease(db, job.id, { owner: this.#owner, leaseMs }).catch(() => null);
      if (isHeld) heldUntil = asked + leaseMs;
      // Without an answer it is ours for as long as the lease that was got.
      else if (isHeld === false || Date.now() >= heldUntil) controller.abort();
    };
    const timer = setInterval(() => void renew(), leaseMs / 3).unref();
    return () => clearInterval(timer);
  }
}
