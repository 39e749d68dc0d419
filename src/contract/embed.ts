import * as z from 'zod/mini';
import { Dashboard } from './dashboards.js';
import { operation } from './operation.js';
import { optional, PublicId } from './wire.js';

const settings = {
  allowAi: optional(z.boolean()),
  allowChatWorkspaceAuthoring: optional(z.boolean()),
  /** Whether the viewer may subscribe to dashboards by mail (extension). Default: `false`. */
  allowSubscriptions: optional(z.boolean()),
  allowSavedViews: optional(z.boolean()),
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

/** Settings of one session. Absent or `null` settings default to the account's (`EmbedSessionSettings`). */
export const EmbedSessionSettings = z.strictObject(settings);
/** Settings of one session. Absent or `null` settings default to the account's (`EmbedSessionSettings`). */
export type EmbedSessionSettings = z.infer<typeof EmbedSessionSettings>;

/** Id of a one-time embed session: 32 lowercase hex digits. Valid for 5 minutes. */
export const SessionId = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'must be 32 lowercase hex digits'));

/** Response with the id of a one-time embed session. */
export const EmbedSession = z.looseObject({ sessionId: SessionId });
/** Response with the id of a one-time embed session. */
export type EmbedSession = z.infer<typeof EmbedSession>;

/** Response with an embed token. */
export const EmbedTokenResponse = z.looseObject({ token: z.string().check(z.minLength(1)) });

/** Theme in an embed token (`EmbedTheme`). Only the keys that clients read are declared. */
export const EmbedTokenTheme = z.looseObject({ font: optional(z.string()), primaryColor: optional(z.string()) });
/** Theme in an embed token. */
export type EmbedTokenTheme = z.infer<typeof EmbedTokenTheme>;

/**
 * Payload of an embed token (JWT, valid for 24 h). Clients decode it for expiry, deployment, settings and identity, but
 * do not verify it. The identity is the payload without `iat`, `nbf`, `exp`, `jti` and `sid`.
 */
export const EmbedTokenPayload = z.looseObject({
  exp: z.number(),
  deploymentId: z.int(),
  settings: optional(z.looseObject(settings)),
  embedTheme: optional(EmbedTokenTheme),
});
/** The claims of an embed token that clients read. */
export type EmbedTokenPayload = z.infer<typeof EmbedTokenPayload>;

/**
 * Exchanges a one-time session for its embed token. The session id is the credential; it is valid once, for 5 minutes.
 */
export const exchangeSession = operation({
  id: 'postTokenBySessionId',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/session/token',
  access: 'public',
  body: z.strictObject({ sessionId: z.string().check(z.maxLength(100)) }),
  response: EmbedTokenResponse,
  errors: { 401: 'The session is unknown, used, expired or revoked.' },
});

/** Revokes a session before or after its exchange. Idempotent; requires the admin role. */
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

/** Returns a published dashboard with its frozen report snapshots. */
export const getDashboard = operation({
  id: 'getDashboard',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/embed/dashboard/{publicId}',
  access: 'authenticated',
  params: z.strictObject({ publicId: PublicId }),
  response: Dashboard,
  errors: {
    403: 'Embedding is disabled for this dashboard.',
    404: 'The dashboard is not published, or is not shared with the caller.',
  },
});

/**
 * Input of a Python analysis (`EmbedPythonFilteredRunInput`): a published version of a report, and the SQL of its
 * filtered rows.
 */
export const PythonRunInput = z.strictObject({
  reportId: z.int().check(z.gte(1)),
  /** `id` of the report's snapshot in the published dashboard. */
  reportVersionId: z.int().check(z.gte(1)),
  sqlQuery: z.string().check(z.minLength(1), z.maxLength(100_000)),
});

/** Result of a Python analysis (`PythonAnalysisFilteredRun`). */
export const PythonRun = z.looseObject({
  at: z.string(),
  executionError: optional(z.string()),
  inputRowCount: z.int(),
  outputData: optional(z.unknown()),
  stderr: z.string(),
  stdout: z.string(),
});
/** Result of a Python analysis. */
export type PythonRun = z.infer<typeof PythonRun>;

/**
 * Runs the Python code of a published report on its filtered rows (operations.md, Embed). This platform does not run
 * Python: after checking input and access, it returns 403.
 */
export const runDashboardPython = operation({
  id: 'postDashboardPythonRun',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/embed/dashboard/{publicId}/python-run',
  access: 'authenticated',
  params: z.strictObject({ publicId: PublicId }),
  body: PythonRunInput,
  response: PythonRun,
  errors: {
    403: 'The platform does not run Python, embedding is disabled, or the version is not the published version of the report.',
    404: 'The dashboard is not published, or is not shared with the caller.',
  },
});

/** Whether embedding of a dashboard is enabled. */
export const DashboardEmbedding = z.looseObject({ allowEmbed: z.boolean(), publicId: z.string() });
/** Whether embedding of a dashboard is enabled. */
export type DashboardEmbedding = z.infer<typeof DashboardEmbedding>;

/**
 * Enables or disables embedding of a published dashboard (operations.md, Embed). The dashboard must also be shared
 * with a tenant before the tenant's sessions can see it.
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
  errors: { 404: 'The dashboard is not published.' },
});
