import { createHash } from 'node:crypto';
import { and, asc, eq, exists, inArray, isNotNull, isNull, lt, lte, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../contract/wire.js';
import { isActiveUser } from '../auth/user-store.js';
import type { Db } from '../db/database.js';
import {
  type DeliveryPurpose,
  type DeliveryState,
  embedTenants,
  jobs,
  notificationDeliveries,
  notificationRecipients,
  notificationRuns,
  notifications,
  type Role,
  type RunTrigger,
  users,
} from '../db/schema.js';
import { enqueueJob } from '../jobs/job-store.js';
import type { StoredNotification } from './notification-store.js';

/** Kind of the jobs that deliver runs. */
export const deliveryKind = 'notification-run';

/** A stored run. */
export type StoredRun = typeof notificationRuns.$inferSelect;

/** A run and its notification. */
export interface OpenRun {
  readonly run: StoredRun;
  readonly notification: StoredNotification;
}

/** A delivery and its recipient. */
export interface ClaimedDelivery {
  readonly id: number;
  /** The user; `null` for a channel. */
  readonly userId: number | null;
  /** Key of a channel; `null` for a user. */
  readonly channel: string | null;
  readonly purpose: DeliveryPurpose;
  readonly attempts: number;
  readonly messageId: string;
  readonly email: string | null;
  readonly externalId: string | null;
  /** Role of the user; `null` for a channel. */
  readonly role: Role | null;
  /** The embed tenant; `null` for a console user, and for a channel of the account. */
  readonly embedTenantId: number | null;
  readonly embedTenantName: string | null;
  /** Grant fields of an embed user that apply to its rendering. */
  readonly embed: JsonObject | null;
}

/** States of deliveries in progress, including deliveries whose process has crashed. */
const openStates = ['rendering', 'handing-over'] as const;

/** Condition for deliveries that require work now, whether or not an earlier attempt has started them. */
const isUnfinished = or(
  inArray(notificationDeliveries.state, [...openStates]),
  and(inArray(notificationDeliveries.state, ['pending', 'failed']), lte(notificationDeliveries.dueAt, sql`now()`)),
);

const isEnabled = and(eq(notifications.isEnabled, true), eq(notifications.notificationEnabled, true));

/** Locks the enabled notification that has been due the longest, or has no next run yet; `null` if there is none. */
export async function lockDueNotification(tx: Db, now: Date): Promise<StoredNotification | null> {
  const [due] = await tx
    .select()
    .from(notifications)
    .where(and(isEnabled, lte(notifications.nextRunAt, now)))
    .orderBy(asc(notifications.nextRunAt))
    .limit(1)
    .for('update', { skipLocked: true });
  return due ?? null;
}

/** Locks an enabled notification without a next run; `null` if there is none. */
export async function lockUnscheduledNotification(tx: Db, after: number): Promise<StoredNotification | null> {
  const [found] = await tx
    .select()
    .from(notifications)
    .where(and(isEnabled, sql`${notifications.nextRunAt} is null`, sql`${notifications.id} > ${after}`))
    .orderBy(asc(notifications.id))
    .limit(1)
    .for('update', { skipLocked: true });
  return found ?? null;
}

/** Stores the next scheduled time of a locked notification. */
export async function setNextRun(tx: Db, id: number, nextRunAt: Date | null): Promise<void> {
  await tx.update(notifications).set({ nextRunAt }).where(eq(notifications.id, id));
}

/** Records scheduled runs that were missed as skipped. */
export async function skipRuns(tx: Db, notificationId: number, times: readonly Date[]): Promise<void> {
  if (times.length === 0) return;
  const rows = times.map(scheduledAt => ({ notificationId, scheduledAt, trigger: 'schedule' as const }));
  await tx
    .insert(notificationRuns)
    .values(rows.map(row => ({ ...row, state: 'skipped' as const, endedAt: sql`now()` })))
    .onConflictDoNothing();
}

/**
 * Starts a run for the current recipients of a notification, with a pending delivery for each and a job. Returns `null`
 * if the run exists.
 */
export async function startRun(
  tx: Db,
  notificationId: number,
  { scheduledAt, trigger }: { readonly scheduledAt: Date; readonly trigger: RunTrigger },
): Promise<StoredRun | null> {
  const [run] = await tx
    .insert(notificationRuns)
    .values({ notificationId, scheduledAt, trigger, state: 'running' })
    .onConflictDoNothing()
    .returning();
  if (!run) return null;
  const recipients = await tx
    .select({ userId: notificationRecipients.userId, channel: notificationRecipients.channel })
    .from(notificationRecipients)
    .leftJoin(users, eq(users.id, notificationRecipients.userId))
    .where(
      and(
        eq(notificationRecipients.notificationId, notificationId),
        or(isNotNull(notificationRecipients.channel), isActiveUser),
      ),
    );
  await addDeliveries(tx, run, 'dashboard', recipients);
  await enqueueJob(tx, deliveryKind, { runId: run.id });
  return run;
}

/**
 * Adds pending deliveries to a run. Recipients that already have one are skipped. Returns the number of added
 * deliveries.
 */
export async function addDeliveries(
  tx: Db,
  run: StoredRun,
  purpose: DeliveryPurpose,
  recipients: readonly Pick<ClaimedDelivery, 'userId' | 'channel'>[],
): Promise<number> {
  if (recipients.length === 0) return 0;
  const rows = recipients.map(({ userId, channel }) => ({
    runId: run.id,
    userId,
    channel,
    purpose,
    state: 'pending' as const,
    messageId: messageIdOf(run, purpose, channel ?? userId),
  }));
  const added = await tx
    .insert(notificationDeliveries)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: notificationDeliveries.id });
  return added.length;
}

/** Returns the local part of a message id, which is the same for all attempts of a delivery. */
function messageIdOf({ notificationId, scheduledAt, trigger }: StoredRun, purpose: string, to: unknown): string {
  const key = JSON.stringify([notificationId, scheduledAt.toISOString(), trigger, purpose, to]);
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

/** Returns a run that has not ended, with its notification; `null` if it has ended or was deleted. */
export async function findOpenRun(db: Db, runId: number): Promise<OpenRun | null> {
  const [found] = await db
    .select({ run: notificationRuns, notification: notifications })
    .from(notificationRuns)
    .innerJoin(notifications, eq(notifications.id, notificationRuns.notificationId))
    .where(and(eq(notificationRuns.id, runId), eq(notificationRuns.state, 'running')));
  return found ?? null;
}

/**
 * Claims the unfinished deliveries of a run. The caller holds the lease of the run's job, so deliveries in progress
 * belong to a process that ended or lost the lease.
 */
export async function claimDeliveries(db: Db, runId: number, claim: string): Promise<ClaimedDelivery[]> {
  await db
    .update(notificationDeliveries)
    .set({ state: 'rendering', claim, updatedAt: sql`now()` })
    .where(and(eq(notificationDeliveries.runId, runId), isUnfinished));
  return db
    .select({
      id: notificationDeliveries.id,
      userId: notificationDeliveries.userId,
      channel: notificationDeliveries.channel,
      purpose: notificationDeliveries.purpose,
      attempts: notificationDeliveries.attempts,
      messageId: notificationDeliveries.messageId,
      email: users.email,
      externalId: users.externalId,
      role: users.role,
      embedTenantId: sql<
        number | null
      >`coalesce(${users.embedTenantId}, ${notificationRecipients.embedTenantId})`.mapWith(
        notificationRecipients.embedTenantId,
      ),
      embedTenantName: embedTenants.name,
      embed: notificationRecipients.embed,
    })
    .from(notificationDeliveries)
    .innerJoin(notificationRuns, eq(notificationRuns.id, notificationDeliveries.runId))
    .leftJoin(users, eq(users.id, notificationDeliveries.userId))
    .leftJoin(
      notificationRecipients,
      and(
        eq(notificationRecipients.notificationId, notificationRuns.notificationId),
        or(
          eq(notificationRecipients.userId, notificationDeliveries.userId),
          eq(notificationRecipients.channel, notificationDeliveries.channel),
        ),
      ),
    )
    .leftJoin(
      embedTenants,
      eq(embedTenants.id, sql`coalesce(${users.embedTenantId}, ${notificationRecipients.embedTenantId})`),
    )
    .where(
      and(
        eq(notificationDeliveries.runId, runId),
        eq(notificationDeliveries.claim, claim),
        or(isNotNull(notificationDeliveries.channel), isActiveUser),
        // If there is no recipient, the user has unsubscribed since the run started.
        or(ne(notificationDeliveries.purpose, 'dashboard'), isNotNull(notificationRecipients.id)),
      ),
    )
    .orderBy(asc(notificationDeliveries.id));
}

const held = (claim: string, state: DeliveryState) =>
  and(eq(notificationDeliveries.claim, claim), eq(notificationDeliveries.state, state));

/** Marks a claimed delivery as handed over. Returns false if another process has claimed it, or if it was deleted. */
export async function beginHandOver(db: Db, id: number, claim: string): Promise<boolean> {
  const begun = await db
    .update(notificationDeliveries)
    .set({ state: 'handing-over', attempts: sql`${notificationDeliveries.attempts} + 1`, updatedAt: sql`now()` })
    .where(and(eq(notificationDeliveries.id, id), held(claim, 'rendering')))
    .returning({ id: notificationDeliveries.id });
  return begun.length > 0;
}

/** Result of an attempt. */
export type DeliveryResult =
  | { readonly state: 'sent'; readonly responseCode: number | null }
  | { readonly state: 'dead' | 'skipped'; readonly responseCode: number | null; readonly problem: string }
  | {
      readonly state: 'failed';
      readonly responseCode: number | null;
      readonly problem: string;
      readonly retryInMs: number;
    };

/** Records the result of a claimed delivery. */
export async function recordResult(db: Db, id: number, claim: string, result: DeliveryResult): Promise<void> {
  const { state, responseCode } = result;
  await db
    .update(notificationDeliveries)
    .set({
      state,
      responseCode,
      problem: state === 'sent' ? null : result.problem,
      claim: null,
      updatedAt: sql`now()`,
      ...(state === 'failed' && { dueAt: inMs(result.retryInMs) }),
    })
    .where(and(eq(notificationDeliveries.id, id), eq(notificationDeliveries.claim, claim)));
}

/** Returns the claimed mails of a run that were not handed over. */
export function listClaimedMails(
  db: Db,
  runId: number,
  claim: string,
): Promise<Pick<ClaimedDelivery, 'id' | 'attempts'>[]> {
  const { id, attempts, runId: run } = notificationDeliveries;
  return db
    .select({ id, attempts })
    .from(notificationDeliveries)
    .where(and(eq(run, runId), held(claim, 'rendering'), isNull(notificationDeliveries.channel)));
}

/** Counts a failed attempt that did not reach the mail server. */
export async function countAttempt(db: Db, ids: readonly number[], claim: string): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(notificationDeliveries)
    .set({ attempts: sql`${notificationDeliveries.attempts} + 1` })
    .where(and(inArray(notificationDeliveries.id, [...ids]), held(claim, 'rendering')));
}

/** Releases claimed deliveries that were not handed over, for the next attempt. */
export async function releaseDeliveries(db: Db, runId: number, claim: string): Promise<void> {
  await db
    .update(notificationDeliveries)
    .set({ state: 'pending', claim: null, updatedAt: sql`now()` })
    .where(and(eq(notificationDeliveries.runId, runId), held(claim, 'rendering')));
}

/** Gives up all deliveries of a run that are not final. */
export async function failDeliveries(db: Db, runId: number, problem: string): Promise<void> {
  await db
    .update(notificationDeliveries)
    .set({ state: 'dead', claim: null, problem, updatedAt: sql`now()` })
    .where(and(eq(notificationDeliveries.runId, runId), not(isFinal)));
}

const isFinal: SQL = inArray(notificationDeliveries.state, ['sent', 'dead', 'canceled', 'skipped']);

/** True if the schedule of a notification applies. */
export function isActive({ isEnabled, notificationEnabled }: StoredNotification): boolean {
  return isEnabled && notificationEnabled;
}

/**
 * Cancels the scheduled messages of a notification that was disabled. A message that the mail server is receiving
 * cannot be canceled.
 */
export async function cancelScheduledRuns(tx: Db, notificationId: number): Promise<void> {
  const { id, notificationId: notification, state, trigger } = notificationRuns;
  const open = await tx
    .select({ id })
    .from(notificationRuns)
    .where(and(eq(notification, notificationId), eq(state, 'running'), eq(trigger, 'schedule')));
  await cancelDeliveries(
    tx,
    open.map(run => run.id),
  );
}

/** Cancels the deliveries of runs unless they are final or handed over. `resumeRuns` then ends the runs. */
export async function cancelDeliveries(db: Db, runIds: readonly number[]): Promise<void> {
  if (runIds.length === 0) return;
  const { state, runId, purpose } = notificationDeliveries;
  const isOpen = inArray(state, ['pending', 'rendering', 'failed']);
  await db
    .update(notificationDeliveries)
    .set({ state: 'canceled', claim: null, problem: 'The notification was disabled.', updatedAt: sql`now()` })
    .where(and(inArray(runId, [...runIds]), eq(purpose, 'dashboard'), isOpen));
}

/**
 * Deletes pending deliveries of users who unsubscribed after the run started. `remaining` contains the ids of the other
 * deliveries.
 */
export async function dropUnsubscribed(
  db: Db,
  runId: number,
  claim: string,
  remaining: readonly number[],
): Promise<void> {
  const { id, runId: run } = notificationDeliveries;
  const others = remaining.length === 0 ? undefined : not(inArray(id, [...remaining]));
  await db.delete(notificationDeliveries).where(and(eq(run, runId), held(claim, 'rendering'), others));
}

/** The number of deliveries by state. */
export type DeliveryCounts = Readonly<Partial<Record<DeliveryState, number>>>;

/** Counts the deliveries of a run of one purpose by state. */
export async function countDeliveries(db: Db, runId: number, purpose: DeliveryPurpose): Promise<DeliveryCounts> {
  const { state, runId: run, purpose: kind } = notificationDeliveries;
  const rows = await db
    .select({ state, count: sql<number>`count(*)::integer` })
    .from(notificationDeliveries)
    .where(and(eq(run, runId), eq(kind, purpose)))
    .groupBy(state);
  return Object.fromEntries(rows.map(row => [row.state, row.count]));
}

/** Returns the deliveries of the dashboard that failed permanently, and their recipients. */
export function listFailures(
  db: Db,
  runId: number,
): Promise<(Pick<ClaimedDelivery, 'email' | 'externalId' | 'channel'> & { readonly problem: string | null })[]> {
  const { state, purpose, problem, channel, runId: run, id } = notificationDeliveries;
  return db
    .select({ email: users.email, externalId: users.externalId, channel, problem })
    .from(notificationDeliveries)
    .leftJoin(users, eq(users.id, notificationDeliveries.userId))
    .where(and(eq(run, runId), eq(purpose, 'dashboard'), eq(state, 'dead')))
    .orderBy(asc(id));
}

/** Ends a run if all of its deliveries are final. */
export async function endRun(db: Db, runId: number): Promise<void> {
  const { runId: run, id } = notificationDeliveries;
  const open = db
    .select({ id })
    .from(notificationDeliveries)
    .where(and(eq(run, runId), not(isFinal)));
  await db
    .update(notificationRuns)
    .set({ state: 'done', endedAt: sql`now()` })
    .where(and(eq(notificationRuns.id, runId), eq(notificationRuns.state, 'running'), not(exists(open))));
}

/**
 * Creates jobs for running runs that have none, if a retry is due, if a job was lost, or if all deliveries are final
 * and the job only has to end the run. Returns the number of created jobs.
 */
export async function resumeRuns(tx: Db): Promise<number> {
  const others = alias(jobs, 'others');
  const unfinished = tx
    .select({ id: notificationDeliveries.id })
    .from(notificationDeliveries)
    .where(and(eq(notificationDeliveries.runId, notificationRuns.id), isUnfinished));
  const running = tx
    .select({ id: others.id })
    .from(others)
    .where(and(eq(others.kind, deliveryKind), sql`${others.payload} ->> 'runId' = ${notificationRuns.id}::text`));
  const open = tx
    .select({ id: notificationDeliveries.id })
    .from(notificationDeliveries)
    .where(and(eq(notificationDeliveries.runId, notificationRuns.id), not(isFinal)));
  const needsJob = or(exists(unfinished), not(exists(open)));
  const idle = await tx
    .select({ id: notificationRuns.id })
    .from(notificationRuns)
    .where(and(eq(notificationRuns.state, 'running'), needsJob, not(exists(running))))
    .limit(100)
    .for('update', { skipLocked: true });
  for (const { id } of idle) await enqueueJob(tx, deliveryKind, { runId: id });
  return idle.length;
}

/** Returns the number of deliveries that failed permanently, in runs that are not deleted yet. */
export function countDeadLetters(db: Db): Promise<number> {
  return db.$count(notificationDeliveries, eq(notificationDeliveries.state, 'dead'));
}

/** Deletes runs that ended more than 90 days ago, with their deliveries. */
export async function deleteOldRuns(db: Db): Promise<void> {
  await db
    .delete(notificationRuns)
    .where(and(ne(notificationRuns.state, 'running'), lt(notificationRuns.createdAt, sql`now() - interval '90 days'`)));
}

function inMs(ms: number): SQL {
  return sql`now() + ${ms}::double precision * interval '1 millisecond'`;
}
