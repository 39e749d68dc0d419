import { css, html, LitElement, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { maxCommentLength } from '../../../controllers/chat/chat-status.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { commentMessages } from './comment-messages.js';

const commentCatalog = defineCatalog(commentMessages, chatTranslations('comment'));

/** Styles of the comment on an answer. */
const commentStyles = css`
  :host {
    display: block;
    margin-block-start: 8px;
  }
  form {
    display: grid;
    gap: 4px;
    max-inline-size: 560px;
  }
  label {
    font-size: 13px;
    font-weight: 600;
  }
  p {
    margin: 0;
    color: var(--_muted);
    font-size: 12px;
  }
  textarea {
    box-sizing: border-box;
    inline-size: 100%;
    min-block-size: calc(2 * 1.5em + 14px);
    max-block-size: calc(8 * 1.5em + 14px);
    padding: 6px 8px;
    border: 1px solid var(--_control);
    border-radius: var(--_control-radius);
    background: var(--_surface);
    color: inherit;
    font: 400 14px/1.5 var(--_font);
    resize: vertical;
    field-sizing: content;
  }
  .row {
    display: flex;
    gap: 8px;
  }
  [type='submit'] {
    border-color: transparent;
    background: var(--_accent);
    color: var(--_on-accent);
  }
  [type='submit']:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  @media (pointer: coarse) {
    textarea {
      /* Phones zoom in on inputs with a font below 16 px. */
      font-size: 16px;
    }
  }
`;

/**
 * A form to comment on a rated answer. Escape closes it.
 *
 * @summary The comment on an answer, inside a chat.
 * @tagname pa-chat-comment
 * @csspart input - The text area.
 * @csspart button - A button.
 */
export class PaChatComment extends LitElement {
  static override styles = [controls, commentStyles];

  readonly #locale = new LocaleController(this, commentCatalog, () => this.locale);

  /** The stored comment; empty if there is none. */
  @property({ attribute: false }) comment = '';
  /** Language of the chat, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  /** Stores the comment; an empty one removes it. */
  @property({ attribute: false }) onSave: (comment: string) => Promise<void> = async () => {};
  /** Closes the form. */
  @property({ attribute: false }) onClose: () => void = () => {};

  @state() private isSaving = false;

  protected override firstUpdated(): void {
    const input = this.#input;
    if (!input) return;
    // The text area is not bound to `comment`, because that property is reset if the comment cannot be stored, but the
    // user's text must remain.
    input.value = this.comment;
    input.focus();
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    return html`<form @submit=${this.#handleSubmit} @keydown=${this.#handleKey}>
      <label for="comment">${messages.label}</label>
      <textarea
        id="comment"
        part="input"
        rows="2"
        dir="auto"
        maxlength=${maxCommentLength}
        aria-describedby="audience"
      ></textarea>
      <p id="audience">${messages.audience}</p>
      <div class="row">
        <button part="button" type="submit" ?disabled=${this.isSaving}>${messages.save}</button>
        <button part="button" type="button" @click=${() => this.onClose()}>${messages.cancel}</button>
      </div>
    </form>`;
  }

  readonly #handleSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    this.isSaving = true;
    await this.onSave(this.#input?.value.trim() ?? '');
    this.isSaving = false;
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    // Other keys act on the text area, and not on the answer that contains it.
    event.stopPropagation();
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    this.onClose();
  };

  get #input(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }
}

register('pa-chat-comment', PaChatComment);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-comment': PaChatComment;
  }
}
