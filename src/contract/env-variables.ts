import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { optional, PageInfo, SearchQuery } from './wire.js';

/** Value that responses contain for a masked variable. Requests with this value are rejected. */
export const maskedValue = '[ENCRYPTED]';

/** An environment variable of a deployment. A masked value is `[ENCRYPTED]`. */
export const EnvVariable = z.looseObject({ name: z.string(), value: z.string() });
/** An environment variable of a deployment. */
export type EnvVariable = z.infer<typeof EnvVariable>;

/** A page of the environment variables. `data` is a deprecated equivalent of `items`. */
export const EnvVariables = z.looseObject({
  items: z.array(EnvVariable),
  data: z.array(EnvVariable),
  pageInfo: optional(PageInfo),
});
/** A page of the environment variables. */
export type EnvVariables = z.infer<typeof EnvVariables>;

/** Variables whose names contain one of these words are masked. */
const maskedWords = /PASS|SECRET|TOKEN|KEY|CREDENTIAL/i;

/**
 * Whether a variable with this name is masked. If so, responses do not contain its value, and the model can use it only
 * in the URL of a data source.
 */
export function isMaskedName(name: string): boolean {
  return maskedWords.test(name);
}

/** Input for creating or updating an environment variable. */
export const EnvVariableInput = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(255)),
  value: z.string().check(z.maxLength(32_768)),
});

const common = { api: 'platform', access: 'authenticated', params: DeploymentParams } as const;
const path = '/api/v1/deployments/{deploymentId}/env-vars';
const errors = { 404: 'The deployment does not exist.' } as const;

/**
 * Lists the environment variables of a deployment by name. The value is `[ENCRYPTED]` if the name contains PASS,
 * SECRET, TOKEN, KEY or CREDENTIAL, ignoring case. `search` (extension) matches part of the name, ignoring case.
 * Requires an API key with the admin role or with `SecretsManage` on the deployment.
 */
export const getEnvVariables = operation({
  ...common,
  id: 'getEnvVariables',
  method: 'GET',
  path,
  query: SearchQuery,
  response: EnvVariables,
  errors,
});

/**
 * Deletes an environment variable. If the model of deployment 1 uses it, the model stays in use until it is changed;
 * models of other deployments that use it return 409. A data source that uses it is no longer available. This operation
 * is an extension. Requires the same permissions as `getEnvVariables`.
 */
export const deleteEnvVariable = operation({
  ...common,
  id: 'deleteEnvVariable',
  method: 'DELETE',
  path: `${path}/{name}`,
  params: z.extend(DeploymentParams, { name: z.string().check(z.minLength(1), z.maxLength(255)) }),
  response: null,
  errors: { 404: 'The deployment or variable does not exist.' },
});

/**
 * Creates or updates environment variables by name, atomically. Other variables stay unchanged. Returns 400 for the
 * value `[ENCRYPTED]`, for a name that is listed twice, and for a new name that does not match
 * `^[A-Za-z_][A-Za-z0-9_]*$`. Values are stored encrypted. Models of the deployment use a variable as
 * `{{ env_var('NAME') }}` in `sql` and `sql_table`; a change recompiles them. Users who can change such a model can
 * read the values of variables that are not masked. Requires an API key with the same permissions as `getEnvVariables`.
 */
export const setEnvVariables = operation({
  ...common,
  id: 'setEnvVariables',
  method: 'PUT',
  path,
  body: z.strictObject({ env_variables: z.array(EnvVariableInput).check(z.maxLength(1000)) }),
  response: EnvVariables,
  errors,
});
