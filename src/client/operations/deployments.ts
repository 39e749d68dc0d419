import * as deployments from '../../contract/deployments.js';
import type { BodyOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** One page of the deployments that the caller may read. */
export function listDeployments(
  connection: PlatformConnection,
  query: QueryOf<typeof deployments.getDeployments> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof deployments.getDeployments>> {
  return call(deployments.getDeployments, connection, { query }, options);
}

/** One deployment; `deploymentUrl` is the origin of its Data API. */
export function getDeployment(
  connection: PlatformConnection,
  deploymentId: number,
  options?: RequestOptions,
): Promise<deployments.Deployment> {
  return call(deployments.getDeployment, connection, { params: { deploymentId } }, options);
}

/** A data token (JWT) for the caller; `expiresIn` in seconds. */
export async function createDeploymentToken(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof deployments.createDeploymentToken> = {},
  options?: RequestOptions,
): Promise<string> {
  const parts = { params: { deploymentId }, body };
  return (await call(deployments.createDeploymentToken, connection, parts, options)).platformApiToken;
}

/** The settings of a deployment. */
export function getDeploymentSettings(
  connection: PlatformConnection,
  deploymentId: number,
  options?: RequestOptions,
): Promise<deployments.DeploymentSettings> {
  return call(deployments.getDeploymentSettings, connection, { params: { deploymentId } }, options);
}

/** Changes settings of a deployment: what is left out stays, null gives a setting its default again. */
export function updateDeployment(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof deployments.updateDeployment>,
  options?: RequestOptions,
): Promise<deployments.DeploymentSettings> {
  return call(deployments.updateDeployment, connection, { params: { deploymentId }, body }, options);
}

/** Deletes a deployment with all that is in it; the last one stays. */
export async function deleteDeployment(
  connection: PlatformConnection,
  deploymentId: number,
  options?: RequestOptions,
): Promise<void> {
  await call(deployments.deleteDeployment, connection, { params: { deploymentId } }, options);
}
