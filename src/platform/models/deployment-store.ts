import { and, count, eq, inArray } from 'drizzle-orm';
import type { creationSteps } from '../../contract/deployments.js';
import type { JsonObject } from '../../contract/wire.js';
import type { allResources } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { deployments } from '../db/schema.js';

/** A deployment as it is stored. */
export type StoredDeployment = typeof deployments.$inferSelect;

/** A deployment by id. */
export async function findDeployment(db: Db, deploymentId: number): Promise<StoredDeployment | null> {
  const [deployment] = await db.select().from(deployments).where(eq(deployments.id, deploymentId));
  return deployment ?? null;
}

/** Which deployments a list holds, and which part of it a page is. */
export interface DeploymentsAsked {
  readonly among: typeof allResources | readonly number[];
  /** Undefined for all. */
  readonly creationSteps?: readonly (typeof creationSteps)[number][] | undefined;
  readonly page: PageRequest;
  /** How many to skip. */
  readonly offset: number;
}

const byId = new Keyset<StoredDeployment>('deployments', { id: deployments.id }, 'asc');

/** A page of deployments in the order of their ids, and how many there are. */
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

/** What can be changed of a deployment. */
export interface DeploymentChange {
  readonly name: string;
  readonly settings: JsonObject;
}

/** Changes a deployment; others who change it wait. Null where there is none. */
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

/** Deletes a deployment with all that is in it, unless it is the last: of two who delete the last two, one is told so. */
export async function deleteDeployment(tx: Db, deploymentId: number): Promise<'deleted' | 'missing' | 'last'> {
  const all = await tx.select({ id: deployments.id }).from(deployments).orderBy(deployments.id).for('update');
  if (!all.some(({ id }) => id === deploymentId)) return 'missing';
  if (all.length === 1) return 'last';
  await tx.delete(deployments).where(eq(deployments.id, deploymentId));
  return 'deleted';
}
