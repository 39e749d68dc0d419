import type { Principal } from '../auth/principal.js';
import { type ActionName, isAllowedOnDeployment } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import { findDeployment, type StoredDeployment } from './deployment-store.js';

/**
 * Returns true if the caller can read the deployment, because it is the deployment of the caller's embed session or the
 * caller's policies allow it.
 */
export function canReadDeployment(principal: Principal, deploymentId: number): boolean {
  if (principal.kind === 'embed') return principal.deploymentId === deploymentId;
  return isAllowedOnDeployment(principal.rights, 'DeploymentRead', deploymentId);
}

/** Returns the deployment that the path identifies. @throws PlatformError 404 if it does not exist or is hidden */
export async function requireDeployment(db: Db, principal: Principal, deploymentId: number): Promise<StoredDeployment> {
  const deployment = canReadDeployment(principal, deploymentId) ? await findDeployment(db, deploymentId) : null;
  if (!deployment) throw notFound('Deployment');
  return deployment;
}

/**
 * Returns the deployment that the path identifies if the caller can perform the action on it.
 * @throws PlatformError 404 if the caller cannot read it, 403 if it cannot perform the action
 */
export async function requireDeploymentAction(
  db: Db,
  principal: Principal,
  deploymentId: number,
  action: ActionName,
): Promise<StoredDeployment> {
  const deployment = await requireDeployment(db, principal, deploymentId);
  if (isAllowedOnDeployment(principal.rights, action, deploymentId)) return deployment;
  throw new PlatformError(403, `This operation requires ${action} on the deployment.`);
}
