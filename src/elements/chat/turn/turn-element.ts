import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import {
  type ChatFeedback,
  type ChatPart,
  type ChatPrompt,
  type ChatStep,
  type ChatText,
  type ChatTurn,
  offersReplies,
} from '../../../controllers/chat/chat-controller.js';
import { register } from '../../register.js';
import type { ToolRenderers, TurnContext } from '../chat-context.js';
import { BlockFocus } from './block-focus.js';
import { loadComment, loadImages, loadStep } from './lazy-parts.js';
import { TextView } from './text-view.js';
import { type TurnIcon, turnIcon } from './turn-icons.js';

/** CSS parts of a turn, for `exportparts` of the enclosing elements. */
const stepParts = 'step, code, result, heading, chart, tooltip, table, button';

/**
 * A message and its answer. It renders into the enclosing shadow root and uses its styles, so that a selection can span
 * turns. `grow` appends streamed text without rendering.
 *
 * @summary A message and its answer, inside a chat.
 * @tagname pa-chat-turn
 */
export class PaChatTurn extends LitElement {
  /** The turn; a new object for each state. */
  @property({ attribute: false }) turn: ChatTurn | null = null;
  /** Values shared by all turns. */
  @property({ attribute: false }) context: TurnContext | null = null;
  /** Progress text while the turn is being answered; `null` otherwise. */
  @property({ attribute: false }) working: string | null = null;
  /** Localized reason why the message could not be sent; `null` if it was sent. */
  @property({ attribute: false }) failure: string | null = null;

  @state() private isRatingFailed = false;
  @state() private isLookedAt = false;
  @state() private showsUsage = false;
  @state() private showsComment = false;
  /** The part that was copied last; `null` after the pointer or focus has left the turn. */
  @state() private copied: 'question' | 'answer' | null = null;

  /** The turn last passed to `grow`, which is newer than `turn`. */
  #grown: ChatTurn | null = null;
  readonly #texts = new Map<string, TextView>();
  readonly #blocks = new BlockFocus(() => [
    ...this.querySelectorAll<HTMLElement>('.text > *, .text.plain, pa-chat-step, .ending'),
  ]);

  override connectedCallback(): void {
    super.connectedCallback();
    for (const text of this.#texts.values()) text.resume();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const text of this.#texts.values()) text.dispose();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('turn')) this.#grown = null;
  }

  protected override updated(): void {
    this.#writeTexts();
    if (this.turn?.parts.some(part => part.type === 'step')) loadStep();
    if (this.turn?.prompt?.images.length) loadImages();
    if (this.showsComment) loadComment();
  }

  /** Appends new text to the last text of the turn, without rendering. */
  grow(turn: ChatTurn): void {
    this.#grown = turn;
    const part = turn.parts.at(-1);
    if (part?.type === 'text') this.#writeText(part);
  }

  /** Moves focus into the answer; returns `false` if nothing in it can have focus. */
  focusAnswer(): boolean {
    return this.#blocks.enter();
  }

  override render(): TemplateResult | typeof nothing {
    const { turn, context } = this;
    if (!turn || !context) return nothing;
    return html`${turn.prompt ? this.#renderPrompt(turn.prompt, turn, context) : nothing}
      <div class="answer" part="answer" role="group" aria-label=${context.messages.answer} @keydown=${this.#handleKey}>
        ${repeat(
          textFirst(turn.parts.filter(isShown), context.renderers),
          ({ type, id }) => `${type}:${id}`,
          part => this.#renderPart(part, context),
        )}
        ${this.working === null ? nothing : html`<p class="working" part="working">${this.working}</p>`}
        ${this.#renderEnd(turn, context)} ${turn.end === null ? nothing : this.#renderAnswerTools(turn, context)}
      </div>`;
  }

  #renderPrompt({ content, images }: ChatPrompt, turn: ChatTurn, context: TurnContext): TemplateResult {
    const { messages, locale, actions } = context;
    return html`<div
      class="question"
      @pointerenter=${this.#handleLook}
      @focusin=${this.#handleLook}
      @mouseleave=${this.#handleGone} @focusout=${this.#handleGone}
    >
      <span class="unseen">${messages.question}</span>
      ${images.length > 0 ? html`<pa-chat-attachments .images=${images} .locale=${locale}></pa-chat-attachments>` : nothing}
      ${content ? html`<p class="bubble" part="question" dir="auto">${content}</p>` : nothing}
      <div class="tools">
        ${this.#renderTime(turn, context)} ${this.#renderCopy('question', content, context)}
        ${this.#renderTool('edit', messages.edit, () => actions.edit(turn))}
      </div>
    </div>`;
  }

  #renderTime({ sentAt }: ChatTurn, { locale }: TurnContext): TemplateResult | typeof nothing {
    const date = new Date(sentAt ?? Number.NaN);
    if (Number.isNaN(date.getTime())) return nothing;
    // Format the time on hover or focus, because formatting it for every turn would slow down long threads.
    const time = this.isLookedAt ? date.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' }) : nothing;
    return html`<time datetime=${date.toISOString()}>${time}</time>`;
  }

  #renderPart(part: ChatPart, context: TurnContext): TemplateResult {
    return part.type === 'step' ? this.#renderStep(part, context) : this.#renderText(part, context);
  }

  #renderStep(step: ChatStep, context: TurnContext): TemplateResult {
    const { source, locale, renderers, restricted, pins, marks, actions } = context;
    return html`<pa-chat-step
      exportparts=${stepParts}
      .step=${step}
      .source=${source}
      .locale=${locale}
      .renderers=${renderers}
      .restricted=${restricted}
      .pins=${this.turn?.end === 'stop' ? pins : null}
      .marks=${marks}
      .change=${actions.changeOf(step.id)}
      .actions=${actions}
    ></pa-chat-step>`;
  }

  #renderText({ id, thinking, content }: ChatText, { messages }: TurnContext): TemplateResult {
    return html`${
      thinking
        ? html`<details class="thinking" part="thinking">
            <summary>${messages.thinking}</summary>
            <p data-thinking=${id} dir="auto"></p>
          </details>`
        : nothing
    }${content ? html`<div class="text" data-text=${id}></div>` : nothing}`;
  }

  #renderEnd({ end, error }: ChatTurn, { messages, actions }: TurnContext): TemplateResult | typeof nothing {
    if (end === null || end === 'stop' || this.working !== null) return nothing;
    const said = this.failure ?? `${messages.ends[end]} ${error ?? ''}`;
    return html`<div class=${`ending ${end}`} part="end">
      <p dir="auto">${said}</p>
      <button part="button" type="button" @click=${() => this.turn && actions.again(this.turn)}>
        ${end === 'suspended' ? messages.resume : messages.retry}
      </button>
    </div>`;
  }

  #renderAnswerTools(turn: ChatTurn, context: TurnContext): TemplateResult {
    const { messages, actions } = context;
    const answer = turn.parts.map(part => (part.type === 'text' ? part.content : '')).filter(Boolean);
    return html`${this.showsUsage ? this.#renderUsage(turn, context) : nothing}
      ${turn.feedback && this.showsComment ? this.#renderComment(turn, turn.feedback, context) : nothing}
      ${this.isRatingFailed ? html`<p class="note" part="note">${messages.rateFailed}</p>` : nothing}
      <div class="tools" @mouseleave=${this.#handleGone} @focusout=${this.#handleGone}>
        ${answer.length > 0 ? this.#renderCopy('answer', answer.join('\n\n'), context) : nothing}
        ${turn.prompt && turn.end === 'stop' ? this.#renderTool('again', messages.again, () => actions.again(turn)) : nothing}
        ${
          turn.parts.length > 0
            ? html`${this.#renderRating('up', 'good', messages.good, turn)} ${this.#renderRating('down', 'bad', messages.bad, turn)}`
            : nothing
        }
        ${
          turn.feedback
            ? this.#renderTool(
                'comment',
                messages.comment,
                () => {
                  this.showsComment = !this.showsComment;
                },
                { isPressed: this.showsComment },
              )
            : nothing
        }
        ${
          turn.usage
            ? this.#renderTool(
                'usage',
                messages.usage,
                () => {
                  this.showsUsage = !this.showsUsage;
                },
                { isPressed: this.showsUsage },
              )
            : nothing
        }
      </div>`;
  }

  #renderComment(turn: ChatTurn, { rating, comment = '' }: ChatFeedback, { locale }: TurnContext): TemplateResult {
    return html`<pa-chat-comment
      exportparts="input, button"
      .comment=${comment}
      .locale=${locale}
      .onSave=${async (text: string) => {
        if (await this.#handleRate(turn, { rating, ...(text && { comment: text }) })) this.#closeComment();
      }}
      .onClose=${() => this.#closeComment()}
    ></pa-chat-comment>`;
  }

  #renderUsage({ usage }: ChatTurn, { locale, messages }: TurnContext): TemplateResult | typeof nothing {
    if (!usage) return nothing;
    const format = new Intl.NumberFormat(locale);
    const { totalTokens, inputTokens, outputTokens, llmCalls } = usage;
    const [tokens = '', input = '', output = '', calls = ''] = [totalTokens, inputTokens, outputTokens, llmCalls].map(
      value => format.format(value),
    );
    return html`<p class="usage" part="usage">${messages.usageIs(tokens, input, output, calls)}</p>`;
  }

  #renderCopy(what: 'question' | 'answer', text: string, { messages }: TurnContext): TemplateResult {
    const isCopied = this.copied === what;
    const label = isCopied ? messages.copied : messages.copy;
    return this.#renderTool(isCopied ? 'check' : 'copy', label, () => void this.#handleCopy(what, text));
  }

  #renderRating(rating: 'up' | 'down', shape: TurnIcon, label: string, turn: ChatTurn): TemplateResult {
    const isGiven = turn.feedback?.rating === rating;
    return this.#renderTool(
      shape,
      label,
      () => void this.#handleRate(turn, isGiven ? null : { ...turn.feedback, rating }),
      {
        isPressed: isGiven,
      },
    );
  }

  #renderTool(
    shape: TurnIcon,
    label: string,
    run: () => void,
    { isPressed }: { readonly isPressed?: boolean } = {},
  ): TemplateResult {
    return html`<button
      part="tool"
      type="button"
      class="tool"
      data-tool=${shape}
      aria-label=${label}
      title=${label}
      aria-pressed=${isPressed ?? nothing}
      @click=${run}
    >
      ${turnIcon(shape)}
    </button>`;
  }

  async #handleCopy(what: 'question' | 'answer', text: string): Promise<void> {
    const { messages, actions } = this.context ?? {};
    try {
      await navigator.clipboard.writeText(text);
      this.copied = what;
      actions?.announce(messages?.copied ?? '');
    } catch {
      // The page has no permission to write to the clipboard. The viewer can still select the text.
      actions?.announce(messages?.copyFailed ?? '');
    }
  }

  /** Returns whether the feedback was stored. */
  async #handleRate(turn: ChatTurn, feedback: ChatFeedback | null): Promise<boolean> {
    const { messages, actions } = this.context ?? {};
    this.isRatingFailed = false;
    const isStored = (await actions?.rate(turn, feedback)) ?? false;
    this.isRatingFailed = !isStored;
    if (!isStored) actions?.announce(messages?.rateFailed ?? '');
    return isStored;
  }

  #closeComment(): void {
    this.showsComment = false;
    this.querySelector<HTMLElement>('[data-tool="comment"]')?.focus();
  }

  readonly #handleLook = (): void => {
    this.isLookedAt = true;
  };

  readonly #handleGone = (): void => {
    this.copied = null;
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (this.#blocks.handleKey(event)) return;
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // Prevents the enclosing panel from closing too.
    event.stopPropagation();
    event.preventDefault();
    this.context?.actions.leave();
  };

  #writeTexts(): void {
    const texts = (this.#grown ?? this.turn)?.parts.filter(part => part.type === 'text') ?? [];
    for (const id of this.#texts.keys()) if (!texts.some(text => text.id === id)) this.#drop(id);
    for (const text of texts) this.#writeText(text);
  }

  #writeText(text: ChatText): void {
    const id = CSS.escape(text.id);
    const place = text.content ? this.querySelector<HTMLElement>(`[data-text="${id}"]`) : null;
    const thinking = text.thinking ? this.querySelector(`[data-thinking="${id}"]`) : null;
    if (thinking && thinking.textContent !== text.thinking) thinking.textContent = text.thinking;
    if (!place) {
      this.#drop(text.id);
      return;
    }
    let view = this.#texts.get(text.id);
    if (!view?.isIn(place)) {
      this.#drop(text.id);
      view = new TextView(place);
      this.#texts.set(text.id, view);
    }
    view.show(text.content, { isWhole: !text.isInProcess, drawing: this.context?.drawing ?? null });
  }

  #drop(id: string): void {
    this.#texts.get(id)?.dispose();
    this.#texts.delete(id);
  }
}

/** Whether a part is shown in its turn. Offered replies are shown below the conversation instead. */
function isShown(part: ChatPart): boolean {
  return part.type !== 'step' || !offersReplies(part);
}

/** Puts the text of the answer above the first result, because agents query first and then describe the rows. */
function textFirst(parts: readonly ChatPart[], renderers: ToolRenderers): readonly ChatPart[] {
  const text = parts.find(part => part.type === 'text' && part.isFinal);
  const place = parts.findIndex(part => part.type === 'step' && hasContent(part, renderers));
  if (!text || place < 0 || parts.indexOf(text) < place) return parts;
  return [...parts.slice(0, place), text, ...parts.slice(place).filter(part => part !== text)];
}

/** Whether a step shows rows, or content of the host, below its line. */
function hasContent({ name, status, result }: ChatStep, renderers: ToolRenderers): boolean {
  const hasRows = typeof result === 'object' && result !== null && 'data' in result && Array.isArray(result.data);
  return (status === 'done' && hasRows) || Object.hasOwn(renderers, name);
}

register('pa-chat-turn', PaChatTurn);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-turn': PaChatTurn;
  }
}
