import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { Dashboard, ReportSnapshot } from '../../contract/dashboards.js';
import type { RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import type { StateSubject } from '../../controllers/dashboard/dashboard-state-controller.js';
import { PropertyValidationController } from '../../controllers/dashboard/property-validation-controller.js';
import { drawingProblem, missingReportProblem, type Problem } from '../../controllers/problem.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import { PaErrorEvent } from '../../controllers/session/session-events.js';
import { findSnapshot } from '../../report/layout/find-snapshot.js';
import { snapshotTitle } from '../../report/layout/tile-title.js';
import { plainTable, readRowSet, toSnapshot } from '../../report/table/host-report.js';
import { DrawingError } from '../../report/table/report-columns.js';
import { headingLevel } from '../parts/heading.js';
import { loadTile } from '../parts/lazy-parts.js';
import { dashboardNotice, notice, problemDetails, sessionNotice } from '../parts/notice.js';
import { noticeStyles } from '../parts/notice.styles.js';
import { skeleton, skeletonStyles } from '../parts/skeleton.js';
import type { PaTile } from '../parts/tile/tile-element.js';
import { TileHostElement } from '../parts/tile/tile-host-element.js';
import { tileParts } from '../parts/tile/tile-parts.js';
import type { TileContent } from '../parts/tile/tile-view.js';
import { controls, tokens } from '../parts/tokens.styles.js';
import { reportStyles } from './report.styles.js';

/**
 * Renders one report of a published dashboard, or the report in its `snapshot` property. The session comes from the
 * nearest `<pa-session>`, or from the element's own `session-url` (or `session`) and `base-url`. With `rows`, the
 * element needs neither a session nor a query.
 *
 * @summary Renders one report.
 * @tagname pa-report
 *
 * @fires {PaErrorEvent} pa-error - The report could not be loaded or rendered.
 * @fires {PaFilterChangeEvent} pa-filter-change - The viewer changes a filter or selection; cancelable.
 * @fires {PaLoadEvent} pa-load - The report has settled, initially and after each `refresh()`.
 * @fires {PaTimingEvent} pa-timing - The report rendered new rows; `detail` has the wait, query and render times.
 * @fires {PaMarkClickEvent} pa-mark-click - The viewer selects a mark, a cell or a figure; cancelable.
 * @fires {PaDrillEvent} pa-drill - The viewer requests the rows behind a mark; cancelable.
 * @fires {PaDownloadEvent} pa-download - Rows or an image are about to be downloaded or copied; cancelable.
 * @fires {PaSessionReadyEvent} pa-session-ready - The element's own session is ready.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The element's own session is about to expire and is being
 * renewed.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The element's own session expired or was rejected.
 *
 * @csspart tile - The frame.
 * @csspart header - Heading and indicators.
 * @csspart heading - The heading.
 * @csspart menu-button - The menu button.
 * @csspart menu - The menu of the report or of a mark.
 * @csspart menu-item - A menu item.
 * @csspart exports - The list of running and failed exports.
 * @csspart dialog - The dialog with the rows behind a mark.
 * @csspart dialog-title - The heading of the dialog.
 * @csspart body - The content below the heading.
 * @csspart mark - An indicator next to the heading.
 * @csspart notice - Message shown instead of the content.
 * @csspart wait - The overlay shown if the query is slow.
 * @csspart button - A button in a message.
 * @csspart skeleton - The placeholder while content loads.
 * @csspart chart - A chart.
 * @csspart tooltip - The tooltip of a chart.
 * @csspart table - A table.
 * @csspart figure - The figure of a KPI.
 * @csspart figure-label - The label of the figure.
 * @csspart active-mark - The ring around the mark that has keyboard focus.
 * @csspart brush - The selection rectangle of a chart.
 * @csspart table-filters - The active filters of a table.
 * @csspart cell-link - A link in a table cell.
 * @csspart cell-image - An image in a table cell.
 * @csspart figure-change - The change of a figure, or its progress toward a target.
 * @csspart map - A map.
 * @csspart sankey - A Sankey diagram.
 * @csspart html - An HTML report.
 * @csspart custom - The container of a custom renderer.
 *
 * @cssproperty --pa-report-height - Height of the report unless the host sets one (360px). For colors and fonts see
 * `<pa-dashboard>`.
 */
export class PaReport extends TileHostElement<Awaited<ReturnType<typeof loadTile>>> {
  static override styles = [tokens, controls, noticeStyles, skeletonStyles, reportStyles];

  /** Public id of the dashboard that the report was published with. */
  @property() dashboard = '';
  /** Number or public id of the report. */
  @property() report = '';
  /**
   * The report itself, as published, instead of `dashboard` and `report`: a complete or partial snapshot, or only a
   * Vega, Vega-Lite or table specification.
   */
  @property({ attribute: false }) snapshot: ReportSnapshot | JsonObject | null = null;
  /**
   * Rows to render as they are, without a session or a query: with the report in `snapshot`, or as a table if it is not
   * set.
   */
  @property({ attribute: false }) rows: RowSet | null = null;
  /**
   * IANA time zone in which the query filters and groups dates. Takes precedence over the enclosing `<pa-session>`, the
   * session setting, the account setting and the report's own time zone, in this order.
   */
  @property() override timezone: string | null = null;
  /** Level of the report heading, 1 to 6. */
  @property({ attribute: 'heading-level', type: Number }) override headingLevel = 3;

  #content: TileContent | null = null;
  #subject: {
    readonly dashboard: Dashboard | null;
    readonly snapshot: ReportSnapshot;
    readonly is: StateSubject;
  } | null = null;
  #own: ReportSnapshot | null = null;
  #rows: RowSet | null = null;
  /** The problem with the `rows` property, if any. */
  #wrong: Problem | null = null;

  constructor() {
    super();
    new PropertyValidationController(this, [
      ['snapshot', 'object'],
      ['dashboard', 'text'],
    ]);
  }

  protected override get dashboardId(): string {
    return this.#isOwn ? '' : this.dashboard;
  }

  protected override get renderedTiles(): readonly PaTile[] {
    return this.#tile ? [this.#tile] : [];
  }

  protected override loadTileKit(): ReturnType<typeof loadTile> {
    return loadTile();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('snapshot') || changed.has('rows')) {
      const ofRows = this.rows ? plainTable : null;
      this.#own = this.snapshot ? toSnapshot(this.snapshot) : ofRows;
    }
    if (changed.has('rows')) this.#readRows();
    const dashboard = this.loadedDashboard;
    const published = dashboard ? findSnapshot(dashboard, this.report) : undefined;
    const found = this.#isOwn ? this.#own : published;
    if (found === undefined) this.#content = null;
    else if (!this.#content || changed.has('report') || found !== snapshotOf(this.#content)) {
      this.#content = { type: 'report', snapshot: found };
      if (found === null) this.dispatchEvent(new PaErrorEvent(missingReportProblem()));
    }
    this.#chooseOn(dashboard, found ?? null);
  }

  #readRows(): void {
    this.#wrong = null;
    try {
      this.#rows = this.rows ? readRowSet(this.rows) : null;
    } catch (error) {
      this.#rows = null;
      this.#wrong = drawingProblem(error instanceof DrawingError ? error.message : '');
      this.dispatchEvent(new PaErrorEvent(this.#wrong));
    }
  }

  #chooseOn(dashboard: Dashboard | null, snapshot: ReportSnapshot | null): void {
    const known = this.#subject;
    if (!snapshot) this.#subject = null;
    else if (known?.snapshot !== snapshot || known.dashboard !== dashboard) {
      const attributes = dashboard?.userAttributes ?? {};
      this.#subject = { dashboard, snapshot, is: { widgets: [], snapshots: [snapshot], attributes, tabs: new Map() } };
    }
    this.stateController.use(this.#subject?.is ?? null);
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const tile = this.#tile;
    this.tileLoader.near?.watch(tile && !tile.isRequested ? [tile] : []);
  }

  /**
   * Queries and renders the report even if it is far from the viewport. Resolves when it is rendered, empty, stopped or
   * failed.
   */
  async loadAll(): Promise<void> {
    if (!this.#isOwn) await this.dashboardController.settled();
    await this.tileLoader.settled;
    await this.filtersApplied();
    await this.#tile?.load();
  }

  /** Reloads the report; keeps the current content until the new rows arrive. */
  async refresh(): Promise<void> {
    this.tileHostController.restart();
    await this.#tile?.reload();
  }

  /** Loads the report and prints the page. To hide other parts of the page, use the page's print style sheet. */
  async print(): Promise<void> {
    await this.printAll();
  }

  override render(): TemplateResult {
    return html`<div class=${this.isBlank ? 'frame blank' : 'frame'} dir=${this.localeController.dir ?? nothing} lang=${this.localeController.lang ?? nothing}>
        ${this.#renderContent()} ${this.renderExport({ menu: false, title: '', reportId: this.report })}
      </div>
      ${this.renderDebug()}`;
  }

  #renderContent(): unknown {
    const { messages } = this.localeController.value;
    const session = sessionNotice(this.activeSource, messages);
    if (this.#wrong) {
      const [{ kind }, details] = [this.#wrong, problemDetails(this.#wrong, messages)];
      return html`<div class="panel">${notice(messages.problems[kind], null, details)}</div>`;
    }
    const problem = this.renderModuleProblem(messages);
    if (problem) return html`<div class="panel">${problem}</div>`;
    if (this.#content && this.tileLoader.kit) {
      return html`${session ? html`<div class="panel banner">${session}</div>` : nothing} ${this.#renderTile(this.#content)}`;
    }
    if (session) return html`<div class="panel">${session}</div>`;
    const { state } = this.dashboardController;
    if (state.status !== 'failed') return html`<div class="panel delayed">${skeleton('bars')}</div>`;
    return html`<div class="panel">
      ${dashboardNotice(state.problem, messages, () => void this.dashboardController.reload())}
    </div>`;
  }

  #renderTile(content: TileContent): TemplateResult {
    return html`<pa-tile
      exportparts=${tileParts}
      .content=${content}
      .rows=${this.#rows}
      .host=${this.tileHostController.host}
      .choices=${this.stateController.choices}
      .source=${this.stateController.ready ? this.activeSource : null}
      .heading=${snapshotTitle(snapshotOf(content)) || this.localeController.value.messages.report}
      .level=${headingLevel(this.headingLevel, 3)}
      .onSettle=${this.#handleSettle}
    ></pa-tile>`;
  }

  readonly #handleSettle = (problem: Problem | null): void => this.settleTile(problem, null);

  /** Whether the host provides the report, so that no dashboard is loaded. */
  get #isOwn(): boolean {
    return Boolean(this.snapshot) || (Boolean(this.rows) && !this.dashboard);
  }

  /** The session of the element; `null` for a report with rows from the page, which needs none. */
  protected override get activeSource(): SessionSource | null {
    return this.rows && this.#isOwn ? null : super.activeSource;
  }

  get #tile(): PaTile | null {
    return this.shadowRoot?.querySelector('pa-tile') ?? null;
  }
}

function snapshotOf(content: TileContent): ReportSnapshot | null {
  return content.type === 'report' ? content.snapshot : null;
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-report': PaReport;
  }
}
