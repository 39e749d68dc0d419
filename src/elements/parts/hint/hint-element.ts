import { html, LitElement, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { closePopover, openPopoverAt } from '../popover.js';
import { popoverStyles } from '../popover.styles.js';
import { controls } from '../tokens.styles.js';
import { hintStyles } from './hint.styles.js';

/** What stands for a mark where there is little room. */
export type HintIcon = 'filtered' | 'unfiltered';

const icons: Readonly<Record<HintIcon, SVGTemplateResult>> = {
  filtered: svg`<path d="M3 5h18l-7 8.5V20l-4-2v-4.5z" />`,
  unfiltered: svg`<path d="M7 5h14l-6 7.5M10 13.5V18l4 2v-4M3 3l18 18" />`,
};

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
  /** Stands for what it says in a narrow header, so that a mark that comes and goes never takes a line. */
  @property({ reflect: true }) icon: HintIcon | null = null;

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
        ${this.icon ? this.#renderIcon(this.icon) : nothing}
        <span>${this.label}</span>
      </button>
      <div id="explanation" popover="manual" role="tooltip" aria-label=${this.explanation}>${this.explanation}</div>`;
  }

  #renderIcon(icon: HintIcon): TemplateResult {
    return html`<svg viewBox="0 0 24 24" width="14" height="14" aria-hidden="true">${icons[icon]}</svg>`;
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
