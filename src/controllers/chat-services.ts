// What a chat needs once it speaks to its service: a chunk of its own, which loads while the session starts.

export { openChat } from '../client/chat/open-chat.js';
export { grownTurn } from './chat-change.js';
export { OpenThread } from './chat-thread.js';
