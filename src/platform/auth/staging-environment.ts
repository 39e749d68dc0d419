import { and, eq } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { deploymentEnvironments } from '../db/schema.js';
import type { ModelTarget } from './model-target.js';

/** Returns true if a branch has a staging environment. */
export async function hasStagingEnvironment(db: Db, { deploymentId, branchName }: ModelTarget): Promise<boolean> {
  if (branchName === null) return false;
  const { type, branch, deploymentId: deployment } = deploymentEnvironments;
  const isStaging = and(eq(type, 'staging'), eq(deployment, deploymentId), eq(branch, branchName));
  return (await db.$count(deploymentEnvironments, isStaging)) > 0;
}
