export * from './app-config.js';
export * from './chat/chat-run.js';
export type * from './chat/chat-service.js';
export * from './chat/conversation.js';
export * from './chat/data-result.js';
export * from './chat/open-chat.js';
export * from './chat/reduce.js';
export type { DataConnection, PlatformConnection } from './connection.js';
export * from './data.js';
export * from './deployments.js';
export * from './embed.js';
export * from './embed-access.js';
export {
  isTransient,
  PaAbortError,
  PaAuthenticationError,
  PaConnectionError,
  PaError,
  PaErrorCode,
  type PaErrorOptions,
  PaTimeoutError,
} from './errors.js';
export * from './reports.js';
export { type RequestInput, type RequestOptions, request } from './request.js';
export * from './session-source.js';
export * from './sql.js';
export * from './workbooks.js';
