import { and, eq, sql } from 'drizzle-orm';
import type { MetaResponse } from '../../contract/meta.js';
import type { SyncRunStatus, SyncSource, SyncStats, SyncTrigger } from '../../contract/transform-sync.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { repositoryConnections, transformSyncs } from '../db/schema.js';
import type { PublicModel } from '../http/route-deps.js';
import type { JobHandler } from '../jobs/job-queue.js';
import { enqueueJob } from '../jobs/job-store.js';

/** A stored run of the model-transform sync. */
export type StoredSync = typeof transformSyncs.$inferSelect;

/** A run to start. */
export interface NewSync {
  readonly deploymentId: number;
  readonly branchName: string;
  readonly source: SyncSource;
  readonly gitRef: string | null;
  /** Statistics from the request, known before the model is read. */
  readonly outcome: SyncStats;
  readonly userId: number;
}

/** Filter of a list of runs. */
interface SyncFilter {
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

/** Inserts a run. Returns `null` if another run is in progress on the branch. */
async function createSync(tx: Db, sync: NewSync): Promise<StoredSync | null> {
  const [created] = await tx
    .insert(transformSyncs)
    .values({ ...sync, status: 'RUNNING', trigger: 'api' })
    .onConflictDoNothing()
    .returning();
  return created ?? null;
}

/** Returns the run in progress on a branch, or `null` if there is none. */
export async function findRunningSync(db: Db, deploymentId: number, branchName: string): Promise<StoredSync | null> {
  const { deploymentId: deployment, branchName: branch, status } = transformSyncs;
  const [found] = await db
    .select()
    .from(transformSyncs)
    .where(and(eq(deployment, deploymentId), eq(branch, branchName), eq(status, 'RUNNING')));
  return found ?? null;
}

/** Returns a run of a deployment, or `null` if it does not exist. @param id - a UUID. */
export async function findSync(db: Db, deploymentId: number, id: string): Promise<StoredSync | null> {
  const [found] = await db
    .select()
    .from(transformSyncs)
    .where(and(eq(transformSyncs.id, id), eq(transformSyncs.deploymentId, deploymentId)));
  return found ?? null;
}

/** Returns one page of a deployment's runs, newest first. */
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

/** Marks a run as being processed. Returns `null` if it has ended. */
async function takeSync(db: Db, id: string): Promise<StoredSync | null> {
  const [taken] = await db
    .update(transformSyncs)
    .set({ takenAt: sql`coalesce(${transformSyncs.takenAt}, now())`, updatedAt: sql`now()` })
    .where(running(id))
    .returning();
  return taken ?? null;
}

/** The result of a run. */
type SyncEnd =
  | { readonly status: 'COMPLETED'; readonly outcome: SyncStats }
  | { readonly status: 'FAILED'; readonly errorMessage: string }
  | { readonly status: 'CANCELLED' };

/** Ends a run. Returns `null` without changes if it has already ended. */
export async function endSync(db: Db, id: string, end: SyncEnd): Promise<StoredSync | null> {
  const [ended] = await db
    .update(transformSyncs)
    .set({ ...end, completedAt: sql`now()`, updatedAt: sql`now()` })
    .where(running(id))
    .returning();
  return ended ?? null;
}

/** Returns the deploy branch of a deployment's repository; `null` if there is no repository or no branch is set. */
export async function findDeployBranch(db: Db, deploymentId: number): Promise<string | null> {
  const [found] = await db
    .select({ connection: repositoryConnections.connection })
    .from(repositoryConnections)
    .where(eq(repositoryConnections.deploymentId, deploymentId));
  const branch = found?.connection.deployBranchName;
  return typeof branch === 'string' ? branch : null;
}

/** Kind of the jobs that execute runs of the model-transform sync. */
export const transformSyncKind = 'transform-sync';

/** A started run and the id of its job. */
interface SyncStart {
  readonly sync: StoredSync;
  readonly jobId: string;
}

/** Starts a run within the caller's transaction. Returns `null` if another run is in progress on the branch. */
export async function startSync(tx: Db, request: NewSync): Promise<SyncStart | null> {
  const sync = await createSync(tx, request);
  return sync && { sync, jobId: await enqueueJob(tx, transformSyncKind, { syncJobId: sync.id }) };
}

/**
 * Creates the handler of the jobs that execute runs. The platform has no project to compile, so a run counts the
 * content of the served model. Idempotent, because a run ends only once.
 */
export function transformSyncHandler(db: Db, publicModel: PublicModel): JobHandler {
  return {
    async run({ syncJobId }) {
      const sync = await takeSync(db, String(syncJobId));
      if (!sync) return;
      const model = await publicModel(sync.deploymentId);
      if (model) {
        await endSync(db, sync.id, { status: 'COMPLETED', outcome: { ...sync.outcome, ...countModel(model) } });
        return;
      }
      const errorMessage = 'This platform serves no semantic model. Start it with --model and a data source.';
      await endSync(db, sync.id, { status: 'FAILED', errorMessage });
    },
    async failPermanently({ syncJobId }) {
      const errorMessage = 'The sync failed repeatedly. See the log of the platform.';
      await endSync(db, String(syncJobId), { status: 'FAILED', errorMessage });
    },
  };
}

function countModel({ cubes }: MetaResponse): SyncStats {
  const views = cubes.filter(({ type }) => type === 'view').length;
  return { modelCount: cubes.length, cubes: cubes.length - views, views, generatedFileCount: 0 };
}
