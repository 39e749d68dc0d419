import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { ChatStatus, type ChatTurn } from '../../../controllers/chat/chat-controller.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { controls } from '../../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../../parts/visually-hidden.styles.js';
import { Announcer, countAnswer } from './announcer.js';
import '../turn/turn-element.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { register } from '../../register.js';
import type { ChatContext, TurnContext } from '../chat-context.js';
import { loadMarkdown, type Markdown } from '../turn/lazy-parts.js';
import { turnStyles } from '../turn/turn.styles.js';
import type { PaChatTurn } from '../turn/turn-element.js';
import { turnIcon } from '../turn/turn-icons.js';
import { BottomAnchor } from './bottom-anchor.js';
import { transcriptStyles } from './transcript.styles.js';
import { transcriptMessages } from './transcript-messages.js';

const transcriptCatalog = defineCatalog(transcriptMessages, chatTranslations('transcript'));

/** Number of turns shown at first, and added each time the user reaches the oldest one. */
const window = 15;
/** Distance above the viewport at which older turns are added. */
const nearStart = '400px 0px 0px';

/**
 * Scrollable list of the turns of a thread. Renders the last turns at first, and older ones when the user scrolls up.
 *
 * @summary The messages of a thread, inside a chat.
 * @tagname pa-chat-transcript
 */
export class PaChatTranscript extends LitElement {
  static override styles = [controls, visuallyHiddenStyles, transcriptStyles, turnStyles];

  readonly #locale = new LocaleController(this, transcriptCatalog, () => this.context?.locale);
  readonly #anchor = new BottomAnchor(this, () => this.#scrolled);

  /** `ChatController.thread` of the open thread. When it changes, the transcript scrolls to its end. */
  @property({ attribute: false }) thread = 0;
  /** All turns, oldest first. */
  @property({ attribute: false }) turns: readonly ChatTurn[] = [];
  /** Values shared by all turns. */
  @property({ attribute: false }) context: ChatContext | null = null;
  /** Status of the last answer. */
  @property({ attribute: false }) status: ChatStatus = ChatStatus.idle;
  /** Whether the viewer sent the message of the last turn on this page. */
  @property({ attribute: false }) isAsked = false;
  /** Localized reason why the last message could not be sent; `null` if it was sent. */
  @property({ attribute: false }) failure: string | null = null;

  /** Index of the first turn shown. */
  @state() private first = 0;
  @state() private hasNew = false;
  /** The Markdown renderer; `null` until it is loaded. */
  @state() private markdown: Markdown | null = null;

  readonly #announcer = new Announcer(text => this.context?.actions.announce(text));
  #turnContext: TurnContext | null = null;
  #observer: IntersectionObserver | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#observer = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#watchStart();
    if (!this.markdown) void this.#loadMarkdown();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { length } = this.turns;
    const isOther = changed.has('thread');
    if (isOther) this.#anchor.toEnd();
    if (isOther || changed.has('turns')) {
      const known = isOther ? 0 : (changed.get('turns')?.length ?? 0);
      const start = Math.max(0, length - window);
      if (known === 0 || this.first > start) this.first = start;
      else if (this.#anchor.isAtEnd && length > known) this.first = Math.max(this.first, start);
      if (!this.#anchor.isAtEnd) this.hasNew = true;
    }
    if (this.#anchor.isAtEnd) this.hasNew = false;
    this.#updateContext(changed);
  }

  protected override updated(): void {
    this.#watchStart();
    // Wait until the blocks are rendered, so that they can be counted.
    void this.#lastTurn?.updateComplete.then(() => this.#announce(this.turns.at(-1)));
  }

  /** Appends new text to the last text of the last turn, without rendering. */
  grow(turn: ChatTurn): void {
    this.#lastTurn?.grow(turn);
    this.#announce(turn);
    if (!this.#anchor.isAtEnd) this.hasNew = true;
  }

  /** Scrolls to the latest message and stays there. */
  toLatest(): void {
    this.#anchor.toEnd();
  }

  /** Focuses the box of messages. */
  override focus(options?: FocusOptions): void {
    this.#scrolled?.box.focus(options);
  }

  /** Moves focus into the newest answer; returns `false` if there is none. */
  focusAnswer(): boolean {
    return this.#lastTurn?.focusAnswer() ?? false;
  }

  override render(): TemplateResult | typeof nothing {
    const context = this.#turnContext;
    if (!context) return nothing;
    const { messages } = context;
    const isAway = !this.#anchor.isAtEnd;
    return html`<div
        class="box"
        part="transcript"
        role="log"
        aria-live="off"
        aria-label=${messages.transcript}
        tabindex="0"
      >
        <div class="content">
          ${
            this.first > 0
              ? html`<button class="older" part="button" type="button" @click=${this.#handleOlder}>
                  ${messages.older}
                </button>`
              : nothing
          }
          ${repeat(
            this.turns.slice(this.first),
            ({ id }) => id,
            (turn, index) => this.#renderTurn(turn, this.first + index, context),
          )}
        </div>
      </div>
      ${
        isAway
          ? html`<button class="latest" part="latest" type="button" @click=${this.#handleLatest}>
              ${turnIcon('down')} ${this.hasNew ? messages.latestNew : messages.latest}
            </button>`
          : nothing
      }`;
  }

  #renderTurn(turn: ChatTurn, place: number, context: TurnContext): TemplateResult {
    const isLast = place === this.turns.length - 1;
    const day = dayOf(turn);
    const isNewDay = day !== null && day.toDateString() !== dayOf(this.turns[place - 1])?.toDateString();
    return html`${isNewDay ? this.#renderDay(day, context) : nothing}
      <pa-chat-turn
        .turn=${turn}
        .context=${context}
        .working=${isLast ? this.#workingOn(turn, context) : null}
        .failure=${isLast ? this.failure : null}
      ></pa-chat-turn>`;
  }

  #renderDay(day: Date, { locale }: TurnContext): TemplateResult {
    const text = day.toLocaleDateString(locale, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
    return html`<div class="day" part="day" role="separator" aria-label=${text}><span>${text}</span></div>`;
  }

  /** Renders the progress line of a running answer; `null` if its progress is visible elsewhere. */
  #workingOn(turn: ChatTurn, { messages }: TurnContext): string | null {
    // Show the status for a suspended answer that is being resumed. If the turn has ended in any other way, the status
    // belongs to a new answer, whose turn has not arrived yet.
    const isWaiting = turn.end === 'suspended' && this.status === ChatStatus.reconnecting;
    if (turn.end !== null && !isWaiting) return null;
    switch (this.status) {
      case ChatStatus.connecting:
      case ChatStatus.reconnecting:
      case ChatStatus.offline:
        return messages[this.status];
      case ChatStatus.streaming:
        return isVisiblyAtWork(turn) ? null : messages.working;
      default:
        return null;
    }
  }

  readonly #handleLatest = (): void => {
    this.toLatest();
    this.focus({ preventScroll: true });
  };

  readonly #handleOlder = (): void => {
    void this.#showOlder();
  };

  async #showOlder(): Promise<void> {
    const element = this.renderRoot.querySelector('pa-chat-turn');
    const scrolled = this.#scrolled;
    if (!element || !scrolled || this.first === 0) return;
    const top = element.getBoundingClientRect().top;
    const hadFocus = this.shadowRoot?.activeElement?.matches('.older');
    // The scroll position is restored below, so disable the scroll anchoring of the browser.
    scrolled.box.classList.add('held');
    this.first = Math.max(0, this.first - window);
    await this.updateComplete;
    await Promise.all([...this.renderRoot.querySelectorAll('pa-chat-turn')].map(turn => turn.updateComplete));
    scrolled.box.scrollTop += element.getBoundingClientRect().top - top;
    scrolled.box.classList.remove('held');
    // The button disappears once all turns are shown, so move the focus.
    if (hadFocus && !this.shadowRoot?.activeElement) this.focus({ preventScroll: true });
  }

  #watchStart(): void {
    const { box } = this.#scrolled ?? {};
    if (!box) return;
    this.#observer ??= new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) void this.#showOlder();
      },
      { root: box, rootMargin: nearStart },
    );
    // Observe again, because the start may still be near the viewport.
    this.#observer.disconnect();
    const older = this.renderRoot.querySelector('.older');
    if (older) this.#observer.observe(older);
  }

  async #loadMarkdown(): Promise<void> {
    const markdown = await loadMarkdown();
    if (!markdown || this.markdown) return;
    this.markdown = markdown;
    const sheet = markdown.markdownStyles.styleSheet;
    await this.updateComplete;
    const root = this.renderRoot;
    if (sheet && root instanceof ShadowRoot) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }

  #updateContext(changed: PropertyValues): void {
    const { context, markdown } = this;
    const { messages } = this.#locale.value;
    const isSame = this.#turnContext?.messages === messages && !changed.has('context') && !changed.has('markdown');
    if (!context || isSame) return;
    const { level, imageOrigins } = context;
    const labels = { copy: messages.copy, copied: messages.copied };
    const drawing = markdown && { View: markdown.MarkdownView, style: { level, imageOrigins, labels } };
    this.#turnContext = { ...context, messages, drawing };
  }

  #announce(turn: ChatTurn | undefined): void {
    const { status, isAsked } = this;
    const { messages } = this.#locale.value;
    const isLive = status !== ChatStatus.idle && status !== ChatStatus.loading;
    const isOffline = status === ChatStatus.offline;
    const count = (ended: ChatTurn) => countAnswer(ended, this.#lastTurn);
    const describeChange = (stepId: string) => this.context?.actions.describeChange(stepId) ?? null;
    this.#announcer.follow(turn, { isLive, isAsked, isOffline, messages, count, describeChange });
  }

  get #lastTurn(): PaChatTurn | null {
    return this.renderRoot.querySelector<PaChatTurn>('pa-chat-turn:last-of-type');
  }

  get #scrolled(): { box: HTMLElement; content: HTMLElement } | null {
    const box = this.renderRoot.querySelector<HTMLElement>('.box');
    const content = this.renderRoot.querySelector<HTMLElement>('.content');
    return box && content ? { box, content } : null;
  }
}

function isVisiblyAtWork({ parts }: ChatTurn): boolean {
  const last = parts.at(-1);
  return last?.type === 'step' ? last.status === 'running' : Boolean(last?.isInProcess && last.content);
}

function dayOf(turn: ChatTurn | undefined): Date | null {
  const date = new Date(turn?.sentAt ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

register('pa-chat-transcript', PaChatTranscript);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-transcript': PaChatTranscript;
  }
}
