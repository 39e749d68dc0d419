import { html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { register } from '../../register.js';
import { controls } from '../tokens.styles.js';
import { chipText } from './chip.js';
import { chipStyles } from './chip.styles.js';

/**
 * A chip for the filter that comes from the marks of a tile; pressing it clears the filter.
 *
 * @summary Chip of a filter by marks, inside the bar of controls.
 * @tagname pa-mark-chip
 * @csspart control - The chip.
 */
class PaMarkChip extends LitElement {
  static override styles = [controls, chipStyles];

  /** The filter as a sentence. */
  @property({ attribute: false }) sentence = '';
  /** Accessible name, which describes the effect of a press. */
  @property({ attribute: false }) label = '';
  /** Called when the viewer clears the filter. */
  @property({ attribute: false }) onClear: () => void = () => {};

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector('button')?.focus(options);
  }

  override render(): TemplateResult {
    return html`<button
      part="control"
      class="filled chosen"
      type="button"
      aria-label=${this.label}
      @click=${() => this.onClear()}
    >
      ${chipText(this.sentence)}
      <svg viewBox="0 0 24 24" width="14" height="14" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">
        <path d="M18 6 6 18M6 6l12 12" />
      </svg>
    </button>`;
  }
}

register('pa-mark-chip', PaMarkChip);

declare global {
  interface HTMLElementTagNameMap {
    'pa-mark-chip': PaMarkChip;
  }
}
