import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ChatImage } from '../../../../contract/chat.js';
import { LocaleController } from '../../../../controllers/locale-controller.js';
import { controls } from '../../../parts/tokens.styles.js';
import { icon } from '../icons.js';
import { partCatalog } from '../messages/catalog.js';
import { attachmentsStyles } from './attachments.styles.js';

/**
 * Images that go with a message, or went with one: previews as `data:` addresses, since the page's policy blocks `blob:`.
 *
 * @summary The images of a message, inside a chat.
 * @tagname pa-chat-attachments
 * @csspart image - One image.
 */
export class PaChatAttachments extends LitElement {
  static override styles = [controls, attachmentsStyles];

  readonly #locale = new LocaleController(this, partCatalog, () => this.locale);

  /** The images, in order. */
  @property({ attribute: false }) images: readonly ChatImage[] = [];
  /** Language of the chat, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  /** Called with what is left when one is removed; without it the images can't be removed. */
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

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-attachments': PaChatAttachments;
  }
}
