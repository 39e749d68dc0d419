import * as envVariables from '../../contract/env-variables.js';
import * as environments from '../../contract/environments.js';
import type { BodyOf, ParamsOf } from '../../contract/operation.js';
import { listRegions as operation } from '../../contract/regions.js';
import { call, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Identifies an environment by its ids. */
export type EnvironmentPath = ParamsOf<typeof environments.getDeploymentEnvironmentTokens>;

/** Lists the environments of a deployment, one page at a time. */
export const listEnvironments: Endpoint<typeof environments.getDeploymentEnvironments, 'deploymentId'> =
  /* @__PURE__ */ endpoint(environments.getDeploymentEnvironments, 'deploymentId');

/**
 * Lists the valid tokens of an environment, one page at a time. Requires an API key, like all token functions below.
 */
export const listEnvironmentTokens: Endpoint<typeof environments.getDeploymentEnvironmentTokens> =
  /* @__PURE__ */ endpoint(environments.getDeploymentEnvironmentTokens);

/** Creates a data token with a security context; `expires_in` is in seconds, at most 3600. */
export async function createEnvironmentToken(
  connection: PlatformConnection,
  params: EnvironmentPath,
  body: BodyOf<typeof environments.createDeploymentEnvironmentToken>,
  options?: RequestOptions,
): Promise<environments.DeploymentEnvironmentToken> {
  return (await call(environments.createDeploymentEnvironmentToken, connection, { params, body }, options)).data;
}

/** Creates a token that can read the model from the Data API, but no rows. */
export async function createEnvironmentTokenForMetaSync(
  connection: PlatformConnection,
  params: EnvironmentPath,
  body: BodyOf<typeof environments.createDeploymentEnvironmentTokenForMetaSync>,
  options?: RequestOptions,
): Promise<environments.DeploymentEnvironmentToken> {
  const operation = environments.createDeploymentEnvironmentTokenForMetaSync;
  return (await call(operation, connection, { params, body }, options)).data;
}

/** Lists the regions where deployments can run, one page at a time. */
export const listRegions: Endpoint<typeof operation> = /* @__PURE__ */ endpoint(operation);

/**
 * Lists the environment variables of a deployment by name, one page at a time. Masked values are `[ENCRYPTED]`.
 * Requires an API key with `SecretsManage`, like `setEnvVariables`.
 */
export const listEnvVariables: Endpoint<typeof envVariables.getEnvVariables, 'deploymentId'> = /* @__PURE__ */ endpoint(
  envVariables.getEnvVariables,
  'deploymentId',
);

/** Deletes an environment variable. This operation is an extension. */
export const deleteEnvVariable: Endpoint<typeof envVariables.deleteEnvVariable> = /* @__PURE__ */ endpoint(
  envVariables.deleteEnvVariable,
);

/** Creates or updates environment variables by name. Other variables are unchanged. */
export const setEnvVariables: Endpoint<typeof envVariables.setEnvVariables, 'deploymentId'> = /* @__PURE__ */ endpoint(
  envVariables.setEnvVariables,
  'deploymentId',
);
