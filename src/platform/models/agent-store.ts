import { and, asc, eq, inArray, isNotNull, or, type SQL } from 'drizzle-orm';
import { allResources } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { agents, deployments } from '../db/schema.js';
import type { AllowedAgents } from './agent-rights.js';

/** A stored agent. */
export type StoredAgent = typeof agents.$inferSelect;

/** Fields of an agent that can be changed. */
export type AgentFields = Omit<StoredAgent, 'id' | 'deploymentId'>;

const byId = new Keyset<StoredAgent>('agents', { id: agents.id }, 'asc');

const ofDeployment = (deploymentId: number, agentId: number) =>
  and(eq(agents.id, agentId), eq(agents.deploymentId, deploymentId));

/** Returns the SQL condition that an agent is one of the allowed ones; `undefined` if all agents are allowed. */
export function isAmong(allowed: AllowedAgents | null): SQL | undefined {
  if (allowed === null) return undefined;
  const { agentIds, spaceIds } = allowed;
  const inSpace = spaceIds === allResources ? isNotNull(agents.spaceId) : inArray(agents.spaceId, [...spaceIds]);
  return or(inArray(agents.id, [...agentIds]), inSpace);
}

/** Filter of a list of agents. */
interface AgentFilter {
  readonly deploymentId: number;
  /** `null` for all agents. */
  readonly allowed: AllowedAgents | null;
  readonly spaceId: number | undefined;
}

/** Returns one page of the agents of a deployment, oldest first, and their total number. */
export async function listAgents(
  db: Db,
  { deploymentId, allowed, spaceId }: AgentFilter,
  page: PageRequest,
): Promise<KeysetPage<StoredAgent> & { readonly total: number }> {
  const inSpace = spaceId === undefined ? undefined : eq(agents.spaceId, spaceId);
  const all = and(eq(agents.deploymentId, deploymentId), inSpace, isAmong(allowed));
  const rows = await db
    .select()
    .from(agents)
    .where(and(all, byId.after(page)))
    .orderBy(...byId.orderBy)
    .limit(byId.limit(page));
  return { ...byId.page(rows, page), total: await db.$count(agents, all) };
}

/** Returns an agent of a deployment; `null` if it does not exist. */
export async function findAgent(db: Db, deploymentId: number, agentId: number): Promise<StoredAgent | null> {
  const [agent] = await db.select().from(agents).where(ofDeployment(deploymentId, agentId));
  return agent ?? null;
}

/** Returns an agent of a deployment and locks it; `null` if it does not exist. */
export async function lockAgent(tx: Db, deploymentId: number, agentId: number): Promise<StoredAgent | null> {
  const [agent] = await tx.select().from(agents).where(ofDeployment(deploymentId, agentId)).for('update');
  return agent ?? null;
}

/** Creates an agent. */
export async function insertAgent(tx: Db, deploymentId: number, fields: Partial<AgentFields> & { name: string }) {
  const [agent] = await tx
    .insert(agents)
    .values({ deploymentId, ...fields })
    .returning();
  if (!agent) throw new Error('An insert returned no row.');
  return agent;
}

/** Changes a locked agent. */
export async function changeAgent(tx: Db, agent: StoredAgent, change: Partial<AgentFields>): Promise<StoredAgent> {
  if (Object.keys(change).length === 0) return agent;
  const [changed] = await tx.update(agents).set(change).where(eq(agents.id, agent.id)).returning();
  return changed ?? agent;
}

/** Deletes an agent, unless it is the last one of its deployment. Locks the deployment's row. */
export async function deleteAgent(
  tx: Db,
  deploymentId: number,
  agentId: number,
): Promise<'deleted' | 'missing' | 'last'> {
  await tx.select({ id: deployments.id }).from(deployments).where(eq(deployments.id, deploymentId)).for('update');
  const all = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(eq(agents.deploymentId, deploymentId))
    .orderBy(asc(agents.id));
  if (!all.some(({ id }) => id === agentId)) return 'missing';
  if (all.length === 1) return 'last';
  await tx.delete(agents).where(eq(agents.id, agentId));
  return 'deleted';
}
