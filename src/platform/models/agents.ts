import type { Hono } from 'hono';
import type * as z from 'zod/mini';
import * as contract from '../../contract/agents.js';
import type { Principal } from '../auth/principal.js';
import { isAllowedOnDeployment, type Rights } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound, requireManager } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import { allowedAgents, canAddAgentTo, canManageAgent, canReadAgent, missingPolicy } from './agent-rights.js';
import { findSpace } from './agent-space-store.js';
import * as store from './agent-store.js';
import { requireToolServers } from './agent-tool-servers.js';
import { requireDeployment } from './require-deployment.js';

/** Mounts chat agents (extension). */
export function mountAgents(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.listAgents, deps, async ({ params, query, principal }) => {
    const { deploymentId } = params;
    await requireDeployment(db, principal, deploymentId);
    const readsAll = isAllowedOnDeployment(principal.rights, 'DeploymentAgentRead', deploymentId);
    const allowed = readsAll ? null : allowedAgents(principal.rights, canReadAgent, 'AgentRead or AgentManage');
    const { spaceId, ...page } = query;
    const { items, pageInfo, total } = await store.listAgents(db, { deploymentId, allowed, spaceId }, page);
    const shown = items.map(show);
    return { items: shown, pageInfo, data: shown, count: total };
  });

  write(app, contract.createAgent, deps, async ({ params, body, principal }, tx, target) => {
    const { id } = await requireDeployment(tx, principal, params.deploymentId);
    await requireToolServers(tx, principal, body.toolServers, deps);
    await requireSpace(tx, principal.rights, { deploymentId: id, spaceId: body.spaceId ?? null });
    const agent = await store.insertAgent(tx, id, { name: body.name, ...fieldsOf(body) });
    target.agentId = agent.id;
    return show(agent);
  });

  serve(app, contract.getAgent, deps, async ({ params, principal }) => {
    const { deploymentId, agentId: id } = params;
    await requireDeployment(db, principal, deploymentId);
    const agent = await store.findAgent(db, deploymentId, id);
    // If the caller lacks the right, an agent that does not exist returns 403 too.
    const readsAll = isAllowedOnDeployment(principal.rights, 'DeploymentAgentRead', deploymentId);
    if (!readsAll && !canReadAgent(principal.rights, agent ?? { id, spaceId: null }))
      throw missingPolicy('AgentRead on the agent');
    if (!agent) throw notFound('Agent');
    return show(agent);
  });

  write(app, contract.updateAgent, deps, async ({ params, body, principal }, tx) => {
    const agent = await lockManaged(tx, principal, params);
    const { deploymentId } = params;
    const { spaceId } = body;
    // The instructions of an agent control what it sends to the tool servers.
    if (agent.toolServers?.length) requireManager(principal);
    await requireToolServers(tx, principal, body.toolServers, deps);
    if (spaceId != null && spaceId !== agent.spaceId) {
      await requireSpace(tx, principal.rights, { deploymentId, spaceId });
    }
    return show(await store.changeAgent(tx, agent, fieldsOf(body)));
  });

  write(app, contract.deleteAgent, deps, async ({ params, principal }, tx) => {
    await lockManaged(tx, principal, params);
    const outcome = await store.deleteAgent(tx, params.deploymentId, params.agentId);
    if (outcome === 'missing') throw notFound('Agent');
    if (outcome === 'last') throw new PlatformError(409, 'Cannot delete the last agent of a deployment.');
    return undefined;
  });
}

/**
 * Locks an agent that the caller manages.
 * @throws PlatformError 403 if the caller may not manage an agent with this id, whether or not it exists; 404 if the
 * deployment or the agent does not exist
 */
async function lockManaged(
  tx: Db,
  principal: Principal,
  { deploymentId, agentId: id }: { readonly deploymentId: number; readonly agentId: number },
): Promise<store.StoredAgent> {
  await requireDeployment(tx, principal, deploymentId);
  const agent = await store.lockAgent(tx, deploymentId, id);
  if (!canManageAgent(principal.rights, agent ?? { id, spaceId: null })) {
    throw missingPolicy('AgentManage on the agent');
  }
  if (!agent) throw notFound('Agent');
  return agent;
}

/**
 * Checks that the caller may add agents to a space.
 * @param place - `spaceId` is `null` for an agent without a space.
 * @throws PlatformError 404; or 403 if the caller cannot add agents to the space, even if it does not exist
 */
async function requireSpace(
  tx: Db,
  rights: Rights,
  { deploymentId, spaceId }: { readonly deploymentId: number; readonly spaceId: number | null },
): Promise<void> {
  const where = spaceId === null ? 'all agents' : 'the space';
  if (!canAddAgentTo(rights, spaceId)) throw missingPolicy(`AgentManage on ${where}`);
  if (spaceId !== null && !(await findSpace(tx, deploymentId, spaceId))) throw notFound('Agent space');
}

/** Returns the fields that a body sets, including those set to `null`. */
function fieldsOf(body: z.output<typeof contract.AgentChange>): Partial<store.AgentFields> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** Omits fields that are not set. */
function show({ id, deploymentId, name, ...settings }: store.StoredAgent): contract.Agent {
  const set = Object.entries(settings).filter(([, value]) => value !== null);
  return { id, deploymentId, name, ...Object.fromEntries(set) };
}
