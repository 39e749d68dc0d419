import type { Hono } from 'hono';
import type * as z from 'zod/mini';
import * as contract from '../../contract/agent-spaces.js';
import { allResources } from '../auth/rights.js';
import { notFound } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import { canManageSpace, canReadSpace, missingPolicy, readableSpaces } from './agent-rights.js';
import * as store from './agent-space-store.js';
import { requireDeployment } from './require-deployment.js';

/** Mounts agent spaces (extension). */
export function mountAgentSpaces(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.listAgentSpaces, deps, async ({ params: { deploymentId }, query, principal }) => {
    await requireDeployment(db, principal, deploymentId);
    const among = readableSpaces(principal.rights);
    const { items, pageInfo, total } = await store.listSpaces(db, { deploymentId, among }, query);
    const shown = items.map(show);
    return { items: shown, pageInfo, data: shown, count: total };
  });

  write(app, contract.createAgentSpace, deps, async ({ params, body, principal }, tx, target) => {
    const { id } = await requireDeployment(tx, principal, params.deploymentId);
    if (!canManageSpace(principal.rights, allResources)) throw missingPolicy('AgentSpaceManage on all spaces');
    const space = await store.insertSpace(tx, id, { name: body.name, ...fieldsOf(body) });
    target.spaceId = space.id;
    return show(space);
  });

  serve(app, contract.getAgentSpace, deps, async ({ params: { deploymentId, spaceId }, principal }) => {
    await requireDeployment(db, principal, deploymentId);
    if (!canReadSpace(principal.rights, spaceId)) throw missingPolicy('AgentRead on the space');
    const space = await store.findSpace(db, deploymentId, spaceId);
    if (!space) throw notFound('Agent space');
    return show(space);
  });

  write(app, contract.updateAgentSpace, deps, async ({ params, body, principal }, tx) => {
    const { deploymentId, spaceId: id } = params;
    await requireDeployment(tx, principal, deploymentId);
    if (!canManageSpace(principal.rights, id)) throw missingPolicy('AgentSpaceManage on the space');
    const space = await store.changeSpace(tx, { deploymentId, id }, fieldsOf(body));
    if (!space) throw notFound('Agent space');
    return show(space);
  });

  write(app, contract.deleteAgentSpace, deps, async ({ params: { deploymentId, spaceId }, principal }, tx) => {
    await requireDeployment(tx, principal, deploymentId);
    if (!canManageSpace(principal.rights, spaceId)) throw missingPolicy('AgentSpaceManage on the space');
    if (!(await store.deleteSpace(tx, deploymentId, spaceId))) throw notFound('Agent space');
    return undefined;
  });
}

/** Returns the fields that a body sets, including those set to `null`. */
function fieldsOf(body: z.output<typeof contract.AgentSpaceChange>): Partial<store.SpaceFields> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** Omits a description that is not set. */
function show({ description, ...space }: store.StoredSpace): contract.AgentSpace {
  return { ...space, ...(description !== null && { description }) };
}
