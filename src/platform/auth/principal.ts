import type { EmbedSessionSettings } from '../../contract/embed.js';
import type { SessionClaims } from '../db/schema.js';
import type { Rights } from './rights.js';

/**
 * What a model's policies decide by: the grant's own `securityContext` keys, and `platform` with the groups and attributes that the
 * platform verified.
 */
export type SecurityContext = SessionClaims['securityContext'];

/** Caller with an API key: the rights are those of the key's user. */
export interface ApiKeyPrincipal {
  readonly kind: 'api-key';
  readonly keyId: number;
  readonly userId: number;
  readonly rights: Rights;
}

/** Caller with an embed token: a user of a host's tenant, or an internal user that a host vouched for. */
export interface EmbedPrincipal {
  readonly kind: 'embed';
  readonly userId: number;
  /** An external user has none but downloads, or those of creator mode; an internal user keeps the admin role. */
  readonly rights: Rights;
  readonly deploymentId: number;
  readonly embedTenantId: number;
  readonly embedTenantName: string;
  readonly creatorMode: boolean;
  readonly sessionKey: string;
  readonly expiresAt: Date;
  readonly settings: EmbedSessionSettings;
  readonly securityContext: SecurityContext;
}

/** Caller with a chat token: the user in whose name it was asked for, on one deployment, in the Chat API alone. */
export interface ChatTokenPrincipal {
  readonly kind: 'chat-token';
  readonly userId: number;
  readonly rights: Rights;
  readonly deploymentId: number;
  /** Null where the token was made with an API key. */
  readonly embedTenantId: number | null;
  readonly settings: EmbedSessionSettings;
  readonly securityContext: SecurityContext;
}

/** Whoever an authenticated request speaks for. */
export type Principal = ApiKeyPrincipal | EmbedPrincipal;

/** Whoever a request of the Chat API comes from. */
export type ChatPrincipal = Principal | ChatTokenPrincipal;
