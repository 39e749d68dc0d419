import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, JsonObject, openEnum, optional } from './wire.js';

/**
 * Kinds of audiences: `aws` is `sts.amazonaws.com`, `azure` is `api://AzureADTokenExchange`, and `custom` is any other
 * audience.
 */
export const audienceTypes = ['aws', 'azure', 'custom'] as const;

/** A configuration of tokens that the platform signs, with which other services identify it (OpenID Connect). */
export const OidcTokenConfig = z.looseObject({
  id: z.int(),
  name: z.string(),
  audienceType: openEnum(audienceTypes),
  /** Value of the claim `aud`. */
  audience: z.string(),
  customClaims: optional(JsonObject),
  isEnabled: z.boolean(),
  /** Format of the claim `sub`; `deployment:{deployment_id}:{component}` by default. */
  subFormat: optional(z.string()),
  /** Variable with the token, which the URL of the data source can contain as `{{ env_var('NAME') }}`. */
  targetEnvVar: optional(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
/** A configuration of tokens that the platform signs. */
export type OidcTokenConfig = z.infer<typeof OidcTokenConfig>;

const subPattern = /^(?:[A-Za-z0-9:_-]|\{(?:deployment_id|component|region)\})+$/;
const fields = {
  customAudience: optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(500))),
  customClaims: optional(JsonObject),
  isEnabled: optional(z.boolean()),
  name: optional(
    z
      .string()
      .check(
        z.maxLength(100),
        z.regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'must consist of lower-case letters, digits and hyphens'),
      ),
  ),
  subFormat: optional(
    z
      .string()
      .check(
        z.maxLength(200),
        z.regex(
          subPattern,
          'must consist of letters, digits, :, _, -, {deployment_id}, {component} and {region}, such as deployment:{deployment_id}',
        ),
      ),
  ),
  targetEnvVar: optional(
    z
      .string()
      .check(z.maxLength(128), z.regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of a variable, such as DATABASE_TOKEN')),
  ),
} as const;

const path = '/api/v1/oidc-token-configs';
const one = `${path}/{id}` as const;
const common = { api: 'platform', access: 'admin' } as const;
const withId = { ...common, params: z.strictObject({ id: IdParam }) } as const;
const missing = { 404: 'The configuration does not exist.' } as const;
const taken = { 409: 'Another configuration has this name or targetEnvVar.' } as const;

/**
 * Lists the configurations of tokens that the platform signs, oldest first. All operations on them require an API key
 * or a signed-in user with the admin role.
 */
export const listOidcTokenConfigs = operation({
  ...common,
  id: 'listOidcTokenConfigs',
  method: 'GET',
  path,
  response: z.array(OidcTokenConfig),
  errors: {},
});

/**
 * Creates a configuration of tokens. `audienceType: custom` requires `customAudience`; other types do not allow it.
 * Returns 400 for `customClaims` with `iss`, `sub`, `aud`, `exp`, `nbf`, `iat` or `jti`. `name` is the type of the
 * audience by default.
 */
export const createOidcTokenConfig = operation({
  ...common,
  id: 'createOidcTokenConfig',
  method: 'POST',
  path,
  body: z.strictObject({ ...fields, audienceType: z.enum(audienceTypes) }),
  response: OidcTokenConfig,
  errors: taken,
});

/** Returns a configuration of tokens. */
export const getOidcTokenConfig = operation({
  ...withId,
  id: 'getOidcTokenConfig',
  method: 'GET',
  path: one,
  response: OidcTokenConfig,
  errors: missing,
});

/**
 * Updates a configuration of tokens. Omitted fields stay unchanged; `null` restores a default. The type of the audience
 * cannot be changed.
 */
export const updateOidcTokenConfig = operation({
  ...withId,
  id: 'updateOidcTokenConfig',
  method: 'PUT',
  path: one,
  body: z.strictObject(fields),
  response: OidcTokenConfig,
  errors: { ...missing, ...taken },
});

/** Deletes a configuration of tokens. Tokens that were signed before stay valid until they expire. */
export const deleteOidcTokenConfig = operation({
  ...withId,
  id: 'deleteOidcTokenConfig',
  method: 'DELETE',
  path: one,
  response: null,
  errors: missing,
});

/** Signs a token of an enabled configuration (extension). It is valid for an hour, and is not stored. */
export const createOidcToken = operation({
  ...withId,
  id: 'createOidcToken',
  method: 'POST',
  path: `${one}/token`,
  response: z.looseObject({ token: z.string().check(z.minLength(1)), expiresAt: z.string() }),
  errors: { ...missing, 409: 'The configuration is disabled.' },
});

/**
 * Replaces the key that signs tokens (extension). The new key is published immediately, and signs 10 minutes later. The
 * previous key stays published for 25 hours after that, so that all its tokens can be verified. The platform replaces
 * keys itself after 90 days. With `retirePrevious`, for example after a key was disclosed, all previous keys are
 * deleted and the new key signs immediately. Services that have read the keys before accept tokens of deleted keys for
 * up to a minute, or longer if they ignore `Cache-Control`.
 */
export const rotateOidcSigningKey = operation({
  ...common,
  id: 'rotateOidcSigningKey',
  method: 'POST',
  path: '/api/v1/oidc-signing-keys/rotate',
  body: z.strictObject({ retirePrevious: optional(z.boolean()) }),
  response: z.looseObject({ kid: z.string(), signsFrom: z.string() }),
  errors: {},
});

const published = { api: 'platform', access: 'public' } as const;

/** Returns the public keys of the tokens that the platform signs, as a JSON Web Key Set (RFC 7517). */
export const getJwks = operation({
  ...published,
  id: 'getJwks',
  method: 'GET',
  path: '/.well-known/jwks.json',
  response: z.looseObject({ keys: z.array(JsonObject) }),
  errors: {},
});

/** Returns the metadata of the platform as an issuer of tokens (OpenID Connect Discovery). It signs in no users. */
export const getIssuerMetadata = operation({
  ...published,
  id: 'getIssuerMetadata',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  response: z.looseObject({ issuer: z.string(), jwks_uri: z.string() }),
  errors: {},
});
