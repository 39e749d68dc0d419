import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { createFormatter } from '../../../report/format.js';
import { type Table, toTable } from '../../../report/table.js';
import { catalog } from '../../messages/catalog.js';
import { columnWidths } from './columns.js';
import { type RowWindow, RowWindowController } from './row-window.js';
import { tableStyles } from './table.styles.js';

/**
 * Formatted columns in query order. The head stays while the rows scroll; of a long table only the rows in sight are drawn.
 *
 * @summary The table of a report, inside a tile.
 * @tagname pa-tile-table
 * @csspart table - The table.
 */
export class PaTileTable extends LitElement {
  static override styles = tableStyles;

  readonly #locale = new LocaleConsumer(this, catalog);
  readonly #rows = new RowWindowController(this, () => this.renderRoot.querySelector('.scroller'));

  /** The report as published. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Its rows; null while they are on their way. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Name of the table. */
  @property({ attribute: false }) label = '';
  /** Called after the table was drawn. */
  @property({ attribute: false }) onDrawn: () => void = () => {};

  #table: Table | null = null;
  #widths: readonly number[] = [];
  #fitted: Table | null = null;
  #formatted: { readonly rowSet: RowSet; readonly locale: string } | null = null;

  protected override willUpdate(): void {
    const { locale } = this.#locale.value;
    const { rowSet } = this;
    if (!rowSet || (this.#formatted?.rowSet === rowSet && this.#formatted.locale === locale)) return;
    this.#formatted = { rowSet, locale };
    this.#table = toTable(rowSet, { formatter: createFormatter(locale), preferences: this.snapshot?.preferences });
    this.#widths = columnWidths(this.#table);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.#table) return;
    if (this.#table !== this.#fitted) this.#fitColumns(this.#table);
    this.#reserveRoom(this.#rows.window(this.#table.rowCount));
    if (changed.has('rowSet')) this.onDrawn();
  }

  override render(): TemplateResult | typeof nothing {
    const table = this.#table;
    if (!table) return nothing;
    const rows = this.#rows.window(table.rowCount);
    return html`<div class="scroller" role="region" tabindex="0" aria-label=${this.label}>
      <table part="table" aria-rowcount=${table.rowCount + 1}>
        <thead>
          <tr aria-rowindex="1">
            ${table.columns.map(
              ({ title, align }) => html`<th scope="col" class=${align} title=${title}>${title}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${this.#renderRoom('above', rows.above)} ${this.#renderRows(table, rows)} ${this.#renderRoom('below', rows.below)}
        </tbody>
      </table>
    </div>`;
  }

  #renderRows(table: Table, { first, last }: RowWindow): TemplateResult[] {
    return Array.from({ length: last - first }, (_, index) => {
      const cells = table.row(first + index);
      return html`<tr aria-rowindex=${first + index + 2}>
        ${table.columns.map(({ align }, column) => {
          const text = cells[column] ?? '';
          return html`<td class=${align} title=${text.length > (this.#widths[column] ?? 0) ? text : nothing}>${text}</td>`;
        })}
      </tr>`;
    });
  }

  /** Stands for the rows that are not drawn. */
  #renderRoom(side: 'above' | 'below', height: number): TemplateResult | typeof nothing {
    if (height === 0) return nothing;
    return html`<tr class="room ${side}" aria-hidden="true"><td colspan=${this.#table?.columns.length ?? 1}></td></tr>`;
  }

  #reserveRoom(rows: RowWindow): void {
    for (const side of ['above', 'below'] as const) {
      const room = this.renderRoot.querySelector<HTMLElement>(`tr.${side}`);
      room?.style.setProperty('--_room', `${rows[side]}px`);
    }
  }

  #fitColumns(table: Table): void {
    this.#fitted = table;
    const widths = this.#widths;
    const reserve = (element: HTMLElement, characters: number) =>
      element.style.setProperty('--_characters', String(characters));
    const element = this.renderRoot.querySelector('table');
    if (!element) return;
    reserve(
      element,
      widths.reduce((sum, width) => sum + width, 0),
    );
    element.style.setProperty('--_columns', String(widths.length));
    element.querySelectorAll('th').forEach((column, index) => {
      reserve(column, widths[index] ?? 0);
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-table': PaTileTable;
  }
}
