import * as z from 'zod/mini';
import { Dashboard } from './dashboards.js';
import { operation } from './operation.js';
import { optional, PublicId } from './wire.js';

const settings = {
  allowAi: optional(z.boolean()),
  allowChatWorkspaceAuthoring: optional(z.boolean()),
  locale: optional(z.string().check(z.maxLength(35))),
  showAiWidgets: optional(z.boolean()),
  showDashboardChat: optional(z.boolean()),
  showDashboardSettings: optional(z.boolean()),
  showGroupByPlatform: optional(z.boolean()),
  showMemberNames: optional(z.boolean()),
  showWorkbookChat: optional(z.boolean()),
  showWorkbookShare: optional(z.boolean()),
  timezone: optional(z.string().check(z.maxLength(64))),
};

/** Settings of one session, all three-valued: absent falls through to the account's (`EmbedSessionSettings`). */
export const EmbedSessionSettings = z.strictObject(settings);
/** Settings of one session, all three-valued: absent falls through to the account's (`EmbedSessionSettings`). */
export type EmbedSessionSettings = z.infer<typeof EmbedSessionSettings>;

/** A one-time embed session id: 32 lower-case hex digits, to be exchanged within 5 minutes. */
export const SessionId = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex digits'));

/** Answer that holds a one-time embed session id. */
export const EmbedSession = z.looseObject({ sessionId: SessionId });
/** Answer that holds a one-time embed session id. */
export type EmbedSession = z.infer<typeof EmbedSession>;

/** Answer that holds an embed token. */
export const EmbedTokenResponse = z.looseObject({ token: z.string().check(z.minLength(1)) });

/** Look of a session as its token carries it: the chat's part of it (`EmbedTheme`) among what is not read here. */
export const EmbedTokenTheme = z.looseObject({ font: optional(z.string()), primaryColor: optional(z.string()) });
/** Look of a session as its token carries it. */
export type EmbedTokenTheme = z.infer<typeof EmbedTokenTheme>;

/**
 * Payload of an embed token (JWT, 24 h). A client reads it for expiry, deployment, settings and identity and never
 * verifies it; identity is the payload without `iat`, `nbf`, `exp`, `jti` and `sid`.
 */
export const EmbedTokenPayload = z.looseObject({
  exp: z.number(),
  deploymentId: z.int(),
  settings: optional(z.looseObject(settings)),
  embedTheme: optional(EmbedTokenTheme),
});
/** Payload of an embed token, as far as a client reads it. */
export type EmbedTokenPayload = z.infer<typeof EmbedTokenPayload>;

/** Exchanges a one-time session for its embed token: single use, 5 minutes; the session id is the credential. */
export const exchangeSession = operation({
  id: 'postTokenBySessionId',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/session/token',
  access: 'public',
  body: z.strictObject({ sessionId: z.string().check(z.maxLength(100)) }),
  response: EmbedTokenResponse,
  errors: { 401: 'the session is unknown, used, expired or revoked' },
});

/** Revokes a session before or after its exchange; idempotent, admin only. */
export const revokeSession = operation({
  id: 'revokeSession',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/session/revoke',
  access: 'admin',
  body: z.strictObject({ sessionId: SessionId }),
  response: null,
  errors: {},
});

/** A published dashboard with its frozen report snapshots. */
export const getDashboard = operation({
  id: 'getDashboard',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/embed/dashboard/{publicId}',
  access: 'authenticated',
  params: z.strictObject({ publicId: PublicId }),
  response: Dashboard,
  errors: { 403: 'embedding is off for this dashboard', 404: 'not published, or not shared with the caller' },
});

/** Whether a dashboard may be embedded. */
export const DashboardEmbedding = z.looseObject({ allowEmbed: z.boolean(), publicId: z.string() });
/** Whether a dashboard may be embedded. */
export type DashboardEmbedding = z.infer<typeof DashboardEmbedding>;

/**
 * Allows or refuses embedding of a published dashboard (operations facts, Embed). Allowed, it is still to be shared with a tenant
 * before its sessions see it.
 */
export const updateDashboardEmbedding = operation({
  id: 'updateDashboardEmbedding',
  api: 'platform',
  method: 'PATCH',
  path: '/api/v1/embed/dashboard/{publicId}',
  access: 'admin',
  params: z.strictObject({ publicId: PublicId }),
  body: z.strictObject({ allowEmbed: z.boolean() }),
  response: DashboardEmbedding,
  errors: { 404: 'not published' },
});
