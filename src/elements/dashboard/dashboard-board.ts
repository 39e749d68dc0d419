import type { ReactiveControllerHost } from 'lit';
import type { AiWidget } from '../../contract/ai-widgets.js';
import type { Dashboard } from '../../contract/dashboards.js';
import type { LazyDashboardStateController } from '../../controllers/dashboard/lazy-dashboard-state-controller.js';
import type { Problem } from '../../controllers/problem.js';
import type { SessionSource } from '../../controllers/session/session-context.js';
import type { ViewportController } from '../../controllers/viewport-controller.js';
import { type WidgetBoard, widgetBoard } from '../../report/layout/widget-board.js';
import type { PageMessages } from '../messages/page-messages.js';
import { loadContainers, loadControls } from '../parts/lazy-parts.js';
import type { PaTile } from '../parts/tile/tile-element.js';
import { AiTiles } from './ai-tiles.js';
import { boardStyles } from './board.styles.js';
import { BoardTiles } from './board-tiles.js';
import { TabPanes } from './tab-panes.js';
import { hasSavedViews } from './viewer-tools.js';
import { type WidgetList, widgetsOf } from './widgets.js';

/** Width used for the layout until the element is measured, px. */
const assumedWidth = 1440;

/** The widgets of a dashboard, with titles in the current language. */
interface Listed {
  readonly dashboard: Dashboard;
  readonly messages: PageMessages;
  readonly list: WidgetList;
}

/** Current content of a dashboard. */
export interface BoardContent extends Listed {
  readonly layout: WidgetBoard;
}

/** Interface of the dashboard element that its board uses. */
export interface BoardOptions {
  readonly source: () => SessionSource | null;
  readonly dashboard: () => Dashboard | null;
  readonly state: LazyDashboardStateController;
  /** Controller that loads tiles when they approach the viewport. */
  readonly near: () => ViewportController<PaTile> | null;
  /** Called each time a tile settles, with the id of its widget. */
  readonly onSettle: (widgetId: string, problem: Problem | null) => void;
}

/**
 * The widgets of a dashboard: their list, layout and tiles, and the pinned answers. Part of the chunk that loads while
 * the session is created.
 */
export class DashboardBoard {
  readonly panes = new TabPanes();
  readonly tiles: BoardTiles;
  readonly aiTiles: AiTiles;
  readonly #host: ReactiveControllerHost & Element;
  readonly #options: BoardOptions;
  #listed: Listed | null = null;
  #layout: WidgetBoard | null = null;
  #laidOutFor = 0;
  /** The problem to show for the whole dashboard if all tiles failed; otherwise `null`. */
  #allFailed: Problem | null = null;
  /** The widget list for which the controls bar was last shown. */
  #controlled: Listed | null = null;
  /** Id of the dashboard whose default view has been applied, or that has no default view. */
  #viewOpenedFor: string | null = null;
  #containers: Promise<void> | null = null;
  #isUnframed = false;

  constructor(host: ReactiveControllerHost & Element, options: BoardOptions) {
    this.#host = host;
    this.#options = options;
    this.tiles = new BoardTiles(host, { ...options, root: () => host.shadowRoot });
    this.aiTiles = new AiTiles(host, options);
    const { shadowRoot } = host;
    if (shadowRoot && boardStyles.styleSheet) shadowRoot.adoptedStyleSheets.push(boardStyles.styleSheet);
  }

  /** Current content; `null` without a dashboard. */
  get content(): BoardContent | null {
    return this.#listed && this.#layout && { ...this.#listed, layout: this.#layout };
  }

  /** The problem to show for the whole dashboard if all tiles failed; otherwise `null`. */
  get allFailed(): Problem | null {
    return this.#allFailed;
  }

  /** Whether the code for containers could not be loaded. If so, their content is shown without a frame. */
  get isUnframed(): boolean {
    return this.#isUnframed;
  }

  /** The pinned answers, as the viewer sees them. */
  get answers(): readonly AiWidget[] {
    return this.aiTiles.answers;
  }

  /** The session source for tiles; `null` until the filter state is known, including the viewer's default view. */
  get readySource(): SessionSource | null {
    const { state, source } = this.#options;
    return state.ready && this.#viewOpenedFor === this.#publicId ? source() : null;
  }

  /** Whether the dashboard has visible controls. */
  get hasControls(): boolean {
    const { stateController } = this.#options.state;
    if (stateController) return stateController.controls.some(({ control }) => control.visibility !== 'hidden');
    return this.#listed?.list.controls.some(({ config }) => config?.visibility !== 'hidden') ?? false;
  }

  /** Whether to show the bar of controls. It stays when the last mark filter is cleared, to keep keyboard focus. */
  get hasBar(): boolean {
    const { stateController } = this.#options.state;
    if (this.hasControls || this.#listed?.list.crossFilters || stateController?.touched)
      this.#controlled = this.#listed;
    return this.#controlled === this.#listed;
  }

  /** Synchronizes with the dashboard; call it before every render. */
  follow(dashboard: Dashboard | null, messages: PageMessages, measuredWidth: number): void {
    if (!dashboard) {
      this.#clear();
      return;
    }
    const { state, source } = this.#options;
    this.#allFailed = this.tiles.allFailed;
    const before = this.#listed;
    const answers = this.aiTiles.snapshots;
    if (before?.dashboard !== dashboard || before.messages !== messages) {
      this.#listed = { dashboard, messages, list: widgetsOf(dashboard, messages) };
      this.#layout = null;
    }
    const list = this.#listed?.list ?? null;
    this.aiTiles.follow(list);
    if (list && (this.#listed !== before || this.aiTiles.snapshots !== answers)) {
      state.use({
        widgets: list.controls,
        tabs: list.tabs,
        snapshots: [...dashboard.reportSnapshots, ...this.aiTiles.snapshots],
        attributes: dashboard.userAttributes ?? {},
      });
    }
    // Control values of the viewer, the page or the URL take precedence over the default view.
    if (!hasSavedViews(source()) || state.hasChoices) this.#viewOpenedFor = this.#publicId;
    const width = measuredWidth || assumedWidth;
    if (!list || (this.#layout && this.#laidOutFor === width)) return;
    this.#laidOutFor = width;
    this.#layout = widgetBoard(list.tree, dashboard.config.layout, width, this.#layout);
  }

  /** Loads what the widgets need; call it after every render. */
  handleUpdated(measuredWidth: number): void {
    const { stateController } = this.#options.state;
    // If loading fails, the dashboard is shown without its controls.
    if (this.#listed?.list.controls.length || stateController?.controls.length || stateController?.touched)
      loadControls().catch(() => {});
    if (this.#listed?.list.framed) this.#loadContainers();
    // The layout is not final if the width has changed or containers are still loading.
    const isFinal = this.#laidOutFor === measuredWidth && !this.#listed?.list.framed;
    this.tiles.follow(isFinal ? this.#listed : null);
  }

  /** Called when the default view is applied, or there is none. */
  readonly handleViewOpened = (): void => {
    this.#viewOpenedFor = this.#publicId;
    this.#host.requestUpdate();
  };

  /** Opens all tabs that were never opened, so that their tiles are laid out. */
  async openAll(): Promise<void> {
    if (!this.#listed) return;
    this.panes.open(this.#listed.list.panes);
    this.#host.requestUpdate();
    await Promise.all([this.#host.updateComplete, this.#containers]);
  }

  get #publicId(): string | null {
    return this.#listed?.dashboard.publicId ?? null;
  }

  #clear(): void {
    this.#listed = null;
    this.#layout = null;
    this.#viewOpenedFor = null;
    this.panes.reset();
    this.tiles.forget();
    this.aiTiles.follow(null);
  }

  /**
   * Loads the element of containers once. If that fails, their content (with tabs, only that of the selected tab) is
   * shown without a frame.
   */
  #loadContainers(): void {
    this.#containers ??= loadContainers().catch(() => {
      this.#isUnframed = true;
      this.#host.requestUpdate();
    });
  }
}
