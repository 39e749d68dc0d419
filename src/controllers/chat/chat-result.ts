// What the elements of a chat need of the chat client, which they may not reach into themselves.
export type { ChatService, ChatThreads } from '../../client/chat/chat-service.js';
export type { ChatStep } from '../../client/chat/conversation.js';
export { type DataResult, readDataResult } from '../../client/chat/data-result.js';
