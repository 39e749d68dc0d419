import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { createFormatter } from '../../../report/format.js';
import { type Kpi, toKpi } from '../../../report/kpi.js';
import { catalog } from '../../messages/catalog.js';
import { kpiStyles } from './kpi.styles.js';

/**
 * One formatted number that fills its tile and never wraps.
 *
 * @summary The figure of a KPI, inside a tile.
 * @tagname pa-tile-kpi
 * @csspart figure - The figure.
 * @csspart figure-label - What it counts, where the heading doesn't say so.
 * @cssproperty --pa-figure-size - Size of a figure that has room (36px).
 */
export class PaTileKpi extends LitElement {
  static override styles = kpiStyles;

  readonly #locale = new LocaleConsumer(this, catalog);

  /** The report as published. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Its rows; null while they are on their way. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Heading of the tile. */
  @property({ attribute: false }) label = '';
  /** Called after the figure was drawn. */
  @property({ attribute: false }) onDrawn: () => void = () => {};

  protected override updated(): void {
    const figure = this.renderRoot.querySelector<HTMLElement>('.figure');
    if (!figure) return;
    figure.style.setProperty('--_characters', String(figure.textContent?.length ?? 1));
    this.onDrawn();
  }

  override render(): TemplateResult | typeof nothing {
    const kpi = this.#kpi();
    if (!kpi) return nothing;
    const isSaid = this.label.toLowerCase().includes(kpi.label.toLowerCase());
    return html`<p part="figure" class="figure">${kpi.text}</p>
      ${isSaid ? nothing : html`<p part="figure-label" class="label">${kpi.label}</p>`}`;
  }

  #kpi(): Kpi | null {
    if (!this.rowSet) return null;
    const formatter = createFormatter(this.#locale.value.locale);
    return toKpi(this.rowSet, { formatter, preferences: this.snapshot?.preferences });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-kpi': PaTileKpi;
  }
}
