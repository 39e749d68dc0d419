/** What the Chat API takes at most, for elements that must say so before anything is sent. */
export { imageTypes, maxImageBytes, maxImages, maxInputLength } from '../contract/chat-limits.js';
