import { html, LitElement, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { register } from '../../register.js';
import { closePopover, openPopoverAt, popoverStyles } from '../popover.js';
import { controls } from '../tokens.styles.js';
import { hintStyles } from './hint.styles.js';

/** Icons of an indicator. */
export type HintIcon = 'filtered' | 'unfiltered' | 'partial' | 'stale';

const icons: Readonly<Record<HintIcon, SVGTemplateResult>> = {
  filtered: svg`<path d="M3 5h18l-7 8.5V20l-4-2v-4.5z" />`,
  unfiltered: svg`<path d="M7 5h14l-6 7.5M10 13.5V18l4 2v-4M3 3l18 18" />`,
  partial: svg`<path d="M4 5h16M4 10h16M4 15h9M4 20h4" stroke-linecap="round" />`,
  stale: svg`<circle cx="12" cy="12" r="9" /><path d="M12 7v5l3 2" stroke-linecap="round" />`,
};

/**
 * A small indicator whose explanation opens in the top layer on focus, hover and click.
 *
 * @summary An indicator with an explanation, inside a tile.
 * @tagname pa-hint
 * @csspart mark - The indicator.
 */
export class PaHint extends LitElement {
  static override styles = [controls, popoverStyles, hintStyles];

  /** Text of the indicator. */
  @property() label = '';
  /** Explanation of the indicator. */
  @property() explanation = '';
  /** Icon shown instead of the label; the label stays available to assistive technology and in the explanation. */
  @property({ reflect: true }) icon: HintIcon | null = null;
  /** Shows the label if there is enough space, otherwise only the icon. */
  @property({ type: Boolean, reflect: true }) worded = false;

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
      <div id="explanation" popover="manual" role="tooltip" aria-label=${this.explanation}>
        ${this.icon ? html`<strong>${this.label}</strong>` : nothing} ${this.explanation}
      </div>`;
  }

  #renderIcon(icon: HintIcon): TemplateResult {
    return html`<svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">${icons[icon]}</svg>`;
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

register('pa-hint', PaHint);

declare global {
  interface HTMLElementTagNameMap {
    'pa-hint': PaHint;
  }
}
