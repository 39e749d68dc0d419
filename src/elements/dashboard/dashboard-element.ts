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
import { dashboardNotice, notice, problemDetails, sessionNotice } from '../parts/notice.js';
import { noticeStyles } from '../parts/notice.styles.js';
import { type SkeletonShape, skeleton, skeletonStyles } from '../parts/skeleton.js';
import { crossFilterOf } from '../parts/tile/mark-selection.js';
import type { PaTile } from '../parts/tile/tile-element.js';
import { TileHostElement } from '../parts/tile/tile-host-element.js';
import { tileParts } from '../parts/tile/tile-parts.js';
import { controls, tokens } from '../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../parts/visually-hidden.styles.js';
import { BoardTiles } from './board-tiles.js';
import { dashboardStyles } from './dashboard.styles.js';
import { TabPanes } from './tab-panes.js';
import type { DrawnTile, WidgetList } from './widgets.js';

/** Width that the grid is laid out for until its own is known. */
const assumedWidth = 1440;
/** The widgets of a dashboard, in the words of a language. */
interface Listed {
  readonly dashboard: Dashboard;
  readonly messages: PageMessages;
  readonly list: WidgetList;
}

/** What a dashboard of unknown shape looks like until it is there. */
const outlines: readonly SkeletonShape[] = ['figure', 'figure', 'figure', 'figure', 'bars', 'bars'];

/**
 * A published dashboard. Its session comes from the nearest `<pa-session>`, or from its own `session-url` (or `session`) and
 * `base-url`. Tiles that are neither on the screen nor next to it wait until they come near.
 *
 * @summary Draws a published dashboard.
 * @tagname pa-dashboard
 *
 * @fires {PaErrorEvent} pa-error - A tile (`detail.widgetId`) or the whole dashboard (null) could not be loaded.
 * @fires {PaFilterChangeEvent} pa-filter-change - The viewer changes what is chosen; cancelable.
 * @fires {PaLoadEvent} pa-load - All tiles that were wanted have come to rest, at first and after each `refresh()`.
 * @fires {PaTimingEvent} pa-timing - A tile was drawn with new rows: how long it waited, queried and drew.
 * @fires {PaMarkClickEvent} pa-mark-click - The viewer chooses a mark, a cell or a figure; cancelable.
 * @fires {PaDrillEvent} pa-drill - The viewer asks for what is behind a mark; cancelable.
 * @fires {PaDownloadEvent} pa-download - Rows or a drawing are about to leave the page; cancelable.
 * @fires {PaSessionReadyEvent} pa-session-ready - The element's own session is ready.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The element's own session nears its end and is being renewed.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The element's own session ran out or was refused.
 *
 * @slot header - Below the title, above the controls.
 * @slot loading - In the place of the outline while the dashboard is on its way.
 * @slot empty - In the place of the message that a dashboard has no tiles.
 * @slot error - In the place of the message that the dashboard can't be loaded; `pa-error` says why.
 *
 * @csspart title - Title and description of the dashboard.
 * @csspart controls - The bar of controls above the grid.
 * @csspart control - A control: its name and what is chosen.
 * @csspart panel - What a filter opens.
 * @csspart reset - The button that takes back what was chosen.
 * @csspart sheet-button - Where there is little room: the button that opens the sheet of controls.
 * @csspart sheet - That sheet.
 * @csspart grid - The grid of tiles.
 * @csspart divider - A divider.
 * @csspart tabs - The bar of tabs of a container.
 * @csspart tab - A tab.
 * @csspart tab-open - The tab that is open.
 * @csspart panel - What a tab shows.
 * @csspart note - The note on what can't be shown.
 * @csspart tile - A tile.
 * @csspart header - Heading and marks of a tile.
 * @csspart heading - A heading.
 * @csspart menu-button - The button of a tile's menu.
 * @csspart menu - A menu of a tile or of a mark.
 * @csspart menu-item - An item of a menu.
 * @csspart dialog - The dialog with what is behind a mark.
 * @csspart dialog-title - The heading of that dialog.
 * @csspart body - Everything below the heading of a tile.
 * @csspart mark - A mark beside a heading.
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
 * @csspart text - A text.
 *
 * @cssproperty --pa-surface - Background of tiles.
 * @cssproperty --pa-text - Colour of text.
 * @cssproperty --pa-muted - Colour of secondary text.
 * @cssproperty --pa-line - Colour of hairlines.
 * @cssproperty --pa-control - Colour of the border of controls.
 * @cssproperty --pa-accent - Colour of links and of the focus.
 * @cssproperty --pa-danger - Colour of failures, and of what is bad.
 * @cssproperty --pa-success - Colour of what is good.
 * @cssproperty --pa-warn - Colour of what wants attention.
 * @cssproperty --pa-series-1 - Colour of the first series of a chart; up to --pa-series-7.
 * @cssproperty --pa-font - Font family.
 * @cssproperty --pa-code-font - Font family of code.
 * @cssproperty --pa-background - Background of the dashboard (none).
 * @cssproperty --pa-dashboard-padding - Padding of the dashboard (0).
 * @cssproperty --pa-radius - Radius of tiles (10px).
 * @cssproperty --pa-tile-padding - Padding of tiles (16px).
 * @cssproperty --pa-tile-margin - What a tile keeps free around it, within its place (0).
 * @cssproperty --pa-tile-border-width - Border of tiles (1px); beside it --pa-tile-border-style and --pa-tile-border-color.
 * @cssproperty --pa-title-color - Colour of the headings of tiles; beside it --pa-title-font, --pa-title-size and --pa-title-weight.
 * @cssproperty --pa-control-surface - Background of controls (that of tiles).
 * @cssproperty --pa-control-padding - Padding of controls.
 * @cssproperty --pa-control-radius - Radius of buttons (6px).
 * @cssproperty --pa-chip-radius - Radius of controls (999px).
 * @cssproperty --pa-control-border-width - Border of controls (1px); beside it --pa-control-border-style.
 * @cssproperty --pa-control-title-color - Colour of the names of controls; beside it --pa-control-title-font, -size and -weight.
 * @cssproperty --pa-figure-size - Size of a KPI that has room (36px).
 * @cssproperty --pa-dashboard-reserve - Height that is kept free until the dashboard is drawn (100vh).
 */
export class PaDashboard extends TileHostElement<Awaited<ReturnType<typeof loadBoard>>> {
  static override styles = [tokens, controls, noticeStyles, skeletonStyles, visuallyHiddenStyles, dashboardStyles];

  readonly #width = new WidthController(this, () => this.renderRoot.querySelector('.ruler'));
  readonly #tiles = new BoardTiles(this, {
    root: () => this.shadowRoot,
    near: () => this.tileLoader.near,
    onSettle: (id, problem) => this.settleTile(problem, id),
  });

  /** Public id of the dashboard: 12 characters. */
  @property({ attribute: 'public-id' }) publicId = '';
  /**
   * IANA time zone that all queries read and group dates in: before that of the `<pa-session>` around, the session's setting, the
   * dashboard's own and the account's; else each report's own.
   */
  @property() override timezone: string | null = null;
  /**
   * Keeps what the viewer chooses in the page's address (`?f_orders.status={"value":"shipped"}`), and begins with what stands there.
   * Where several dashboards share a page each gets a name of its own, which stands before its parameters (`url-state="sales"`).
   */
  @property({ attribute: 'url-state' }) urlState: string | null = null;
  /** Level of the dashboard's own heading, 1 to 5; tiles come one below. */
  @property({ attribute: 'heading-level', type: Number }) override headingLevel = 2;

  /** The frames of containers could not be had. */
  @state() private unframed = false;

  #listed: Listed | null = null;
  /** Why all tiles have failed. */
  #allFailed: Problem | null = null;
  /** What the box of the controls was shown for. */
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
      this.stateController.use(null);
      return;
    }
    this.#allFailed = this.#tiles.allFailed;
    const before = this.#listed;
    if (this.#listed?.dashboard !== dashboard || this.#listed.messages !== messages) {
      this.#listed = { dashboard, messages, list: kit.widgetsOf(dashboard, messages) };
      this.#board = null;
    }
    if (this.#listed !== before) {
      this.stateController.use({
        widgets: this.#listed.list.controls,
        tabs: this.#listed.list.tabs,
        snapshots: dashboard.reportSnapshots,
        attributes: dashboard.userAttributes ?? {},
      });
    }
    const width = this.#width.width || assumedWidth;
    if (this.#board && this.#laidOutFor === width) return;
    this.#laidOutFor = width;
    this.#board = kit.widgetBoard(this.#listed.list.tree, dashboard.config.layout, width, this.#board);
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const { keeper } = this.stateController;
    if (this.#listed?.list.controls.length || keeper?.controls.length || keeper?.touched)
      loadControls().catch(() => {});
    if (this.#listed?.list.framed) this.#loadContainers();
    // What is laid out for another width, or has frames yet to come, doesn't stand where it will.
    const stands = this.#laidOutFor === this.#width.width && !this.#listed?.list.framed;
    this.#tiles.follow(stands ? this.#listed : null);
  }

  /** Queries and draws every tile, also those far away; resolves when each has come to rest: drawn, empty, stopped or failed. */
  async loadAll(): Promise<void> {
    await Promise.all([this.dashboardController.settled(), this.tileLoader.settled]);
    await this.updateComplete;
    if (this.#listed) await this.#openAll(this.#listed.list);
    await this.#tiles.loadAll();
  }

  /**
   * Loads all tiles, those in tabs too, and prints the page. Each tab stands below the others with its name, tables are printed whole.
   * What else on the page should not be printed is for the page's own print style sheet to hide.
   */
  async print(): Promise<void> {
    await this.printAll();
  }

  /** Queries again what is shown; what is there stays until the new rows come. */
  async refresh(): Promise<void> {
    this.tileHostController.restart();
    await this.#tiles.refresh();
  }

  override render(): TemplateResult {
    const { messages } = this.localeController.value;
    const isHidden = this.isBlank;
    const { failed } = this.#tiles;
    const said = failed > 0 && !isHidden ? messages.failedTiles(failed) : '';
    return html`<div class="ruler"></div>
      <div class=${`${isHidden ? 'blank' : ''} ${this.#board ? '' : 'reserved'} ${this.unframed ? 'unframed' : ''}`} dir=${this.localeController.dir ?? nothing} lang=${this.localeController.lang ?? nothing}>
        ${this.#renderContent(sessionNotice(this.activeSource, messages), messages)}
      </div>
      <div class="unseen" role="status">${said}</div>
      ${this.renderDebug()}`;
  }

  #renderContent(session: TemplateResult | null, messages: PageMessages): TemplateResult {
    const problem = this.renderModuleProblem(messages);
    if (problem) return html`<slot name="error">${this.#renderPanel(problem)}</slot>`;
    if (this.#listed && this.#board) return this.#renderDashboard(this.#listed, this.#board, session);
    if (session) return this.#renderPanel(session);
    const { state } = this.dashboardController;
    if (state.status !== 'failed') return html`<slot name="loading">${this.#renderLoading()}</slot>`;
    const retry = () => void this.dashboardController.reload();
    return html`<slot name="error">${this.#renderPanel(dashboardNotice(state.problem, messages, retry))}</slot>`;
  }

  #renderDashboard(
    { dashboard, messages, list }: Listed,
    board: WidgetBoard,
    session: TemplateResult | null,
  ): TemplateResult {
    const { config } = dashboard;
    const hidden = list.hidden + (this.stateController.keeper?.unread ?? 0);
    const description = config.description || dashboard.description;
    const bar = this.#renderControls();
    const isBeside = bar !== nothing && !this.#hasControls;
    return html`<section aria-labelledby="title">
      <div class=${isBeside ? 'title with-bar' : 'title'} part="title">
        ${heading(this.#level, 'title', config.title || dashboard.title || messages.dashboard)}
        ${description ? html`<p dir="auto">${description}</p>` : nothing}
        ${isBeside ? bar : nothing}
      </div>
      ${session ? html`<div class="panel banner">${session}</div>` : this.#renderAllFailed(messages)}
      <slot name="header"></slot>
      ${isBeside ? nothing : bar}
      ${
        list.tree.length === 0
          ? html`<slot name="empty">${this.#renderPanel(notice(messages.emptyDashboard))}</slot>`
          : nothing
      }
      ${this.#renderBoard(list, board)}
      ${hidden > 0 ? html`<p class="note" part="note">${messages.hiddenWidgets(hidden)}</p>` : nothing}
    </section>`;
  }

  /** One message where all tiles have failed; each of them then says no more than that it was not loaded. */
  #renderAllFailed(messages: PageMessages): TemplateResult | typeof nothing {
    const problem = this.#allFailed;
    if (!problem) return nothing;
    const [, hint] = messages.problems[problem.kind];
    const action = { label: messages.retryAll, run: this.#handleRetryAll };
    return html`<div class="panel banner">${notice([messages.allFailed, hint], action, problemDetails(problem, messages))}</div>`;
  }

  /**
   * The bar is rendered before its controls are loaded, and stays when the last filter of a mark is cleared: nothing moves then, and the
   * focus stays. Without visible controls it is beside the title, where chips of marks need no row.
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
    this.#panes.follow(this.#asked);
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

  #renderTile(tile: DrawnTile, level: number): TemplateResult {
    return html`<pa-tile
      exportparts=${tileParts}
      .content=${tile.content}
      .host=${this.tileHostController.host}
      .widgetId=${tile.widget.id}
      .chosen=${this.tileHostController.marksOf(tile.widget.id)}
      .crossFilter=${crossFilterOf(tile.widget, this.#listed?.dashboard.config.settings)}
      .choices=${this.stateController.choicesFor(tile.widget)}
      .source=${this.#asked}
      .heading=${tile.title}
      .level=${level}
      .bare=${tile.bare}
      .quiet=${this.#allFailed !== null}
      .onSettle=${this.#tiles.settleCallback(tile.widget.id)}
      .onFigure=${this.#tiles.alignFigures}
    ></pa-tile>`;
  }

  #renderPanel(content: TemplateResult): TemplateResult {
    return html`<div class="panel">${content}</div>`;
  }

  #renderLoading(): TemplateResult {
    return html`<div class="delayed" aria-hidden="true">
      <div class="title">${skeleton('lines')}</div>
      <div class="grid outlines">
        ${outlines.map(shape => html`<div class="outline">${skeleton(shape)}</div>`)}
      </div>
    </div>`;
  }

  /** The button goes away with its banner: the focus moves to the title. */
  readonly #handleRetryAll = (): void => {
    const title = this.renderRoot.querySelector<HTMLElement>('#title');
    if (title) title.tabIndex = -1;
    title?.focus({ preventScroll: true });
    this.#tiles.retryFailed();
  };

  get #hasControls(): boolean {
    const { keeper } = this.stateController;
    if (keeper) return keeper.controls.some(({ control }) => control.visibility !== 'hidden');
    return this.#listed?.list.controls.some(({ config }) => config?.visibility !== 'hidden') ?? false;
  }

  get #level(): number {
    return headingLevel(this.headingLevel, 2);
  }

  /** Who tiles ask: nobody until it is known what is chosen. */
  get #asked(): SessionSource | null {
    return this.stateController.ready ? this.activeSource : null;
  }

  /** Has the tabs drawn that were never opened; what they hold is then laid out as if they were open. */
  async #openAll({ panes }: WidgetList): Promise<void> {
    this.#panes.open(panes);
    this.requestUpdate();
    await Promise.all([this.updateComplete, this.#containers]);
  }

  /** Without them what they hold is shown all the same, of tabs the open one. */
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
