import { and, count, eq, inArray } from 'drizzle-orm';
import type { creationSteps } from '../../contract/deployments.js';
import type { JsonObject } from '../../contract/wire.js';
import type { allResources } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { agents, deploymentEnvironments, deployments } from '../db/schema.js';

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

/** Creates a deployment with its production environment and an agent. */
export async function insertDeployment(tx: Db, { name, settings }: DeploymentChange): Promise<StoredDeployment> {
  const [created] = await tx.insert(deployments).values({ name, settings, creationStep: 'ready' }).returning();
  if (!created) throw new Error('An insert returned no row.');
  await tx.insert(deploymentEnvironments).values({ deploymentId: created.id, type: 'production' });
  await tx.insert(agents).values({ deploymentId: created.id, name: 'Analyst' });
  return created;
}

/** Deletes a deployment and its content. Returns false if it does not exist. */
export async function deleteDeployment(tx: Db, deploymentId: number): Promise<boolean> {
  const deleted = await tx
    .delete(deployments)
    .where(eq(deployments.id, deploymentId))
    .returning({ id: deployments.id });
  return deleted.length > 0;
}
