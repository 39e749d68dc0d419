import { html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { drawIcon } from '../../chat/icons.js';
import { register } from '../../register.js';
import { controls } from '../tokens.styles.js';
import { bubble } from './bubble.js';
import { tileCommentsStyles } from './comments.styles.js';

/**
 * The button in the corner of a tile with unread comments. It opens the comments.
 *
 * @summary The number of unread comments on a tile.
 * @tagname pa-tile-comments
 */
export class PaTileComments extends LitElement {
  static override styles = [controls, tileCommentsStyles];

  /** Name of the button, with the name of the tile. */
  @property({ attribute: false }) label = '';
  /** The formatted number of unread comments. */
  @property({ attribute: false }) count = '';
  /** Called when the user opens the comments. */
  @property({ attribute: false }) onOpen: () => void = () => {};

  override render(): TemplateResult {
    return html`<button type="button" aria-label=${this.label} title=${this.label} @click=${this.onOpen}>
      ${drawIcon(bubble)}<span aria-hidden="true">${this.count}</span>
    </button>`;
  }
}

register('pa-tile-comments', PaTileComments);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-comments': PaTileComments;
  }
}
