import * as deployments from '../../contract/deployments.js';
import type { BodyOf } from '../../contract/operation.js';
import { call, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** One page of the deployments that the caller may read. */
export const listDeployments: Endpoint<typeof deployments.getDeployments> = /* @__PURE__ */ endpoint(
  deployments.getDeployments,
);

/** One deployment; `deploymentUrl` is the origin of its Data API. */
export const getDeployment: Endpoint<typeof deployments.getDeployment, 'deploymentId'> = /* @__PURE__ */ endpoint(
  deployments.getDeployment,
  'deploymentId',
);

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
export const getDeploymentSettings: Endpoint<typeof deployments.getDeploymentSettings, 'deploymentId'> =
  /* @__PURE__ */ endpoint(deployments.getDeploymentSettings, 'deploymentId');

/** Changes settings of a deployment: what is left out stays, null gives a setting its default again. */
export const updateDeployment: Endpoint<typeof deployments.updateDeployment, 'deploymentId'> = /* @__PURE__ */ endpoint(
  deployments.updateDeployment,
  'deploymentId',
);

/** Deletes a deployment with all that is in it; the last one stays. */
export async function deleteDeployment(
  connection: PlatformConnection,
  deploymentId: number,
  options?: RequestOptions,
): Promise<void> {
  await call(deployments.deleteDeployment, connection, { params: { deploymentId } }, options);
}
