import { and, count, eq, inArray } from 'drizzle-orm';
import type { creationSteps } from '../../contract/deployments.js';
import type { JsonObject } from '../../contract/wire.js';
import type { allResources } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { deployments } from '../db/schema.js';

/** A stored deployment. */
export type StoredDeployment = typeof deployments.$inferSelect;

/** Returns a deployment by id, or `null` if it does not exist. */
export async function findDeployment(db: Db, deploymentId: number): Promise<StoredDeployment | null> {
  const [deployment] = await db.select().from(deployments).where(eq(deployments.id, deploymentId));
  return deployment ?? null;
}

/** Filter and page of a list of deployments. */
export interface DeploymentsAsked {
  readonly among: typeof allResources | readonly number[];
  /** Creation steps to include; all if not set. */
  readonly creationSteps?: readonly (typeof creationSteps)[number][] | undefined;
  readonly page: PageRequest;
  /** Number of deployments to skip. */
  readonly offset: number;
}

const byId = new Keyset<StoredDeployment>('deployments', { id: deployments.id }, 'asc');

/** Returns a page of deployments, ordered by id, and their total number. */
export async function listDeployments(
  db: Db,
  { among, creationSteps: steps, page, offset }: DeploymentsAsked,
): Promise<KeysetPage<StoredDeployment> & { readonly total: number }> {
  const asked = and(
    among === 'All' ? undefined : inArray(deployments.id, [...among]),
    steps && inArray(deployments.creationStep, [...steps]),
  );
  const rows = await db
    .select()
    .from(deployments)
    .where(and(asked, byId.after(page)))
    .orderBy(...byId.orderBy)
    .offset(offset)
    .limit(byId.limit(page));
  const [counted] = await db.select({ total: count() }).from(deployments).where(asked);
  return { ...byId.page(rows, page), total: counted?.total ?? 0 };
}

/** The editable fields of a deployment. */
export interface DeploymentChange {
  readonly name: string;
  readonly settings: JsonObject;
}

/**
 * Updates a deployment. Locks its row, so that concurrent changes run one after another. Returns `null` if it does not
 * exist.
 */
export async function changeDeployment(
  tx: Db,
  deploymentId: number,
  change: (stored: StoredDeployment) => DeploymentChange,
): Promise<StoredDeployment | null> {
  const here = eq(deployments.id, deploymentId);
  const [stored] = await tx.select().from(deployments).where(here).for('update');
  if (!stored) return null;
  const { name, settings } = change(stored);
  await tx.update(deployments).set({ name, settings }).where(here);
  return { ...stored, name, settings };
}

/**
 * Deletes a deployment and its content, unless it is the last one. Locks all deployments, so that two concurrent
 * requests cannot delete the last two.
 */
export async function deleteDeployment(tx: Db, deploymentId: number): Promise<'deleted' | 'missing' | 'last'> {
  const all = await tx.select({ id: deployments.id }).from(deployments).orderBy(deployments.id).for('update');
  if (!all.some(({ id }) => id === deploymentId)) return 'missing';
  if (all.length === 1) return 'last';
  await tx.delete(deployments).where(eq(deployments.id, deploymentId));
  return 'deleted';
}
