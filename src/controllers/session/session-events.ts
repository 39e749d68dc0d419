import type { PaError } from '../../client/errors.js';
import { type SessionEvent, type SessionSource, SessionStatus } from '../../client/session/session-status.js';

const outward = { bubbles: true, composed: true } as const;

/** Fired when a session is ready: for the first time, after the previous one ended, or after it expired. */
export class PaSessionReadyEvent extends Event {
  constructor() {
    super('pa-session-ready', outward);
  }
}

/** Fired when the session expires soon and is being renewed. The content stays unchanged. */
export class PaSessionExpiringEvent extends Event {
  constructor() {
    super('pa-session-expiring', outward);
  }
}

/** Fired when the session expired or was rejected, and there is no new one yet. */
export class PaSessionExpiredEvent extends Event {
  constructor() {
    super('pa-session-expired', outward);
  }
}

/** Detail of `pa-error`. Contains no token, key or row values. */
export interface PaErrorDetail {
  readonly code: string;
  readonly message: string;
  /** HTTP status; `null` if there was no response. */
  readonly status: number | null;
  /** Id of the request in the service's log; `null` if the service returned none. */
  readonly requestId: string | null;
  /** The tile that failed; `null` for the session or the whole element. */
  readonly widgetId: string | null;
}

/** Fired when something fails. The error is also shown where it occurred. */
export class PaErrorEvent extends Event {
  readonly detail: PaErrorDetail;

  constructor(error: Pick<PaError, 'code' | 'message' | 'status' | 'requestId'>, widgetId: string | null = null) {
    super('pa-error', outward);
    const { code, message, status, requestId } = error;
    this.detail = { code, message, status, requestId, widgetId };
  }
}

/** Fires the DOM event for a session event, if there is one. */
export function dispatchSessionEvent(target: EventTarget, event: SessionEvent): void {
  const domEvent = toDomEvent(event);
  if (domEvent) target.dispatchEvent(domEvent);
}

/**
 * Fires `pa-session-ready` for an element that received a session that was already ready, such as a preloaded or shared
 * one. Fires after the current update, so that listeners can change the element.
 */
export function dispatchReadiness(target: EventTarget, source: SessionSource): void {
  if (source.status !== SessionStatus.ready) return;
  queueMicrotask(() => {
    if (source.status === SessionStatus.ready) target.dispatchEvent(new PaSessionReadyEvent());
  });
}

function toDomEvent(event: SessionEvent): Event | null {
  if (event.type === 'expiring') return new PaSessionExpiringEvent();
  if (event.type === 'error') return new PaErrorEvent(event.error);
  if (event.type !== 'status') return null;
  if (event.status === SessionStatus.ready) return new PaSessionReadyEvent();
  return event.status === SessionStatus.expired ? new PaSessionExpiredEvent() : null;
}

declare global {
  interface HTMLElementEventMap {
    'pa-session-ready': PaSessionReadyEvent;
    'pa-session-expiring': PaSessionExpiringEvent;
    'pa-session-expired': PaSessionExpiredEvent;
    'pa-error': PaErrorEvent;
  }
}
