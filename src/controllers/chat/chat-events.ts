import type { ChatImage } from '../../contract/chat.js';
import type { Problem } from '../problem.js';

const outward = { bubbles: true, composed: true } as const;

/** What `pa-chat-message` tells. */
export interface PaChatMessageDetail {
  readonly text: string;
  readonly images: readonly ChatImage[];
  /** The thread that it goes to; null where it begins one. */
  readonly threadId: string | null;
}

/** A message is about to be sent; `preventDefault()` keeps it in the composer. */
export class PaChatMessageEvent extends Event {
  readonly detail: PaChatMessageDetail;

  constructor(detail: PaChatMessageDetail) {
    super('pa-chat-message', { ...outward, cancelable: true });
    this.detail = detail;
  }
}

/** What `pa-chat-tool` tells. */
export interface PaChatToolDetail {
  /** Name of the tool. */
  readonly name: string;
  /** Id of the step within its thread. */
  readonly stepId: string;
  readonly status: 'done' | 'failed';
  /** What the tool was given and what came of it; data of this user. */
  readonly input: unknown;
  readonly result: unknown;
}

/** A tool of the agent came to its end while the answer was being given; not fired for a thread that is read back. */
export class PaChatToolEvent extends Event {
  readonly detail: PaChatToolDetail;

  constructor(detail: PaChatToolDetail) {
    super('pa-chat-tool', outward);
    this.detail = detail;
  }
}

/** What `pa-chat-feedback` tells. */
export interface PaChatFeedbackDetail {
  readonly threadId: string | null;
  /** Id of the message whose answer is rated. */
  readonly messageId: string;
  /** Null where a rating was taken back. */
  readonly rating: 'up' | 'down' | null;
}

/** The user rated an answer. It is for the host to keep: nothing is sent. */
export class PaChatFeedbackEvent extends Event {
  readonly detail: PaChatFeedbackDetail;

  constructor(detail: PaChatFeedbackDetail) {
    super('pa-chat-feedback', outward);
    this.detail = detail;
  }
}

/** What `pa-chat-error` tells: no token, no key, no row values. */
export interface PaChatErrorDetail {
  readonly code: string;
  readonly message: string;
  /** HTTP status, where there was an answer. */
  readonly status: number | null;
  /** Id of the request in the service's log, where it told one. */
  readonly requestId: string | null;
}

/** Something of the chat failed; it is shown where it happened, too. */
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
    'pa-chat-error': PaChatErrorEvent;
  }
}
