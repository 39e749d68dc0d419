import * as environments from '../../contract/environments.js';
import type { BodyOf, ParamsOf } from '../../contract/operation.js';
import { listRegions as operation } from '../../contract/regions.js';
import { call, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** An environment by its ids. */
export type EnvironmentPath = ParamsOf<typeof environments.getDeploymentEnvironmentTokens>;

/** One page of the environments of a deployment. */
export const listEnvironments: Endpoint<typeof environments.getDeploymentEnvironments, 'deploymentId'> =
  /* @__PURE__ */ endpoint(environments.getDeploymentEnvironments, 'deploymentId');

/** One page of the tokens of an environment that are still good. It takes an API key, as all that follows. */
export const listEnvironmentTokens: Endpoint<typeof environments.getDeploymentEnvironmentTokens> =
  /* @__PURE__ */ endpoint(environments.getDeploymentEnvironmentTokens);

/** Makes a data token with a security context; `expires_in` in seconds, 3600 at most. */
export async function createEnvironmentToken(
  connection: PlatformConnection,
  params: EnvironmentPath,
  body: BodyOf<typeof environments.createDeploymentEnvironmentToken>,
  options?: RequestOptions,
): Promise<environments.DeploymentEnvironmentToken> {
  return (await call(environments.createDeploymentEnvironmentToken, connection, { params, body }, options)).data;
}

/** Makes a token that opens what the Data API tells of the model, and no rows. */
export async function createEnvironmentTokenForMetaSync(
  connection: PlatformConnection,
  params: EnvironmentPath,
  body: BodyOf<typeof environments.createDeploymentEnvironmentTokenForMetaSync>,
  options?: RequestOptions,
): Promise<environments.DeploymentEnvironmentToken> {
  const operation = environments.createDeploymentEnvironmentTokenForMetaSync;
  return (await call(operation, connection, { params, body }, options)).data;
}

/** One page of the regions where deployments can run. */
export const listRegions: Endpoint<typeof operation> = /* @__PURE__ */ endpoint(operation);
