import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { Dashboard } from '../../../contract/dashboards.js';
import { DashboardController } from '../../../controllers/dashboard/dashboard-controller.js';
import { DebugController } from '../../../controllers/dashboard/debug-controller.js';
import { LazyDashboardStateController } from '../../../controllers/dashboard/lazy-dashboard-state-controller.js';
import {
  PropertyValidationController,
  sharedPropertyKinds,
} from '../../../controllers/dashboard/property-validation-controller.js';
import { ThemeController } from '../../../controllers/dashboard/theme-controller.js';
import { loadedValue } from '../../../controllers/load-controller.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import type { Problem } from '../../../controllers/problem.js';
import { AccountController } from '../../../controllers/session/account-controller.js';
import { PreferencesController } from '../../../controllers/session/preferences-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { SessionController } from '../../../controllers/session/session-controller.js';
import { PaErrorEvent } from '../../../controllers/session/session-events.js';
import type { Filters } from '../../../report/controls/control-state.js';
import type { DashboardState } from '../../../report/controls/dashboard-state.js';
import type { DashboardTheme } from '../../../report/theme/theme.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import type { PageMessages } from '../../messages/page-messages.js';
import type { ExportRequest, ExportTarget, ShownDashboard } from '../export/export-target.js';
import type { PageDashboard } from '../image/page-dashboard.js';
import { loadDashboardState, loadDebug, loadExport, loadPrinting } from '../lazy-parts.js';
import { isSessionBlank, problemNotice, sessionNotice } from '../notice.js';
import type { PaTile } from './tile-element.js';
import type { HostMenuItems } from './tile-host.js';
import { TileHostController, type TileKit, TileLoader } from './tile-hosting.js';

/** Options of the exports: the content to export, and whether to show the button of a dashboard. */
interface ExportView extends Pick<ExportTarget, 'title' | 'reportId'> {
  readonly menu: boolean;
}

/**
 * Base class of the public elements that render tiles of a published dashboard: `<pa-dashboard>` and `<pa-report>`. It
 * has the properties and controllers that both share, and dispatches their errors. The constructor of this class reads
 * `hasCrossFilters`, so that getter must not use private members of a subclass.
 */
export abstract class TileHostElement<Kit extends TileKit> extends LitElement {
  readonly #session = new SessionController(this);
  readonly #preferences = new PreferencesController(this, {
    own: () => ({ locale: this.locale, timezone: this.timezone }),
    source: () => this.#session.source,
    dashboardZone: () => this.dashboardTimezone,
    account: () => this.accountController.config,
  });
  protected readonly dashboardController = new DashboardController(this, {
    source: () => this.#session.source,
    publicId: () => this.dashboardId,
    onProblem: problem => this.#handleProblem(problem),
  });
  protected readonly tileLoader = new TileLoader(
    this,
    () => this.loadTileKit(),
    problem => this.#handleProblem(problem),
  );
  protected readonly stateController = new LazyDashboardStateController(this, {
    load: loadDashboardState,
    onProblem: problem => this.#handleProblem(problem),
    source: () => this.#session.source,
    filters: () => this.filters,
    lockedFilters: () => this.lockedFilters,
    timezone: () => this.#preferences.timezone,
    urlState: () => this.urlStateName,
  });
  protected readonly localeController = new LocaleController(this, pageCatalog, () => this.#preferences.locale);
  protected readonly accountController = new AccountController(this, () => this.#session.source);
  readonly #theme = new ThemeController(this, {
    source: () => this.#session.source,
    own: () => this.theme,
    dashboard: () => this.loadedDashboard?.config.theme,
    account: () => this.accountController.config,
  });
  readonly #debug = new DebugController(this);
  protected readonly tileHostController = new TileHostController(this, {
    restricted: () =>
      this.restrictDownload ||
      this.loadedDashboard?.restrictDataDownload === true ||
      this.accountController.config?.restrictDataDownload === true,
    imageOrigins: () => this.imageOrigins,
    menuItems: () => this.menuItems,
    startExport: () => (this.exportUrl && this.dashboardId ? this.#startExport : null),
    choosing: this.stateController,
    crossFilters: this.hasCrossFilters,
    allowsCrossFilters: () => this.loadedDashboard?.config.settings?.crossFilter !== false,
    tiles: () => this.renderedTiles,
  });

  /** URL of the host's endpoint that creates a session. Used if there is no enclosing `<pa-session>`. */
  @property({ attribute: 'session-url' }) sessionUrl: string | null = null;
  /** Function that returns a session id, instead of `session-url`. */
  @property({ attribute: false }) session: (() => Promise<string>) | null = null;
  /** URL of the platform; required with `session-url` or `session`. */
  @property({ attribute: 'base-url' }) baseUrl: string | null = null;
  /** Path of the Data API below the deployment's URL. Default: `/data-api`, or the dialect's path. */
  @property({ attribute: 'data-api-path' }) dataApiPath: string | null = null;
  /** Dialect of the service's API: `neutral` (default), or `cube` for the cloud service, which uses other names. */
  @property() dialect: 'neutral' | 'cube' | null = null;
  /**
   * Initial filters, by member (`view.dimension`). They take precedence over the author's defaults, and the viewer can
   * change them.
   */
  @property({ attribute: false }) filters: Filters | null = null;
  /**
   * Filters that are shown but cannot be changed. For display only: anyone who edits the page can remove them. Enforce
   * access rules with the session's security context.
   */
  @property({ attribute: false }) lockedFilters: Filters | null = null;
  /**
   * Language (BCP 47). Takes precedence over the enclosing `<pa-session>`, the session setting and the nearest `lang`.
   */
  @property() locale: string | null = null;
  /**
   * Hides all downloads and copies, even if the dashboard allows them. To enforce a restriction, set it in the session.
   */
  @property({ attribute: 'restrict-download', type: Boolean }) restrictDownload = false;
  /**
   * URL of the host's `exportHandler`, which exports dashboards and reports as PDF, PNG and XLSX. If not set, the page
   * creates PNG and XLSX files itself.
   */
  @property({ attribute: 'export-url' }) exportUrl: string | null = null;
  /** Origins whose images are shown in table cells. Default: none, because an image URL can leak data. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];
  /** Custom items in the menus of tiles and marks: a list, or a function that returns the items for a menu. */
  @property({ attribute: false }) menuItems: HostMenuItems = [];
  /**
   * Theme of this element, with the keys of a dashboard theme (`DashboardThemeInput`). The page's `--pa-*` properties
   * take precedence over it; it takes precedence over the session's `embedTheme`, the dashboard's theme and the
   * account's theme.
   */
  @property({ attribute: false }) theme: DashboardTheme | null = null;
  /**
   * Shows problems that keep the element from working, and the timing of each tile, in a list below the element. For
   * development.
   */
  @property({ type: Boolean }) debug = false;

  /** Starts an export during the click of a menu, so that an image can be copied. */
  readonly #startExport = (request: ExportRequest): void => {
    void this.renderRoot.querySelector('pa-export')?.start(request);
  };

  abstract timezone: string | null;
  abstract headingLevel: number;

  constructor() {
    super();
    new PropertyValidationController<(typeof sharedPropertyKinds)[number][0]>(this, sharedPropertyKinds);
  }

  /** Public id of the dashboard to load; if empty, no dashboard is loaded. */
  protected abstract get dashboardId(): string;
  /** The tiles that are in the shadow root. */
  protected abstract get renderedTiles(): readonly PaTile[];
  /** Loads the modules that render tiles. */
  protected abstract loadTileKit(): Promise<Kit>;

  /** Whether marks of one tile can filter the other tiles. */
  protected get hasCrossFilters(): boolean {
    return false;
  }

  /** Time zone in the dashboard settings, if the element uses it. */
  protected get dashboardTimezone(): unknown {
    return undefined;
  }

  /** Name of the state in the page URL; `null` if the state is not stored there. */
  protected get urlStateName(): string | null {
    return null;
  }

  /** Session for queries; `null` if there is none or the element needs none. */
  protected get activeSource(): SessionSource | null {
    return this.#session.source;
  }

  protected get loadedDashboard(): Dashboard | null {
    return loadedValue(this.dashboardController.state);
  }

  /** Whether the content is hidden because the session is blank or the first theme is still loading. */
  protected get isBlank(): boolean {
    return isSessionBlank(this.activeSource) || this.#theme.pending;
  }

  protected override updated(changed: PropertyValues<this>): void {
    // Load it only once, because a failure caused by the content security policy updates the element again. If loading
    // fails, the reports are still shown.
    if (this.debug && changed.has('debug')) loadDebug().catch(() => {});
  }

  abstract loadAll(): Promise<void>;

  /** Returns the viewer's filters, selections and open tabs. */
  getState(): DashboardState {
    return this.stateController.getState();
  }

  /** Sets the viewer's state; omitted parts stay unchanged. */
  setState(state: Partial<DashboardState>): void {
    this.stateController.setState(state);
  }

  /** Resolves when the tiles have received the current filters. */
  protected async filtersApplied(): Promise<void> {
    await this.updateComplete;
    await this.stateController.settled();
    await this.updateComplete;
  }

  /** Renders all tiles, then opens the browser's print dialog. */
  protected async printAll(): Promise<void> {
    await this.loadAll();
    const { printPage } = await loadPrinting();
    await printPage(this);
  }

  /** Renders a message with a retry button if a required module could not be loaded; otherwise returns `null`. */
  protected renderModuleProblem(messages: PageMessages): TemplateResult | null {
    const failed = [this.tileLoader, this.stateController].find(({ problem }) => problem !== null);
    return failed?.problem ? problemNotice(failed.problem, messages, failed.retry) : null;
  }

  /** Returns what the page writes to files without a server; `null` if it cannot. */
  protected pageDashboard(): PageDashboard | null {
    return null;
  }

  /** Renders the exports of the element, and loads their code. `menu` shows the button of a dashboard. */
  protected renderExport({ menu, title, reportId }: ExportView): TemplateResult | typeof nothing {
    const { host } = this.tileHostController;
    const url = host.startExport ? this.exportUrl : null;
    if (host.restricted || (url === null && !menu)) return nothing;
    // If the element cannot be loaded, nothing can be exported.
    loadExport().catch(() => {});
    const page = () => this.pageDashboard();
    const target: ExportTarget = { ...this.shownAs(title), url, page, reportId, fire: host.fire };
    return html`<pa-export exportparts="export-button, exports, menu, menu-item" .target=${target} .menu=${menu}></pa-export>`;
  }

  /** Returns what the element shows, with the control values of the viewer. */
  protected shownAs(title: string): ShownDashboard {
    return {
      publicId: this.dashboardId,
      title,
      locale: this.localeController.value.locale,
      timezone: this.#preferences.timezone,
      filters: this.filters,
      lockedFilters: this.lockedFilters,
      state: () => this.getState(),
    };
  }

  protected renderDebug(): TemplateResult | typeof nothing {
    if (!this.debug) return nothing;
    const { startExport, restricted } = this.tileHostController.host;
    return html`<pa-debug
      .of=${this}
      .log=${this.#debug.log}
      .source=${this.activeSource}
      .exportsRestricted=${startExport !== null && restricted}
      >${this.#debug.blocked}</pa-debug
    >`;
  }

  /** Dispatches the problem of a tile that has settled, and `pa-load` once all tiles have. */
  protected settleTile(problem: Problem | null, widgetId: string | null): void {
    if (problem) this.dispatchEvent(new PaErrorEvent(problem, widgetId));
    this.tileHostController.settle();
  }

  /** Dispatches a problem, except for a failed session, which dispatches its own event. */
  #handleProblem(problem: Problem): void {
    if (!sessionNotice(this.activeSource, this.localeController.value.messages)) {
      this.dispatchEvent(new PaErrorEvent(problem));
    }
  }
}
