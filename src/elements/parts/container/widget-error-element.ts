import { css, html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import type { WidgetError } from '../../../report/layout/widget-tree.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { notice } from '../notice.js';
import { noticeStyles } from '../notice.styles.js';
import { containerCatalog } from './container-element.js';

/** The frame of a widget that looks like a tile. */
const frameStyles = css`
  .frame {
    box-sizing: border-box;
    padding: var(--_padding);
    border: var(--_tile-border);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
`;

/**
 * Shown instead of a widget that cannot be rendered: names the widget and the reason.
 *
 * @summary The error message of a widget, inside a dashboard.
 * @tagname pa-widget-error
 * @csspart tile - The frame.
 * @csspart notice - The message.
 */
export class PaWidgetError extends LitElement {
  static override styles = [
    noticeStyles,
    frameStyles,
    css`
      :host {
        display: block;
        block-size: 100%;
      }
      .frame {
        block-size: 100%;
        overflow: auto;
        container-type: size;
      }
    `,
  ];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, containerCatalog, () => this.#outer.value.locale);

  /** Reason why the widget cannot be shown. */
  @property({ attribute: false }) reason: WidgetError = 'type';
  /** Id of the widget, or its type. */
  @property({ attribute: false }) name = '';

  override render(): TemplateResult {
    const { widgetErrors } = this.#locale.value.messages;
    return html`<div part="tile" class="frame">${notice(widgetErrors[this.reason](this.name))}</div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-widget-error': PaWidgetError;
  }
}
