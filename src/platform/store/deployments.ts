import { asc, eq } from 'drizzle-orm';
import type { Db } from './database.js';
import { deployments } from './schema.js';

/** A deployment as it is stored. */
export type StoredDeployment = typeof deployments.$inferSelect;

/** A deployment by id. */
export async function findDeployment(db: Db, deploymentId: number): Promise<StoredDeployment | null> {
  const [deployment] = await db.select().from(deployments).where(eq(deployments.id, deploymentId));
  return deployment ?? null;
}

/** All deployments, in the order of their ids. */
export async function listDeployments(db: Db): Promise<StoredDeployment[]> {
  return db.select().from(deployments).orderBy(asc(deployments.id));
}
