import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { agents, deployments } from '../db/schema.js';

/** A stored agent. */
export type StoredAgent = typeof agents.$inferSelect;

/** Fields of an agent that can be changed. */
export type AgentFields = Omit<StoredAgent, 'id' | 'deploymentId'>;

const byId = new Keyset<StoredAgent>('agents', { id: agents.id }, 'asc');

const ofDeployment = (deploymentId: number, agentId: number) =>
  and(eq(agents.id, agentId), eq(agents.deploymentId, deploymentId));

/**
 * Returns one page of the agents of a deployment, oldest first, and their number.
 * @param among - ids to select from; `null` for all.
 */
export async function listAgents(
  db: Db,
  { deploymentId, among }: { readonly deploymentId: number; readonly among: readonly number[] | null },
  page: PageRequest,
): Promise<KeysetPage<StoredAgent> & { readonly total: number }> {
  const all = and(eq(agents.deploymentId, deploymentId), among === null ? undefined : inArray(agents.id, [...among]));
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

/** Creates an agent. */
export async function insertAgent(tx: Db, deploymentId: number, fields: Partial<AgentFields> & { name: string }) {
  const [agent] = await tx
    .insert(agents)
    .values({ deploymentId, ...fields })
    .returning();
  if (!agent) throw new Error('An insert returned no row.');
  return agent;
}

/** Changes an agent. Returns `null` if it does not exist. */
export async function changeAgent(
  tx: Db,
  { deploymentId, id }: Pick<StoredAgent, 'deploymentId' | 'id'>,
  change: Partial<AgentFields>,
): Promise<StoredAgent | null> {
  if (Object.keys(change).length === 0) return findAgent(tx, deploymentId, id);
  const [agent] = await tx.update(agents).set(change).where(ofDeployment(deploymentId, id)).returning();
  return agent ?? null;
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
