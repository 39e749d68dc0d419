import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, JsonObject, optional } from './wire.js';

/** A service from which users can get tokens with OAuth 2.0. Never contains the secret of the client. */
export const OAuthIntegration = z.looseObject({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  authUrl: z.string(),
  tokenUrl: z.string(),
  redirectUri: z.string(),
  clientId: z.string(),
  scopes: optional(z.array(z.unknown())),
  /** See `createOAuthIntegration`. */
  config: optional(JsonObject),
  createdAt: z.string(),
  updatedAt: z.string(),
});
/** A service from which users can get tokens. */
export type OAuthIntegration = z.infer<typeof OAuthIntegration>;

const Url = z.string().check(z.maxLength(2000));
const Text = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));
const fields = {
  name: Text,
  type: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  authUrl: Url,
  tokenUrl: Url,
  redirectUri: Url,
  clientId: Text,
  scopes: optional(
    z
      .array(
        z.string().check(z.maxLength(200), z.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope without spaces')),
      )
      .check(z.maxLength(100)),
  ),
  config: optional(JsonObject),
} as const;
const Secret = z.string().check(z.minLength(1), z.maxLength(2000));

const path = '/api/v1/oauth-integrations';
const one = `${path}/{id}` as const;
const common = { api: 'platform', access: 'authenticated' } as const;
const withId = { ...common, params: z.strictObject({ id: IdParam }) } as const;
const missing = { 404: 'The integration does not exist.' } as const;
const taken = { 409: 'Another integration has this name or targetEnvVar.' } as const;

/**
 * Lists the OAuth integrations, oldest first. All operations on them require an API key or a signed-in user with the
 * admin role or `OAuthIntegrationsManage`.
 */
export const listOAuthIntegrations = operation({
  ...common,
  id: 'listOAuthIntegrations',
  method: 'GET',
  path,
  response: z.array(OAuthIntegration),
  errors: {},
});

/**
 * Creates an OAuth integration. `authUrl` and `tokenUrl` must be HTTPS URLs with hosts in `PA_OAUTH_HOSTS`, and
 * `redirectUri` must be the address `/api/v1/user-oauth-tokens/callback` of the platform. The secret is stored
 * encrypted and never returned. `config` can contain `revocationUrl`, where tokens are revoked; `issuer`, which the
 * service must return with a code; and `targetEnvVar`, a variable for the URL of the data source with the token of the
 * user who sets it, who must have the admin role.
 */
export const createOAuthIntegration = operation({
  ...common,
  id: 'createOAuthIntegration',
  method: 'POST',
  path,
  body: z.strictObject({ ...fields, clientSecret: Secret }),
  response: OAuthIntegration,
  errors: taken,
});

/** Returns an OAuth integration. */
export const getOAuthIntegration = operation({
  ...withId,
  id: 'getOAuthIntegration',
  method: 'GET',
  path: one,
  response: OAuthIntegration,
  errors: missing,
});

/**
 * Replaces an OAuth integration. Without `clientSecret`, the stored secret stays unchanged; it is required if
 * `tokenUrl`, `clientId` or `config.revocationUrl` changes, so that the secret never reaches another service. A change
 * of one of them or of `authUrl` deletes the tokens of all users.
 */
export const updateOAuthIntegration = operation({
  ...withId,
  id: 'updateOAuthIntegration',
  method: 'PUT',
  path: one,
  body: z.strictObject({ ...fields, clientSecret: optional(Secret) }),
  response: OAuthIntegration,
  errors: { ...missing, ...taken },
});

/** Deletes an OAuth integration and the tokens of all users. */
export const deleteOAuthIntegration = operation({
  ...withId,
  id: 'deleteOAuthIntegration',
  method: 'DELETE',
  path: one,
  response: null,
  errors: missing,
});
