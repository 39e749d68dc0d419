/** Status of a chat. The result of the last answer is in its turn. */
export const ChatStatus = {
  /** No answer is in progress. */
  idle: 'idle',
  /** A thread is being read. */
  loading: 'loading',
  /** A message was sent, and no response has arrived yet. */
  connecting: 'connecting',
  streaming: 'streaming',
  /** The connection was lost and is being restored. */
  reconnecting: 'reconnecting',
  /**
   * The connection has been lost for a while. Attempts to reconnect continue; the next one starts when the network is
   * back.
   */
  offline: 'offline',
} as const;
/** Status of a chat. */
export type ChatStatus = (typeof ChatStatus)[keyof typeof ChatStatus];

/** Limits of the Chat API, for elements that check input before it is sent. */
export { imageTypes, maxCommentLength, maxImageBytes, maxImages, maxInputLength } from '../../contract/chat-limits.js';
