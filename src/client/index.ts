export * from './api-keys.js';
export * from './app-config.js';
export * from './audit-log.js';
export * from './chat/chat-run.js';
export type * from './chat/chat-service.js';
export * from './chat/conversation.js';
export * from './chat/data-result.js';
export * from './chat/open-chat.js';
export * from './chat/reduce.js';
export type { DataConnection, PlatformConnection } from './connection.js';
export * from './data.js';
export * from './deployments.js';
export { cube, type Dialect, type DialectName } from './dialect.js';
export * from './embed.js';
export * from './embed-access.js';
export * from './embed-comments.js';
export * from './embed-tenants.js';
export * from './environments.js';
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
export * from './folders.js';
export * from './meta.js';
export * from './notifications.js';
export { type EachOptions, eachItem, type Page, type PageRequest } from './pages.js';
export * from './regions.js';
export * from './reports.js';
export * from './repository.js';
export { type RequestInput, type RequestOptions, request } from './request.js';
export * from './roles.js';
export * from './session-source.js';
export * from './spec.js';
export * from './sql.js';
export * from './tenant-settings.js';
export * from './transform-sync.js';
export * from './user-attributes.js';
export * from './workbooks.js';
export * from './workspace.js';
