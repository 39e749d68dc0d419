import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, openEnum, optional } from './wire.js';

/** States of a token: usable, expired without a way to refresh it, or rejected by the service. */
export const oauthTokenStatuses = ['connected', 'expired', 'error'] as const;

/** State of the token that the caller has from a service. The token itself is never returned. */
export const UserOAuthToken = z.looseObject({
  id: z.int(),
  integrationId: z.int(),
  userId: z.int(),
  status: openEnum(oauthTokenStatuses),
  accessTokenExpiresAt: optional(z.string()),
  refreshTokenExpiresAt: optional(z.string()),
  /** Code and time of the last error of the service. */
  lastError: optional(z.unknown()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
/** State of the token that the caller has from a service. */
export type UserOAuthToken = z.infer<typeof UserOAuthToken>;

const path = '/api/v1/user-oauth-tokens';
const common = { api: 'platform', access: 'authenticated' } as const;
const withId = { ...common, params: z.strictObject({ integrationId: IdParam }) } as const;
const missing = { 404: 'The token does not exist.' } as const;

/** Lists the tokens of the caller's own user. Embed users have none. */
export const listUserOAuthTokens = operation({
  ...common,
  id: 'listUserOAuthTokens',
  method: 'GET',
  path,
  response: z.array(UserOAuthToken),
  errors: {},
});

/** Returns the state of the caller's token of an integration. */
export const getUserOAuthToken = operation({
  ...withId,
  id: 'getUserOAuthToken',
  method: 'GET',
  path: `${path}/{integrationId}`,
  response: UserOAuthToken,
  errors: missing,
});

/** Deletes the caller's token of an integration, and revokes it at the service if that has a `revocationUrl`. */
export const revokeUserOAuthToken = operation({
  ...withId,
  id: 'revokeUserOAuthToken',
  method: 'DELETE',
  path: `${path}/{integrationId}`,
  response: null,
  errors: missing,
});

/**
 * Starts the authorization of an integration, and returns the URL that the caller's browser must open. The service
 * redirects the browser to `/api/v1/user-oauth-tokens/callback`, which accepts only the browser of the session that
 * started the authorization. Requires a signed-in user with the admin role or `OAuthIntegrationsIssueTokens`; an API
 * key is not sufficient.
 */
export const initiateOAuthFlow = operation({
  ...withId,
  id: 'initiateOAuthFlow',
  method: 'POST',
  path: `${path}/{integrationId}/initiate`,
  response: z.looseObject({ authorizationUrl: z.string() }),
  errors: { 404: 'The integration does not exist.' },
});
