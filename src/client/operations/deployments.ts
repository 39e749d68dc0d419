import * as deployments from '../../contract/deployments.js';
import type { BodyOf } from '../../contract/operation.js';
import { call, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Lists the deployments that the caller can read, one page at a time. */
export const listDeployments: Endpoint<typeof deployments.getDeployments> = /* @__PURE__ */ endpoint(
  deployments.getDeployments,
);

/** Returns a deployment. `deploymentUrl` is the origin of its Data API. */
export const getDeployment: Endpoint<typeof deployments.getDeployment, 'deploymentId'> = /* @__PURE__ */ endpoint(
  deployments.getDeployment,
  'deploymentId',
);

/** Creates a data token (JWT) for the caller; `expiresIn` is in seconds. */
export async function createDeploymentToken(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof deployments.createDeploymentToken> = {},
  options?: RequestOptions,
): Promise<string> {
  const parts = { params: { deploymentId }, body };
  return (await call(deployments.createDeploymentToken, connection, parts, options)).platformApiToken;
}

/** Returns the settings of a deployment. */
export const getDeploymentSettings: Endpoint<typeof deployments.getDeploymentSettings, 'deploymentId'> =
  /* @__PURE__ */ endpoint(deployments.getDeploymentSettings, 'deploymentId');

/** Updates settings of a deployment. Omitted settings stay unchanged; `null` restores a default. */
export const updateDeployment: Endpoint<typeof deployments.updateDeployment, 'deploymentId'> = /* @__PURE__ */ endpoint(
  deployments.updateDeployment,
  'deploymentId',
);

/** Creates a deployment with an empty model. Requires a platform with a data folder. */
export const createDeployment: Endpoint<typeof deployments.createDeployment> = /* @__PURE__ */ endpoint(
  deployments.createDeployment,
);

/** Deletes a deployment with its model and all its content. The deployment of `--model` cannot be deleted. */
export async function deleteDeployment(
  connection: PlatformConnection,
  deploymentId: number,
  options?: RequestOptions,
): Promise<void> {
  await call(deployments.deleteDeployment, connection, { params: { deploymentId } }, options);
}
