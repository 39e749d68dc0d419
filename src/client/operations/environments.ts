import * as environments from '../../contract/environments.js';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import { listRegions as operation } from '../../contract/regions.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** An environment by its ids. */
export type EnvironmentPath = ParamsOf<typeof environments.getDeploymentEnvironmentTokens>;

/** One page of the environments of a deployment. */
export function listEnvironments(
  connection: PlatformConnection,
  deploymentId: number,
  query: QueryOf<typeof environments.getDeploymentEnvironments> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof environments.getDeploymentEnvironments>> {
  return call(environments.getDeploymentEnvironments, connection, { params: { deploymentId }, query }, options);
}

/** One page of the tokens of an environment that are still good. It takes an API key, as all that follows. */
export function listEnvironmentTokens(
  connection: PlatformConnection,
  params: EnvironmentPath,
  query: QueryOf<typeof environments.getDeploymentEnvironmentTokens> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof environments.getDeploymentEnvironmentTokens>> {
  return call(environments.getDeploymentEnvironmentTokens, connection, { params, query }, options);
}

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
export function listRegions(
  connection: PlatformConnection,
  query: QueryOf<typeof operation> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof operation>> {
  return call(operation, connection, { query }, options);
}
