import { css, html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import type { WidgetTrouble } from '../../../report/widget-tree.js';
import { catalog } from '../../messages/catalog.js';
import { frameStyles } from '../frame.styles.js';
import { notice } from '../notice.js';
import { noticeStyles } from '../notice.styles.js';
import { containerCatalog } from './messages/catalog.js';

/**
 * What stands in the place of a widget that can't be shown: what it is, and why not.
 *
 * @summary A word in the place of a widget, inside a dashboard.
 * @tagname pa-widget-trouble
 * @csspart tile - The frame.
 * @csspart notice - The message.
 */
export class PaWidgetTrouble extends LitElement {
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

  readonly #outer = new LocaleConsumer(this, catalog);
  readonly #locale = new LocaleController(this, containerCatalog, () => this.#outer.value.locale);

  /** Why the widget isn't there. */
  @property({ attribute: false }) trouble: WidgetTrouble = 'type';
  /** The widget's id, or its type. */
  @property({ attribute: false }) name = '';

  override render(): TemplateResult {
    const { troubles } = this.#locale.value.messages;
    return html`<div part="tile" class="frame">${notice(troubles[this.trouble](this.name))}</div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-widget-trouble': PaWidgetTrouble;
  }
}
