import type { Hono } from 'hono';
import { type ContentRun, listContentRuns } from '../../../contract/content-runs.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve } from '../../http/serve.js';
import { requireDeploymentAction } from '../require-deployment.js';
import { listRuns, type StoredContentRun } from './content-run-store.js';

/** Mounts the route that lists the runs that applied the content of a repository. */
export function mountContentRuns(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, listContentRuns, deps, async ({ params, query, principal }) => {
    await requireDeploymentAction(db, principal, params.deploymentId, 'SchemaRead');
    const { items, pageInfo } = await listRuns(db, params.deploymentId, query);
    return { items: items.map(showRun), pageInfo };
  });
}

function showRun({ id, deploymentId, status, commit, userId, log, ...run }: StoredContentRun): ContentRun {
  return {
    contentRunId: id,
    deploymentId,
    status,
    commit,
    userId,
    requestedAt: run.requestedAt.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    completedAt: run.completedAt?.toISOString() ?? null,
    log: [...log],
  };
}
