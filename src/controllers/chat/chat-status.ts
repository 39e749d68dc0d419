/** Where a chat stands. How the last answer ended is told by its turn. */
export const ChatStatus = {
  /** Nothing is under way. */
  idle: 'idle',
  /** A thread is being read. */
  loading: 'loading',
  /** A message is on its way, and nothing came back yet. */
  connecting: 'connecting',
  streaming: 'streaming',
  /** The connection was lost, and is being taken up again. */
  reconnecting: 'reconnecting',
  /** It has been lost for a while; it is tried again, at once when the network is back. */
  offline: 'offline',
} as const;
/** Where a chat stands. */
export type ChatStatus = (typeof ChatStatus)[keyof typeof ChatStatus];

/** What the Chat API takes at most, for elements that must say so before anything is sent. */
export { imageTypes, maxImageBytes, maxImages, maxInputLength } from '../../contract/chat-limits.js';
