import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ChatImage } from '../../../contract/chat.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { icon } from '../part-icons.js';
import { attachmentsMessages } from './attachments-messages.js';

const attachmentsCatalog = defineCatalog(attachmentsMessages, chatTranslations('attachments'));

/** Styles of the images of a message. */
const attachmentsStyles = css`
  :host {
    display: block;
  }
  ul {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    position: relative;
  }
  img {
    display: block;
    inline-size: 64px;
    block-size: 64px;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
    object-fit: cover;
  }
  button {
    display: grid;
    position: absolute;
    inset-block-start: -6px;
    inset-inline-end: -6px;
    place-items: center;
    inline-size: 24px;
    min-block-size: 24px;
    padding: 0;
    border-radius: 12px;
  }
  button svg {
    inline-size: 12px;
  }
`;

/**
 * Shows the images of a sent message or a draft. Previews use `data:` URLs, because the page's content security policy
 * blocks `blob:`.
 *
 * @summary The images of a message, inside a chat.
 * @tagname pa-chat-attachments
 * @csspart image - One image.
 */
export class PaChatAttachments extends LitElement {
  static override styles = [controls, attachmentsStyles];

  readonly #locale = new LocaleController(this, attachmentsCatalog, () => this.locale);

  /** The images, in order. */
  @property({ attribute: false }) images: readonly ChatImage[] = [];
  /** Language of the chat, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  /** Called with the remaining images when one is removed. If not set, images cannot be removed. */
  @property({ attribute: false }) onChange: ((images: readonly ChatImage[]) => void) | null = null;

  override render(): TemplateResult | typeof nothing {
    if (this.images.length === 0) return nothing;
    const { messages } = this.#locale.value;
    return html`<ul aria-label=${messages.attachments}>
      ${this.images.map((image, index) => this.#renderImage(image, index))}
    </ul>`;
  }

  #renderImage(image: ChatImage, index: number): TemplateResult {
    const { locale, messages } = this.#locale.value;
    const name = image.name || messages.imageName(new Intl.NumberFormat(locale).format(index + 1));
    return html`<li>
      <img part="image" src=${`data:${image.mimeType};base64,${image.data}`} alt=${name} />
      ${
        this.onChange
          ? html`<button
            type="button"
            aria-label=${messages.removeImage(name)}
            title=${messages.removeImage(name)}
            @click=${() => this.#handleRemove(index)}
          >
            ${icon('cross')}
          </button>`
          : nothing
      }
    </li>`;
  }

  #handleRemove(index: number): void {
    this.onChange?.(this.images.filter((_, other) => other !== index));
  }
}

register('pa-chat-attachments', PaChatAttachments);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-attachments': PaChatAttachments;
  }
}
