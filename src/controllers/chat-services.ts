// What a chat needs once it speaks to its service: a chunk of its own, which loads while the session starts.

export { openAgent, readOffer } from './chat-agent.js';
export { grownTurn } from './chat-change.js';
export { OpenThread } from './chat-thread.js';
