/** What the Chat API takes at most, for elements that must say so before anything is sent. */
export { imageTypes, maxImageBytes, maxImages, maxInputLength, maxTitleLength } from '../contract/chat-limits.js';
