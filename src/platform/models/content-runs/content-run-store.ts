import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { ContentRunLogLine } from '../../../contract/content-runs.js';
import { isActiveUser } from '../../auth/user-store.js';
import type { Db } from '../../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../../db/keyset.js';
import { contentRuns, deployments, Role, users } from '../../db/schema.js';
import { enqueueJob } from '../../jobs/job-store.js';

/** A stored content run. */
export type StoredContentRun = typeof contentRuns.$inferSelect;

/** Settings of a deployment for the content of its repository. */
interface ContentSettings {
  /** Whether content is applied. */
  readonly isApplied: boolean;
  /** Whether objects are removed that the files no longer contain. */
  readonly isPruned: boolean;
  /** Administrator who turned this on, and as whom runs write. */
  readonly userId: number | null;
}

/** Kind of the jobs that apply the content of a deployment. */
export const contentRunKind = 'content-run';

/** Number of runs of a deployment that are stored. */
const maxRuns = 20;
/** Delay of a run while another run of the deployment is in progress, in ms. */
const busyDelayMs = 2_000;

const newestFirst = new Keyset<StoredContentRun>(
  'content-runs',
  { requestedAt: contentRuns.requestedAt, id: contentRuns.id },
  'desc',
);

/** Reads the settings of a deployment for the content of its repository. */
function contentSettingsOf({ settings }: Pick<typeof deployments.$inferSelect, 'settings'>): ContentSettings {
  const { applyContent, pruneContent, contentUserId } = settings;
  return {
    isApplied: applyContent === true,
    isPruned: pruneContent === true,
    userId: typeof contentUserId === 'number' ? contentUserId : null,
  };
}

/**
 * Requests a run if the settings of the deployment ask for it and no run is waiting. The run applies the commit that is
 * current when it starts.
 */
export async function requestContentRun(db: Db, deploymentId: number): Promise<void> {
  await db.transaction(async tx => {
    const [deployment] = await tx.select().from(deployments).where(eq(deployments.id, deploymentId));
    if (!deployment) return;
    const { isApplied, userId } = contentSettingsOf(deployment);
    if (!isApplied) return;
    const [run] = await tx
      .insert(contentRuns)
      .values({ deploymentId, status: 'QUEUED', userId })
      .onConflictDoNothing()
      .returning({ id: contentRuns.id });
    if (!run) return;
    await deleteOldRuns(tx, deploymentId);
    await enqueueJob(tx, contentRunKind, { contentRunId: run.id });
  });
}

async function deleteOldRuns(tx: Db, deploymentId: number): Promise<void> {
  const own = eq(contentRuns.deploymentId, deploymentId);
  const recent = tx
    .select({ id: contentRuns.id })
    .from(contentRuns)
    .where(own)
    .orderBy(desc(contentRuns.requestedAt), desc(contentRuns.id))
    .limit(maxRuns);
  const hasEnded = inArray(contentRuns.status, ['COMPLETED', 'FAILED']);
  await tx.delete(contentRuns).where(and(own, hasEnded, notInArray(contentRuns.id, recent)));
}

/** A run that the caller has started, with the settings of its deployment. */
export interface StartedContentRun extends ContentSettings {
  readonly id: string;
  readonly deploymentId: number;
}

/**
 * Starts a run, or resumes it after a crash. If another run of the deployment is in progress, postpones it.
 * @returns `null` if the run must not be executed now.
 */
export async function startContentRun(db: Db, id: string): Promise<StartedContentRun | null> {
  return db.transaction(async tx => {
    const isCurrent = eq(contentRuns.id, id);
    const isOpen = inArray(contentRuns.status, ['QUEUED', 'RUNNING']);
    const [run] = await tx.select().from(contentRuns).where(and(isCurrent, isOpen));
    if (!run) return null;
    const { deploymentId } = run;
    // Runs of a deployment start one after another.
    const [deployment] = await tx.select().from(deployments).where(eq(deployments.id, deploymentId)).for('update');
    if (!deployment) return null;
    const isRunning = and(eq(contentRuns.deploymentId, deploymentId), eq(contentRuns.status, 'RUNNING'));
    const [running] = await tx.select({ id: contentRuns.id }).from(contentRuns).where(isRunning);
    if (running && running.id !== id) {
      await enqueueJob(tx, contentRunKind, { contentRunId: id }, busyDelayMs);
      return null;
    }
    const settings = contentSettingsOf(deployment);
    await tx
      .update(contentRuns)
      .set({ status: 'RUNNING', startedAt: sql`now()`, userId: settings.userId })
      .where(isCurrent);
    return { id, deploymentId, ...settings };
  });
}

/** Stores the commit that a run applies. */
export async function setRunCommit(db: Db, id: string, commit: string): Promise<void> {
  await db.update(contentRuns).set({ commit }).where(eq(contentRuns.id, id));
}

/** Ends a run if it has not ended yet. */
export async function endContentRun(
  db: Db,
  id: string,
  status: 'COMPLETED' | 'FAILED',
  log: readonly ContentRunLogLine[],
): Promise<void> {
  const isOpen = inArray(contentRuns.status, ['QUEUED', 'RUNNING']);
  await db
    .update(contentRuns)
    .set({ status, log, completedAt: sql`now()` })
    .where(and(eq(contentRuns.id, id), isOpen));
}

/** Returns one page of the runs of a deployment, newest first. */
export async function listRuns(db: Db, deploymentId: number, page: PageRequest): Promise<KeysetPage<StoredContentRun>> {
  const rows = await db
    .select()
    .from(contentRuns)
    .where(and(eq(contentRuns.deploymentId, deploymentId), newestFirst.after(page)))
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}

/** Returns the deployments whose content is applied, each with its last run. */
export async function listAppliedDeployments(
  db: Db,
): Promise<{ readonly deploymentId: number; readonly status: string | null; readonly commit: string | null }[]> {
  const last = db
    .selectDistinctOn([contentRuns.deploymentId], {
      deploymentId: contentRuns.deploymentId,
      status: contentRuns.status,
      commit: contentRuns.commit,
    })
    .from(contentRuns)
    .orderBy(contentRuns.deploymentId, desc(contentRuns.requestedAt), desc(contentRuns.id))
    .as('last');
  return db
    .select({ deploymentId: deployments.id, status: last.status, commit: last.commit })
    .from(deployments)
    .leftJoin(last, eq(last.deploymentId, deployments.id))
    .where(sql`${deployments.settings} ->> 'applyContent' = 'true'`);
}

/** Returns whether a user is an administrator who is not deactivated. */
export async function isActiveAdmin(db: Db, userId: number): Promise<boolean> {
  const isAdmin = eq(users.role, Role.admin);
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isAdmin, isActiveUser));
  return found.length > 0;
}
