import type { Principal } from '../auth/principal.js';
import { type ActionName, isAllowedOnDeployment } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import { findDeployment, type StoredDeployment } from './deployment-store.js';

/** True for a deployment that the caller may know of: that of an embed session, or one that its policies let it read. */
export function canReadDeployment(principal: Principal, deploymentId: number): boolean {
  if (principal.kind === 'embed') return principal.deploymentId === deploymentId;
  return isAllowedOnDeployment(principal.rights, 'DeploymentRead', deploymentId);
}

/** The deployment of a path, as far as the caller may see it. */
export async function requireDeployment(db: Db, principal: Principal, deploymentId: number): Promise<StoredDeployment> {
  const deployment = canReadDeployment(principal, deploymentId) ? await findDeployment(db, deploymentId) : null;
  if (!deployment) throw notFound('Deployment');
  return deployment;
}

/** The deployment of a path, for whoever may do something with it: 404 where it may not be read, 403 where it may only be read. */
export async function requireDeploymentAction(
  db: Db,
  principal: Principal,
  deploymentId: number,
  action: ActionName,
): Promise<StoredDeployment> {
  const deployment = await requireDeployment(db, principal, deploymentId);
  if (isAllowedOnDeployment(principal.rights, action, deploymentId)) return deployment;
  throw new PlatformError(403, `This operation needs ${action} on the deployment.`);
}
