import { html, LitElement, nothing, type PropertyValues, svg, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import { drawingProblem, type Problem, toProblem } from '../../../controllers/problem.js';
import { createFormatter } from '../../../report/format/format.js';
import { textWidth } from '../../../report/format/text-width.js';
import {
  changeIcons,
  type Kpi,
  type KpiChange,
  type KpiProgress,
  type KpiTrend,
  toKpi,
  trendPath,
} from '../../../report/kpi/kpi.js';
import type { Pick } from '../../../report/marks/mark.js';
import type { ReportData } from '../../../report/query/report-data.js';
import { DrawingError } from '../../../report/table/report-columns.js';
import { dashboardTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { kpiStyles } from './kpi.styles.js';
import { kpiMessages } from './kpi-messages.js';

const kpiCatalog = defineCatalog(kpiMessages, dashboardTranslations('kpi'));

const noTotals: ReportData['totals'] = new Map();

/** Facts about a figure that, together with its tile, determine its size. */
export interface FigureFacts {
  /** Text length, in digit widths. */
  readonly characters: number;
  /** Whether the tile shows no content below the figure. */
  readonly isAlone: boolean;
}

/**
 * A formatted number that fills its tile and never wraps, optionally with a change, progress toward a target, or a
 * sparkline.
 *
 * @summary The figure of a KPI, inside a tile.
 * @tagname pa-tile-kpi
 * @csspart figure - The figure.
 * @csspart figure-label - The label of the figure, unless the heading contains it.
 * @csspart figure-change - The change of the figure, or its progress toward a target.
 * @cssproperty --pa-figure-size - Maximum font size of the figure (36px).
 */
export class PaTileKpi extends LitElement {
  static override styles = [visuallyHiddenStyles, kpiStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #words = new LocaleController(this, kpiCatalog, () => this.#outer.value.locale);

  /** The published report. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Rows of the report; `null` while loading. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Rows with fewer groups, for the figure above a sparkline. */
  @property({ attribute: false }) totals: ReportData['totals'] | null = null;
  /** Heading of the tile. */
  @property({ attribute: false }) label = '';
  /** Called after the figure was rendered. */
  @property({ attribute: false }) onRendered: () => void = () => {};
  /** Called if the figure cannot be rendered. */
  @property({ attribute: false }) onFailed: (problem: Problem) => void = () => {};
  /** Called when the viewer picks the figure. */
  @property({ attribute: false }) onPick: (pick: Pick) => void = () => {};

  #kpi: Kpi | null = null;
  #locale = '';
  #problem: Problem | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { locale } = this.#words.value;
    const isOther = changed.has('snapshot') || changed.has('rowSet') || changed.has('totals');
    if (!isOther && this.#locale === locale) return;
    this.#locale = locale;
    this.#kpi = null;
    if (!this.rowSet) return;
    const { snapshot } = this;
    const data = { rowSet: this.rowSet, totals: this.totals ?? noTotals };
    const presentation = { formatter: createFormatter(locale), preferences: snapshot?.preferences };
    try {
      this.#kpi = toKpi({ snapshot: snapshot ?? {}, data, presentation, locale });
    } catch (error) {
      this.#problem = error instanceof DrawingError ? drawingProblem(error.message) : toProblem(error);
    }
  }

  protected override updated(): void {
    const problem = this.#problem;
    this.#problem = null;
    if (problem) this.onFailed(problem);
    const figure = this.renderRoot.querySelector<HTMLElement>('.figure');
    if (!figure || !this.#kpi) return;
    figure.style.setProperty('--_characters', String(this.figure?.characters ?? 1));
    const share = this.#kpi.progress?.share ?? 0;
    const bar = this.renderRoot.querySelector<HTMLElement>('.bar');
    bar?.style.setProperty('--_share', `${Math.max(0, Math.min(1, share)) * 100}%`);
    this.onRendered();
  }

  /** Facts that determine the size of the figure; `null` if there is no figure. */
  get figure(): FigureFacts | null {
    if (!this.#kpi) return null;
    const { text, change, progress, trend } = this.#kpi;
    // Width in digits; characters that are wider or narrower than a digit count proportionally.
    return { characters: Math.max(1, textWidth(text) / 7), isAlone: !change && !progress && !trend };
  }

  override render(): TemplateResult | typeof nothing {
    const kpi = this.#kpi;
    if (!kpi) return nothing;
    const isSaid = this.label.toLowerCase().includes(kpi.label.toLowerCase());
    return html`${this.#renderFigure(kpi)} ${isSaid ? nothing : html`<p part="figure-label" class="label" dir="auto">${kpi.label}</p>`}
    ${kpi.change ? this.#renderChange(kpi.change) : nothing}
    ${kpi.progress ? this.#renderProgress(kpi.progress, kpi.label) : nothing}
    ${kpi.trend ? this.#renderTrend(kpi.trend) : nothing}`;
  }

  /** Renders the figure, as a button if it can be picked. */
  #renderFigure({ text, label, column }: Kpi): TemplateResult {
    const isOpen = (column?.annotation.drillMembers?.length ?? 0) > 0;
    if (!isOpen) return html`<p part="figure" class="figure" title=${text}>${text}</p>`;
    return html`<p class="holder">
      <button
        part="figure"
        class="figure"
        type="button"
        title=${text}
        aria-label="${label}: ${text}"
        @click=${this.#handleClick}
        @contextmenu=${this.#handleMenu}
      >${text}</button>
    </p>`;
  }

  #renderChange({ direction, text, tone, against }: KpiChange): TemplateResult {
    const { messages } = this.#words.value;
    const versus = typeof against === 'string' ? messages.versus(against) : messages.versusPeriod(against);
    if (text === null) return html`<p part="figure-change" class="change">${messages.incomparable} ${versus}</p>`;
    const said = direction === 'none' ? messages.unchanged : text;
    const meaning = tone === 'neutral' ? '' : ` (${tone === 'good' ? messages.better : messages.worse})`;
    return html`<p part="figure-change" class="change">
      <span class="amount ${tone}"
        ><svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">${svg`<path d=${changeIcons[tone][direction]}></path>`}</svg
        ><bdi>${said}</bdi></span
      >
      <span>${versus}</span><span class="unseen">${meaning}</span>
    </p>`;
  }

  #renderProgress({ share, percent, target, tone }: KpiProgress, label: string): TemplateResult {
    const { messages } = this.#words.value;
    if (share === null) return html`<p part="figure-change" class="change">${messages.noTarget}</p>`;
    const words = messages.ofTarget(percent, target);
    const meaning = tone === 'neutral' ? '' : ` (${tone === 'good' ? messages.better : messages.worse})`;
    return html`<div
        class="bar ${tone}"
        role="progressbar"
        aria-label=${label}
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow=${Math.round(Math.max(0, Math.min(1, share)) * 100)}
        aria-valuetext="${words}${meaning}"
      ></div>
      <p part="figure-change" class="change" aria-hidden="true">${words}</p>`;
  }

  #renderTrend(trend: KpiTrend): TemplateResult {
    const { from, to, lowest, highest } = trend;
    return html`<svg
      class="trend"
      role="img"
      aria-label=${this.#words.value.messages.trend(from, to, lowest, highest)}
      viewBox="0 0 100 30"
      preserveAspectRatio="none"
    >
      <path d=${trendPath(trend)} vector-effect="non-scaling-stroke"></path>
    </svg>`;
  }

  readonly #handleClick = (event: MouseEvent): void => {
    this.#pick('choose', event);
  };

  readonly #handleMenu = (event: MouseEvent): void => {
    event.preventDefault();
    this.#pick('menu', event);
  };

  /** Picks the figure, which represents the total, so that the pick has a measure but no value. */
  #pick(intent: Pick['intent'], { currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
    if (!(currentTarget instanceof Element)) return;
    const { left, top, right, bottom } = currentTarget.getBoundingClientRect();
    const mark = { values: {}, measure: this.#kpi?.column?.member ?? null };
    this.onPick({ mark, intent, extend: ctrlKey || metaKey || shiftKey, anchor: { left, top, right, bottom } });
  }
}

register('pa-tile-kpi', PaTileKpi);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-kpi': PaTileKpi;
  }
}
