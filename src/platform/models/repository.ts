import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { connectRepository as connect } from '../../contract/repository.js';
import type { JsonObject } from '../../contract/wire.js';
import { pathOfDeployment } from '../auth/model-target.js';
import { isAllowed } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { repositoryConnections } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import type { RouteDeps } from '../http/route-deps.js';
import { write } from '../http/serve.js';
import { requireDeployment } from './require-deployment.js';
import { findRunningSync, startSync } from './transform-sync-runs.js';

/** Connects a deployment to a repository. Replaces an existing connection. */
async function connectRepository(
  tx: Db,
  deploymentId: number,
  connection: JsonObject,
  connectedBy: number,
): Promise<void> {
  const values = { connection, connectedBy, connectedAt: sql`now()` };
  await tx
    .insert(repositoryConnections)
    .values({ deploymentId, ...values })
    .onConflictDoUpdate({
      target: repositoryConnections.deploymentId,
      set: values,
      // Skips the write if the connection is unchanged. Compares text, because Postgres cannot compare `json` values.
      setWhere: sql`${repositoryConnections.connection}::text is distinct from excluded.connection::text`,
    });
}

const defaultBranch = 'main';

/**
 * Mounts the repository of a deployment (spec 4.4): stores the connection, and starts a model-transform sync as the
 * build.
 */
export function mountRepository(app: Hono, deps: RouteDeps): void {
  const { origin } = new URL(deps.publicUrl);

  write(app, connect, deps, async ({ params, body, principal }, tx) => {
    const { deploymentId } = params;
    const { id, name, creationStep } = await requireDeployment(tx, principal, deploymentId);
    if (!isAllowed(principal.rights, 'DeploymentUpdate', 'Deployment', deploymentId)) {
      throw new PlatformError(403, 'This operation requires a policy with DeploymentUpdate on the deployment.');
    }
    const { userId } = principal;
    await connectRepository(tx, deploymentId, body, userId);
    const branchName = body.deployBranchName ?? defaultBranch;
    const build = { deploymentId, branchName, source: 'git', gitRef: null, outcome: {}, userId } as const;
    const started = await startSync(tx, build);
    // If a sync is already running on the branch, that sync is reported as the build.
    const sync = started?.sync ?? (await findRunningSync(tx, deploymentId, branchName));
    return { creationStep, deploymentUrl: `${origin}${pathOfDeployment(id)}`, id, name, syncJobId: sync?.id };
  });
}
