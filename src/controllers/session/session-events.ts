import type { PaError } from '../../client/errors.js';
import { type SessionEvent, type SessionSource, SessionStatus } from '../../client/session/session-status.js';

const outward = { bubbles: true, composed: true } as const;

/** There is a session: for the first time, after the end of the last one, or after it had expired. */
export class PaSessionReadyEvent extends Event {
  constructor() {
    super('pa-session-ready', outward);
  }
}

/** The session nears its end and is being renewed; nothing on the screen changes. */
export class PaSessionExpiringEvent extends Event {
  constructor() {
    super('pa-session-expiring', outward);
  }
}

/** The session ran out or was refused, and there is no new one yet. */
export class PaSessionExpiredEvent extends Event {
  constructor() {
    super('pa-session-expired', outward);
  }
}

/** What `pa-error` tells: no token, no key, no row values. */
export interface PaErrorDetail {
  readonly code: string;
  readonly message: string;
  /** HTTP status, where there was an answer. */
  readonly status: number | null;
  /** Id of the request in the service's log, where it told one. */
  readonly requestId: string | null;
  /** The tile that failed; null where it is the session or the whole element. */
  readonly widgetId: string | null;
}

/** Something failed; it is shown where it happened, too. */
export class PaErrorEvent extends Event {
  readonly detail: PaErrorDetail;

  constructor(error: Pick<PaError, 'code' | 'message' | 'status' | 'requestId'>, widgetId: string | null = null) {
    super('pa-error', outward);
    const { code, message, status, requestId } = error;
    this.detail = { code, message, status, requestId, widgetId };
  }
}

/** Fires the DOM event that a session event stands for, where there is one. */
export function dispatchSessionEvent(target: EventTarget, event: SessionEvent): void {
  const domEvent = toDomEvent(event);
  if (domEvent) target.dispatchEvent(domEvent);
}

/**
 * Fires `pa-session-ready` for an element that took a session which was there before it, warmed or shared: once the update that took it
 * is over, so that what a listener does with the element holds.
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
