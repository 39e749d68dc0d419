import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import {
  ChartController,
  type ChartFacts,
  type ChartTheme,
  type ChartTooltip,
} from '../../../controllers/chart-controller.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import type { Problem } from '../../../controllers/problem.js';
import { catalog } from '../../messages/catalog.js';
import type { Messages } from '../../messages/messages.js';
import { type Anchor, closePopover, openPopoverAt } from '../popover.js';
import { popoverStyles } from '../popover.styles.js';
import { chartStyles, probeColors } from './chart.styles.js';
import { readTheme } from './read-theme.js';

/**
 * A chart that fills its tile. What draws it is loaded when the element is connected; its colours follow the page.
 *
 * @summary The chart of a report, inside a tile.
 * @tagname pa-tile-chart
 * @csspart chart - The chart.
 * @csspart tooltip - The tooltip.
 */
export class PaTileChart extends LitElement {
  static override styles = [popoverStyles, chartStyles];

  readonly #locale = new LocaleConsumer(this, catalog);
  readonly #chart = new ChartController(this, {
    container: () => this.renderRoot.querySelector('.chart'),
    theme: () => this.#readTheme(),
    onDrawn: () => this.onDrawn(),
    onFailed: problem => this.onFailed(problem),
    onTooltip: tooltip => {
      this.tooltip = tooltip;
    },
  });

  /** The report as published. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Its rows; null while they are on their way. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Name of the chart. */
  @property({ attribute: false }) label = '';
  /** Called after the chart was drawn. */
  @property({ attribute: false }) onDrawn: () => void = () => {};
  /** Called when the chart can't be drawn. */
  @property({ attribute: false }) onFailed: (problem: Problem) => void = () => {};

  @state() private tooltip: ChartTooltip | null = null;

  #words: { readonly messages: Messages; readonly describe: (facts: ChartFacts) => string } | null = null;

  protected override updated(): void {
    this.#draw();
    this.#placeTooltip();
  }

  override render(): TemplateResult {
    return html`<div class="probe" aria-hidden="true" @transitionend=${this.#handleRestyle}>
        ${Array.from({ length: probeColors }, () => html`<i></i>`)}
      </div>
      <div part="chart" class="chart"></div>
      <div part="tooltip" class="tooltip" popover="manual" aria-hidden="true">${this.#renderTooltip()}</div>`;
  }

  #renderTooltip(): TemplateResult | typeof nothing {
    if (!this.tooltip) return nothing;
    const { title, rows } = this.tooltip;
    return html`${title ? html`<p>${title}</p>` : nothing}
      <table>
        <tbody>
          ${rows.map(row => this.#renderTooltipRow(row))}
        </tbody>
      </table>`;
  }

  #renderTooltipRow({ label, value, color }: ChartTooltip['rows'][number]): TemplateResult {
    return html`<tr>
      <th scope="row">
        ${color ? html`<svg viewBox="0 0 8 8" width="8" height="8"><circle cx="4" cy="4" r="4" fill=${color} /></svg>` : nothing}
        ${label}
      </th>
      <td>${value}</td>
    </tr>`;
  }

  /** The probe's colours have changed: the page has another scheme or other tokens. */
  #handleRestyle(): void {
    this.#chart.restyle();
  }

  #draw(): void {
    const { snapshot, rowSet, label } = this;
    const { locale, messages } = this.#locale.value;
    if (!snapshot || !rowSet) return;
    if (this.#words?.messages !== messages) {
      this.#words = { messages, describe: facts => describeChart(facts, messages) };
    }
    void this.#chart.draw({ snapshot, rowSet, label, locale, describe: this.#words.describe });
  }

  #placeTooltip(): void {
    const popover = this.renderRoot.querySelector<HTMLElement>('[popover]');
    if (!popover) return;
    if (this.tooltip) openPopoverAt(popover, pointAnchor(this.tooltip));
    else closePopover(popover);
  }

  #readTheme(): ChartTheme {
    return readTheme(this.renderRoot.querySelector('.probe') ?? this);
  }
}

function describeChart({ marks, columns }: ChartFacts, messages: Messages): string {
  const sentences = columns.map(column =>
    column.kind === 'range'
      ? messages.chartRange(column.title, column.from, column.to)
      : messages.chartValues(column.title, column.count),
  );
  return [messages.chartMarks(marks), ...sentences].join(' ');
}

function pointAnchor({ x, y }: ChartTooltip): Anchor {
  return { left: x, right: x, top: y, bottom: y };
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-chart': PaTileChart;
  }
}
