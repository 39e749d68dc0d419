import { and, eq, sql } from 'drizzle-orm';
import type { SyncRunStatus, SyncSource, SyncStats, SyncTrigger } from '../../contract/transform-sync.js';
import type { Db } from './database.js';
import { Keyset, type KeysetPage, type PageRequest } from './keyset.js';
import { repositoryConnections, transformSyncs } from './schema.js';

/** A run of the model-transform sync as it is stored. */
export type StoredSync = typeof transformSyncs.$inferSelect;

/** A run to be started. */
export interface NewSync {
  readonly deploymentId: number;
  readonly branchName: string;
  readonly source: SyncSource;
  readonly gitRef: string | null;
  /** What is known of the request before anything is read. */
  readonly outcome: SyncStats;
  readonly userId: number;
}

/** Which runs a list holds. */
export interface SyncFilter {
  readonly deploymentId: number;
  readonly status?: SyncRunStatus | undefined;
  readonly trigger?: SyncTrigger | undefined;
}

const newestFirst = new Keyset<StoredSync>(
  'transform-syncs',
  { startedAt: transformSyncs.startedAt, id: transformSyncs.id },
  'desc',
);

const running = (id: string) => and(eq(transformSyncs.id, id), eq(transformSyncs.status, 'RUNNING'));

/** Starts a run; null when one runs on the branch already. */
export async function createSync(tx: Db, sync: NewSync): Promise<StoredSync | null> {
  const [created] = await tx
    .insert(transformSyncs)
    .values({ ...sync, status: 'RUNNING', trigger: 'api' })
    .onConflictDoNothing()
    .returning();
  return created ?? null;
}

/** The run that goes on on a branch. */
export async function findRunningSync(db: Db, deploymentId: number, branchName: string): Promise<StoredSync | null> {
  const { deploymentId: deployment, branchName: branch, status } = transformSyncs;
  const [found] = await db
    .select()
    .from(transformSyncs)
    .where(and(eq(deployment, deploymentId), eq(branch, branchName), eq(status, 'RUNNING')));
  return found ?? null;
}

/** A run of a deployment. @param id - a UUID. */
export async function findSync(db: Db, deploymentId: number, id: string): Promise<StoredSync | null> {
  const [found] = await db
    .select()
    .from(transformSyncs)
    .where(and(eq(transformSyncs.id, id), eq(transformSyncs.deploymentId, deploymentId)));
  return found ?? null;
}

/** One page of a deployment's runs, the newest first. */
export async function listSyncs(db: Db, filter: SyncFilter, page: PageRequest): Promise<KeysetPage<StoredSync>> {
  const { deploymentId, status, trigger } = filter;
  const rows = await db
    .select()
    .from(transformSyncs)
    .where(
      and(
        eq(transformSyncs.deploymentId, deploymentId),
        status && eq(transformSyncs.status, status),
        trigger && eq(transformSyncs.trigger, trigger),
        newestFirst.after(page),
      ),
    )
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}

/** Notes that a run is worked on; null when it has ended, so that there is nothing to do. */
export async function takeSync(db: Db, id: string): Promise<StoredSync | null> {
  const [taken] = await db
    .update(transformSyncs)
    .set({ takenAt: sql`coalesce(${transformSyncs.takenAt}, now())`, updatedAt: sql`now()` })
    .where(running(id))
    .returning();
  return taken ?? null;
}

/** How a run ended. */
export type SyncEnd =
  | { readonly status: 'COMPLETED'; readonly outcome: SyncStats }
  | { readonly status: 'FAILED'; readonly errorMessage: string }
  | { readonly status: 'CANCELLED' };

/** Ends a run; null when it had ended before, and nothing was changed. */
export async function endSync(db: Db, id: string, end: SyncEnd): Promise<StoredSync | null> {
  const [ended] = await db
    .update(transformSyncs)
    .set({ ...end, completedAt: sql`now()`, updatedAt: sql`now()` })
    .where(running(id))
    .returning();
  return ended ?? null;
}

/** The branch that a deployment's repository is deployed from; null without a repository, or where none was named. */
export async function findDeployBranch(db: Db, deploymentId: number): Promise<string | null> {
  const [found] = await db
    .select({ connection: repositoryConnections.connection })
    .from(repositoryConnections)
    .where(eq(repositoryConnections.deploymentId, deploymentId));
  const branch = found?.connection.deployBranchName;
  return typeof branch === 'string' ? branch : null;
}
