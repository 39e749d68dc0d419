import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { EditorRestrictions } from '../../controllers/creator/editor-restrictions.js';
import { PropertyValidationController } from '../../controllers/dashboard/property-validation-controller.js';
import { WidthController } from '../../controllers/width-controller.js';
import type { PageMessages } from '../messages/page-messages.js';
import { headingLevel } from '../parts/heading.js';
import type { PageDashboard } from '../parts/image/page-dashboard.js';
import { loadBoard } from '../parts/lazy-parts.js';
import { sessionNotice } from '../parts/notice.js';
import { noticeStyles } from '../parts/notice.styles.js';
import { skeletonStyles } from '../parts/skeleton.js';
import type { PaTile } from '../parts/tile/tile-element.js';
import { TileHostElement } from '../parts/tile/tile-host-element.js';
import { controls, tokens } from '../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../parts/visually-hidden.styles.js';
import { dashboardStyles } from './dashboard.styles.js';
import type { BoardContent, DashboardBoard } from './dashboard-board.js';
import { renderFailure, renderOutline, renderPanel } from './dashboard-states.js';

type Kit = Awaited<ReturnType<typeof loadBoard>>;

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
 * @csspart wait - The overlay of a tile whose query is slow.
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
export class PaDashboard extends TileHostElement<Kit> {
  static override styles = [tokens, controls, noticeStyles, skeletonStyles, visuallyHiddenStyles, dashboardStyles];

  readonly #width = new WidthController(this, () => this.renderRoot.querySelector('.ruler'));

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
  /** Limits what the editor offers, as for `<pa-workbook>`. */
  @property({ attribute: false }) restrictions: EditorRestrictions = {};
  /**
   * Shows dashboards of kind APP in a frame of the platform. The content security policy of the page must allow it
   * (`frame-src`).
   */
  @property({ attribute: 'allow-apps', type: Boolean }) allowApps = false;

  /** Whether the editor is shown instead of the dashboard. */
  @state() private isEditing = false;

  /** The widgets; `null` until their code is loaded. */
  #board: DashboardBoard | null = null;

  protected override get dashboardId(): string {
    return this.publicId;
  }

  protected override get hasCrossFilters(): boolean {
    return true;
  }

  protected override get renderedTiles(): readonly PaTile[] {
    return this.#board?.tiles.shown ?? [];
  }

  protected override get dashboardTimezone(): unknown {
    return this.loadedDashboard?.config.settings?.timezone;
  }

  protected override get urlStateName(): string | null {
    return this.urlState;
  }

  protected override loadTileKit(): Promise<Kit> {
    return loadBoard();
  }

  protected override pageDashboard(): PageDashboard | null {
    const { loadedDashboard: dashboard, activeSource: source } = this;
    const frame = this.renderRoot.querySelector<HTMLElement>('section');
    return dashboard && source && frame ? { dashboard, aiWidgets: this.#board?.answers ?? [], source, frame } : null;
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
    const { kit } = this.tileLoader;
    if (kit) this.#board ??= this.#createBoard(kit);
    const dashboard = this.#board ? this.loadedDashboard : null;
    this.#board?.follow(dashboard, this.localeController.value.messages, this.#width.width);
    if (dashboard) return;
    this.stateController.use(null);
    this.isEditing = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    this.#board?.handleUpdated(this.#width.width);
  }

  /**
   * Queries and renders all tiles, including those far from the viewport. Resolves when every tile is rendered, empty,
   * stopped or failed.
   */
  async loadAll(): Promise<void> {
    await Promise.all([this.dashboardController.settled(), this.tileLoader.settled]);
    // Wait for the update that creates the board.
    await this.updateComplete;
    await this.#board?.aiTiles.settled();
    await this.filtersApplied();
    await this.#board?.openAll();
    await this.#board?.tiles.loadAll();
  }

  /**
   * Loads all tiles, including those in tabs, and prints the page. Tabs are printed one below the other with their
   * names, and tables with up to 1,000 rows. To hide other parts of the page, use the page's print style sheet.
   */
  async print(): Promise<void> {
    await this.printAll();
  }

  /** Reloads the visible tiles; keeps the current content until the new rows arrive. */
  async refresh(): Promise<void> {
    this.tileHostController.restart();
    await Promise.all([this.#board?.aiTiles.refresh(), this.#board?.tiles.refresh()]);
  }

  override render(): TemplateResult {
    const { messages } = this.localeController.value;
    const isHidden = this.isBlank;
    const failed = this.#board?.tiles.failed ?? 0;
    const said = failed > 0 && !isHidden ? messages.failedTiles(failed) : '';
    return html`<div class="ruler"></div>
      <div class=${`${isHidden ? 'blank' : ''} ${this.#board?.isUnframed ? 'unframed' : ''}`} dir=${this.localeController.dir ?? nothing} lang=${this.localeController.lang ?? nothing}>
        ${this.#renderContent(sessionNotice(this.activeSource, messages), messages)}
      </div>
      <div class="unseen" role="status">${said}</div>
      ${this.renderDebug()}`;
  }

  #renderContent(session: TemplateResult | null, messages: PageMessages): TemplateResult | undefined {
    const editor = this.isEditing && this.editable ? this.#renderEditor() : undefined;
    if (editor) return editor;
    const problem = this.renderModuleProblem(messages);
    if (problem) return html`<slot name="error">${renderPanel(problem)}</slot>`;
    const content = this.#board?.content;
    if (this.#board && content) return this.#renderDashboard(this.#board, content, session);
    if (session) return renderPanel(session);
    const { state } = this.dashboardController;
    if (state.status !== 'failed') return renderOutline();
    return renderFailure(state.problem, messages, () => void this.dashboardController.reload());
  }

  #renderDashboard(
    board: DashboardBoard,
    content: BoardContent,
    session: TemplateResult | null,
  ): TemplateResult | undefined {
    return this.tileLoader.kit?.renderDashboard(board, content, {
      element: this,
      source: this.activeSource,
      account: this.accountController.config,
      state: this.stateController,
      tileHosting: this.tileHostController,
      session,
      level: this.#level,
      isBlank: this.isBlank,
      isEditable: this.editable,
      allowsApps: this.allowApps,
      shownAs: title => this.shownAs(title),
      renderExport: title => this.renderExport({ menu: true, title, reportId: null }),
      onEdit: this.#handleEdit,
      onRetryAll: this.#handleRetryAll,
    });
  }

  /** Renders the editor; `undefined` if the session may not edit. */
  #renderEditor(): TemplateResult | undefined {
    const { host } = this.tileHostController;
    return this.tileLoader.kit?.renderEditor(this, {
      source: this.activeSource,
      workbookId: this.loadedDashboard?.workbookId ?? 0,
      headingLevel: this.#level,
      restricted: host.restricted,
      restrictions: this.restrictions,
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

  /** Retries the failed tiles. Moves the focus to the title, because the button disappears with its banner. */
  readonly #handleRetryAll = (): void => {
    this.#focusTitle();
    this.#board?.tiles.retryFailed();
  };

  #focusTitle(): void {
    const title = this.renderRoot.querySelector<HTMLElement>('#title');
    if (title) title.tabIndex = -1;
    title?.focus({ preventScroll: true });
  }

  #createBoard({ DashboardBoard: Board }: Kit): DashboardBoard {
    return new Board(this, {
      source: () => this.activeSource,
      dashboard: () => this.loadedDashboard,
      state: this.stateController,
      near: () => this.tileLoader.near,
      onSettle: (id, problem) => this.settleTile(problem, id),
    });
  }

  get #level(): number {
    return headingLevel(this.headingLevel, 2);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-dashboard': PaDashboard;
  }
}
