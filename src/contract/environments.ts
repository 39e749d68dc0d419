import * as z from 'zod/mini';
import { DeploymentParams, EitherPageQuery, eitherPageOf } from './deployments.js';
import { operation } from './operation.js';
import { IdParam, JsonObject, openEnum, optional } from './wire.js';

const environmentTypes = ['production', 'staging', 'development'] as const;

/** Connection settings of an environment's API. */
const EnvironmentApi = z.looseObject({
  type: openEnum(['rest', 'sql']),
  version: z.int(),
  url: optional(z.string()),
  host: optional(z.string()),
  port: optional(z.int()),
  database: optional(z.string()),
});

/** An environment of a deployment. Its id is a string here but a number in paths. */
export const DeploymentEnvironment = z.looseObject({
  id: z.string(),
  type: openEnum(environmentTypes),
  branch: optional(z.string()),
  user: optional(z.string()),
  api_credentials: z.array(EnvironmentApi),
});
/** An environment of a deployment. */
export type DeploymentEnvironment = z.infer<typeof DeploymentEnvironment>;

/** A Data API token that was created for an environment. */
export const DeploymentEnvironmentToken = z.looseObject({
  token: z.string().check(z.minLength(1)),
  security_context: JsonObject,
  created_at: z.string(),
  expires_at: z.string(),
});
/** A Data API token that was created for an environment. */
export type DeploymentEnvironmentToken = z.infer<typeof DeploymentEnvironmentToken>;

/**
 * Scopes of a Data API token: `data` allows queries, `meta` allows reading the model. Together with `data`, `sql`
 * allows reading the SQL of queries, including the row filters of the security context.
 */
export const environmentTokenScopes = ['data', 'meta', 'sql'] as const;

const EnvironmentParams = z.extend(DeploymentParams, { environmentId: IdParam });

const common = { api: 'platform', access: 'authenticated' } as const;
const noEnvironment = { 404: 'The deployment or environment does not exist.' } as const;
const body = z.strictObject({
  security_context: JsonObject,
  expires_in: optional(z.int().check(z.gte(1), z.lte(3600))),
  scopes: optional(z.array(z.enum(environmentTokenScopes)).check(z.minLength(1), z.maxLength(10))),
});

/**
 * Lists the environments of a deployment, optionally only those of one type. Each deployment has an environment of the
 * type `production`. `url` is the base URL of its Data API. Users in development mode have one of the type
 * `development`, with the id of the user and the active branch; only callers with `SchemaRead` see these.
 */
export const getDeploymentEnvironments = operation({
  ...common,
  access: 'viewer',
  id: 'getDeploymentEnvironments',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/environments',
  params: DeploymentParams,
  query: z.extend(EitherPageQuery, { type: optional(z.enum(environmentTypes)) }),
  response: eitherPageOf(DeploymentEnvironment),
  errors: { 404: 'The deployment does not exist.' },
});

/**
 * Lists the valid tokens of an environment, oldest first. Because these tokens give access to rows, all operations on
 * them require an API key with the admin role or the action `SecretsManage` on the deployment; embed sessions are
 * rejected.
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
 * Creates a Data API token with the security context `security_context`. Groups and attributes cannot be set: the key
 * `platform` in the context returns 400. The token is valid for `expires_in` seconds (default and maximum: 3600) and
 * allows `scopes` (default: `data` and `meta`). The scope `sql`, an extension, requires an admin key. Unknown scopes
 * return 400.
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

/** Creates a token with the scope `meta` only. The token can read the model from the Data API but no rows. */
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
