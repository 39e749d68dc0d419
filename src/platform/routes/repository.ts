import type { Hono } from 'hono';
import { connectRepository as connect } from '../../contract/repository.js';
import { allows } from '../access/rights.js';
import { PlatformError } from '../errors.js';
import { startSync } from '../jobs/transform-sync-job.js';
import { connectRepository } from '../store/repository-connections.js';
import { findRunningSync } from '../store/transform-syncs.js';
import { requireDeployment } from './access.js';
import type { PlatformRoutesDeps } from './deps.js';
import { write } from './write.js';

const defaultBranch = 'main';

/** The repository of a deployment (spec 4.4): a durable record, and a build that is a run of the model-transform sync. */
export function mountRepository(app: Hono, deps: PlatformRoutesDeps): void {
  const deploymentUrl = new URL(deps.publicUrl).origin;

  write(app, connect, deps, async ({ params, body, principal }, tx) => {
    const { deploymentId } = params;
    const { id, name, creationStep } = await requireDeployment(tx, principal, deploymentId);
    if (!allows(principal.rights, 'DeploymentUpdate', 'Deployment', deploymentId)) {
      throw new PlatformError(403, 'This operation needs a policy with DeploymentUpdate on the deployment.');
    }
    const { userId } = principal;
    await connectRepository(tx, deploymentId, body, userId);
    const branchName = body.deployBranchName ?? defaultBranch;
    const build = { deploymentId, branchName, source: 'git', gitRef: null, outcome: {}, userId } as const;
    const started = await startSync(tx, build);
    // One that runs on the branch already is the build.
    const sync = started?.sync ?? (await findRunningSync(tx, deploymentId, branchName));
    return { creationStep, deploymentUrl, id, name, syncJobId: sync?.id };
  });
}
