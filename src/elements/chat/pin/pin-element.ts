import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { toProblem } from '../../../controllers/problem.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import type { PinTarget, PinWidget } from '../../parts/pin-target.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { icon } from '../part-icons.js';
import { textButtonStyles } from '../text-button.styles.js';
import { pinMessages } from './pin-messages.js';

const pinCatalog = defineCatalog(pinMessages, chatTranslations('pin'));
/** HTTP status of a conflict with another change. */
const conflict = 409;

/** The target to which answers of a thread can be pinned. */
export interface PinContext {
  readonly target: PinTarget;
  readonly threadId: string;
  /** Announces text to screen readers. */
  readonly announce: (text: string) => void;
}

type PinState =
  | { readonly status: 'idle' | 'choosing' | 'undone' }
  | { readonly status: 'pinning' | 'pinned' | 'undoing'; readonly widget: PinWidget }
  /** `widget` shows the answer, because undoing failed; `null` if pinning failed. */
  | { readonly status: 'failed'; readonly isConflict: boolean; readonly widget: PinWidget | null };

/**
 * Pins an answer to an AI widget of the dashboard that a chat belongs to. The viewer can undo this.
 *
 * @summary Button that pins an answer, inside a chat.
 * @tagname pa-chat-pin
 */
export class PaChatPin extends LitElement {
  static override styles = [
    controls,
    textButtonStyles,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 8px;
        align-items: center;
      }
      ul {
        display: flex;
        flex-basis: 100%;
        flex-wrap: wrap;
        gap: 4px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .error {
        color: var(--_danger);
      }
      @media print {
        :host {
          display: none;
        }
      }
    `,
  ];

  readonly #locale = new LocaleController(this, pinCatalog, () => this.locale);

  /** The target to which the answer can be pinned; `null` if the viewer may not pin it. */
  @property({ attribute: false }) pins: PinContext | null = null;
  /** Checksum of the answer. */
  @property({ attribute: false }) checksum = '';
  /** Language of the chat. */
  @property({ attribute: false }) locale: string | null = null;

  @state() private current: PinState = { status: 'idle' };

  override render(): TemplateResult | typeof nothing {
    const { pins, current } = this;
    if (!pins) return nothing;
    return html`${this.#renderButton(pins)}
      ${current.status === 'choosing' ? this.#renderWidgets(pins) : nothing} ${this.#renderStatus()}`;
  }

  /** Renders one button for all states, so that it keeps the keyboard focus. */
  #renderButton({ target }: PinContext): TemplateResult {
    const { messages } = this.#locale.value;
    const { status } = this.current;
    const isPinned = this.#shownBy !== null;
    const isBusy = status === 'pinning' || status === 'undoing';
    const isChoosing = status === 'choosing' ? 'true' : 'false';
    const opens = target.widgets.length > 1 && !isPinned;
    return html`<button
      part="button"
      type="button"
      class="quiet"
      aria-disabled=${isBusy ? 'true' : nothing}
      aria-expanded=${opens ? isChoosing : nothing}
      @click=${this.#handleClick}
    >
      ${isPinned ? messages.undo : html`${icon('pin')} ${messages.pin}`}
    </button>`;
  }

  #renderWidgets({ target }: PinContext): TemplateResult {
    const { messages } = this.#locale.value;
    return html`<ul aria-label=${messages.choose}>
      ${target.widgets.map(
        widget =>
          html`<li>
            <button part="button" type="button" @click=${() => this.#handleWidget(widget)}>
              ${widget.isTaken ? messages.replace(widget.title) : messages.pinTo(widget.title)}
            </button>
          </li>`,
      )}
    </ul>`;
  }

  #renderStatus(): TemplateResult | typeof nothing {
    const text = this.#statusText();
    if (text === '') return nothing;
    return html`<span class=${this.current.status === 'failed' ? 'error' : ''}>${text}</span>`;
  }

  #statusText(): string {
    const { messages } = this.#locale.value;
    const { current } = this;
    switch (current.status) {
      case 'pinned':
      case 'undoing':
        return messages.pinned(current.widget.title);
      case 'undone':
        return messages.undone;
      case 'failed':
        return current.isConflict ? messages.changed : messages.failed;
      default:
        return '';
    }
  }

  readonly #handleClick = (): void => {
    const { pins, current } = this;
    const widgets = pins?.target.widgets ?? [];
    const [only] = widgets;
    if (!only || current.status === 'pinning' || current.status === 'undoing') return;
    if (this.#shownBy) void this.#undo(this.#shownBy);
    else if (widgets.length === 1) void this.#pin(only);
    else this.current = { status: current.status === 'choosing' ? 'idle' : 'choosing' };
  };

  /** The widget to which this element has pinned the answer; `null` if there is none. */
  get #shownBy(): PinWidget | null {
    const { current } = this;
    return 'widget' in current && current.status !== 'pinning' ? current.widget : null;
  }

  #handleWidget(widget: PinWidget): void {
    // The clicked button disappears with the list, so move the focus.
    this.renderRoot.querySelector<HTMLButtonElement>('button.quiet')?.focus();
    void this.#pin(widget);
  }

  async #pin(widget: PinWidget): Promise<void> {
    const { pins, checksum } = this;
    if (!pins) return;
    const { target, threadId } = pins;
    const pin = () => target.pin(widget.id, { threadId, checksum });
    await this.#change({ status: 'pinning', widget }, pin, { status: 'pinned', widget });
  }

  async #undo(widget: PinWidget): Promise<void> {
    const { target } = this.pins ?? {};
    const { checksum } = this;
    if (!target) return;
    await this.#change({ status: 'undoing', widget }, () => target.undo(widget.id, checksum), { status: 'undone' });
  }

  async #change(during: PinState, work: () => Promise<void>, after: PinState): Promise<void> {
    this.current = during;
    try {
      await work();
      this.current = after;
    } catch (error) {
      const isConflict = toProblem(error).status === conflict;
      this.current = { status: 'failed', isConflict, widget: during.status === 'undoing' ? during.widget : null };
    }
    this.pins?.announce(this.#statusText());
  }
}

register('pa-chat-pin', PaChatPin);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-pin': PaChatPin;
  }
}
