import { and, eq, ne } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { deploymentEnvironments } from '../db/schema.js';
import { branchOfPath, targetOf } from './model-target.js';
import type { DataClaims } from './tokens.js';

/**
 * Returns true if the environment of a request exists. This is the environment that the token was created for. For a
 * token without an environment, it is a staging or development environment of the branch in the path. Without a branch
 * in the path, returns true.
 * @param path - path of the request.
 */
export async function isEnvironmentServed(db: Db, claims: DataClaims, path: string): Promise<boolean> {
  const { environmentId } = claims;
  if (environmentId === undefined && branchOfPath(path) === null) return true;
  const { deploymentId, branchName } = targetOf(claims);
  if (branchName === null) return false;
  const { id, type, branch, deploymentId: deployment } = deploymentEnvironments;
  const isServed = and(
    ne(type, 'production'),
    eq(deployment, deploymentId),
    eq(branch, branchName),
    environmentId === undefined ? undefined : eq(id, environmentId),
  );
  return (await db.$count(deploymentEnvironments, isServed)) > 0;
}
