import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import type { ChatController } from '../../controllers/chat/chat-controller.js';
import { loadThreads } from './lazy-parts.js';

interface ThreadListOptions {
  readonly chat: ChatController;
  readonly locale: () => string;
  /** Opens a thread by id, `null` for a new one, and focuses the composer. */
  readonly open: (id: string | null) => void;
}

/** The list of earlier threads, which covers the chat while it is shown. */
export class ThreadList {
  readonly #host: Pick<ReactiveControllerHost, 'requestUpdate'>;
  readonly #options: ThreadListOptions;
  #isShown = false;

  constructor(host: Pick<ReactiveControllerHost, 'requestUpdate'>, options: ThreadListOptions) {
    this.#host = host;
    this.#options = options;
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  hide(): void {
    this.#isShown = false;
    this.#host.requestUpdate();
  }

  readonly toggle = (): void => {
    this.#isShown = !this.#isShown;
    if (this.#isShown) loadThreads();
    this.#host.requestUpdate();
  };

  render(): TemplateResult | typeof nothing {
    const { chat, locale, open } = this.#options;
    if (!this.#isShown) return nothing;
    return html`<div class="threads" part="threads">
      <pa-chat-threads
        exportparts="button"
        .service=${chat.service}
        .current=${chat.chatId}
        .revision=${chat.conversation.turns.length}
        .locale=${locale()}
        .onOpen=${open}
        .onNew=${this.#handleNew}
        .onRemoved=${this.#handleRemoved}
      ></pa-chat-threads>
    </div>`;
  }

  readonly #handleNew = (): void => this.#options.open(null);

  readonly #handleRemoved = (id: string): void => {
    if (id === this.#options.chat.chatId) this.#handleNew();
  };
}
