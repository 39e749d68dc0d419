import { css, html, LitElement, type nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { drillStyles } from '../../parts/drill/drill.styles.js';
import { noHost, type TileHost } from '../../parts/tile/tile-host.js';
import type { TileContent } from '../../parts/tile/tile-view.js';
import { controls } from '../../parts/tokens.styles.js';
import { resultMessages } from '../step/result-messages.js';
import '../../parts/tile/pa-tile.js';
import { register } from '../../register.js';

const resultCatalog = defineCatalog(resultMessages, chatTranslations('result'));

/**
 * Shows the result of an answer as a report in a modal dialog. The report has the menus and the drill-down of a tile.
 *
 * @summary The dialog that shows a result as a report, inside a chat.
 * @tagname pa-chat-report
 * @csspart button - The button that closes the dialog.
 */
export class PaChatReport extends LitElement {
  static override styles = [
    controls,
    drillStyles,
    css`
      dialog {
        inline-size: min(1280px, calc(100vw - 32px));
        block-size: min(720px, calc(100dvh - 32px));
      }
      .head {
        justify-content: end;
      }
      .body > pa-tile {
        max-block-size: 640px;
      }
      pa-tile::part(tile) {
        padding: 0;
        border: 0;
      }
      @media (max-width: 600px) {
        dialog {
          inline-size: 100vw;
          block-size: 100dvh;
        }
      }
    `,
  ];

  readonly #locale = new LocaleController(this, resultCatalog, () => this.locale);
  /** Provides the language of the tile. */
  readonly page = new LocaleController(this, pageCatalog, () => this.locale);

  /** The report. */
  @property({ attribute: false }) report: ReportSnapshot | null = null;
  /** Rows to show if there is no session. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** The session that queries its rows; `null` if the chat has none. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Language of the chat, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  /** Whether viewers may not download or copy rows. */
  @property({ attribute: false }) restricted = true;
  /** Called when the dialog is closed. */
  @property({ attribute: false }) onClose: () => void = () => {};

  #content: TileContent = { type: 'report', snapshot: null };
  #host: TileHost = noHost;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('report')) this.#content = { type: 'report', snapshot: this.report };
    if (changed.has('restricted')) this.#host = { ...noHost, restricted: this.restricted };
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  override render(): TemplateResult | typeof nothing {
    const { messages } = this.#locale.value;
    const title = this.report?.title || messages.resultTitle;
    return html`<dialog aria-label=${title} @close=${this.#handleClose} @keydown=${this.#handleKey}>
      <div class="head">
        <button part="button" type="button" @click=${this.#close}>${messages.close}</button>
      </div>
      <div class="body">
        <pa-tile
          .content=${this.#content}
          .rows=${this.source ? null : this.rowSet}
          .source=${this.source}
          .host=${this.#host}
          .heading=${title}
          .level=${2}
          .isRequested=${true}
        ></pa-tile>
      </div>
    </dialog>`;
  }

  /** Keeps key events in the dialog, so that Escape closes only the dialog. */
  #handleKey(event: KeyboardEvent): void {
    event.stopPropagation();
  }

  readonly #close = (): void => {
    this.renderRoot.querySelector('dialog')?.close();
  };

  readonly #handleClose = (event: Event): void => {
    // Ignore `close` events of dialogs inside the tile.
    if (event.target === event.currentTarget) this.onClose();
  };
}

register('pa-chat-report', PaChatReport);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-report': PaChatReport;
  }
}
