// Chat client exports for the chat elements, which must not import the client directly.
export type { ChatService, ChatThreads } from '../../client/chat/chat-service.js';
export { readControlsResult } from '../../client/chat/control-changes.js';
export type { ChatStep } from '../../client/chat/conversation.js';
export { type DataResult, readDataResult } from '../../client/chat/data-result.js';
export type { DashboardControlsResult } from '../../contract/chat.js';
export { ToolName } from '../../contract/chat-terms.js';
