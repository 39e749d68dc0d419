export {
  type PaChatErrorDetail,
  PaChatErrorEvent,
  type PaChatFeedbackDetail,
  PaChatFeedbackEvent,
  type PaChatMessageDetail,
  PaChatMessageEvent,
  type PaChatToolDetail,
  PaChatToolEvent,
} from '../controllers/chat-events.js';
export {
  type PaErrorDetail,
  PaErrorEvent,
  PaSessionExpiredEvent,
  PaSessionExpiringEvent,
  PaSessionReadyEvent,
} from '../controllers/session-events.js';
