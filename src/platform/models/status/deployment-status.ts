import type { Hono } from 'hono';
import * as contract from '../../../contract/deployment-status.js';
import { defaultDeploymentId } from '../../auth/model-target.js';
import { notFound } from '../../http/access.js';
import { pageOfList } from '../../http/paging.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve } from '../../http/serve.js';
import { readPlatformVersion } from '../../runtime/platform-version.js';
import { deployBranch } from '../git/paths.js';
import { ModelChecks } from '../model-checks.js';
import { RepositoryAccess } from '../repository-access.js';
import { requireDeploymentAction } from '../require-deployment.js';
import { listLogLines } from './deployment-log.js';
import { listReplicas } from './replica-store.js';

/** Name of the only container of a process. */
const container = 'platform-server';

/** Mounts the routes for the state, the processes, the log and the versions of a deployment (operations.md). */
export function mountDeploymentStatus(app: Hono, deps: RouteDeps): void {
  const { db } = deps;
  mountBuildStatus(app, deps);

  serve(app, contract.listPods, deps, async ({ params, query, principal }) => {
    await requireDeploymentAction(db, principal, params.deploymentId, 'SchemaRead');
    const pods = (await listReplicas(db)).map(({ name, version, startedAt }) => ({
      name,
      version,
      ready: true,
      status: 'Running',
      type: 'api',
      containers: [container],
      restartCount: 0,
      startedAt: startedAt.toISOString(),
    }));
    return pageOfList(pods, query);
  });

  serve(app, contract.listDeploymentLogs, deps, async ({ params, query, principal }) => {
    const { deploymentId } = params;
    await requireDeploymentAction(db, principal, deploymentId, 'SchemaRead');
    const isOther = query.container !== undefined && query.container !== container && query.container !== 'MAIN';
    if (isOther) return pageOfList([], query);
    const { items, pageInfo } = await listLogLines(db, { ...query, deploymentId }, query);
    const lines = items.map(({ at, pod, message, source, level, branchName }) => ({
      date: at.toISOString(),
      pod,
      message,
      source,
      level,
      ...(branchName !== null && { branchName }),
    }));
    return { items: lines, pageInfo };
  });

  serve(app, contract.listDeploymentVersions, deps, async ({ params, query, principal }) => {
    await requireDeploymentAction(db, principal, params.deploymentId, 'SchemaRead');
    const version = await readPlatformVersion();
    const only = { version, releaseChannel: 'latest' as const, releaseChannelVersion: version };
    return pageOfList([{ ...only, isCurrent: true, isLatestInChannel: true }], query);
  });
}

function mountBuildStatus(app: Hono, deps: RouteDeps): void {
  const access = new RepositoryAccess(deps);
  const checks = new ModelChecks(deps.checkModel);

  serve(app, contract.buildStatus, deps, async call => {
    const { deploymentId } = call.params;
    const { branchName = deployBranch } = call.query;
    await requireDeploymentAction(deps.db, call.principal, deploymentId, 'SchemaRead');
    if (deploymentId === defaultDeploymentId) {
      if (branchName !== deployBranch) throw notFound('Branch');
      const isServed = (await deps.publicModel(deploymentId)) !== null;
      const errorText = 'This platform serves no semantic model. Start it with --model and a data source.';
      const state = isServed ? { status: 'success' as const } : { status: 'failed' as const, errorText };
      return { deploymentId, branchName, mode: 'production' as const, ...state };
    }
    const repository = await access.open(call, 'SchemaRead');
    const filesHash = await repository.version(branchName);
    const [last] = await repository.commits(branchName, 1);
    const [problem] = (await checks.check(deploymentId, repository, filesHash)).problems;
    return {
      deploymentId,
      branchName,
      mode: branchName === deployBranch ? ('production' as const) : ('dev_mode' as const),
      status: problem ? ('failed' as const) : ('success' as const),
      ...(problem && { errorText: `${problem.file}:${problem.line}: ${problem.message}` }),
      lastHash: last?.hash ?? filesHash,
      filesHash,
    };
  });
}
