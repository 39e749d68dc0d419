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
import { plainTable, readRowSet, toSnapshot } from '../../report/table/host-report.js';
import { DrawingError } from '../../report/table/report-columns.js';
import { findSnapshot, snapshotTitle } from '../dashboard/snapshots.js';
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
 * One report of a published dashboard, or the one in its `snapshot` property. Its session comes from the nearest
 * `<pa-session>`, or from its own `session-url` (or `session`) and `base-url`. With `rows` it needs neither session nor query.
 *
 * @summary Draws one report.
 * @tagname pa-report
 *
 * @fires {PaErrorEvent} pa-error - The report could not be loaded or drawn.
 * @fires {PaFilterChangeEvent} pa-filter-change - What is chosen changes; cancelable.
 * @fires {PaLoadEvent} pa-load - The report has come to rest, at first and after each `refresh()`.
 * @fires {PaTimingEvent} pa-timing - The report was drawn with new rows: how long it waited, queried and drew.
 * @fires {PaMarkClickEvent} pa-mark-click - The viewer chooses a mark, a cell or a figure; cancelable.
 * @fires {PaDrillEvent} pa-drill - The viewer asks for what is behind a mark; cancelable.
 * @fires {PaDownloadEvent} pa-download - Rows or a drawing are about to leave the page; cancelable.
 * @fires {PaSessionReadyEvent} pa-session-ready - The element's own session is ready.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The element's own session nears its end and is being renewed.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The element's own session ran out or was refused.
 *
 * @csspart tile - The frame.
 * @csspart header - Heading and marks.
 * @csspart heading - The heading.
 * @csspart menu-button - The button of its menu.
 * @csspart menu - Its menu, and those of its marks.
 * @csspart menu-item - An item of a menu.
 * @csspart dialog - The dialog with what is behind a mark.
 * @csspart dialog-title - The heading of that dialog.
 * @csspart body - Everything below the heading.
 * @csspart mark - A mark beside the heading.
 * @csspart notice - A message in the place of content.
 * @csspart wait - What stands over a tile whose query takes long.
 * @csspart button - A button of a message.
 * @csspart skeleton - What stands in the place of content on its way.
 * @csspart chart - A chart.
 * @csspart tooltip - The tooltip of a chart.
 * @csspart table - A table.
 * @csspart figure - The figure of a KPI.
 * @csspart figure-label - What the figure counts.
 * @csspart active-mark - The ring around the mark of a chart that the keys stand on.
 * @csspart brush - The frame that is drawn around marks of a chart to choose them.
 * @csspart table-filters - What the rows of a table are filtered by.
 * @csspart cell-link - A link in a cell of a table.
 * @csspart cell-image - An image in a cell of a table.
 * @csspart figure-change - What changed of a figure, or how far it is on its way.
 * @csspart map - A map.
 * @csspart sankey - Flows.
 * @csspart html - A report in HTML.
 * @csspart custom - What a renderer of the host's draws into.
 *
 * @cssproperty --pa-report-height - Height of a report that its host gives none (360px). Colours and type as `<pa-dashboard>`.
 */
export class PaReport extends TileHostElement<Awaited<ReturnType<typeof loadTile>>> {
  static override styles = [tokens, controls, noticeStyles, skeletonStyles, reportStyles];

  /** Public id of the dashboard that the report was published with. */
  @property() dashboard = '';
  /** Number or public id of the report. */
  @property() report = '';
  /**
   * In the place of `dashboard` and `report`: the report itself, as published, whole or in part; or a specification alone, of Vega,
   * Vega-Lite or a table.
   */
  @property({ attribute: false }) snapshot: ReportSnapshot | JsonObject | null = null;
  /** Rows that are drawn as they are, without a session and without a query: by `snapshot`, else as a table. */
  @property({ attribute: false }) rows: RowSet | null = null;
  /**
   * IANA time zone that its query reads and groups dates in: before that of the `<pa-session>` around, the session's setting, the account's
   * and the report's.
   */
  @property() override timezone: string | null = null;
  /** Level of the report's heading, 1 to 6. */
  @property({ attribute: 'heading-level', type: Number }) override headingLevel = 3;

  #content: TileContent | null = null;
  #subject: {
    readonly dashboard: Dashboard | null;
    readonly snapshot: ReportSnapshot;
    readonly is: StateSubject;
  } | null = null;
  #own: ReportSnapshot | null = null;
  #rows: RowSet | null = null;
  /** What is wrong with the rows that the host gives. */
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
      this.#own = this.snapshot ? toSnapshot(this.snapshot) : this.rows ? plainTable : null;
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
    this.tileLoader.near?.watch(tile && !tile.wanted ? [tile] : []);
  }

  /** Queries and draws the report even if it is far away; resolves when it has come to rest: drawn, empty, stopped or failed. */
  async loadAll(): Promise<void> {
    if (!this.#isOwn) await this.dashboardController.settled();
    await this.tileLoader.settled;
    await this.updateComplete;
    const tile = this.#tile;
    if (!tile) return;
    tile.wanted = true;
    await tile.settled;
  }

  /** Queries again; what is there stays until the new rows come. */
  async refresh(): Promise<void> {
    this.tileHostController.restart();
    await this.#tile?.reload();
  }

  /** Loads the report and prints the page; what else on it should not be printed is for the page's own print style sheet to hide. */
  async print(): Promise<void> {
    await this.printAll();
  }

  override render(): TemplateResult {
    return html`<div class=${this.isBlank ? 'frame blank' : 'frame'} dir=${this.localeController.dir ?? nothing} lang=${this.localeController.lang ?? nothing}>
        ${this.#renderContent()}
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

  /** The report is the host's own, and not one of a dashboard. */
  get #isOwn(): boolean {
    return Boolean(this.snapshot) || (Boolean(this.rows) && !this.dashboard);
  }

  /** Given rows that are drawn by the host's own report have nothing to do with a session. */
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
