import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Dashboard } from '../../contract/dashboards.js';
import { PropertyValidationController } from '../../controllers/dashboard/property-validation-controller.js';
import type { Problem } from '../../controllers/problem.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import { WidthController } from '../../controllers/width-controller.js';
import type { WidgetBoard } from '../../report/layout/widget-board.js';
import type { PageMessages } from '../messages/page-messages.js';
import { heading, headingLevel } from '../parts/heading.js';
import { loadBoard, loadContainers, loadControls } from '../parts/lazy-parts.js';
import { notice, sessionNotice } from '../parts/notice.js';
import { noticeStyles } from '../parts/notice.styles.js';
import type { PageDashboard } from '../parts/picture/page-dashboard.js';
import { skeletonStyles } from '../parts/skeleton.js';
import { crossFilterOf } from '../parts/tile/mark-selection.js';
import type { PaTile } from '../parts/tile/tile-element.js';
import { TileHostElement } from '../parts/tile/tile-host-element.js';
import { tileParts } from '../parts/tile/tile-parts.js';
import { controls, tokens } from '../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../parts/visually-hidden.styles.js';
import { AiTiles } from './ai-tiles.js';
import { BoardTiles } from './board-tiles.js';
import { dashboardStyles } from './dashboard.styles.js';
import { renderAllFailed, renderFailure, renderOutline, renderPanel } from './dashboard-states.js';
import { TabPanes } from './tab-panes.js';
import type { DrawnTile, WidgetList } from './widgets.js';

/** Width used for the layout until the element is measured, px. */
const assumedWidth = 1440;

/** The widgets of a dashboard, with titles in the current language. */
interface Listed {
  readonly dashboard: Dashboard;
  readonly messages: PageMessages;
  readonly list: WidgetList;
}

/**
 * Renders a published dashboard. The session comes from the nearest `<pa-session>`, or from the element's own
 * `session-url` (or `session`) and `base-url`. Tiles load when they approach the viewport.
 *
 * @summary Renders a published dashboard.
 * @tagname pa-dashboard
 *
 * @fires {PaErrorEvent} pa-error - A tile (`detail.widgetId`) or the whole dashboard (`null`) could not be loaded.
 * @fires {PaFilterChangeEvent} pa-filter-change - The viewer changes a filter or selection; cancelable.
 * @fires {PaLoadEvent} pa-load - All requested tiles have settled, initially and after each `refresh()`.
 * @fires {PaTimingEvent} pa-timing - A tile rendered new rows; `detail` has the wait, query and render times.
 * @fires {PaMarkClickEvent} pa-mark-click - The viewer selects a mark, a cell or a figure; cancelable.
 * @fires {PaDrillEvent} pa-drill - The viewer requests the rows behind a mark; cancelable.
 * @fires {PaDownloadEvent} pa-download - Rows or an image are about to be downloaded or copied; cancelable.
 * @fires {PaPublishEvent} pa-publish - The user has published the dashboard in the editor (`editable`).
 * @fires {PaSessionReadyEvent} pa-session-ready - The element's own session is ready.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The element's own session is about to expire and is being
 * renewed.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The element's own session expired or was rejected.
 *
 * @slot header - Content between the title and the controls.
 * @slot loading - Replaces the skeleton while the dashboard loads.
 * @slot empty - Replaces the message shown if the dashboard has no tiles.
 * @slot error - Replaces the message shown if the dashboard cannot be loaded; `pa-error` gives the reason.
 *
 * @csspart title - Title and description of the dashboard.
 * @csspart controls - The bar of controls above the grid.
 * @csspart control - A control, with its name and current value.
 * @csspart panel - The panel that a filter opens, or the panel of a tab.
 * @csspart reset - The button that resets filters and selections.
 * @csspart sheet-button - In narrow layouts, the button that opens the sheet of controls.
 * @csspart sheet - The sheet that contains the controls in narrow layouts.
 * @csspart grid - The grid of tiles.
 * @csspart divider - A divider.
 * @csspart tabs - The tab bar of a container.
 * @csspart tab - A tab.
 * @csspart tab-open - The selected tab.
 * @csspart note - The note about widgets that cannot be shown.
 * @csspart tile - A tile.
 * @csspart header - Heading and indicators of a tile.
 * @csspart heading - A heading.
 * @csspart export-button - The button that exports the dashboard.
 * @csspart exports - The list of running and failed exports.
 * @csspart subscribe-button - The button that opens the subscriptions by mail.
 * @csspart views-button - The button that opens the saved views.
 * @csspart views - The panel with the saved views.
 * @csspart edit-button - The button that edits the dashboard.
 * @csspart comments-button - The button that opens the comments.
 * @csspart comments - The panel with the comments.
 * @csspart comment - A comment.
 * @csspart menu-button - The menu button of a tile.
 * @csspart menu - The menu of a tile or of a mark.
 * @csspart menu-item - A menu item.
 * @csspart dialog - The dialog with the rows behind a mark.
 * @csspart dialog-title - The heading of the dialog.
 * @csspart body - The content of a tile below its heading.
 * @csspart mark - An indicator next to a heading.
 * @csspart notice - Message shown instead of the content.
 * @csspart wait - The overlay of a tile whose query takes long.
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
 * @csspart text - A text widget.
 * @csspart app - The frame of an app.
 *
 * @cssproperty --pa-surface - Background of tiles.
 * @cssproperty --pa-text - Text color.
 * @cssproperty --pa-muted - Color of secondary text.
 * @cssproperty --pa-line - Color of hairlines.
 * @cssproperty --pa-control - Border color of controls.
 * @cssproperty --pa-accent - Color of links and focus rings.
 * @cssproperty --pa-danger - Color of errors and negative values.
 * @cssproperty --pa-success - Color of positive values.
 * @cssproperty --pa-warn - Color of warnings.
 * @cssproperty --pa-series-1 - Color of the first series of a chart; up to --pa-series-7.
 * @cssproperty --pa-font - Font family.
 * @cssproperty --pa-code-font - Font family of code.
 * @cssproperty --pa-background - Background of the dashboard (none).
 * @cssproperty --pa-dashboard-padding - Padding of the dashboard (0).
 * @cssproperty --pa-radius - Radius of tiles (10px).
 * @cssproperty --pa-tile-padding - Padding of tiles (16px).
 * @cssproperty --pa-tile-margin - Space around a tile within its grid cell (0).
 * @cssproperty --pa-tile-border-width - Border width of tiles (1px); see also --pa-tile-border-style and
 * --pa-tile-border-color.
 * @cssproperty --pa-title-color - Color of tile headings; see also --pa-title-font, --pa-title-size and
 * --pa-title-weight.
 * @cssproperty --pa-control-surface - Background of controls (same as tiles).
 * @cssproperty --pa-control-padding - Padding of controls.
 * @cssproperty --pa-control-radius - Radius of buttons (6px).
 * @cssproperty --pa-chip-radius - Radius of controls (999px).
 * @cssproperty --pa-control-border-width - Border width of controls (1px); see also --pa-control-border-style.
 * @cssproperty --pa-control-title-color - Color of control names; see also --pa-control-title-font, -size and -weight.
 * @cssproperty --pa-figure-size - Maximum font size of a KPI figure (36px).
 * @cssproperty --pa-app-height - Height of an app that requests none (600px).
 * @cssproperty --pa-dashboard-reserve - Minimum height reserved until the dashboard renders (100vh).
 */
export class PaDashboard extends TileHostElement<Awaited<ReturnType<typeof loadBoard>>> {
  static override styles = [tokens, controls, noticeStyles, skeletonStyles, visuallyHiddenStyles, dashboardStyles];

  readonly #width = new WidthController(this, () => this.renderRoot.querySelector('.ruler'));
  readonly #aiTiles = new AiTiles(this, { source: () => this.activeSource, dashboard: () => this.loadedDashboard });
  readonly #tiles = new BoardTiles(this, {
    root: () => this.shadowRoot,
    near: () => this.tileLoader.near,
    onSettle: (id, problem) => this.settleTile(problem, id),
  });

  /** Public id of the dashboard (12 characters). */
  @property({ attribute: 'public-id' }) publicId = '';
  /**
   * IANA time zone in which all queries filter and group dates. Takes precedence over the enclosing `<pa-session>`, the
   * session setting, the dashboard setting, the account setting and each report's own time zone, in this order.
   */
  @property() override timezone: string | null = null;
  /**
   * Syncs filters and selections with the page URL (`?f_orders.status={"value":"shipped"}`) and restores them on load.
   * If a page has several dashboards, give each a name, which prefixes the parameters (`url-state="sales"`).
   */
  @property({ attribute: 'url-state' }) urlState: string | null = null;
  /** Level of the dashboard heading, 1 to 5; tile headings are one level below. */
  @property({ attribute: 'heading-level', type: Number }) override headingLevel = 2;

  /**
   * Shows a button that edits the dashboard in place, in sessions with creator mode whose user may edit its workbook.
   * Other sessions do not load the code of the editor.
   */
  @property({ type: Boolean }) editable = false;
  /**
   * Shows dashboards of kind APP in a frame of the platform. The content security policy of the page must allow it
   * (`frame-src`).
   */
  @property({ attribute: 'allow-apps', type: Boolean }) allowApps = false;

  /** Whether the editor is shown instead of the dashboard. */
  @state() private isEditing = false;
  /** `true` if the code for containers could not be loaded. */
  @state() private unframed = false;

  /** Id of the dashboard whose default view has been applied, or that has no default view. */
  @state() private viewOpenedFor: string | null = null;

  #listed: Listed | null = null;
  /** The problem to show for the whole dashboard if all tiles failed; otherwise `null`. */
  #allFailed: Problem | null = null;
  /** The widget list for which the controls bar was last shown. */
  #controlled: Listed | null = null;
  #board: WidgetBoard | null = null;
  readonly #panes = new TabPanes();
  #containers: Promise<void> | null = null;
  #laidOutFor = 0;

  protected override get dashboardId(): string {
    return this.publicId;
  }

  protected override get hasCrossFilters(): boolean {
    return true;
  }

  protected override get renderedTiles(): readonly PaTile[] {
    return this.#tiles.shown;
  }

  protected override get dashboardTimezone(): unknown {
    return this.loadedDashboard?.config.settings?.timezone;
  }

  protected override get urlStateName(): string | null {
    return this.urlState;
  }

  protected override loadTileKit(): ReturnType<typeof loadBoard> {
    return loadBoard();
  }

  protected override pageDashboard(): PageDashboard | null {
    const { loadedDashboard: dashboard, activeSource: source } = this;
    const frame = this.renderRoot.querySelector<HTMLElement>('section');
    return dashboard && source && frame ? { dashboard, aiWidgets: this.#aiTiles.answers, source, frame } : null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stateController.prepare();
  }

  constructor() {
    super();
    new PropertyValidationController(this, [
      ['urlState', 'text'],
      ['publicId', 'text'],
    ]);
  }

  protected override willUpdate(): void {
    const { messages } = this.localeController.value;
    const { kit } = this.tileLoader;
    const dashboard = this.loadedDashboard;
    if (!kit || !dashboard) {
      this.#listed = null;
      this.#board = null;
      this.#panes.reset();
      this.#tiles.forget();
      this.#aiTiles.follow(null);
      this.stateController.use(null);
      this.viewOpenedFor = null;
      this.isEditing = false;
      return;
    }
    this.#allFailed = this.#tiles.allFailed;
    const before = this.#listed;
    const answers = this.#aiTiles.snapshots;
    if (this.#listed?.dashboard !== dashboard || this.#listed.messages !== messages) {
      this.#listed = { dashboard, messages, list: kit.widgetsOf(dashboard, messages) };
      this.#board = null;
    }
    this.#aiTiles.follow(this.#listed.list);
    if (this.#listed !== before || this.#aiTiles.snapshots !== answers) {
      this.stateController.use({
        widgets: this.#listed.list.controls,
        tabs: this.#listed.list.tabs,
        snapshots: [...dashboard.reportSnapshots, ...this.#aiTiles.snapshots],
        attributes: dashboard.userAttributes ?? {},
      });
    }
    // Control values of the viewer, the page or the URL take precedence over the default view.
    if (!kit.hasSavedViews(this.activeSource) || this.stateController.hasChoices) this.viewOpenedFor = this.publicId;
    const width = this.#width.width || assumedWidth;
    if (this.#board && this.#laidOutFor === width) return;
    this.#laidOutFor = width;
    this.#board = kit.widgetBoard(this.#listed.list.tree, dashboard.config.layout, width, this.#board);
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const { keeper } = this.stateController;
    // If loading fails, the dashboard is shown without its controls.
    if (this.#listed?.list.controls.length || keeper?.controls.length || keeper?.touched)
      loadControls().catch(() => {});
    if (this.#listed?.list.framed) this.#loadContainers();
    // The layout is not final if the width has changed or containers are still loading.
    const isFinal = this.#laidOutFor === this.#width.width && !this.#listed?.list.framed;
    this.#tiles.follow(isFinal ? this.#listed : null);
  }

  /**
   * Queries and renders all tiles, including those far from the viewport. Resolves when every tile is drawn, empty,
   * stopped or failed.
   */
  async loadAll(): Promise<void> {
    await Promise.all([this.dashboardController.settled(), this.tileLoader.settled]);
    await this.#aiTiles.settled();
    await this.filtersApplied();
    if (this.#listed) await this.#openAll(this.#listed.list);
    await this.#tiles.loadAll();
  }

  /**
   * Loads all tiles, including those in tabs, and prints the page. Tabs are printed one below the other with their
   * names, and tables in full. To hide other parts of the page, use the page's print style sheet.
   */
  async print(): Promise<void> {
    await this.printAll();
  }

  /** Reloads the visible tiles; keeps the current content until the new rows arrive. */
  async refresh(): Promise<void> {
    this.tileHostController.restart();
    await Promise.all([this.#aiTiles.refresh(), this.#tiles.refresh()]);
  }

  override render(): TemplateResult {
    const { messages } = this.localeController.value;
    const isHidden = this.isBlank;
    const { failed } = this.#tiles;
    const said = failed > 0 && !isHidden ? messages.failedTiles(failed) : '';
    return html`<div class="ruler"></div>
      <div class=${`${isHidden ? 'blank' : ''} ${this.unframed ? 'unframed' : ''}`} dir=${this.localeController.dir ?? nothing} lang=${this.localeController.lang ?? nothing}>
        ${this.#renderContent(sessionNotice(this.activeSource, messages), messages)}
      </div>
      <div class="unseen" role="status">${said}</div>
      ${this.renderDebug()}`;
  }

  #renderContent(session: TemplateResult | null, messages: PageMessages): TemplateResult {
    const editor = this.isEditing && this.editable ? this.#renderEditor() : undefined;
    if (editor) return editor;
    const problem = this.renderModuleProblem(messages);
    if (problem) return html`<slot name="error">${renderPanel(problem)}</slot>`;
    if (this.#listed && this.#board) return this.#renderDashboard(this.#listed, this.#board, session);
    if (session) return renderPanel(session);
    const { state } = this.dashboardController;
    if (state.status !== 'failed') return renderOutline();
    return renderFailure(state.problem, messages, () => void this.dashboardController.reload());
  }

  #renderDashboard(
    { dashboard, messages, list }: Listed,
    board: WidgetBoard,
    session: TemplateResult | null,
  ): TemplateResult {
    const { config } = dashboard;
    const hidden = list.hidden + (this.stateController.keeper?.unread ?? 0);
    const title = config.title || dashboard.title || messages.dashboard;
    const description = config.description || dashboard.description;
    const bar = this.#renderControls();
    const isBeside = bar !== nothing && !this.#hasControls;
    return html`<section aria-labelledby="title">
      <div class=${isBeside ? 'title with-bar' : 'title'} part="title">
        <div class="title-line">
          ${heading(this.#level, 'title', title)}
          <div class="tools">
            ${this.tileLoader.kit?.renderSubscribe(this.activeSource, () => this.shownAs(title))}
            ${this.renderExport({ menu: true, title, reportId: null })}
            ${this.#renderViewerTools(list)} ${this.editable ? this.#renderEditButton(dashboard) : nothing}
          </div>
        </div>
        ${description ? html`<p dir="auto">${description}</p>` : nothing}
        ${isBeside ? bar : nothing}
      </div>
      ${session ? html`<div class="panel banner">${session}</div>` : nothing}
      ${!session && this.#allFailed ? renderAllFailed(this.#allFailed, messages, this.#handleRetryAll) : nothing}
      <slot name="header"></slot>
      ${isBeside ? nothing : bar}
      ${
        list.tree.length === 0
          ? html`<slot name="empty">${renderPanel(notice(messages.emptyDashboard))}</slot>`
          : nothing
      }
      ${(this.allowApps && this.#renderApp(dashboard, title)) || this.#renderBoard(list, board)}
      ${hidden > 0 ? html`<p class="note" part="note">${messages.hiddenWidgets(hidden)}</p>` : nothing}
    </section>`;
  }

  #renderViewerTools(tiles: WidgetList): TemplateResult | undefined {
    return this.tileLoader.kit?.renderViewerTools(this, {
      source: this.stateController.ready ? this.activeSource : null,
      account: this.accountController.config,
      tiles,
      onViewOpened: this.#handleViewOpened,
    });
  }

  #renderEditButton({ workbookId }: Dashboard): TemplateResult | undefined {
    return this.tileLoader.kit?.renderEditButton({ source: this.activeSource, workbookId }, this.#handleEdit);
  }

  /** Renders the editor; `undefined` if the session may not edit. */
  #renderEditor(): TemplateResult | undefined {
    const { host } = this.tileHostController;
    return this.tileLoader.kit?.renderEditor(this, {
      source: this.activeSource,
      workbookId: this.loadedDashboard?.workbookId ?? 0,
      headingLevel: this.#level,
      restricted: host.restricted,
      onDone: () => void this.#handleDone(),
    });
  }

  readonly #handleEdit = (): void => {
    this.isEditing = true;
  };

  /** Shows the dashboard as it is published now. */
  readonly #handleDone = async (): Promise<void> => {
    this.isEditing = false;
    await this.updateComplete;
    this.#focusTitle();
    await this.dashboardController.reloadPublished();
  };

  /**
   * The bar renders before its controls load, and stays when the last mark filter is cleared, to avoid layout shifts
   * and keep keyboard focus. Without visible controls, it is next to the title, so that the chips of mark filters do
   * not add a row.
   */
  #renderControls(): TemplateResult | typeof nothing {
    const { keeper } = this.stateController;
    if (this.#hasControls || this.#listed?.list.crossFilters || keeper?.touched) this.#controlled = this.#listed;
    if (this.#controlled !== this.#listed) return nothing;
    return html`<pa-controls
      exportparts="controls, control, panel, reset, sheet-button, sheet"
      .controls=${keeper?.controls ?? []}
      .choices=${keeper?.choices ?? []}
      .model=${keeper?.model ?? null}
      .touched=${keeper?.touched ?? false}
      .source=${this.activeSource}
      .chooser=${keeper}
    ></pa-controls>`;
  }

  #renderBoard(list: WidgetList, board: WidgetBoard): TemplateResult | undefined {
    this.#panes.follow(this.#readySource);
    const scene = {
      list,
      board,
      panes: this.#panes,
      tabOf: (containerId: string) => this.stateController.tabOf(containerId),
      onOpen: (containerId: string, tab: string) => this.stateController.openTab(containerId, tab),
      renderTile: (tile: DrawnTile, level: number) => this.#renderTile(tile, level),
    };
    return this.tileLoader.kit?.renderBoard(scene, this.#level + 1);
  }

  #renderApp(dashboard: Dashboard, title: string): TemplateResult | undefined {
    if (this.isBlank) return undefined;
    return this.tileLoader.kit?.renderApp(dashboard, {
      source: this.#readySource,
      host: this.tileHostController.host,
      choicesFor: widget => this.stateController.choicesFor(widget),
      title,
    });
  }

  #renderTile(tile: DrawnTile, level: number): TemplateResult {
    const { content, title } = this.#aiTiles.faceOf(tile);
    return html`<pa-tile
      exportparts=${tileParts}
      .content=${content}
      .host=${this.tileHostController.host}
      .widgetId=${tile.widget.id}
      .chosen=${this.tileHostController.marksOf(tile.widget.id)}
      .crossFilter=${crossFilterOf(tile.widget, this.#listed?.dashboard.config.settings)}
      .choices=${this.stateController.choicesFor(tile.widget)}
      .source=${this.#readySource}
      .heading=${title}
      .level=${level}
      .bare=${tile.bare}
      .quiet=${this.#allFailed !== null}
      .onSettle=${this.#tiles.settleCallback(tile.widget.id)}
      .onFigure=${this.#tiles.alignFigures}
    ></pa-tile>`;
  }

  /** The button disappears with its banner, so focus moves to the title. */
  readonly #handleRetryAll = (): void => {
    this.#focusTitle();
    this.#tiles.retryFailed();
  };

  #focusTitle(): void {
    const title = this.renderRoot.querySelector<HTMLElement>('#title');
    if (title) title.tabIndex = -1;
    title?.focus({ preventScroll: true });
  }

  get #hasControls(): boolean {
    const { keeper } = this.stateController;
    if (keeper) return keeper.controls.some(({ control }) => control.visibility !== 'hidden');
    return this.#listed?.list.controls.some(({ config }) => config?.visibility !== 'hidden') ?? false;
  }

  get #level(): number {
    return headingLevel(this.headingLevel, 2);
  }

  /** The session source for tiles; `null` until the filter state is known, including the viewer's default view. */
  get #readySource(): SessionSource | null {
    return this.stateController.ready && this.viewOpenedFor === this.publicId ? this.activeSource : null;
  }

  readonly #handleViewOpened = (): void => {
    this.viewOpenedFor = this.publicId;
  };

  /** Opens all tabs that were never opened, so that their tiles are laid out. */
  async #openAll({ panes }: WidgetList): Promise<void> {
    this.#panes.open(panes);
    this.requestUpdate();
    await Promise.all([this.updateComplete, this.#containers]);
  }

  /**
   * Loads the element of containers once. If that fails, their content (with tabs, only that of the selected tab) is
   * shown without a frame.
   */
  #loadContainers(): void {
    this.#containers ??= loadContainers().catch(() => {
      this.unframed = true;
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-dashboard': PaDashboard;
  }
}
