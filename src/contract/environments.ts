import * as z from 'zod/mini';
import { DeploymentParams, EitherPageQuery, eitherPageOf } from './deployments.js';
import { operation } from './operation.js';
import { IdParam, JsonObject, openEnum, optional } from './wire.js';

const environmentTypes = ['production', 'staging', 'development'] as const;

/** How to reach an API of an environment. */
const EnvironmentApi = z.looseObject({
  type: openEnum(['rest', 'sql']),
  version: z.int(),
  url: optional(z.string()),
  host: optional(z.string()),
  port: optional(z.int()),
  database: optional(z.string()),
});

/** An environment of a deployment. Its id is a text here, and a number in paths. */
export const DeploymentEnvironment = z.looseObject({
  id: z.string(),
  type: openEnum(environmentTypes),
  branch: optional(z.string()),
  user: optional(z.string()),
  api_credentials: z.array(EnvironmentApi),
});
/** An environment of a deployment. */
export type DeploymentEnvironment = z.infer<typeof DeploymentEnvironment>;

/** A token of the Data API that was made for an environment. */
export const DeploymentEnvironmentToken = z.looseObject({
  token: z.string().check(z.minLength(1)),
  security_context: JsonObject,
  created_at: z.string(),
  expires_at: z.string(),
});
/** A token of the Data API that was made for an environment. */
export type DeploymentEnvironmentToken = z.infer<typeof DeploymentEnvironmentToken>;

/** What a token opens of the Data API: `data` is its queries, `meta` what it tells of the model. */
export const environmentTokenScopes = ['data', 'meta'] as const;

const EnvironmentParams = z.extend(DeploymentParams, { environmentId: IdParam });

const common = { api: 'platform', access: 'viewer' } as const;
const noEnvironment = { 404: 'no such deployment, or no such environment of it' } as const;
const body = z.strictObject({
  security_context: JsonObject,
  expires_in: optional(z.int().check(z.gte(1), z.lte(3600))),
  scopes: optional(z.array(z.enum(environmentTokenScopes)).check(z.minLength(1), z.maxLength(10))),
});

/** The environments of a deployment, all or those of a type: each has `production`. `url` is the base address of its Data API. */
export const getDeploymentEnvironments = operation({
  ...common,
  id: 'getDeploymentEnvironments',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/environments',
  params: DeploymentParams,
  query: z.extend(EitherPageQuery, { type: optional(z.enum(environmentTypes)) }),
  response: eitherPageOf(DeploymentEnvironment),
  errors: { 404: 'no such deployment' },
});

/**
 * The tokens of an environment that are still good, in the order in which they were made. They open rows, so that all operations on them
 * take an API key, and the admin role or `SecretsManage` on the deployment; embed sessions are refused.
 */
export const getDeploymentEnvironmentTokens = operation({
  ...common,
  id: 'getDeploymentEnvironmentTokens',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/environments/{environmentId}/tokens',
  params: EnvironmentParams,
  query: EitherPageQuery,
  response: eitherPageOf(DeploymentEnvironmentToken),
  errors: noEnvironment,
});

/**
 * Makes a token of the Data API with a security context: that of `security_context`, without groups and attributes, so that `platform` in
 * it is 400. It lives `expires_in` seconds, 3600 by default and at most, and opens what `scopes` say, all by default; other scopes than
 * ours are 400.
 */
export const createDeploymentEnvironmentToken = operation({
  ...common,
  id: 'createDeploymentEnvironmentToken',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/environments/{environmentId}/tokens',
  params: EnvironmentParams,
  body,
  response: z.looseObject({ data: DeploymentEnvironmentToken }),
  errors: noEnvironment,
});

/** Makes a token that opens what the Data API tells of the model, and no rows: its scopes are `meta` alone. */
export const createDeploymentEnvironmentTokenForMetaSync = operation({
  ...common,
  id: 'createDeploymentEnvironmentTokenForMetaSync',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/environments/{environmentId}/tokens-for-meta-sync',
  params: EnvironmentParams,
  body,
  response: z.looseObject({ data: DeploymentEnvironmentToken }),
  errors: noEnvironment,
});
