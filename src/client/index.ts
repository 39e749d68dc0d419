export * from './chat/chat-run.js';
export type * from './chat/chat-service.js';
export * from './chat/conversation.js';
export * from './chat/data-result.js';
export * from './chat/open-chat.js';
export * from './chat/reduce.js';
export { load, type QueryOptions, type QueryProgress } from './data/load.js';
export * from './data/meta.js';
export * from './data/sql.js';
export { cube, type Dialect, type DialectName } from './dialect.js';
export {
  isTransient,
  PaAbortError,
  PaAuthenticationError,
  PaConflictError,
  PaConnectionError,
  PaError,
  PaErrorCode,
  type PaErrorOptions,
  PaNotFoundError,
  PaPermissionError,
  PaRateLimitError,
  PaRequestError,
  PaServerError,
  PaTimeoutError,
} from './errors.js';
export type { DataConnection, PlatformConnection } from './http/connection.js';
export { type RequestInput, type RequestOptions, request } from './http/request.js';
export * from './operations/account.js';
export * from './operations/account-groups.js';
export * from './operations/agents.js';
export * from './operations/ai-widgets.js';
export * from './operations/app-config.js';
export * from './operations/content-batches.js';
export * from './operations/content-runs.js';
export * from './operations/dashboard-exports.js';
export * from './operations/dashboard-views.js';
export * from './operations/data-model.js';
export * from './operations/deployment-status.js';
export * from './operations/deployments.js';
export * from './operations/embed.js';
export * from './operations/embed-comments.js';
export * from './operations/embed-subscriptions.js';
export * from './operations/embed-tenants.js';
export * from './operations/environments.js';
export * from './operations/model-history.js';
export * from './operations/model-uploads.js';
export * from './operations/notifications.js';
export * from './operations/oauth.js';
export * from './operations/oidc-tokens.js';
export { type EachOptions, eachItem, type Page, type PageRequest } from './operations/pagination.js';
export * from './operations/reports.js';
export * from './operations/repositories.js';
export * from './operations/scim.js';
export * from './operations/sign-in.js';
export * from './operations/tables.js';
export * from './operations/transform-sync.js';
export * from './operations/usage.js';
export * from './operations/users.js';
export * from './operations/workbooks.js';
export * from './operations/workspace.js';
export * from './session/session-source.js';
