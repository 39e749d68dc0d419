import * as configs from '../../contract/oidc-token-configs.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Lists the configurations of tokens that the platform signs. Requires the admin role, like the functions below. */
export const listOidcTokenConfigs: Endpoint<typeof configs.listOidcTokenConfigs> = /* @__PURE__ */ endpoint(
  configs.listOidcTokenConfigs,
);

/** Creates a configuration of tokens that the platform signs. */
export const createOidcTokenConfig: Endpoint<typeof configs.createOidcTokenConfig> = /* @__PURE__ */ endpoint(
  configs.createOidcTokenConfig,
);

/** Returns a configuration of tokens. */
export const getOidcTokenConfig: Endpoint<typeof configs.getOidcTokenConfig, 'id'> = /* @__PURE__ */ endpoint(
  configs.getOidcTokenConfig,
  'id',
);

/** Updates a configuration of tokens. */
export const updateOidcTokenConfig: Endpoint<typeof configs.updateOidcTokenConfig, 'id'> = /* @__PURE__ */ endpoint(
  configs.updateOidcTokenConfig,
  'id',
);

/** Deletes a configuration of tokens. */
export const deleteOidcTokenConfig: Endpoint<typeof configs.deleteOidcTokenConfig, 'id'> = /* @__PURE__ */ endpoint(
  configs.deleteOidcTokenConfig,
  'id',
);

/** Signs a token of an enabled configuration. */
export const createOidcToken: Endpoint<typeof configs.createOidcToken, 'id'> = /* @__PURE__ */ endpoint(
  configs.createOidcToken,
  'id',
);

/** Replaces the key that signs tokens. Existing tokens can still be verified. */
export const rotateOidcSigningKey: Endpoint<typeof configs.rotateOidcSigningKey> = /* @__PURE__ */ endpoint(
  configs.rotateOidcSigningKey,
);

/** Returns the public keys of the tokens that the platform signs. Requires no credential. */
export const getJwks: Endpoint<typeof configs.getJwks> = /* @__PURE__ */ endpoint(configs.getJwks);

/** Returns the metadata of the platform as an issuer of tokens. Requires no credential. */
export const getIssuerMetadata: Endpoint<typeof configs.getIssuerMetadata> = /* @__PURE__ */ endpoint(
  configs.getIssuerMetadata,
);
