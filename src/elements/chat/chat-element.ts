import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import {
  ChatController,
  type ChatImage,
  type ChatService,
  ChatStatus,
  type ChatTarget,
  type ChatTurn,
} from '../../controllers/chat/chat-controller.js';
import { PaChatErrorEvent, PaChatToolEvent } from '../../controllers/chat/chat-events.js';
import { LocaleController } from '../../controllers/locale-controller.js';
import { AccountController } from '../../controllers/session/account-controller.js';
import { PreferencesController } from '../../controllers/session/preferences-controller.js';
import { SessionStatus } from '../../controllers/session/session-context.js';
import { SessionController } from '../../controllers/session/session-controller.js';
import { isSessionBlank, notice, problemNotice, sessionNotice } from '../parts/notice.js';
import { controls, tokens } from '../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../parts/visually-hidden.styles.js';
import { chatStyles } from './chat.styles.js';
import { ChatActions } from './chat-actions.js';
import type { ChatContext, ToolRenderers } from './chat-context.js';
import { headerButton, isEscape, launcher, suggestionList } from './chat-views.js';
import { composerParts, type PaChatComposer } from './composer/composer-element.js';
import { loadThreads, loadTranscript, transcriptParts } from './lazy-parts.js';
import type { PaChatTranscript } from './transcript/transcript-element.js';
import './composer/pa-chat-composer.js';
import { chatTranslations, defineCatalog } from '../messages/define-catalog.js';
import { type ChatMessages, chatMessages } from './chat-messages.js';

const chatCatalog = defineCatalog(chatMessages, chatTranslations('chat'));

/**
 * A chat with an agent that answers from the data. Its session comes from the nearest `<pa-session>`, or from its own `session-url`
 * (or `session`) and `base-url`; with `proxy-url` the host's own server speaks for it, and it needs no session.
 *
 * Keys: Enter sends, Shift+Enter starts a new line, arrow up in an empty composer fetches the last message back, Alt+Page Up goes
 * from the composer to the newest answer, whose blocks the arrow keys walk; Escape leads back, and closes a panel.
 *
 * @summary Chats with an agent.
 * @tagname pa-chat
 *
 * @slot header - In the place of the title.
 * @slot empty - In the place of the words of an empty thread.
 * @slot launcher - In the place of the launcher's icon.
 *
 * @fires {PaChatMessageEvent} pa-chat-message - A message is about to be sent; `preventDefault()` keeps it in the composer.
 * @fires {PaChatToolEvent} pa-chat-tool - A tool of the agent came to its end.
 * @fires {PaChatFeedbackEvent} pa-chat-feedback - The user rated an answer.
 * @fires {PaChatErrorEvent} pa-chat-error - Something failed.
 * @fires {PaErrorEvent} pa-error - The element's own session could not be had or renewed.
 * @fires {PaSessionReadyEvent} pa-session-ready - The element's own session is ready.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The element's own session nears its end and is being renewed.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The element's own session ran out or was refused.
 *
 * @csspart frame - The chat itself.
 * @csspart launcher - The button that opens a panel, or a docked chat.
 * @csspart header - Title and buttons.
 * @csspart threads - The list of earlier threads.
 * @csspart notice - A message in the place of content.
 * @csspart suggestion - A suggested question.
 * @csspart transcript - The box of messages.
 * @csspart day - A day between messages.
 * @csspart question - Words of the user.
 * @csspart answer - An answer.
 * @csspart working - The line of an answer on its way.
 * @csspart thinking - Reasoning of the model, folded.
 * @csspart end - How an answer ended that is not whole.
 * @csspart tool - A button under a message.
 * @csspart usage - What an answer has taken.
 * @csspart latest - The button that leads to the latest message.
 * @csspart step - A step of an answer.
 * @csspart result - The result of a query.
 * @csspart heading - A heading in an answer.
 * @csspart code - Code in an answer, or a query.
 * @csspart copy - The button that copies code.
 * @csspart markdown-table - A table in the words of an answer.
 * @csspart chart - A chart.
 * @csspart tooltip - The tooltip of a chart.
 * @csspart table - A table of rows.
 * @csspart composer - Where a message is written.
 * @csspart input - The text area.
 * @csspart image - An image beside a message.
 * @csspart attach - The button that attaches images.
 * @csspart note - A word on what can't be sent.
 * @csspart send - The button that sends and stops.
 * @csspart button - Any other button.
 *
 * @cssproperty --pa-chat-height - Height of a chat that its host gives none (600px).
 * @cssproperty --pa-chat-width - Width of a panel or of a docked chat (400px). Colours and type as `<pa-dashboard>`.
 * @cssproperty --pa-chat-bubble - Background of the user's words.
 */
export class PaChat extends LitElement {
  static override styles = [tokens, controls, visuallyHiddenStyles, chatStyles];

  readonly #session = new SessionController(this);
  readonly #preferences = new PreferencesController(this, {
    own: () => ({ locale: this.locale, timezone: null }),
    source: () => this.#session.source,
  });
  /** Says whether rows may be downloaded; read once the chat is opened. */
  readonly #account = new AccountController(this, () => (this.#wasOpened ? this.#session.source : null));
  readonly #locale = new LocaleController(this, chatCatalog, () => this.#preferences.locale);
  readonly #chat = new ChatController(this, {
    source: () => this.#session.source,
    target: () => this.#target,
    service: () => this.service,
    isWanted: () => this.#wasOpened,
    onGrow: turn => this.#transcript?.grow(turn),
    onTool: ({ id, name, status, input, result }) => {
      if (status === 'running') return;
      this.dispatchEvent(new PaChatToolEvent({ name, stepId: id, status, input, result }));
    },
    onProblem: problem => this.dispatchEvent(new PaChatErrorEvent(problem)),
  });

  /** Account of the agent. */
  @property() account = '';
  /** Id of the agent. */
  @property({ attribute: 'agent-id' }) agentId: string | null = null;
  /** Deployment whose agent answers if `agent-id` is not set. */
  @property({ attribute: 'deployment-id' }) deploymentId: string | null = null;
  /** `inline` fills its container, `panel` opens over the page from a button at its edge, `docked` is a side panel next to other content. */
  @property({ reflect: true, useDefault: true }) mode: 'inline' | 'panel' | 'docked' = 'inline';
  /** Whether a panel or docked chat is open. */
  @property({ type: Boolean, reflect: true }) open = false;
  /** Id of the thread that is shown; null for a new one. */
  @property({ attribute: 'thread-id', reflect: true }) threadId: string | null = null;
  /** Address of the Chat API where it is not the platform's; else that of the `<pa-session>` around. */
  @property({ attribute: 'ai-url' }) aiUrl: string | null = null;
  /** Address on the host's own server that speaks to the Chat API for its user (`chatProxyHandler`), in the place of a session. */
  @property({ attribute: 'proxy-url' }) proxyUrl: string | null = null;
  /** Where the host's own server mints a session, where no `<pa-session>` stands around the element. */
  @property({ attribute: 'session-url' }) sessionUrl: string | null = null;
  /** In the place of `session-url`: a function that returns a session id. */
  @property({ attribute: false }) session: (() => Promise<string>) | null = null;
  /** Address of the platform, beside `session-url` or `session`. */
  @property({ attribute: 'base-url' }) baseUrl: string | null = null;
  /** Path of the Data API below the deployment's address (`/data-api`). */
  @property({ attribute: 'data-api-path' }) dataApiPath: string | null = null;
  /** Words of the service: `neutral`, or `cube` for the public service of that name. */
  @property() dialect: 'neutral' | 'cube' | null = null;
  /** Language (BCP 47): before that of the `<pa-session>` around, the session's setting and the nearest `lang`. */
  @property() locale: string | null = null;
  /** Hides every download and copy of rows, also where the session allows them. */
  @property({ attribute: 'restrict-download', type: Boolean }) restrictDownload = false;
  /** Offers downloads where no session says whether they are allowed: with `proxy-url` or `service`. */
  @property({ attribute: 'allow-download', type: Boolean }) allowDownload = false;
  /** Level of the first headings in an answer. */
  @property({ attribute: 'heading-level', type: Number }) headingLevel = 3;
  /** Questions for an empty thread, before those that the service suggests. */
  @property({ attribute: false }) suggestions: readonly string[] = [];
  /** How steps of tools are drawn, by the tool's name. */
  @property({ attribute: false }) renderers: ToolRenderers = {};
  /** Origins whose images are shown in an answer; none by default, since an address can carry data away. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];
  /** In the place of session and addresses: the Chat API itself, as the host speaks to it. */
  @property({ attribute: false }) service: ChatService | null = null;

  @state() private showsThreads = false;
  @state() private note = '';

  #wasOpened = false;
  /** Whether the transcript has been asked for; what failed is asked for again when the chat is used. */
  #late: 'none' | 'asked' | 'failed' = 'none';
  /** It closes around the focus, which the launcher then takes. */
  #isFocusLeft = false;
  #saidOf = 0;
  #context: ChatContext | null = null;
  /** What the context was made of. */
  #contextKey: readonly unknown[] = [];
  readonly #actions = new ChatActions(this, {
    chat: this.#chat,
    composer: () => this.#composer,
    transcript: () => this.#transcript,
    onSend: () => {
      this.note = '';
      this.showsThreads = false;
    },
    stop: () => this.stop(),
    announce: text => this.#say(text),
  });

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.mode === 'inline' || this.open) this.#wasOpened = true;
    else this.#isFocusLeft ||= changed.has('open') && Boolean(this.shadowRoot?.activeElement);
    if (changed.has('threadId') && this.threadId !== this.#chat.chatId) this.#chat.open(this.threadId);
    else this.threadId = this.#chat.chatId;
    // A thread that has yet to be read will need it too.
    const { chatId, conversation } = this.#chat;
    if (this.#late === 'none' && this.#wasOpened && (chatId || conversation.turns.length > 0)) this.#loadTranscript();
    this.#updateContext();
  }

  protected override updated(): void {
    this.#hush();
    const panel = this.renderRoot.querySelector<HTMLElement>('.frame[popover]');
    if (panel?.isConnected && panel.matches(':popover-open') !== this.open) panel.togglePopover(this.open);
    if (this.#isFocusLeft) this.renderRoot.querySelector<HTMLElement>('.launcher')?.focus();
    this.#isFocusLeft = false;
  }

  /**
   * Sends a message. Resolves when its answer has come to an end, whichever; with false where it was not sent: an answer is under
   * way, nobody can be asked, the message is empty or too large, or the host prevented it.
   */
  async send(text: string, images: readonly ChatImage[] = []): Promise<boolean> {
    await this.updateComplete;
    return (await this.#actions.send(text.trim(), images)) ?? false;
  }

  /** Has the service stop the answer. Rejects where it could not be told: then the answer goes on. */
  async stop(): Promise<void> {
    try {
      await this.#chat.stop();
    } catch (error) {
      this.note = this.#locale.value.messages.stopFailed;
      throw error;
    }
  }

  /** Begins a new thread. An answer that is under way goes on, and stands in its own thread. */
  newThread(): void {
    this.openThread(null);
  }

  /** Opens a thread by its id; null begins a new one. */
  openThread(id: string | null): void {
    this.showsThreads = false;
    this.note = '';
    this.#chat.open(id);
  }

  /** Focuses the composer; a panel or docked chat that is closed opens. */
  override focus(options?: FocusOptions): void {
    this.open = this.open || this.mode !== 'inline';
    void this.updateComplete.then(() => this.#composer?.focus(options));
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    const isBlanked = isSessionBlank(this.#session.source) && !this.proxyUrl;
    return html`${this.mode === 'inline' ? nothing : launcher(messages, this.#locale.dir, this.open, () => this.focus())}
      <section
        class=${isBlanked ? 'frame blank' : 'frame'}
        part="frame"
        dir=${this.#locale.dir ?? nothing} lang=${this.#locale.lang ?? nothing}
        role=${this.mode === 'panel' ? 'dialog' : 'region'}
        aria-label=${messages.chat}
        popover=${this.mode === 'panel' ? 'manual' : nothing}
        ?hidden=${this.mode === 'docked' && !this.open}
        @keydown=${this.#handleKey}
        @focusin=${() => this.#loadTranscript()}
      >
        ${this.#wasOpened ? this.#renderChat(messages) : nothing}
        <div class="unseen" role="status"></div>
      </section>`;
  }

  #renderChat(messages: ChatMessages): TemplateResult {
    const { conversation, thread, owner, status, problem, chatId, isOff } = this.#chat;
    const { turns } = conversation;
    return html`${this.#renderHeader(messages)} ${this.#renderThreads()}
      ${this.#renderNotice(messages)}
      ${turns.length === 0 ? this.#renderEmpty(messages) : nothing}
      <pa-chat-transcript
        exportparts=${transcriptParts}
        ?hidden=${turns.length === 0}
        .thread=${thread}
        .turns=${turns}
        .context=${this.#context}
        .status=${status}
        .failure=${problem && messages.problems[problem.kind].join('. ')}
      ></pa-chat-transcript>
      <p class="note" ?hidden=${!this.note}>${this.note}</p>
      <pa-chat-composer
        exportparts=${composerParts}
        .owner=${owner}
        .thread=${thread}
        .chatId=${chatId}
        .messages=${messages}
        .locale=${this.#locale.value.locale}
        .isBusy=${status !== ChatStatus.idle && status !== ChatStatus.loading}
        .isOff=${isOff}
        .actions=${this.#actions.composer}
      ></pa-chat-composer>`;
  }

  #renderHeader(messages: ChatMessages): TemplateResult {
    return html`<header part="header">
      <slot name="header"><span class="title">${messages.chat}</span></slot>
      ${
        this.#chat.hasThreads
          ? headerButton('threads', messages.threads, this.#handleThreads, this.showsThreads)
          : nothing
      }
      ${this.#lastTurn ? headerButton('plus', messages.newThread, this.#handleNew) : nothing}
      ${this.mode === 'inline' ? nothing : headerButton('close', messages.close, this.#handleClose)}
    </header>`;
  }

  #renderThreads(): TemplateResult | typeof nothing {
    if (!this.showsThreads) return nothing;
    return html`<div class="threads" part="threads">
      <pa-chat-threads
        exportparts="button"
        .service=${this.#chat.service}
        .current=${this.#chat.chatId}
        .revision=${this.#chat.conversation.turns.length}
        .locale=${this.#locale.value.locale}
        .onOpen=${this.#handleOpenThread}
        .onNew=${this.#handleNew}
        .onRemoved=${this.#handleRemoved}
      ></pa-chat-threads>
    </div>`;
  }

  /** What stands between the user and the chat, over what is there. */
  #renderNotice(messages: ChatMessages): TemplateResult | typeof nothing {
    const session = this.service || this.proxyUrl ? null : sessionNotice(this.#session.source, messages);
    const { isOff, problem, conversation } = this.#chat;
    const isTold = conversation.turns.length > 0 && !isOff;
    const said =
      session ??
      (isOff ? notice(messages.off, problem ? { label: messages.tryAgain, run: this.#handleRetry } : null) : null) ??
      (problem && !isTold ? problemNotice(problem, messages, this.#handleRetry) : null);
    return said ? html`<div class="banner">${said}</div>` : nothing;
  }

  #renderEmpty(messages: ChatMessages): TemplateResult {
    const { status, isOff, problem } = this.#chat;
    if (status === ChatStatus.loading) return html`<div class="empty"><p class="delayed">${messages.loading}</p></div>`;
    const suggestions = [...this.suggestions, ...this.#chat.suggestions];
    return html`<div class="empty">
      ${isOff || problem ? nothing : html`<slot name="empty">${notice(messages.welcome)}</slot>`}
      ${isOff ? nothing : suggestionList(suggestions, messages.suggestions, this.#handleSuggestion)}
    </div>`;
  }

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (!isEscape(event) || (this.mode !== 'panel' && !this.showsThreads)) return;
    event.preventDefault();
    if (this.showsThreads) this.focus();
    else this.#handleClose();
    this.showsThreads = false;
  };

  readonly #handleRetry = (): void => {
    this.#chat.retry();
    this.#composer?.focus();
  };

  readonly #handleThreads = (): void => {
    this.showsThreads = !this.showsThreads;
    if (this.showsThreads) loadThreads();
  };

  readonly #handleOpenThread = (id: string | null): void => {
    this.openThread(id);
    this.focus();
  };

  readonly #handleNew = (): void => this.#handleOpenThread(null);

  readonly #handleRemoved = (id: string): void => {
    if (id === this.#chat.chatId) this.#handleNew();
  };

  readonly #handleClose = (): void => {
    this.open = false;
    this.#isFocusLeft = true;
  };

  readonly #handleSuggestion = (text: string): void => {
    if (this.#composer?.send(text, [])) this.#composer.focus();
  };

  /** Without it there is a composer, and nothing to be seen of what it sends. */
  #loadTranscript(): void {
    if (this.#late === 'asked') return;
    this.#late = 'asked';
    loadTranscript().catch(() => {
      this.#late = 'failed';
      this.note = this.#locale.value.messages.problems.unreachable.join('. ');
    });
  }

  /** Written past the template, since it is said with every piece of an answer that matters, and drawn never. */
  #say(text: string): void {
    const region = this.renderRoot.querySelector('[role="status"]');
    if (region) region.textContent = text;
  }

  /** What was said of one thread is not left for another, nor for whoever comes once the session is over. */
  #hush(): void {
    const { thread } = this.#chat;
    const { source } = this.#session;
    const isOver = source?.status === SessionStatus.expired || isSessionBlank(source);
    if (isOver || thread !== this.#saidOf) this.#say('');
    this.#saidOf = thread;
  }

  #updateContext(): void {
    const { locale } = this.#locale.value;
    const { source } = this.#session;
    const { renderers, imageOrigins, headingLevel: level } = this;
    const restricted = this.#isRestricted;
    const key = [locale, source, renderers, imageOrigins, level, restricted];
    if (this.#context && key.every((value, index) => value === this.#contextKey[index])) return;
    this.#contextKey = key;
    this.#context = { locale, source, renderers, imageOrigins, level, restricted, actions: this.#actions.turn };
  }

  /** Rows stay on the page until the session, or the host in its place, is known to allow downloads. */
  get #isRestricted(): boolean {
    if (this.restrictDownload) return true;
    if (this.service || this.proxyUrl) return !this.allowDownload;
    return this.#account.config?.restrictDataDownload !== false;
  }

  get #target(): ChatTarget {
    const { account, agentId, deploymentId, proxyUrl } = this;
    const aiUrl = this.aiUrl ?? this.#session.source?.aiUrl ?? null;
    const absolute = (address: string | null): string | null =>
      address && URL.canParse(address, this.baseURI) ? new URL(address, this.baseURI).href : address;
    return { account, agentId, deploymentId, aiUrl: absolute(aiUrl), proxyUrl: absolute(proxyUrl) };
  }

  get #lastTurn(): ChatTurn | undefined {
    return this.#chat.conversation.turns.at(-1);
  }

  /** Null until it is loaded. */
  get #transcript(): PaChatTranscript | null {
    return this.renderRoot.querySelector<PaChatTranscript>('pa-chat-transcript:defined');
  }

  get #composer(): PaChatComposer | null {
    return this.renderRoot.querySelector('pa-chat-composer');
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat': PaChat;
  }
}
