import type { Hono } from 'hono';
import {
  cancelXformSync,
  getXformSyncGeneratedFiles,
  getXformSyncLogs,
  getXformSyncResult,
  getXformSyncStatus,
  listXformSyncs,
  type StartTransformSync,
  type SyncRun,
  type SyncStats,
  startXformSync,
} from '../../contract/transform-sync.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Principal } from '../auth/principal.js';
import { type ActionName, isAllowed } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import { pageOfList } from '../http/paging.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import { requireDeployment } from './require-deployment.js';
import {
  endSync,
  findDeployBranch,
  findRunningSync,
  findSync,
  listSyncs,
  type NewSync,
  type StoredSync,
  startSync,
} from './transform-sync-runs.js';

const defaultBranch = 'main';

/**
 * Mounts the routes for runs of the model-transform sync (spec 4.5), which are stored in the database and executed by
 * jobs.
 */
export function mountTransformSync(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  write(app, startXformSync, deps, async ({ params, body, principal }, tx, target) => {
    const { deploymentId } = params;
    await requireModelAccess(tx, principal, deploymentId, 'SchemaUpdate');
    const branchName = body.branchName ?? (await findDeployBranch(tx, deploymentId)) ?? defaultBranch;
    const started = await startSync(tx, { ...readRequest(body), deploymentId, branchName, userId: principal.userId });
    if (!started) throw await alreadyRunning(tx, deploymentId, branchName);
    target.syncJobId = started.sync.id;
    return { branchName, syncJobId: started.sync.id, workflowId: started.jobId };
  });

  write(app, cancelXformSync, deps, async ({ params, principal }, tx) => {
    const sync = await requireSync(tx, principal, params, 'SchemaUpdate');
    const ended =
      (await endSync(tx, sync.id, { status: 'CANCELLED' })) ?? (await findSync(tx, sync.deploymentId, sync.id));
    if (ended?.status === 'CANCELLED') return { message: 'The sync was canceled.' };
    throw new PlatformError(409, 'The sync has already ended. It cannot be canceled.');
  });

  serve(app, listXformSyncs, deps, async ({ params, query, principal }) => {
    await requireModelAccess(db, principal, params.deploymentId, 'SchemaRead');
    const { items, pageInfo } = await listSyncs(db, { ...query, deploymentId: params.deploymentId }, query);
    return { items: items.map(showRun), pageInfo };
  });

  serve(app, getXformSyncStatus, deps, async ({ params, principal }) =>
    showProgress(await requireSync(db, principal, params, 'SchemaRead')),
  );

  serve(app, getXformSyncResult, deps, async ({ params, principal }) =>
    showResult(await requireSync(db, principal, params, 'SchemaRead')),
  );

  serve(app, getXformSyncLogs, deps, async ({ params, principal }) =>
    pageOfList(showLog(await requireSync(db, principal, params, 'SchemaRead')), {}),
  );

  serve(app, getXformSyncGeneratedFiles, deps, async ({ params, query, principal }) => {
    await requireSync(db, principal, params, 'SchemaRead');
    return pageOfList([], query);
  });
}

async function requireModelAccess(
  db: Db,
  principal: Principal,
  deploymentId: number,
  action: ActionName,
): Promise<void> {
  await requireDeployment(db, principal, deploymentId);
  if (isAllowed(principal.rights, action, 'Deployment', deploymentId)) return;
  throw new PlatformError(403, `This operation requires a policy with ${action} on the deployment.`);
}

async function requireSync(
  db: Db,
  principal: Principal,
  { deploymentId, syncJobId }: { readonly deploymentId: number; readonly syncJobId: string },
  action: ActionName,
): Promise<StoredSync> {
  await requireModelAccess(db, principal, deploymentId, action);
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(syncJobId);
  const sync = isId ? await findSync(db, deploymentId, syncJobId) : null;
  if (!sync) throw notFound('Sync');
  return sync;
}

function readRequest(body: StartTransformSync): Pick<NewSync, 'source' | 'gitRef' | 'outcome'> {
  const source = body.source ?? 'git';
  if (source === 'manifest' && body.manifest == null) {
    throw new PlatformError(400, 'body.manifest: is required with source "manifest"');
  }
  if (source === 'git' && body.manifest != null) {
    throw new PlatformError(400, 'body.manifest: is supported only with source "manifest"');
  }
  // The manifest itself is not stored, because it can be large.
  return { source, gitRef: body.ref ?? null, outcome: body.manifest == null ? {} : countManifest(body.manifest) };
}

function countManifest({ macros, nodes, sources }: JsonObject): SyncStats {
  const models = Object.values(Object(nodes)).filter(node => Object(node).resource_type === 'model').length;
  return { macros: Object.keys(Object(macros)).length, models, sources: Object.keys(Object(sources)).length };
}

async function alreadyRunning(db: Db, deploymentId: number, branchName: string): Promise<PlatformError> {
  const other = await findRunningSync(db, deploymentId, branchName);
  const which = other ? ` (${other.id})` : '';
  return new PlatformError(409, `A sync is already running on this branch${which}. Wait for it, or cancel it.`);
}

const durationOf = ({ startedAt, completedAt }: StoredSync): number | null =>
  completedAt && completedAt.getTime() - startedAt.getTime();

function showRun(sync: StoredSync): SyncRun {
  const { id, deploymentId, branchName, source, status, trigger, errorMessage, gitRef, outcome, userId } = sync;
  return {
    syncJobId: id,
    deploymentId,
    branchName,
    source,
    status,
    trigger,
    startedAt: sync.startedAt.toISOString(),
    completedAt: sync.completedAt?.toISOString() ?? null,
    durationMs: durationOf(sync),
    errorMessage,
    gitRef,
    stats: outcome,
    userId,
  };
}

function stageOf({ status, takenAt }: StoredSync) {
  if (status !== 'RUNNING') return { stage: status, percentComplete: 100 };
  return takenAt === null
    ? { stage: 'INITIALIZING', percentComplete: 0 }
    : { stage: 'PROCESSING_MANIFEST', percentComplete: 50 };
}

function showProgress(sync: StoredSync) {
  const { stage, percentComplete } = stageOf(sync);
  return {
    syncJobId: sync.id,
    status: stage,
    progress: { stage, percentComplete },
    updatedAt: sync.updatedAt.toISOString(),
    error: sync.errorMessage,
  };
}

function showResult(sync: StoredSync) {
  const { status, completedAt, outcome } = sync;
  if (status !== 'COMPLETED' || !completedAt) {
    throw new PlatformError(409, `The sync has no result, because its status is ${status}.`);
  }
  const { modelCount, macros, models, sources } = outcome ?? {};
  return {
    syncJobId: sync.id,
    completedAt: completedAt.toISOString(),
    durationMs: durationOf(sync) ?? 0,
    modelCount: modelCount ?? 0,
    generatedFiles: [],
    manifestStats: { macros: macros ?? 0, models: models ?? 0, sources: sources ?? 0 },
  };
}

/** Derives the log from the stored run, so that the log need not be stored. */
function showLog(sync: StoredSync) {
  const { branchName, takenAt, completedAt, status, outcome, errorMessage } = sync;
  const entry = (at: Date, message: string, level = 'info') => ({
    timestamp: at.toISOString(),
    level,
    stream: 'system',
    message,
  });
  const log = [entry(sync.startedAt, `The sync of branch ${branchName} was requested.`)];
  if (takenAt) log.push(entry(takenAt, 'Reading the served model.'));
  if (!completedAt) return log;
  if (status === 'COMPLETED') {
    log.push(entry(completedAt, `The model has ${outcome?.cubes ?? 0} cubes and ${outcome?.views ?? 0} views.`));
  } else if (status === 'CANCELLED') log.push(entry(completedAt, 'The sync was canceled.'));
  else log.push(entry(completedAt, errorMessage ?? 'The sync failed.', 'error'));
  return log;
}
