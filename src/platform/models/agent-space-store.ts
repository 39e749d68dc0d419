import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { agentSpaces } from '../db/schema.js';

/** A stored agent space. */
export type StoredSpace = typeof agentSpaces.$inferSelect;

/** Fields of a space that can be changed. */
export type SpaceFields = Pick<StoredSpace, 'name' | 'description'>;

const byId = new Keyset<StoredSpace>('agent-spaces', { id: agentSpaces.id }, 'asc');

const ofDeployment = (deploymentId: number, spaceId: number) =>
  and(eq(agentSpaces.id, spaceId), eq(agentSpaces.deploymentId, deploymentId));

/**
 * Returns one page of the spaces of a deployment, oldest first, and their total number.
 * @param among - ids to select from; `null` for all.
 */
export async function listSpaces(
  db: Db,
  { deploymentId, among }: { readonly deploymentId: number; readonly among: readonly number[] | null },
  page: PageRequest,
): Promise<KeysetPage<StoredSpace> & { readonly total: number }> {
  const isListed = among === null ? undefined : inArray(agentSpaces.id, [...among]);
  const all = and(eq(agentSpaces.deploymentId, deploymentId), isListed);
  const rows = await db
    .select()
    .from(agentSpaces)
    .where(and(all, byId.after(page)))
    .orderBy(...byId.orderBy)
    .limit(byId.limit(page));
  return { ...byId.page(rows, page), total: await db.$count(agentSpaces, all) };
}

/** Returns a space of a deployment; `null` if it does not exist. */
export async function findSpace(db: Db, deploymentId: number, spaceId: number): Promise<StoredSpace | null> {
  const [space] = await db.select().from(agentSpaces).where(ofDeployment(deploymentId, spaceId));
  return space ?? null;
}

/** Creates a space. */
export async function insertSpace(
  tx: Db,
  deploymentId: number,
  fields: Partial<SpaceFields> & Pick<SpaceFields, 'name'>,
): Promise<StoredSpace> {
  const [space] = await tx
    .insert(agentSpaces)
    .values({ deploymentId, ...fields })
    .returning();
  if (!space) throw new Error('An insert returned no row.');
  return space;
}

/** Changes a space. Returns `null` if it does not exist. */
export async function changeSpace(
  tx: Db,
  { deploymentId, id }: Pick<StoredSpace, 'deploymentId' | 'id'>,
  change: Partial<SpaceFields>,
): Promise<StoredSpace | null> {
  if (Object.keys(change).length === 0) return findSpace(tx, deploymentId, id);
  const [space] = await tx.update(agentSpaces).set(change).where(ofDeployment(deploymentId, id)).returning();
  return space ?? null;
}

/** Deletes a space; its agents remain. Returns `false` if it does not exist. */
export async function deleteSpace(tx: Db, deploymentId: number, spaceId: number): Promise<boolean> {
  const deleted = await tx
    .delete(agentSpaces)
    .where(ofDeployment(deploymentId, spaceId))
    .returning({ id: agentSpaces.id });
  return deleted.length > 0;
}
