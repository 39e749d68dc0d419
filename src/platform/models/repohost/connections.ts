import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import * as contract from '../../../contract/repository.js';
import { pathOfDeployment } from '../../auth/model-target.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact, write } from '../../http/serve.js';

import { isBranchName } from '../git/paths.js';
import { type ModelCall, RepositoryAccess } from '../repository-access.js';
import { requireDeploymentAction } from '../require-deployment.js';
import { findRunningSync, startSync } from '../transform-sync-runs.js';
import { deleteConnection, findConnection, setWebhookSecret, storeConnection } from './connection-store.js';
import { mountInstallations } from './installations.js';
import { RepositoryLinks, requireHostedRepositories } from './repository-links.js';
import { mountWebhook } from './webhook.js';

/** Mounts the routes for git hosts, for connecting deployments to their repositories, and for webhooks. */
export function mountRepositories(app: Hono, deps: RouteDeps): void {
  const access = new RepositoryAccess(deps);
  const links = new RepositoryLinks({ ...deps, repositories: access.repositories });
  mountInstallations(app, deps, links);
  mountConnections(app, deps, access, links);
  mountTransfers(app, deps, access, links);
  mountWebhook(app, deps);
}

/** Mounts the routes that connect a deployment (spec 4.4). Git runs outside of transactions of the database. */
function mountConnections(app: Hono, deps: RouteDeps, access: RepositoryAccess, links: RepositoryLinks): void {
  const { db, sealedSecrets } = deps;
  const { origin } = new URL(deps.publicUrl);

  serve(app, contract.connectRepository, deps, async call => {
    const { body, params, principal } = call;
    const { deploymentId } = params;
    const { id, name, creationStep } = await requireConnectable(call);
    return access.write(contract.connectRepository, call, 'SchemaUpdate', async (_repository, author) => {
      requireHostedRepositories(principal);
      const root = body.deployProjectRoot ?? '';
      if (!['', '.', './', '/'].includes(root)) {
        throw new PlatformError(400, 'body.deployProjectRoot: must be the root folder of the repository');
      }
      if (body.deployBranchName != null && !isBranchName(body.deployBranchName)) {
        throw new PlatformError(400, 'body.deployBranchName: is not a valid name of a branch');
      }
      const { installationId, name: repositoryName, deployBranchName = null, isNewRepo } = body;
      const repository = { installationId, name: repositoryName, branch: deployBranchName, isNew: isNewRepo === true };
      const branchName = await links.connect(deploymentId, repository, author);
      const { userId } = principal;
      const build = { deploymentId, branchName, source: 'git', gitRef: null, outcome: {}, userId } as const;
      const sync = await db.transaction(async tx => {
        await storeConnection(tx, deploymentId, { ...body, deployBranchName: branchName }, userId);
        // If a sync is already running on the branch, that sync is reported as the build.
        return (await startSync(tx, build))?.sync ?? (await findRunningSync(tx, deploymentId, branchName));
      });
      return { creationStep, deploymentUrl: `${origin}${pathOfDeployment(id)}`, id, name, syncJobId: sync?.id };
    });
  });

  serve(app, contract.getConnectedRepository, deps, async ({ params, principal }) => {
    await requireDeploymentAction(db, principal, params.deploymentId, 'SchemaRead');
    const found = await findConnection(db, params.deploymentId);
    if (!found) throw notFound('Connection');
    const { installation, name, deployBranchName, connectedAt, sealedWebhookSecret, lastWebhookPull } = found;
    return {
      installationId: installation.id,
      name,
      deployBranchName,
      connectedAt: connectedAt.toISOString(),
      hasWebhook: sealedWebhookSecret !== null,
      ...(lastWebhookPull && { lastWebhookPull: { ...lastWebhookPull } }),
    };
  });

  serve(app, contract.disconnectRepository, deps, async call => {
    const { deploymentId } = call.params;
    await transact(db, contract.disconnectRepository.id, { ...call, target: { deploymentId } }, async tx => {
      await requireConnectable(call);
      if (!(await deleteConnection(tx, deploymentId))) throw notFound('Connection');
    });
    // A failed cleanup must not fail the request. The next connection retries it.
    await links.forget(deploymentId).catch(() => undefined);
    return undefined;
  });

  write(app, contract.createRepositoryWebhook, deps, async (call, tx) => {
    const { deploymentId } = call.params;
    await requireConnectable(call);
    await requireDeploymentAction(tx, call.principal, deploymentId, 'SchemaUpdate');
    const secret = randomBytes(32).toString('base64url');
    if (!(await setWebhookSecret(tx, sealedSecrets, deploymentId, secret))) throw notFound('Connection');
    return { url: `${origin}/api/v1/repohost/webhooks/${deploymentId}`, secret };
  });

  /** @throws PlatformError 403, 404 */
  async function requireConnectable({ params, principal }: Omit<ModelCall, 'request'>) {
    const found = await requireDeploymentAction(db, principal, params.deploymentId, 'DeploymentUpdate');
    if (principal.kind === 'embed') throw new PlatformError(403, 'Embed sessions cannot connect repositories.');
    return found;
  }
}

/** Mounts the routes that pull from the connected repository and push to it. */
function mountTransfers(app: Hono, deps: RouteDeps, access: RepositoryAccess, links: RepositoryLinks): void {
  serve(app, contract.pullModel, deps, call =>
    access.changeBranch(contract.pullModel, call, 'SchemaUpdate', async (_repository, author, marker) => ({
      buildTriggered: await links.pull(call.params.deploymentId, call.body.branchName, author, marker),
    })),
  );

  serve(app, contract.pushModel, deps, call =>
    access.write(contract.pushModel, call, 'SchemaUpdate', async () => ({
      pushed: await links.push(call.params.deploymentId, call.body.branchName),
    })),
  );
}
