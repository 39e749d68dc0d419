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
import { loadDashboardState, loadDebug, loadPrinting } from '../lazy-parts.js';
import { isSessionBlank, problemNotice, sessionNotice } from '../notice.js';
import type { PaTile } from './tile-element.js';
import type { HostMenuItems } from './tile-host.js';
import { TileHostController, type TileKit, TileLoader } from './tile-hosting.js';

/**
 * Base class of the public elements that render tiles of a published dashboard: `<pa-dashboard>` and `<pa-report>`. It holds the
 * properties and controllers that both share, and dispatches their errors. The constructor of this class reads `hasCrossFilters`, so a
 * subclass must not use private members there.
 */
export abstract class TileHostElement<Kit extends TileKit> extends LitElement {
  readonly #session = new SessionController(this);
  readonly #preferences = new PreferencesController(this, {
    own: () => ({ locale: this.locale, timezone: this.timezone }),
    source: () => this.#session.source,
    dashboardZone: () => this.dashboardTimezone,
    account: () => this.#account.config,
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
  readonly #account = new AccountController(this, () => this.#session.source);
  readonly #theme = new ThemeController(this, {
    source: () => this.#session.source,
    own: () => this.theme,
    dashboard: () => this.loadedDashboard?.config.theme,
    account: () => this.#account.config,
  });
  readonly #debug = new DebugController(this);
  protected readonly tileHostController = new TileHostController(this, {
    restricted: () =>
      this.restrictDownload ||
      this.loadedDashboard?.restrictDataDownload === true ||
      this.#account.config?.restrictDataDownload === true,
    imageOrigins: () => this.imageOrigins,
    menuItems: () => this.menuItems,
    choosing: this.stateController,
    crossFilters: this.hasCrossFilters,
    tiles: () => this.renderedTiles,
  });

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
  /** Explains below the element what keeps it from working, and what each tile took: for whoever builds the page. */
  @property({ type: Boolean }) debug = false;

  abstract timezone: string | null;
  abstract headingLevel: number;

  constructor() {
    super();
    new PropertyValidationController<(typeof sharedPropertyKinds)[number][0]>(this, sharedPropertyKinds);
  }

  /** Public id of the dashboard to load; empty loads none. */
  protected abstract get dashboardId(): string;
  /** The tiles that are in the shadow root. */
  protected abstract get renderedTiles(): readonly PaTile[];
  /** Loads the modules that render tiles. */
  protected abstract loadTileKit(): Promise<Kit>;

  /** Whether marks of one tile can filter the other tiles. */
  protected get hasCrossFilters(): boolean {
    return false;
  }

  /** Time zone in the dashboard's settings, if the element follows it. */
  protected get dashboardTimezone(): unknown {
    return undefined;
  }

  /** Name that keeps the state in the page's address; `null` keeps none. */
  protected get urlStateName(): string | null {
    return null;
  }

  /** Session to query with; `null` if there is none or if the element needs none. */
  protected get activeSource(): SessionSource | null {
    return this.#session.source;
  }

  protected get loadedDashboard(): Dashboard | null {
    return loadedValue(this.dashboardController.state);
  }

  /** Whether the content is hidden: the session is blank, or the first theme is still loading. */
  protected get isBlank(): boolean {
    return isSessionBlank(this.activeSource) || this.#theme.pending;
  }

  protected override updated(_changed: PropertyValues<this>): void {
    // Without it the reports are shown all the same.
    if (this.debug) loadDebug().catch(() => {});
  }

  abstract loadAll(): Promise<void>;

  /** What the viewer has chosen. */
  getState(): DashboardState {
    return this.stateController.getState();
  }

  /** Puts a state in the place of what the viewer has chosen; parts that are absent stay. */
  setState(state: Partial<DashboardState>): void {
    this.stateController.setState(state);
  }

  /** Renders all tiles, then opens the browser's print dialog. */
  protected async printAll(): Promise<void> {
    await this.loadAll();
    const { printPage } = await loadPrinting();
    await printPage(this);
  }

  /** Renders a message with a retry button if a required module could not be loaded; else `null`. */
  protected renderModuleProblem(messages: PageMessages): TemplateResult | null {
    const failed = [this.tileLoader, this.stateController].find(({ problem }) => problem !== null);
    return failed?.problem ? problemNotice(failed.problem, messages, failed.retry) : null;
  }

  protected renderDebug(): TemplateResult | typeof nothing {
    if (!this.debug) return nothing;
    return html`<pa-debug .of=${this} .log=${this.#debug.log} .source=${this.activeSource}>${this.#debug.blocked}</pa-debug>`;
  }

  /** Dispatches the problem of a tile that has settled, and `pa-load` once all tiles have. */
  protected settleTile(problem: Problem | null, widgetId: string | null): void {
    if (problem) this.dispatchEvent(new PaErrorEvent(problem, widgetId));
    this.tileHostController.settle();
  }

  /** A failed session dispatches its own event. */
  #handleProblem(problem: Problem): void {
    if (!sessionNotice(this.activeSource, this.localeController.value.messages)) {
      this.dispatchEvent(new PaErrorEvent(problem));
    }
  }
}
