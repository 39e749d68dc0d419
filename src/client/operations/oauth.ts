import * as integrations from '../../contract/oauth-integrations.js';
import * as tokens from '../../contract/user-oauth-tokens.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Lists the OAuth integrations. Requires `OAuthIntegrationsManage`, like the four functions below. */
export const listOAuthIntegrations: Endpoint<typeof integrations.listOAuthIntegrations> = /* @__PURE__ */ endpoint(
  integrations.listOAuthIntegrations,
);

/** Creates an OAuth integration. */
export const createOAuthIntegration: Endpoint<typeof integrations.createOAuthIntegration> = /* @__PURE__ */ endpoint(
  integrations.createOAuthIntegration,
);

/** Returns an OAuth integration. */
export const getOAuthIntegration: Endpoint<typeof integrations.getOAuthIntegration, 'id'> = /* @__PURE__ */ endpoint(
  integrations.getOAuthIntegration,
  'id',
);

/** Replaces an OAuth integration. */
export const updateOAuthIntegration: Endpoint<typeof integrations.updateOAuthIntegration, 'id'> =
  /* @__PURE__ */ endpoint(integrations.updateOAuthIntegration, 'id');

/** Deletes an OAuth integration and the tokens of all users. */
export const deleteOAuthIntegration: Endpoint<typeof integrations.deleteOAuthIntegration, 'id'> =
  /* @__PURE__ */ endpoint(integrations.deleteOAuthIntegration, 'id');

/** Lists the tokens that the caller has from services. The tokens themselves are never returned. */
export const listUserOAuthTokens: Endpoint<typeof tokens.listUserOAuthTokens> = /* @__PURE__ */ endpoint(
  tokens.listUserOAuthTokens,
);

/** Returns the state of the caller's token of an integration. */
export const getUserOAuthToken: Endpoint<typeof tokens.getUserOAuthToken, 'integrationId'> = /* @__PURE__ */ endpoint(
  tokens.getUserOAuthToken,
  'integrationId',
);

/** Deletes the caller's token of an integration, and revokes it at the service. */
export const revokeUserOAuthToken: Endpoint<typeof tokens.revokeUserOAuthToken, 'integrationId'> =
  /* @__PURE__ */ endpoint(tokens.revokeUserOAuthToken, 'integrationId');

/** Starts the authorization of an integration and returns the URL that the browser must open. */
export const initiateOAuthFlow: Endpoint<typeof tokens.initiateOAuthFlow, 'integrationId'> = /* @__PURE__ */ endpoint(
  tokens.initiateOAuthFlow,
  'integrationId',
);
