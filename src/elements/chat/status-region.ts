import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ChatController } from '../../controllers/chat/chat-controller.js';
import { type SessionSource, SessionStatus } from '../../controllers/session/session-context.js';
import { isSessionBlank } from '../parts/notice.js';

interface StatusHost extends ReactiveControllerHost {
  readonly renderRoot: HTMLElement | DocumentFragment;
}

interface StatusOptions {
  readonly chat: Pick<ChatController, 'thread'>;
  readonly source: () => SessionSource | null;
}

/**
 * The live region of a chat. It is cleared when another thread is opened, and when the session ends, because another
 * user may sign in.
 */
export class StatusRegion implements ReactiveController {
  readonly #host: StatusHost;
  readonly #options: StatusOptions;
  #thread = 0;

  constructor(host: StatusHost, options: StatusOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  hostUpdated(): void {
    const { thread } = this.#options.chat;
    const source = this.#options.source();
    const isOver = source?.status === SessionStatus.expired || isSessionBlank(source);
    if (isOver || thread !== this.#thread) this.say('');
    this.#thread = thread;
  }

  /** Sets the text without rendering, because it changes with every announced part of an answer. */
  say(text: string): void {
    const region = this.#host.renderRoot.querySelector('[role="status"]');
    if (region) region.textContent = text;
  }
}
