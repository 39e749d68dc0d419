// What a chat needs once it speaks to its service: a chunk of its own, which loads while the session starts.

export { joinTurn, newMessageId, readThread, runTurn } from '../client/chat/chat-run.js';
export { openChat } from '../client/chat/open-chat.js';
export { StreamReducer } from '../client/chat/reduce.js';
