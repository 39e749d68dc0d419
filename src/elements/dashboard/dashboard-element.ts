import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Dashboard } from '../../contract/dashboards.js';
import { DashboardController } from '../../controllers/dashboard/dashboard-controller.js';
import { DebugController } from '../../controllers/dashboard/debug-controller.js';
import { LazyDashboardStateController } from '../../controllers/dashboard/lazy-dashboard-state-controller.js';
import {
  PropertyValidationController,
  sharedPropertyKinds,
} from '../../controllers/dashboard/property-validation-controller.js';
import { ThemeController } from '../../controllers/dashboard/theme-controller.js';
import { loadedValue } from '../../controllers/load-controller.js';
import { LocaleController } from '../../controllers/locale-controller.js';
import type { Problem } from '../../controllers/problem.js';
import { AccountController } from '../../controllers/session/account-controller.js';
import { PreferencesController } from '../../controllers/session/preferences-controller.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import { SessionController } from '../../controllers/session/session-controller.js';
import { PaErrorEvent } from '../../controllers/session/session-events.js';
import { WidthController } from '../../controllers/width-controller.js';
import type { Filters } from '../../report/controls/control-state.js';
import type { DashboardState } from '../../report/controls/dashboard-state.js';
import type { WidgetBoard } from '../../report/layout/widget-board.js';
import type { DashboardTheme } from '../../report/theme/theme.js';
import { pageCatalog } from '../messages/page-catalog.js';
import type { PageMessages } from '../messages/page-messages.js';
import { heading, headingLevel } from '../parts/heading.js';
import {
  loadBoard,
  loadContainers,
  loadControls,
  loadDashboardState,
  loadDebug,
  loadPrinting,
} from '../parts/lazy-parts.js';
import {
  dashboardNotice,
  isSessionBlank,
  notice,
  problemDetails,
  problemNotice,
  sessionNotice,
} from '../parts/notice.js';
import { noticeStyles } from '../parts/notice.styles.js';
import { type SkeletonShape, skeleton, skeletonStyles } from '../parts/skeleton.js';
import { crossFilterOf } from '../parts/tile/mark-selection.js';
import type { HostMenuItems } from '../parts/tile/tile-host.js';
import { TileHostController, TileLoader } from '../parts/tile/tile-hosting.js';
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
export class PaDashboard extends LitElement {
  static override styles = [tokens, controls, noticeStyles, skeletonStyles, visuallyHiddenStyles, dashboardStyles];

  readonly #session = new SessionController(this);
  readonly #preferences = new PreferencesController(this, {
    own: () => ({ locale: this.locale, timezone: this.timezone }),
    source: () => this.#session.source,
    dashboardZone: () => this.#shown?.config.settings?.timezone,
    account: () => this.#account.config,
  });
  readonly #dashboard = new DashboardController(this, {
    source: () => this.#session.source,
    publicId: () => this.publicId,
    onProblem: problem => this.#handleProblem(problem),
  });
  readonly #tileLoading = new TileLoader(this, loadBoard, problem => this.#handleProblem(problem));
  readonly #choosing = new LazyDashboardStateController(this, {
    load: loadDashboardState,
    onProblem: problem => this.#handleProblem(problem),
    source: () => this.#session.source,
    filters: () => this.filters,
    lockedFilters: () => this.lockedFilters,
    timezone: () => this.#preferences.timezone,
    urlState: () => this.urlState,
  });
  readonly #locale = new LocaleController(this, pageCatalog, () => this.#preferences.locale);
  readonly #account = new AccountController(this, () => this.#session.source);
  readonly #theme = new ThemeController(this, {
    source: () => this.#session.source,
    own: () => this.theme,
    dashboard: () => this.#shown?.config.theme,
    account: () => this.#account.config,
  });
  readonly #debug = new DebugController(this);
  readonly #width = new WidthController(this, () => this.renderRoot.querySelector('.ruler'));
  readonly #tiles = new BoardTiles(this, {
    root: () => this.shadowRoot,
    near: () => this.#tileLoading.near,
    onSettle: (id, problem) => this.#handleSettle(id, problem),
  });

  readonly #hosting = new TileHostController(this, {
    restricted: () =>
      this.restrictDownload ||
      this.#shown?.restrictDataDownload === true ||
      this.#account.config?.restrictDataDownload === true,
    imageOrigins: () => this.imageOrigins,
    menuItems: () => this.menuItems,
    choosing: this.#choosing,
    crossFilters: true,
    tiles: () => this.#tiles.shown,
  });

  /** Public id of the dashboard: 12 characters. */
  @property({ attribute: 'public-id' }) publicId = '';
  /** Where the host's own server mints a session, where no `<pa-session>` stands around the element. */
  @property({ attribute: 'session-url' }) sessionUrl: string | null = null;
  /** In the place of `session-url`: a function that returns a session id. */
  @property({ attribute: false }) session: (() => Promise<string>) | null = null;
  /** Address of the platform, beside `session-url` or `session`. */
  @property({ attribute: 'base-url' }) baseUrl: string | null = null;
  /** Path of the Data API below the deployment's address (`/data-api`). */
  @property({ attribute: 'data-api-path' }) dataApiPath: string | null = null;
  /** Words of the service: `neutral`, or `cube` for the public service of that name. */
  @property() dialect: 'neutral' | 'cube' | null = null;
  /** Conditions to begin with, by member (`view.dimension`): before the author's, after what the viewer chooses. */
  @property({ attribute: false }) filters: Filters | null = null;
  /**
   * Conditions that are shown and can't be changed. For display alone: whoever edits the page can take them away, so what must hold
   * stands in the session's security context.
   */
  @property({ attribute: false }) lockedFilters: Filters | null = null;
  /** Language (BCP 47): before that of the `<pa-session>` around, the session's setting and the nearest `lang`. */
  @property() locale: string | null = null;
  /**
   * IANA time zone that all queries read and group dates in: before that of the `<pa-session>` around, the session's setting, the
   * dashboard's own and the account's; else each report's own.
   */
  @property() timezone: string | null = null;
  /**
   * Keeps what the viewer chooses in the page's address (`?f_orders.status={"value":"shipped"}`), and begins with what stands there.
   * Where several dashboards share a page each gets a name of its own, which stands before its parameters (`url-state="sales"`).
   */
  @property({ attribute: 'url-state' }) urlState: string | null = null;
  /** Hides every download and copy, also where the dashboard allows them. What must hold stands in the session. */
  @property({ attribute: 'restrict-download', type: Boolean }) restrictDownload = false;
  /** Origins whose images are shown in the cells of tables; none by default, since an address can carry data away. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];
  /** Items of the host's in the menus of tiles and marks: always the same, or those that suit what a menu was opened for. */
  @property({ attribute: false }) menuItems: HostMenuItems = [];
  /**
   * Look of this element, by the keys of a dashboard's theme (`DashboardThemeInput`): after the page's `--pa-*`, before the session's
   * `embedTheme`, the dashboard's own theme and the account's.
   */
  @property({ attribute: false }) theme: DashboardTheme | null = null;
  /** Level of the dashboard's own heading, 1 to 5; tiles come one below. */
  @property({ attribute: 'heading-level', type: Number }) headingLevel = 2;
  /** Explains below the element what keeps it from working, and what each tile took: for whoever builds the page. */
  @property({ type: Boolean }) debug = false;

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

  override connectedCallback(): void {
    super.connectedCallback();
    this.#choosing.prepare();
  }

  constructor() {
    super();
    new PropertyValidationController(this, [...sharedPropertyKinds, ['urlState', 'text'], ['publicId', 'text']]);
  }

  protected override willUpdate(): void {
    const { messages } = this.#locale.value;
    const { kit } = this.#tileLoading;
    const dashboard = this.#shown;
    if (!kit || !dashboard) {
      this.#listed = null;
      this.#board = null;
      this.#panes.reset();
      this.#tiles.forget();
      this.#choosing.use(null);
      return;
    }
    this.#allFailed = this.#tiles.allFailed;
    const before = this.#listed;
    if (this.#listed?.dashboard !== dashboard || this.#listed.messages !== messages) {
      this.#listed = { dashboard, messages, list: kit.widgetsOf(dashboard, messages) };
      this.#board = null;
    }
    if (this.#listed !== before) {
      this.#choosing.use({
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

  protected override updated(): void {
    // Without it the reports are shown all the same.
    if (this.debug) loadDebug().catch(() => {});
    const { keeper } = this.#choosing;
    if (this.#listed?.list.controls.length || keeper?.controls.length || keeper?.touched)
      loadControls().catch(() => {});
    if (this.#listed?.list.framed) this.#loadContainers();
    // What is laid out for another width, or has frames yet to come, doesn't stand where it will.
    const stands = this.#laidOutFor === this.#width.width && !this.#listed?.list.framed;
    this.#tiles.follow(stands ? this.#listed : null);
  }

  /** Queries and draws every tile, also those far away; resolves when each has come to rest: drawn, empty, stopped or failed. */
  async loadAll(): Promise<void> {
    await Promise.all([this.#dashboard.settled(), this.#tileLoading.settled]);
    await this.updateComplete;
    if (this.#listed) await this.#openAll(this.#listed.list);
    await this.#tiles.loadAll();
  }

  /**
   * Loads all tiles, those in tabs too, and prints the page. Each tab stands below the others with its name, tables are printed whole.
   * What else on the page should not be printed is for the page's own print style sheet to hide.
   */
  async print(): Promise<void> {
    await this.loadAll();
    const { printPage } = await loadPrinting();
    await printPage(this);
  }

  /** Queries again what is shown; what is there stays until the new rows come. */
  async refresh(): Promise<void> {
    this.#hosting.restart();
    await this.#tiles.refresh();
  }

  /** What the viewer has chosen. */
  getState(): DashboardState {
    return this.#choosing.getState();
  }

  /** Puts a state in the place of what the viewer has chosen; parts that are absent stay. */
  setState(state: Partial<DashboardState>): void {
    this.#choosing.setState(state);
  }

  override render(): TemplateResult {
    const source = this.#session.source;
    const { messages } = this.#locale.value;
    const isHidden = isSessionBlank(source) || this.#theme.pending;
    const { failed } = this.#tiles;
    const said = failed > 0 && !isHidden ? messages.failedTiles(failed) : '';
    return html`<div class="ruler"></div>
      <div class=${`${isHidden ? 'blank' : ''} ${this.#board ? '' : 'reserved'} ${this.unframed ? 'unframed' : ''}`} dir=${this.#locale.dir ?? nothing} lang=${this.#locale.lang ?? nothing}>
        ${this.#renderContent(sessionNotice(source, messages), messages)}
      </div>
      <div class="unseen" role="status">${said}</div>
      ${this.debug ? html`<pa-debug .of=${this} .log=${this.#debug.log} .source=${source}>${this.#debug.blocked}</pa-debug>` : nothing}`;
  }

  #renderContent(session: TemplateResult | null, messages: PageMessages): TemplateResult {
    const lacking = [this.#tileLoading, this.#choosing].find(({ problem }) => problem !== null);
    if (lacking?.problem) {
      const said = problemNotice(lacking.problem, messages, lacking.retry);
      return html`<slot name="error">${this.#renderPanel(said)}</slot>`;
    }
    if (this.#listed && this.#board) return this.#renderDashboard(this.#listed, this.#board, session);
    if (session) return this.#renderPanel(session);
    const { state } = this.#dashboard;
    if (state.status !== 'failed') return html`<slot name="loading">${this.#renderLoading()}</slot>`;
    const retry = () => void this.#dashboard.reload();
    return html`<slot name="error">${this.#renderPanel(dashboardNotice(state.problem, messages, retry))}</slot>`;
  }

  #renderDashboard(
    { dashboard, messages, list }: Listed,
    board: WidgetBoard,
    session: TemplateResult | null,
  ): TemplateResult {
    const { config } = dashboard;
    const hidden = list.hidden + (this.#choosing.keeper?.unread ?? 0);
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
    const { keeper } = this.#choosing;
    if (this.#hasControls || this.#listed?.list.crossFilters || keeper?.touched) this.#controlled = this.#listed;
    if (this.#controlled !== this.#listed) return nothing;
    return html`<pa-controls
      exportparts="controls, control, panel, reset, sheet-button, sheet"
      .controls=${keeper?.controls ?? []}
      .choices=${keeper?.choices ?? []}
      .model=${keeper?.model ?? null}
      .touched=${keeper?.touched ?? false}
      .source=${this.#session.source}
      .chooser=${keeper}
    ></pa-controls>`;
  }

  #renderBoard(list: WidgetList, board: WidgetBoard): TemplateResult | undefined {
    this.#panes.follow(this.#asked);
    const scene = {
      list,
      board,
      panes: this.#panes,
      tabOf: (containerId: string) => this.#choosing.tabOf(containerId),
      onOpen: (containerId: string, tab: string) => this.#choosing.openTab(containerId, tab),
      renderTile: (tile: DrawnTile, level: number) => this.#renderTile(tile, level),
    };
    return this.#tileLoading.kit?.renderBoard(scene, this.#level + 1);
  }

  #renderTile(tile: DrawnTile, level: number): TemplateResult {
    return html`<pa-tile
      exportparts=${tileParts}
      .content=${tile.content}
      .host=${this.#hosting.host}
      .widgetId=${tile.widget.id}
      .chosen=${this.#hosting.marksOf(tile.widget.id)}
      .crossFilter=${crossFilterOf(tile.widget, this.#listed?.dashboard.config.settings)}
      .choices=${this.#choosing.choicesFor(tile.widget)}
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

  #handleSettle(id: string, problem: Problem | null): void {
    if (problem) this.dispatchEvent(new PaErrorEvent(problem, id));
    this.#hosting.settle();
  }

  /** A session that can't be had has told so itself. */
  #handleProblem(problem: Problem): void {
    if (!sessionNotice(this.#session.source, this.#locale.value.messages))
      this.dispatchEvent(new PaErrorEvent(problem));
  }

  get #hasControls(): boolean {
    const { keeper } = this.#choosing;
    if (keeper) return keeper.controls.some(({ control }) => control.visibility !== 'hidden');
    return this.#listed?.list.controls.some(({ config }) => config?.visibility !== 'hidden') ?? false;
  }

  get #level(): number {
    return headingLevel(this.headingLevel, 2);
  }

  /** Who tiles ask: nobody until it is known what is chosen. */
  get #asked(): SessionSource | null {
    return this.#choosing.ready ? this.#session.source : null;
  }

  get #shown(): Dashboard | null {
    return loadedValue(this.#dashboard.state);
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
