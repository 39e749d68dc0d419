import { html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { closePopover, openPopoverAt } from '../popover.js';
import { popoverStyles } from '../popover.styles.js';
import { controls } from '../tokens.styles.js';
import { hintStyles } from './hint.styles.js';

/**
 * A small mark whose explanation shows on focus, hover and press, in the top layer.
 *
 * @summary A mark with an explanation, inside a tile.
 * @tagname pa-hint
 * @csspart mark - The mark.
 */
export class PaHint extends LitElement {
  static override styles = [controls, popoverStyles, hintStyles];

  /** What the mark says. */
  @property() label = '';
  /** What it means. */
  @property() explanation = '';

  get #popover(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('[popover]');
  }

  override render(): TemplateResult {
    return html`<button
        part="mark"
        type="button"
        aria-describedby="explanation"
        @focus=${this.#handleShow}
        @blur=${this.#handleHide}
        @mouseenter=${this.#handleShow}
        @mouseleave=${this.#handleHide}
        @click=${this.#handleShow}
        @keydown=${this.#handleKey}
      >
        <span>${this.label}</span>
      </button>
      <div id="explanation" popover="manual" role="tooltip" aria-label=${this.explanation}>${this.explanation}</div>`;
  }

  #handleShow(event: Event): void {
    const popover = this.#popover;
    if (popover && event.currentTarget instanceof Element) {
      openPopoverAt(popover, event.currentTarget.getBoundingClientRect());
    }
  }

  #handleHide(): void {
    if (this.#popover) closePopover(this.#popover);
  }

  #handleKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#handleHide();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-hint': PaHint;
  }
}
