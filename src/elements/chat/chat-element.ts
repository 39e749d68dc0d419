import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import {
  ChatController,
  type ChatImage,
  ChatStatus,
  type ChatTurn,
  suggestedReplies,
} from '../../controllers/chat/chat-controller.js';
import { PaChatErrorEvent, PaChatToolEvent } from '../../controllers/chat/chat-events.js';
import { SessionStatus } from '../../controllers/session/session-context.js';
import { isSessionBlank, notice, problemNotice, sessionNotice } from '../parts/notice.js';
import { controls, tokens } from '../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../parts/visually-hidden.styles.js';
import { chatStyles } from './chat.styles.js';
import { ChatActions } from './chat-actions.js';
import { ChatConnectionElement } from './chat-connection-element.js';
import type { ChatContext, ToolRenderers } from './chat-context.js';
import { headerButton, isEscape, launcher, suggestionList } from './chat-views.js';
import { composerParts, type PaChatComposer } from './composer/composer-element.js';
import type { PaChatContext } from './context/context-element.js';
import { loadContext, loadEdge, loadThreads, loadTranscript, transcriptParts } from './lazy-parts.js';
import type { PaChatTranscript } from './transcript/transcript-element.js';
import './composer/pa-chat-composer.js';
import type { ChatMessages } from './chat-messages.js';

/**
 * A chat with an agent that answers from the data. The session comes from the nearest `<pa-session>`, or from the
 * element's own `session-url` (or `session`) and `base-url`. With `proxy-url`, the host's server calls the Chat API and
 * no session is needed.
 *
 * Keys: Enter sends, Shift+Enter inserts a line break, Arrow Up in an empty composer restores the last message,
 * Alt+Page Up moves focus from the composer to the newest answer, and arrow keys move between its blocks. Escape
 * returns to the composer, and closes a panel.
 *
 * @summary Chat with an agent.
 * @tagname pa-chat
 *
 * @slot header - Replaces the title.
 * @slot empty - Replaces the welcome text of an empty thread.
 * @slot launcher - Replaces the icon of the launcher.
 *
 * @fires {PaChatMessageEvent} pa-chat-message - Before a message is sent; `preventDefault()` keeps it in the composer.
 * @fires {PaChatToolEvent} pa-chat-tool - A tool call of the agent completed or failed.
 * @fires {PaChatFeedbackEvent} pa-chat-feedback - The user rated an answer.
 * @fires {PaChatOpenReportEvent} pa-chat-open-report - The user opens a result as a report; `preventDefault()` keeps
 * the chat from showing it in a dialog.
 * @fires {PaChatErrorEvent} pa-chat-error - Something failed.
 * @fires {PaErrorEvent} pa-error - The element's own session could not be created or renewed.
 * @fires {PaSessionReadyEvent} pa-session-ready - The element's own session is ready.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The element's own session is about to expire and is being
 * renewed.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The element's own session expired or was rejected.
 *
 * @csspart frame - The chat itself.
 * @csspart launcher - The button that opens a panel, or a docked chat.
 * @csspart header - Title and buttons.
 * @csspart threads - The list of earlier threads.
 * @csspart notice - Message shown instead of the content.
 * @csspart suggestion - A suggested question.
 * @csspart transcript - The scrollable list of messages.
 * @csspart day - A date separator between messages.
 * @csspart question - A message of the user.
 * @csspart answer - An answer.
 * @csspart working - The progress line of a running answer.
 * @csspart thinking - The model's reasoning, collapsed.
 * @csspart end - The note below an incomplete answer.
 * @csspart tool - A button under a message.
 * @csspart usage - The token usage of an answer.
 * @csspart latest - The button that scrolls to the latest message.
 * @csspart step - A step of an answer.
 * @csspart result - The result of a query.
 * @csspart heading - A heading in an answer.
 * @csspart code - Code in an answer, or a query.
 * @csspart copy - The button that copies code.
 * @csspart markdown-table - A Markdown table in an answer.
 * @csspart chart - A chart.
 * @csspart tooltip - The tooltip of a chart.
 * @csspart table - A table of rows.
 * @csspart composer - The message form.
 * @csspart input - A text area.
 * @csspart image - An attached image.
 * @csspart attach - The button that attaches images.
 * @csspart note - The note about a message or file that cannot be sent, or a rating that was not saved.
 * @csspart send - The button that sends a message or stops the answer.
 * @csspart button - Any other button.
 *
 * @cssproperty --pa-chat-height - Height of the chat unless the host sets one (600px).
 * @cssproperty --pa-chat-width - Width of a panel or docked chat (400px). For colors and fonts see `<pa-dashboard>`.
 * @cssproperty --pa-chat-bubble - Background of the user's messages.
 */
export class PaChat extends ChatConnectionElement {
  static override styles = [tokens, controls, visuallyHiddenStyles, chatStyles];

  readonly #chat = new ChatController(this, {
    source: () => this.sessionController.source,
    target: () => this.target,
    service: () => this.service,
    isWanted: () => this.#wasOpened,
    onGrow: turn => this.#transcript?.grow(turn),
    onTool: step => {
      const { id, name, status, input, result } = step;
      if (status === 'running') return;
      this.#contextChips?.apply(step, this.#chat.thread);
      this.dispatchEvent(new PaChatToolEvent({ name, stepId: id, status, input, result }));
    },
    onProblem: problem => this.dispatchEvent(new PaChatErrorEvent(problem)),
  });

  /**
   * `inline` fills its container, `panel` opens over the page from a button at its edge, `docked` is a side panel next
   * to other content.
   */
  @property({ reflect: true, useDefault: true }) mode: 'inline' | 'panel' | 'docked' = 'inline';
  /** Whether a panel or docked chat is open. */
  @property({ type: Boolean, reflect: true }) open = false;
  /**
   * Id of a `<pa-dashboard>` in the same document or shadow root: questions are about it, with the current values of
   * its controls, and the menus of its tiles offer "Ask about this tile".
   */
  @property({ attribute: 'for' }) htmlFor: string | null = null;
  /** Whether the agent may not set the controls of the dashboard in `for`. */
  @property({ attribute: 'restrict-controls', type: Boolean }) restrictControls = false;
  /** Id of the open thread; `null` for a new one. */
  @property({ attribute: 'thread-id', reflect: true }) threadId: string | null = null;
  /** Level of the first headings in an answer. */
  @property({ attribute: 'heading-level', type: Number }) headingLevel = 3;
  /** Suggested questions for an empty thread, shown before those of the service. */
  @property({ attribute: false }) suggestions: readonly string[] = [];
  /** Custom renderers for tool steps, by tool name. */
  @property({ attribute: false }) renderers: ToolRenderers = {};
  /** Origins whose images are shown in an answer. Default: none, because an image URL can leak data. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];
  @state() private showsThreads = false;
  @state() private note = '';

  #wasOpened = false;
  /** Loading state of the transcript; a failed load is retried when the chat is used. */
  #late: 'none' | 'pending' | 'failed' = 'none';
  /** Whether the chat closes while it has focus; focus then moves to the launcher. */
  #isFocusLeft = false;
  #announcedThread = 0;
  #context: ChatContext | null = null;
  /** The inputs of the current context. */
  #contextKey: readonly unknown[] = [];
  readonly #actions = new ChatActions(this, {
    chat: this.#chat,
    composer: () => this.#composer,
    transcript: () => this.#transcript,
    context: () => this.#contextChips,
    onSend: () => {
      this.note = '';
      this.showsThreads = false;
    },
    stop: () => this.stop(),
    announce: text => this.#say(text),
  });

  protected override get wasOpened(): boolean {
    return this.#wasOpened;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.mode === 'inline' || this.open) this.#wasOpened = true;
    else this.#isFocusLeft ||= changed.has('open') && Boolean(this.shadowRoot?.activeElement);
    if (changed.has('threadId') && this.threadId !== this.#chat.chatId) this.#chat.open(this.threadId);
    else this.threadId = this.#chat.chatId;
    // A thread that has not been loaded yet needs the transcript too.
    const { chatId, conversation } = this.#chat;
    if (this.#late === 'none' && this.#wasOpened && (chatId || conversation.turns.length > 0)) this.#loadTranscript();
    this.#updateContext();
  }

  protected override updated(): void {
    this.#clearAnnouncement();
    if (this.mode !== 'inline' && this.open) loadEdge();
    if (this.htmlFor) loadContext();
    const panel = this.renderRoot.querySelector<HTMLElement>('.frame[popover]');
    if (panel?.isConnected && panel.matches(':popover-open') !== this.open) panel.togglePopover(this.open);
    if (this.#isFocusLeft) this.renderRoot.querySelector<HTMLElement>('.launcher')?.focus();
    this.#isFocusLeft = false;
  }

  /**
   * Sends a message. Resolves when its answer has ended in any way. Resolves with `false` if the message was not sent:
   * an answer is running, the chat is not available, the message is empty or too long, or the host canceled it.
   */
  async send(text: string, images: readonly ChatImage[] = []): Promise<boolean> {
    await this.updateComplete;
    return (await this.#actions.send(text.trim(), images)) ?? false;
  }

  /** Stops the running answer. Rejects if the service could not be reached; the answer then continues. */
  async stop(): Promise<void> {
    try {
      await this.#chat.stop();
    } catch (error) {
      this.note = this.localeController.value.messages.stopFailed;
      throw error;
    }
  }

  /** Starts a new thread. A running answer continues in its own thread. */
  newThread(): void {
    this.openThread(null);
  }

  /** Opens a thread by id; `null` starts a new one. */
  openThread(id: string | null): void {
    this.showsThreads = false;
    this.note = '';
    this.#chat.open(id);
  }

  /** Focuses the composer; opens a closed panel or docked chat. */
  override focus(options?: FocusOptions): void {
    this.open = this.open || this.mode !== 'inline';
    void this.updateComplete.then(() => this.#composer?.focus(options));
  }

  override render(): TemplateResult {
    const { messages } = this.localeController.value;
    const isBlanked = isSessionBlank(this.sessionController.source) && !this.proxyUrl;
    return html`${this.mode === 'inline' ? nothing : launcher(messages, { dir: this.localeController.dir, isOpen: this.open, run: () => this.focus() })}
      <section
        class=${isBlanked ? 'frame blank' : 'frame'}
        part="frame"
        dir=${this.localeController.dir ?? nothing} lang=${this.localeController.lang ?? nothing}
        role=${this.mode === 'panel' ? 'dialog' : 'region'}
        aria-label=${messages.chat}
        popover=${this.mode === 'panel' ? 'manual' : nothing}
        ?hidden=${this.mode === 'docked' && !this.open}
        @keydown=${this.#handleKey}
        @focusin=${() => this.#loadTranscript()}
      >
        ${this.#wasOpened ? this.#renderChat(messages) : nothing}
        ${this.htmlFor ? this.#renderContext(this.htmlFor) : nothing}
        ${this.#wasOpened ? this.#renderComposer(messages) : nothing}
        ${this.mode === 'inline' ? nothing : this.#renderEdge(messages)}
        <div class="unseen" role="status"></div>
      </section>`;
  }

  #renderChat(messages: ChatMessages): TemplateResult {
    const { conversation, thread, status, problem } = this.#chat;
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
      ${this.#renderReplies(messages)}
      <p class="note" ?hidden=${!this.note}>${this.note}</p>`;
  }

  /** Replies that the last answer offers. */
  #renderReplies({ suggestions }: ChatMessages): unknown {
    const { status, conversation } = this.#chat;
    const last = conversation.turns.at(-1);
    if (status !== ChatStatus.idle || !last?.end) return nothing;
    return suggestionList(suggestedReplies(last), suggestions, this.#handleSuggestion);
  }

  #renderComposer(messages: ChatMessages): TemplateResult {
    const { thread, owner, status, chatId, isOff } = this.#chat;
    return html`<pa-chat-composer
        exportparts=${composerParts}
        .owner=${owner}
        .thread=${thread}
        .chatId=${chatId}
        .messages=${messages}
        .locale=${this.localeController.value.locale}
        .isBusy=${status !== ChatStatus.idle && status !== ChatStatus.loading}
        .isOff=${isOff}
        .actions=${this.#actions.composer}
      ></pa-chat-composer>`;
  }

  /**
   * Renders the context of the dashboard, even before the chat is opened, because it adds an item to the menus of
   * tiles.
   */
  #renderContext(dashboardId: string): TemplateResult {
    return html`<pa-chat-context
      exportparts="button"
      .dashboardId=${dashboardId}
      .canSetControls=${!this.restrictControls}
      .locale=${this.localeController.value.locale}
      .onAsk=${this.#handleAsk}
      .onPins=${this.#handlePins}
    ></pa-chat-context>`;
  }

  #renderEdge({ resize }: ChatMessages): TemplateResult {
    return html`<pa-chat-edge
      .chat=${this}
      .label=${resize}
      .isPanel=${this.mode === 'panel'}
      .isOpen=${this.open}
    ></pa-chat-edge>`;
  }

  #renderHeader(messages: ChatMessages): TemplateResult {
    return html`<header part="header">
      <slot name="header"><span class="title">${messages.chat}</span></slot>
      ${
        this.#chat.hasThreads
          ? headerButton('threads', messages.threads, this.#handleThreads, { isOpen: this.showsThreads })
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
        .locale=${this.localeController.value.locale}
        .onOpen=${this.#handleOpenThread}
        .onNew=${this.#handleNew}
        .onRemoved=${this.#handleRemoved}
      ></pa-chat-threads>
    </div>`;
  }

  /** Renders a session notice, the disabled state or a problem above the content. */
  #renderNotice(messages: ChatMessages): TemplateResult | typeof nothing {
    const session = this.service || this.proxyUrl ? null : sessionNotice(this.sessionController.source, messages);
    const { isOff, problem, conversation } = this.#chat;
    const isInTranscript = conversation.turns.length > 0 && !isOff;
    const said =
      session ??
      (isOff ? notice(messages.off, problem ? { label: messages.tryAgain, run: this.#handleRetry } : null) : null) ??
      (problem && !isInTranscript ? problemNotice(problem, messages, this.#handleRetry) : null);
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

  readonly #handleAsk = (): void => this.focus();

  readonly #handlePins = (): void => this.requestUpdate();

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

  /** Loads the transcript once. Shows a note if that fails, because sent messages are then not visible. */
  #loadTranscript(): void {
    if (this.#late === 'pending') return;
    this.#late = 'pending';
    loadTranscript().catch(() => {
      this.#late = 'failed';
      this.note = this.localeController.value.messages.problems.unreachable.join('. ');
    });
  }

  /** Sets the text without rendering: it changes with every announced part of an answer. */
  #say(text: string): void {
    const region = this.renderRoot.querySelector('[role="status"]');
    if (region) region.textContent = text;
  }

  /** Clears the announcement when another thread opens, and when the session ends, because the next user may differ. */
  #clearAnnouncement(): void {
    const { thread } = this.#chat;
    const { source } = this.sessionController;
    const isOver = source?.status === SessionStatus.expired || isSessionBlank(source);
    if (isOver || thread !== this.#announcedThread) this.#say('');
    this.#announcedThread = thread;
  }

  #updateContext(): void {
    const { locale } = this.localeController.value;
    const { source } = this.sessionController;
    const { renderers, imageOrigins, headingLevel: level } = this;
    const restricted = this.isRestricted;
    const pins = source?.settings?.allowChatWorkspaceAuthoring === false ? null : this.#actions.pins;
    const marks = this.#contextChips?.markTarget ?? null;
    const key = [locale, source, renderers, imageOrigins, level, restricted, pins, marks];
    if (this.#context && key.every((value, index) => value === this.#contextKey[index])) return;
    this.#contextKey = key;
    this.#context = {
      locale,
      source,
      renderers,
      imageOrigins,
      level,
      restricted,
      pins,
      marks,
      actions: this.#actions.turn,
    };
  }

  get #lastTurn(): ChatTurn | undefined {
    return this.#chat.conversation.turns.at(-1);
  }

  /** `null` until it is loaded. */
  get #transcript(): PaChatTranscript | null {
    return this.renderRoot.querySelector<PaChatTranscript>('pa-chat-transcript:defined');
  }

  /** `null` without `for`, and until it is loaded. */
  get #contextChips(): PaChatContext | null {
    return this.renderRoot.querySelector<PaChatContext>('pa-chat-context:defined');
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
