export {
  type PaErrorDetail,
  PaErrorEvent,
  PaSessionExpiredEvent,
  PaSessionExpiringEvent,
  PaSessionReadyEvent,
} from '../controllers/session-events.js';
