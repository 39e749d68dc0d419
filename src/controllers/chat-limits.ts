/** What the Chat API takes at most, for elements that must say so before anything is sent. */
export { maxInputLength } from '../contract/chat-limits.js';
