import type { EmbedSessionSettings } from '../../contract/embed.js';
import type { SessionClaims } from '../db/schema.js';
import type { Rights } from './rights.js';

/**
 * Input of the model's access policies: the keys of `securityContext` in the grant, and the key `platform` with the
 * verified groups and user attributes.
 */
export type SecurityContext = SessionClaims['securityContext'];

/** Caller with an API key. Its rights are those of the key's user. */
export interface ApiKeyPrincipal {
  readonly kind: 'api-key';
  readonly keyId: number;
  readonly userId: number;
  /** Expiry of the key, if it expires. Tokens that are created with the key expire no later. */
  readonly expiresAt?: Date | undefined;
  readonly rights: Rights;
}

/** How a user signed in: with a password, through an OpenID provider, or with a token of a configured issuer. */
export type SignInMethod = 'password' | 'oidc' | 'issuer';

/** Caller that signed in as a user of the account. */
export interface PersonPrincipal {
  readonly kind: 'person';
  readonly userId: number;
  readonly method: SignInMethod;
  /** Identifies the session, by which its tokens, and tokens that are created with them, are revoked. */
  readonly sessionKey: string;
  /** End of the session. Tokens that are created in it expire no later. */
  readonly expiresAt: Date;
  readonly rights: Rights;
}

/** Caller with a SCIM key: a directory, which can only provision users and groups. */
export interface ScimPrincipal {
  readonly kind: 'scim-key';
  readonly keyId: number;
  readonly userId: null;
  readonly embedTenantId: null;
  readonly rights: Rights;
}

/** Caller with an embed token: a user of an embed tenant, or an internal user whose identity a host asserted. */
export interface EmbedPrincipal {
  readonly kind: 'embed';
  readonly userId: number;
  /**
   * External users have no rights, except those for downloads or in creator mode. Internal users keep the admin role.
   */
  readonly rights: Rights;
  readonly deploymentId: number;
  /** The branch whose model answers queries of the session; production if not set. */
  readonly branchName?: string | undefined;
  readonly embedTenantId: number;
  readonly embedTenantName: string;
  readonly creatorMode: boolean;
  readonly sessionKey: string;
  readonly expiresAt: Date;
  readonly settings: EmbedSessionSettings;
  readonly securityContext: SecurityContext;
}

/**
 * Caller with a chat token: acts for the user that the token was issued to, on one deployment, in the Chat API only.
 */
export interface ChatTokenPrincipal {
  readonly kind: 'chat-token';
  readonly userId: number;
  readonly rights: Rights;
  readonly deploymentId: number;
  /** `null` if the token was created with an API key. */
  readonly embedTenantId: number | null;
  readonly settings: EmbedSessionSettings;
  readonly securityContext: SecurityContext;
}

/** Caller that acts as a user of the account. */
export type AccountPrincipal = ApiKeyPrincipal | PersonPrincipal;

/** Caller of an authenticated request. */
export type Principal = AccountPrincipal | EmbedPrincipal;

/** Caller of an authenticated request of the Chat API. */
export type ChatPrincipal = Principal | ChatTokenPrincipal;

/**
 * Returns the attributes of a caller that the model's policies can use. A user of the account has no tenant, groups or
 * attributes.
 */
export function securityContextOf(principal: Principal): SecurityContext {
  if (principal.kind === 'embed') return principal.securityContext;
  return { platform: { groups: [], userAttributes: {} } };
}
