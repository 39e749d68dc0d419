import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { ChatController, type ChatImage, ChatStatus } from '../../controllers/chat/chat-controller.js';
import { PaChatErrorEvent, PaChatToolEvent } from '../../controllers/chat/chat-events.js';
import { isSessionBlank } from '../parts/notice.js';
import { controls, tokens } from '../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../parts/visually-hidden.styles.js';
import { chatStyles } from './chat.styles.js';
import { ChatActions } from './chat-actions.js';
import { ChatConnectionElement } from './chat-connection-element.js';
import { type ChatContext, sameContext, type ToolRenderers } from './chat-context.js';
import { ChatPanel } from './chat-panel.js';
import { chatBanner, chatHeader, edge, emptyState, isEscape, launcher, replies } from './chat-views.js';
import { composerParts, type PaChatComposer } from './composer/composer-element.js';
import type { PaChatContext } from './context/context-element.js';
import { loadContext, loadEdge, TranscriptLoader, transcriptParts } from './lazy-parts.js';
import { StatusRegion } from './status-region.js';
import { ThreadList } from './thread-list.js';
import type { PaChatTranscript } from './transcript/transcript-element.js';
import './composer/composer-element.js';
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
    isWanted: () => this.wasOpened,
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
  /** Prevents the agent from setting the controls of the dashboard in `for`. */
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
  @state() private note = '';

  readonly #panel = new ChatPanel(this);
  readonly #status = new StatusRegion(this, { chat: this.#chat, source: () => this.sessionController.source });
  readonly #threads = new ThreadList(this, {
    chat: this.#chat,
    locale: () => this.localeController.value.locale,
    open: id => this.#handleOpenThread(id),
  });
  readonly #loader = new TranscriptLoader(() => {
    this.note = this.localeController.value.messages.problems.unreachable.join('. ');
  });
  #context: ChatContext | null = null;
  /** Whether settings of the session or of the account hide the chat. */
  #isHidden = false;
  /** `ChatController.thread` of the last message that the viewer sent. */
  #askedThread: number | null = null;
  readonly #actions = new ChatActions(this, {
    chat: this.#chat,
    composer: () => this.#composer,
    transcript: () => this.#transcript,
    context: () => this.#contextChips,
    onSend: () => {
      this.note = '';
      this.#askedThread = this.#chat.thread;
      this.#threads.hide();
    },
    stop: () => this.stop(),
    announce: text => this.#status.say(text),
  });

  protected override get wasOpened(): boolean {
    return this.#panel.wasOpened;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#panel.willUpdate({ isToggled: changed.has('open') });
    if (changed.has('threadId') && this.threadId !== this.#chat.chatId) this.#chat.open(this.threadId);
    else this.threadId = this.#chat.chatId;
    // A thread that has not been loaded yet needs the transcript too.
    const { chatId, conversation } = this.#chat;
    if (this.wasOpened && (chatId || conversation.turns.length > 0)) this.#loader.load();
    this.#context = sameContext(this.#context, this.#newContext());
  }

  protected override updated(): void {
    if (this.mode !== 'inline' && this.open) loadEdge();
    if (this.htmlFor) loadContext();
    if (this.#isHidden !== this.isHiddenBySettings) {
      this.#isHidden = this.isHiddenBySettings;
      this.hidden = this.#isHidden;
    }
    this.#panel.updated();
  }

  /**
   * Sends a message. Resolves when its answer has ended in any way. Resolves with `false` if the message was not sent,
   * because an answer is running, the chat is not available, the message is empty or too long, or the host canceled it.
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
    this.#threads.hide();
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
        @focusin=${() => this.#loader.retry()}
      >
        ${this.wasOpened ? this.#renderChat(messages) : nothing}
        ${this.htmlFor && !this.isHiddenBySettings ? this.#renderContext(this.htmlFor) : nothing}
        ${this.wasOpened ? this.#renderComposer(messages) : nothing}
        ${this.mode === 'inline' ? nothing : edge(this, messages)}
        <div class="unseen" role="status"></div>
      </section>`;
  }

  #renderChat(messages: ChatMessages): TemplateResult {
    const { conversation, thread, status, problem } = this.#chat;
    const { turns } = conversation;
    const source = this.service || this.proxyUrl ? null : this.sessionController.source;
    return html`${chatHeader(this, this.#chat, messages, { threads: this.#threads, startThread: this.#handleNew, close: () => this.#panel.close() })}
      ${this.#threads.render()}
      ${chatBanner(this.#chat, messages, { source, run: this.#handleRetry })}
      ${turns.length === 0 ? emptyState(this.#chat, messages, { suggestions: this.suggestions, ask: this.#handleSuggestion }) : nothing}
      <pa-chat-transcript
        exportparts=${transcriptParts}
        ?hidden=${turns.length === 0}
        .thread=${thread}
        .turns=${turns}
        .context=${this.#context}
        .status=${status}
        .isAsked=${thread === this.#askedThread}
        .failure=${problem && messages.problems[problem.kind].join('. ')}
      ></pa-chat-transcript>
      ${replies(this.#chat, messages, this.#handleSuggestion)}
      <p class="note" ?hidden=${!this.note}>${this.note}</p>`;
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

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (!isEscape(event) || (this.mode !== 'panel' && !this.#threads.isShown)) return;
    event.preventDefault();
    if (this.#threads.isShown) this.focus();
    else this.#panel.close();
    this.#threads.hide();
  };

  readonly #handleAsk = (): void => this.focus();

  readonly #handlePins = (): void => this.requestUpdate();

  readonly #handleRetry = (): void => {
    this.#chat.retry();
    this.#composer?.focus();
  };

  readonly #handleOpenThread = (id: string | null): void => {
    this.openThread(id);
    this.focus();
  };

  readonly #handleNew = (): void => this.#handleOpenThread(null);

  readonly #handleSuggestion = (text: string): void => {
    if (this.#composer?.send(text, [])) this.#composer.focus();
  };

  #newContext(): ChatContext {
    const { locale } = this.localeController.value;
    const { source } = this.sessionController;
    const { renderers, imageOrigins, headingLevel: level, isRestricted: restricted } = this;
    const pins = source?.settings?.allowChatWorkspaceAuthoring === false ? null : this.#actions.pins;
    const marks = this.#contextChips?.markTarget ?? null;
    return { locale, source, renderers, imageOrigins, level, restricted, pins, marks, actions: this.#actions.turn };
  }

  /** The transcript; `null` until it is loaded. */
  get #transcript(): PaChatTranscript | null {
    return this.renderRoot.querySelector<PaChatTranscript>('pa-chat-transcript:defined');
  }

  /** The context of messages; `null` if `for` is not set, or until its element is loaded. */
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
