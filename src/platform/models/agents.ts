import type { Hono } from 'hono';
import type * as z from 'zod/mini';
import * as contract from '../../contract/agents.js';
import { allResources } from '../auth/rights.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import { agentsWith, canManageAgent, canReadAgent, missingPolicy } from './agent-rights.js';
import * as store from './agent-store.js';
import { requireDeployment } from './require-deployment.js';

/** Mounts the agents of the chat (extension). */
export function mountAgents(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.listAgents, deps, async ({ params, query, principal }) => {
    const { deploymentId } = params;
    await requireDeployment(db, principal, deploymentId);
    const among = agentsWith(principal.rights, canReadAgent, 'AgentRead or AgentManage');
    const { items, pageInfo, total } = await store.listAgents(db, { deploymentId, among }, query);
    const shown = items.map(show);
    return { items: shown, pageInfo, data: shown, count: total };
  });

  write(app, contract.createAgent, deps, async ({ params, body, principal }, tx, target) => {
    const { id } = await requireDeployment(tx, principal, params.deploymentId);
    if (!canManageAgent(principal.rights, allResources)) throw missingPolicy('AgentManage on all agents');
    const agent = await store.insertAgent(tx, id, { name: body.name, ...fieldsOf(body) });
    target.agentId = agent.id;
    return show(agent);
  });

  serve(app, contract.getAgent, deps, async ({ params, principal }) => {
    await requireDeployment(db, principal, params.deploymentId);
    if (!canReadAgent(principal.rights, params.agentId)) throw missingPolicy('AgentRead on the agent');
    const agent = await store.findAgent(db, params.deploymentId, params.agentId);
    if (!agent) throw notFound('Agent');
    return show(agent);
  });

  write(app, contract.updateAgent, deps, async ({ params, body, principal }, tx) => {
    await requireDeployment(tx, principal, params.deploymentId);
    if (!canManageAgent(principal.rights, params.agentId)) throw missingPolicy('AgentManage on the agent');
    const { deploymentId, agentId: id } = params;
    const agent = await store.changeAgent(tx, { deploymentId, id }, fieldsOf(body));
    if (!agent) throw notFound('Agent');
    return show(agent);
  });

  write(app, contract.deleteAgent, deps, async ({ params, principal }, tx) => {
    await requireDeployment(tx, principal, params.deploymentId);
    if (!canManageAgent(principal.rights, params.agentId)) throw missingPolicy('AgentManage on the agent');
    const outcome = await store.deleteAgent(tx, params.deploymentId, params.agentId);
    if (outcome === 'missing') throw notFound('Agent');
    if (outcome === 'last') throw new PlatformError(409, 'Cannot delete the last agent of a deployment.');
    return undefined;
  });
}

/** The fields that a body sets, also to `null`. */
function fieldsOf(body: z.output<typeof contract.AgentChange>): Partial<store.AgentFields> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** Omits fields that are not set. */
function show({ id, deploymentId, name, ...settings }: store.StoredAgent): contract.Agent {
  const set = Object.entries(settings).filter(([, value]) => value !== null);
  return { id, deploymentId, name, ...Object.fromEntries(set) };
}
