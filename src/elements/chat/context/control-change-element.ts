import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { DashboardControlsResult } from '../../../controllers/chat/chat-result.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { contextMessages } from './context-messages.js';
import { type ControlChange, changeSentences } from './control-change.js';

const contextCatalog = defineCatalog(contextMessages, chatTranslations('context'));

/**
 * The controls of a dashboard that an agent has set, with a button that restores their former values.
 *
 * @summary A change to a dashboard's controls, inside a chat.
 * @tagname pa-chat-control-change
 */
export class PaChatControlChange extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 12px;
        align-items: center;
        min-inline-size: 0;
      }
      ul {
        flex: 1 1 160px;
        min-inline-size: 0;
        margin: 0;
        padding: 0;
        list-style: none;
        overflow-wrap: anywhere;
      }
      p {
        flex-basis: 100%;
        margin: 0;
        color: var(--_muted);
      }
    `,
  ];

  readonly #locale = new LocaleController(this, contextCatalog, () => this.locale);

  /** The values that the platform validated. */
  @property({ attribute: false }) result: DashboardControlsResult | null = null;
  /** The change on this page; `null` if the step belongs to an earlier conversation. */
  @property({ attribute: false }) change: ControlChange | null = null;
  /** Language of the chat. */
  @property({ attribute: false }) locale: string | null = null;

  override render(): TemplateResult | typeof nothing {
    if (!this.result) return nothing;
    const { messages } = this.#locale.value;
    return html`<ul>
        ${changeSentences(this.result, messages).map(sentence => html`<li dir="auto">${sentence}</li>`)}
      </ul>
      ${this.#renderUndo()}`;
  }

  #renderUndo(): TemplateResult | typeof nothing {
    const { messages } = this.#locale.value;
    switch (this.change?.status) {
      case 'applied':
      case 'undone': {
        const isUndone = this.change.status === 'undone';
        // Use `aria-disabled`, because a disabled button would lose the keyboard focus.
        return html`<button part="button" type="button" aria-disabled=${isUndone ? 'true' : nothing} @click=${this.#handleUndo}>
          ${isUndone ? messages.undone : messages.undo}
        </button>`;
      }
      case 'refused':
        return html`<p>${messages.locked}</p>`;
      default:
        return nothing;
    }
  }

  readonly #handleUndo = (): void => {
    this.change?.undo();
    this.requestUpdate();
  };
}

register('pa-chat-control-change', PaChatControlChange);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-control-change': PaChatControlChange;
  }
}
