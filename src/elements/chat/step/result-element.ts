import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { DataResult } from '../../../controllers/chat/chat-result.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { chunkProblem, type Problem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { ViewportController } from '../../../controllers/viewport-controller.js';
import { readAnswerChart, showsDistribution } from '../../../report/chart/answer-chart.js';
import { answerReport, isQueried } from '../../../report/chart/answer-report.js';
import { type ProposedChart, proposeChart } from '../../../report/chart/proposed-chart.js';
import { createFormatter } from '../../../report/format/format.js';
import { columnPrinter, columnTitle } from '../../../report/table/table.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import type { MarkTarget } from '../../parts/mark-target.js';
import { problemNotice } from '../../parts/notice.js';
import { noticeStyles } from '../../parts/notice.styles.js';
import { retryLoad } from '../../parts/retry-load.js';
import { PartLoader } from '../../parts/tile/tile-lifecycle.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import type { ResultActions } from '../chat-context.js';
import { type IconName, icon } from '../part-icons.js';
import type { PinContext } from '../pin/pin-element.js';
import { AnswerMarks } from './answer-marks.js';
import { resultStyles } from './result.styles.js';
import { ResultFiles } from './result-files.js';
import { resultMessages } from './result-messages.js';

const resultCatalog = defineCatalog(resultMessages, chatTranslations('result'));

/** Height of a table in an answer, in rows; more rows scroll. */
const maxVisibleRows = 10;
/** Maximum number of values that are shown without a table. */
const maxFigures = 6;
/** Row limit of "load all": the maximum of the Data API. */
const maxRows = 50_000;

/** State of the request for all rows. */
type AllRows =
  | { readonly status: 'none' }
  | { readonly status: 'loading'; readonly abort: AbortController }
  | { readonly status: 'ready'; readonly rowSet: RowSet }
  | { readonly status: 'failed' };

/**
 * Shows the rows of a query as a table or as the chart of the answer, with the elements that render a report.
 *
 * @summary The result of a query, inside a chat.
 * @tagname pa-chat-result
 * @csspart result - The frame.
 * @csspart heading - Its heading.
 * @csspart chart - The chart.
 * @csspart tooltip - The tooltip of the chart.
 * @csspart table - The table.
 */
export class PaChatResult extends LitElement {
  static override styles = [controls, noticeStyles, resultStyles];

  readonly #locale = new LocaleController(this, resultCatalog, () => this.locale);
  /** The chart and table elements use the messages of a report. */
  readonly #page = new LocaleController(this, pageCatalog, () => this.locale);
  readonly #loader = new PartLoader(() => {
    this.problem = chunkProblem();
  });
  readonly #near = new ViewportController<HTMLElement>(this, () => {
    this.isNear = true;
  });

  readonly #marks = new AnswerMarks(this, {
    target: () => this.marks,
    answer: () => this.actions?.answerId(this.stepId) ?? this.stepId,
    report: () => this.#report,
    rowSet: () => this.#rowSet,
    source: () => this.source,
    locale: () => this.#locale.value.locale,
    restricted: () => this.restricted,
    frame: () => this.renderRoot.querySelector('article'),
  });

  readonly #files = new ResultFiles(this, {
    title: () => this.result?.title ?? '',
    rowSet: () => this.#rowSet,
    locale: () => this.#locale.value.locale,
    restricted: () => this.restricted,
  });

  /** The result to show. */
  @property({ attribute: false }) result: DataResult | null = null;
  /** The session that loads all rows; `null` if there is none. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Language of the chat, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;

  /** Whether viewers may not download or copy rows. */
  @property({ attribute: false }) restricted = true;

  /** Id of the step. */
  @property({ attribute: false }) stepId = '';
  /** Actions of the chat; `null` outside a chat. */
  @property({ attribute: false }) actions: ResultActions | null = null;
  /** The target to which the answer can be pinned; `null` if the viewer may not pin it. */
  @property({ attribute: false }) pins: PinContext | null = null;
  /** The dashboard that marks can filter; `null` if there is none. */
  @property({ attribute: false }) marks: MarkTarget | null = null;

  @state() private isNear = false;
  @state() private asTable = false;
  @state() private cannotDraw = false;
  /** Reason why the code of the chart or table could not be loaded. */
  @state() private problem: Problem | null = null;
  /** The report that the dialog shows. */
  @state() private opened: ReportSnapshot | null = null;
  @state() private all: AllRows = { status: 'none' };

  #snapshot: ReportSnapshot | null = null;
  #chart: ProposedChart | null = null;
  #cachedReport: ReportSnapshot | null = null;
  /** Inputs that `#cachedReport` was created from. */
  #reportInputs: readonly unknown[] = [];
  /** Whether all rows of the current chart were loaded automatically. */
  #hasLoadedAll = false;
  /** Inputs that `#chart` was created from. */
  #chartInputs: readonly unknown[] = [];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    queueMicrotask(() => {
      if (!this.isConnected) this.#stopLoading();
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('result')) this.#take();
    this.#improve();
  }

  #take(): void {
    this.#stopLoading();
    this.all = { status: 'none' };
    this.#hasLoadedAll = false;
    this.asTable = false;
    this.#improve();
    this.cannotDraw = this.#snapshot === null && Boolean(this.result?.spec);
  }

  /** Proposes a chart for the current rows and language, unless they are unchanged. */
  #improve(): void {
    const [rowSet, { locale }] = [this.#rowSet, this.#locale.value];
    const inputs = [this.result, rowSet, locale];
    if (inputs.every((part, index) => part === this.#chartInputs[index])) return;
    this.#chartInputs = inputs;
    const chart = readChart(this.result);
    this.#chart = chart && rowSet && proposeChart(chart, { rowSet, query: this.result?.query ?? null, locale });
    this.#snapshot = this.#chart && {
      id: 0,
      reportId: 0,
      versionNumber: 0,
      kind: 'vega',
      spec: this.#chart.spec,
    };
  }

  protected override updated(): void {
    if (this.#hasRows && !this.problem) this.#loader.load(this.#showsChart ? 'vega' : 'table');
    if (this.pins && this.result?.checksum) loadPin();
    this.#near.watch(this.isNear ? [] : [this]);
    if (this.isNear && this.#isPartOfChart) {
      this.#hasLoadedAll = true;
      void this.#handleLoadAll();
    }
    const rows = Math.min(this.#rowSet?.rows.length ?? 0, maxVisibleRows);
    this.renderRoot.querySelector<HTMLElement>('.table')?.style.setProperty('--_rows', String(rows));
    const categories = this.#chart?.categoriesDown ?? 0;
    this.renderRoot.querySelector<HTMLElement>('.chart')?.style.setProperty('--_categories', String(categories));
  }

  override render(): TemplateResult | typeof nothing {
    const { result } = this;
    const { messages } = this.#locale.value;
    if (!result) return nothing;
    const heading = result.title || messages.resultTitle;
    return html`<article part="result" aria-label=${heading}>
      <header>
        <p part="heading" class="heading" dir="auto">${heading}</p>
        ${this.#hasChart && !this.cannotDraw ? this.#renderSwitch() : nothing}
      </header>
      ${this.cannotDraw ? html`<p class="note">${messages.drawingFailed}</p>` : nothing}
      ${this.#hasRows ? this.#renderRows(heading) : html`<p class="note">${messages.noRows}</p>`}
      ${this.#renderFoot(result)}
    </article>
    ${this.#marks.render()} ${this.opened ? this.#renderReport(this.opened) : nothing}`;
  }

  #renderSwitch(): TemplateResult {
    const { messages } = this.#locale.value;
    const choice = (shape: 'chart' | 'table'): TemplateResult =>
      html`<button
        type="button"
        part="button"
        aria-pressed=${this.asTable === (shape === 'table') ? 'true' : 'false'}
        @click=${() => this.#handleChoice(shape)}
      >
        ${messages[shape]}
      </button>`;
    return html`<div class="switch" role="group" aria-label=${messages.showAs}>
      ${choice('chart')} ${choice('table')}
    </div>`;
  }

  #renderRows(label: string): TemplateResult {
    if (this.problem) return problemNotice(this.problem, this.#page.value.messages, this.#handleRetry);
    const rowSet = this.#rowSet;
    if (this.#showsChart) {
      return html`<div class="body chart">
        ${
          this.isNear
            ? html`<pa-tile-chart
              exportparts="chart, tooltip"
              .snapshot=${this.#snapshot}
              .rowSet=${this.#chart?.rowSet ?? null}
              .label=${label}
              .selected=${this.#marks.selectedIn('chart')}
              ?pickable=${this.#marks.pick !== null}
              .onPick=${this.#marks.pick ?? noPick}
              .onFailed=${this.#handleUndrawable}
            ></pa-tile-chart>`
            : nothing
        }
      </div>`;
    }
    if (rowSet && isOneRowOfFigures(rowSet)) return this.#renderFigures(rowSet);
    return html`<div class="body table">
      <pa-tile-table
        exportparts="table"
        .snapshot=${null}
        .rowSet=${rowSet}
        .label=${label}
        .selected=${this.#marks.selectedIn('table')}
        .onPick=${this.#marks.pick}
        .copyable=${!this.restricted}
      ></pa-tile-table>
    </div>`;
  }

  /** Renders figures without a dimension, which need no table. */
  #renderFigures({ columns, rows: [row] }: RowSet): TemplateResult {
    const formatter = createFormatter(this.#locale.value.locale);
    return html`<dl class="figures" part="table">
      ${columns.map(
        column =>
          html`<div>
            <dt dir="auto">${columnTitle(column)}</dt>
            <dd>${columnPrinter(column, { formatter })(row?.[column.member] ?? null)}</dd>
          </div>`,
      )}
    </dl>`;
  }

  #renderFoot({ query, rowSet, totalRows }: DataResult): TemplateResult {
    const { locale, messages } = this.#locale.value;
    const format = new Intl.NumberFormat(locale);
    const shown = this.#rowSet?.rows.length ?? 0;
    const isCut = totalRows > rowSet.rows.length && this.all.status !== 'ready';
    return html`<footer>
      ${this.#showsChart && this.#chart?.hasPartialPeriod ? html`<span>${messages.partialPeriods}</span>` : nothing}
      ${isCut ? html`<span>${messages.firstRows(format.format(shown), format.format(totalRows))}</span>` : nothing}
      ${isCut && query && this.source && isQueried(query, rowSet) ? this.#renderLoadAll() : nothing}
      ${this.all.status === 'failed' ? html`<span role="alert" class="error">${messages.loadFailed}</span>` : nothing}
      ${this.#renderPin()} ${this.#renderActions()}
      ${this.#files.hasFailed ? html`<span role="alert" class="error">${messages.imageFailed}</span>` : nothing}
    </footer>`;
  }

  #renderActions(): TemplateResult | typeof nothing {
    const { messages } = this.#locale.value;
    const { query, rowSet } = this.result ?? {};
    if (!this.#hasRows) return nothing;
    const canOpen = this.actions !== null && query && rowSet && isQueried(query, rowSet);
    return html`
      ${this.restricted ? nothing : actionButton('download', messages.downloadCsv, this.#files.saveRows)}
      ${this.restricted ? nothing : actionButton('download', messages.downloadPng, () => void this.#files.saveImage())}
      ${canOpen ? actionButton('expand', messages.openReport, this.#handleOpen) : nothing}
    `;
  }

  #renderPin(): TemplateResult | typeof nothing {
    const { pins, result } = this;
    if (!pins || !result?.checksum) return nothing;
    return html`<pa-chat-pin
      exportparts="button"
      .pins=${pins}
      .checksum=${result.checksum}
      .locale=${this.locale}
    ></pa-chat-pin>`;
  }

  #renderLoadAll(): TemplateResult {
    const { messages } = this.#locale.value;
    if (this.all.status === 'loading') {
      return html`<span role="status">${messages.loading}</span>
        <button type="button" part="button" class="quiet" @click=${this.#handleCancel}>${messages.cancel}</button>`;
    }
    return html`<button type="button" part="button" class="quiet" @click=${this.#handleLoadAll}>${messages.loadAll}</button>`;
  }

  #renderReport(report: ReportSnapshot): TemplateResult {
    return html`<pa-chat-report
      exportparts="button"
      .report=${report}
      .rowSet=${this.#rowSet}
      .source=${this.source}
      .restricted=${this.restricted}
      .locale=${this.locale}
      .onClose=${this.#handleClose}
    ></pa-chat-report>`;
  }

  /** The report that runs the query of the result; the same object until its inputs change. */
  get #report(): ReportSnapshot | null {
    const { result, cannotDraw } = this;
    const { locale } = this.#locale.value;
    const inputs = [result, cannotDraw, locale];
    if (inputs.some((part, index) => part !== this.#reportInputs[index])) {
      this.#reportInputs = inputs;
      const chart = cannotDraw ? null : readChart(result);
      this.#cachedReport = result && answerReport({ ...result, chart }, locale);
    }
    return this.#cachedReport;
  }

  get #hasChart(): boolean {
    return this.#snapshot !== null && this.#hasRows;
  }

  get #hasRows(): boolean {
    return (this.result?.rowSet.rows.length ?? 0) > 0;
  }

  get #showsChart(): boolean {
    return this.#hasChart && !this.asTable && !this.cannotDraw;
  }

  /** Whether the chart is meant to show all rows, but the answer has only the first ones. */
  get #isPartOfChart(): boolean {
    const { result, source } = this;
    if (!result?.query || !source || this.#hasLoadedAll || !this.#showsChart || !isQueried(result.query, result.rowSet))
      return false;
    const isCut = result.totalRows > result.rowSet.rows.length && result.totalRows <= maxRows;
    return isCut && showsDistribution(result.spec);
  }

  get #rowSet(): RowSet | null {
    return this.all.status === 'ready' ? this.all.rowSet : (this.result?.rowSet ?? null);
  }

  readonly #handleUndrawable = (): void => {
    this.cannotDraw = true;
  };

  readonly #handleRetry = (): void => {
    this.problem = null;
  };

  #handleChoice(shape: 'chart' | 'table'): void {
    this.asTable = shape === 'table';
    this.problem = null;
  }

  readonly #handleLoadAll = async (): Promise<void> => {
    const query = this.result?.query;
    if (!query || !this.source) return;
    const abort = new AbortController();
    this.all = { status: 'loading', abort };
    try {
      const rowSet = await this.source.load({ ...query, limit: maxRows, offset: 0 }, { signal: abort.signal });
      if (!abort.signal.aborted) this.all = { status: 'ready', rowSet };
    } catch {
      if (!abort.signal.aborted) this.all = { status: 'failed' };
    }
  };

  readonly #handleCancel = (): void => {
    this.#stopLoading();
    this.all = { status: 'none' };
  };

  readonly #handleOpen = (): void => {
    const report = this.#report;
    if (!report || !this.actions?.openReport(this.stepId, report)) return;
    this.opened = report;
    // If the dialog cannot be loaded, it does not open; the viewer can try again.
    retryLoad(() => import('../report/report-dialog-element.js')).catch(this.#handleClose);
  };

  readonly #handleClose = (): void => {
    this.opened = null;
  };

  #stopLoading(): void {
    if (this.all.status === 'loading') this.all.abort.abort();
  }
}

/** Whether a result is one row of a few measures, without a dimension. */
function isOneRowOfFigures({ columns, rows }: RowSet): boolean {
  return rows.length === 1 && columns.length <= maxFigures && columns.every(({ kind }) => kind === 'measure');
}

const noPick = (): void => {};

function loadPin(): void {
  // If loading fails, the answer cannot be pinned.
  import('../pin/pin-element.js').catch(() => {});
}

function actionButton(shape: IconName, label: string, run: () => void): TemplateResult {
  return html`<button type="button" part="button" class="quiet" @click=${run}>${icon(shape)} ${label}</button>`;
}

/**
 * Returns the chart of a result if its specification is allowed in an answer; otherwise the result is shown as a table.
 */
function readChart(result: DataResult | null): JsonObject | null {
  if (!result?.spec) return null;
  const read = readAnswerChart(
    result.spec,
    result.rowSet.columns.map(({ member }) => member),
  );
  return 'chart' in read ? read.chart : null;
}

register('pa-chat-result', PaChatResult);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-result': PaChatResult;
  }
}
