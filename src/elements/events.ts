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
  type DrillTarget,
  type MarkSubject,
  type PaDownloadDetail,
  PaDownloadEvent,
  type PaDrillDetail,
  PaDrillEvent,
  type PaLoadDetail,
  PaLoadEvent,
  PaMarkClickEvent,
  type PaTimingDetail,
  PaTimingEvent,
  type TileSubject,
} from '../controllers/dashboard-events.js';
export { type PaFilterChangeDetail, PaFilterChangeEvent } from '../controllers/filter-change-event.js';
export {
  type PaErrorDetail,
  PaErrorEvent,
  PaSessionExpiredEvent,
  PaSessionExpiringEvent,
  PaSessionReadyEvent,
} from '../controllers/session-events.js';
