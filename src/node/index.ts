export { PaError, PaErrorCode } from '../client/errors.js';
export type { EmbedGrant } from '../contract/embed-grant.js';
export { createEmbedSession, type EmbedSessionOptions } from './create-embed-session.js';
export { type EmbedSessionHandlerOptions, embedSessionHandler } from './embed-session-handler.js';
export { type NodeHandler, toNodeHandler } from './to-node-handler.js';
