import { createHash } from 'node:crypto';
import { and, asc, eq, inArray, isNull, lt, lte, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { jobs } from '../db/schema.js';

/** Channel on which new jobs are announced. See `listenTo`. */
export const jobsChannel = 'pa_jobs';

/** A job that the caller has leased. */
export interface LeasedJob {
  readonly id: string;
  readonly kind: string;
  readonly payload: JsonObject;
  /** Number of attempts, including the current one. */
  readonly attempts: number;
}

/** Owner and duration of leases. */
export interface Lease {
  readonly owner: string;
  readonly leaseMs: number;
}

const inMs = (ms: number): SQL => sql`now() + ${ms}::double precision * interval '1 millisecond'`;

/**
 * Adds a job to the queue in the caller's transaction. Queues are notified when the transaction commits.
 * @param delayMs - time until its first attempt, in ms.
 */
export async function enqueueJob(tx: Db, kind: string, payload: JsonObject, delayMs = 0): Promise<string> {
  const [job] = await tx
    .insert(jobs)
    .values({ kind, payload, ...(delayMs > 0 && { runAt: inMs(delayMs) }) })
    .returning({ id: jobs.id });
  if (!job) throw new Error('An insert returned no row.');
  await wake(tx);
  return job.id;
}

/** Creates the recurring job of a kind unless it exists. @param delayMs - time until its first run, in ms. */
export async function ensureRecurringJob(db: Db, kind: string, delayMs: number): Promise<void> {
  // All replicas derive the same id from the kind.
  const id = createHash('sha256').update(kind).digest('hex').slice(0, 32);
  await db
    .insert(jobs)
    .values({ id, kind, payload: {}, runAt: inMs(delayMs) })
    .onConflictDoNothing();
}

async function wake(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify(${jobsChannel}, '')`);
}

/** Selects jobs to lease. */
export interface LeaseRequest extends Lease {
  readonly kinds: readonly string[];
  readonly limit: number;
  /** Ids of jobs that this owner is running. They are not leased again, even if their leases have expired. */
  readonly running?: readonly string[];
}

/** Leases due jobs of these kinds that have no valid lease, in the order of their due time. */
export async function leaseJobs(
  db: Db,
  { owner, leaseMs, kinds, limit, running = [] }: LeaseRequest,
): Promise<LeasedJob[]> {
  const free = or(isNull(jobs.leaseExpiresAt), lt(jobs.leaseExpiresAt, sql`now()`));
  const others = running.length > 0 ? notInArray(jobs.id, [...running]) : undefined;
  const due = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(inArray(jobs.kind, [...kinds]), lte(jobs.runAt, sql`now()`), free, others))
    .orderBy(asc(jobs.runAt), asc(jobs.id))
    .limit(limit)
    .for('update', { skipLocked: true });
  return (
    db
      .update(jobs)
      .set({ leaseOwner: owner, leaseExpiresAt: inMs(leaseMs), attempts: sql`${jobs.attempts} + 1` })
      // The array is evaluated once; IN with a subquery could run the limited query once per row.
      .where(sql`${jobs.id} = any(array(${due}))`)
      .returning({ id: jobs.id, kind: jobs.kind, payload: jobs.payload, attempts: jobs.attempts })
  );
}

const held = (id: string, owner: string) => and(eq(jobs.id, id), eq(jobs.leaseOwner, owner));

/** Renews the lease of a job; false if the job is finished or another owner has the lease. */
export async function renewLease(db: Db, id: string, { owner, leaseMs }: Lease): Promise<boolean> {
  const renewed = await db
    .update(jobs)
    .set({ leaseExpiresAt: inMs(leaseMs) })
    .where(held(id, owner))
    .returning({ id: jobs.id });
  return renewed.length > 0;
}

/** Deletes a finished job. */
export async function finishJob(db: Db, id: string, owner: string): Promise<void> {
  await db.delete(jobs).where(held(id, owner));
}

/** Releases a failed job and schedules its next attempt. */
export async function postponeJob(db: Db, id: string, owner: string, waitMs: number): Promise<void> {
  await db
    .update(jobs)
    .set({ leaseOwner: null, leaseExpiresAt: null, runAt: inMs(waitMs) })
    .where(held(id, owner));
}

/** Releases a recurring job, schedules its next run and resets its number of attempts. */
export async function rescheduleJob(db: Db, id: string, owner: string, waitMs: number): Promise<void> {
  await db
    .update(jobs)
    .set({ leaseOwner: null, leaseExpiresAt: null, attempts: 0, runAt: inMs(waitMs) })
    .where(held(id, owner));
}

/**
 * Releases all leases of an owner without counting the attempts, so that another replica can take the jobs immediately.
 */
export async function releaseJobs(db: Db, owner: string): Promise<void> {
  const released = await db
    .update(jobs)
    .set({ leaseOwner: null, leaseExpiresAt: null, attempts: sql`${jobs.attempts} - 1` })
    .where(eq(jobs.leaseOwner, owner))
    .returning({ id: jobs.id });
  if (released.length > 0) await wake(db);
}
