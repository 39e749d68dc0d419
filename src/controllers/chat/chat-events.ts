import type { ChatImage } from '../../contract/chat.js';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Problem } from '../problem.js';

const outward = { bubbles: true, composed: true } as const;

/** Detail of `pa-chat-message`. */
export interface PaChatMessageDetail {
  readonly text: string;
  readonly images: readonly ChatImage[];
  /** Id of the message's thread; `null` for a new thread. */
  readonly threadId: string | null;
}

/** Fired before a message is sent. `preventDefault()` cancels sending; the message remains in the composer. */
export class PaChatMessageEvent extends Event {
  readonly detail: PaChatMessageDetail;

  constructor(detail: PaChatMessageDetail) {
    super('pa-chat-message', { ...outward, cancelable: true });
    this.detail = detail;
  }
}

/** Detail of `pa-chat-tool`. */
export interface PaChatToolDetail {
  /** Name of the tool. */
  readonly name: string;
  /** Id of the step within its thread. */
  readonly stepId: string;
  readonly status: 'done' | 'failed';
  /** Input and result of the tool; contains data of this user. */
  readonly input: unknown;
  readonly result: unknown;
}

/** Fired when a tool of the agent finishes during an answer; not fired when an existing thread is read. */
export class PaChatToolEvent extends Event {
  readonly detail: PaChatToolDetail;

  constructor(detail: PaChatToolDetail) {
    super('pa-chat-tool', outward);
    this.detail = detail;
  }
}

/** Detail of `pa-chat-feedback`. */
export interface PaChatFeedbackDetail {
  readonly threadId: string | null;
  /** Id of the message whose answer is rated. */
  readonly messageId: string;
  /** `null` if the rating was removed. */
  readonly rating: 'up' | 'down' | null;
  /** The user's comment; not set if there is none. */
  readonly comment?: string;
}

/** Fired when the user rates an answer, before the rating is stored on the platform. */
export class PaChatFeedbackEvent extends Event {
  readonly detail: PaChatFeedbackDetail;

  constructor(detail: PaChatFeedbackDetail) {
    super('pa-chat-feedback', outward);
    this.detail = detail;
  }
}

/** Detail of `pa-chat-open-report`. */
export interface PaChatOpenReportDetail {
  /** Query and chart of the result, for the `snapshot` of `<pa-report>`. */
  readonly report: ReportSnapshot;
  readonly threadId: string | null;
  /** Id of the step within its thread. */
  readonly stepId: string;
}

/** Fired when the user opens a result as a report. `preventDefault()` keeps the chat from showing it in a dialog. */
export class PaChatOpenReportEvent extends Event {
  readonly detail: PaChatOpenReportDetail;

  constructor(detail: PaChatOpenReportDetail) {
    super('pa-chat-open-report', { ...outward, cancelable: true });
    this.detail = detail;
  }
}

/** Detail of `pa-chat-error`. Contains no token, key or row values. */
export interface PaChatErrorDetail {
  readonly code: string;
  readonly message: string;
  /** HTTP status; `null` if there was no response. */
  readonly status: number | null;
  /** Id of the request in the service's log; `null` if the service returned none. */
  readonly requestId: string | null;
}

/** Fired when something in the chat fails. The error is also shown in the chat. */
export class PaChatErrorEvent extends Event {
  readonly detail: PaChatErrorDetail;

  constructor({ code, message, status, requestId }: Pick<Problem, keyof PaChatErrorDetail>) {
    super('pa-chat-error', outward);
    this.detail = { code, message, status, requestId };
  }
}

declare global {
  interface HTMLElementEventMap {
    'pa-chat-message': PaChatMessageEvent;
    'pa-chat-tool': PaChatToolEvent;
    'pa-chat-feedback': PaChatFeedbackEvent;
    'pa-chat-open-report': PaChatOpenReportEvent;
    'pa-chat-error': PaChatErrorEvent;
  }
}
