export {
  type PaChatErrorDetail,
  PaChatErrorEvent,
  type PaChatFeedbackDetail,
  PaChatFeedbackEvent,
  type PaChatMessageDetail,
  PaChatMessageEvent,
  type PaChatOpenReportDetail,
  PaChatOpenReportEvent,
  type PaChatToolDetail,
  PaChatToolEvent,
} from '../controllers/chat/chat-events.js';
export {
  type PaOpenDetail,
  PaOpenEvent,
  type PaPublishDetail,
  PaPublishEvent,
} from '../controllers/creator/creator-events.js';
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
} from '../controllers/dashboard/dashboard-events.js';
export { type PaFilterChangeDetail, PaFilterChangeEvent } from '../controllers/dashboard/filter-change-event.js';
export {
  type PaErrorDetail,
  PaErrorEvent,
  PaSessionExpiredEvent,
  PaSessionExpiringEvent,
  PaSessionReadyEvent,
} from '../controllers/session/session-events.js';
