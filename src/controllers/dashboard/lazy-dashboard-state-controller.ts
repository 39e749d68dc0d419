import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { DashboardWidget } from '../../contract/dashboards.js';
import type { Choice } from '../../report/controls/controls.js';
import { type DashboardState, emptyDashboardState } from '../../report/controls/dashboard-state.js';
import { chunkProblem, type Problem } from '../problem.js';
import type { DashboardStateController, DashboardStateOptions, StateSubject } from './dashboard-state-controller.js';

type StateModule = typeof import('./dashboard-state-controller.js');

/** What a choosing controller needs from its host. */
export interface LazyDashboardStateOptions extends DashboardStateOptions {
  /** Loads what keeps choices. */
  readonly load: () => Promise<StateModule>;
  /** Called when that can't be loaded and there is something to keep. */
  readonly onProblem: (problem: Problem) => void;
}

const noChoices: readonly Choice[] = [];

/**
 * Stands for what keeps the choices on a dashboard, which is a chunk of its own: it is fetched where there is something to choose by or
 * to start from, or once something is chosen, or ahead of that.
 */
export class LazyDashboardStateController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: LazyDashboardStateOptions;
  #keeping: StateModule | null = null;
  #keeper: DashboardStateController | null = null;
  #loading: Promise<DashboardStateController> | null = null;
  #subject: StateSubject | null = null;
  /** What was set before the keeper was there. */
  #early: Partial<DashboardState> = {};
  /** It was set on a dashboard that was there: after what the page's address says. */
  #isLate = false;
  #wasSet = false;
  #problem: Problem | null = null;
  #wasReady = false;

  constructor(host: ReactiveControllerHost & HTMLElement, options: LazyDashboardStateOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Who keeps what is chosen; null while there is nothing to keep, or while it is on its way. */
  get keeper(): DashboardStateController | null {
    return this.#keeper;
  }

  /** False until it is known what is chosen: until then no tile can ask. Tiles that have asked already keep their rows meanwhile. */
  get ready(): boolean {
    return this.#keeper ? this.#keeper.ready : this.#wasReady || !this.#isNeeded;
  }

  /** Why it can't be known what is chosen: without that, rows would not be those that the dashboard means. */
  get problem(): Problem | null {
    return this.#isNeeded ? this.#problem : null;
  }

  /** What is chosen for the whole dashboard, also by marks. */
  get choices(): readonly Choice[] {
    return this.#keeper?.choices ?? noChoices;
  }

  /** What reaches the tile of a widget: the same array as long as it is the same. */
  choicesFor(widget: DashboardWidget): readonly Choice[] {
    return this.#keeper?.choicesFor(widget) ?? noChoices;
  }

  /** What is chosen on; the same object is the same dashboard. Null forgets all that was chosen. Call it from the host's `willUpdate`. */
  use(subject: StateSubject | null): void {
    if (!subject) this.#wasReady = false;
    if (this.#subject && !subject) this.#early = {};
    this.#subject = subject;
    if (this.#keeper) this.#keeper.use(subject);
    else if (this.#keeping && this.#isNeeded) this.#make(this.#keeping);
  }

  hostUpdate(): void {
    if (!this.#isNeeded) this.#wasReady ||= this.#subject !== null;
    else if (!this.#keeper && !this.#problem) this.load().catch(() => {});
  }

  /** Fetches the keeper while nobody waits: all queries of a dashboard with controls would. Who needs it says where it can't be had. */
  prepare(): void {
    this.#fetch().catch(() => {});
  }

  /** Loads the keeper, once. */
  load(): Promise<DashboardStateController> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Tries again what could not be loaded. */
  readonly retry = (): void => {
    this.#problem = null;
    this.#host.requestUpdate();
  };

  /** Id of the tab that the viewer opened in a container; null where none was. */
  tabOf(containerId: string): string | null {
    const { tabs } = this.getState();
    return isGroup(tabs) && Object.hasOwn(tabs, containerId) ? (tabs[containerId] ?? null) : null;
  }

  /** The viewer opened a tab. */
  openTab(containerId: string, tabId: string): void {
    if (this.#keeper) {
      this.#keeper.openTab(containerId, tabId);
      return;
    }
    this.#setEarly({ tabs: { ...this.#early.tabs, [containerId]: tabId } });
  }

  /** What the viewer has chosen. */
  getState(): DashboardState {
    return this.#keeper?.getState() ?? { ...emptyDashboardState, ...this.#early };
  }

  /** Puts a state in the place of what the viewer has chosen; parts that are absent stay. */
  setState(state: Partial<DashboardState>): void {
    if (this.#keeper) {
      this.#keeper.setState(state);
      return;
    }
    this.#wasSet = true;
    this.#setEarly(state);
  }

  #setEarly(state: Partial<DashboardState>): void {
    this.#early = { ...this.#early, ...state };
    this.#isLate = this.#subject !== null;
    this.#host.requestUpdate();
  }

  get #isNeeded(): boolean {
    const { filters, lockedFilters, timezone, urlState } = this.#options;
    const starts = [filters(), lockedFilters(), timezone()].some(Boolean) || urlState() !== null;
    return starts || this.#wasSet || Boolean(this.#subject?.widgets.length);
  }

  async #load(): Promise<DashboardStateController> {
    try {
      const keeping = await this.#fetch();
      const keeper = this.#keeper ?? this.#make(keeping);
      this.#host.requestUpdate();
      return keeper;
    } catch (error) {
      this.#loading = null;
      if (this.#isNeeded) {
        this.#problem = chunkProblem();
        this.#options.onProblem(this.#problem);
        this.#host.requestUpdate();
      }
      throw error;
    }
  }

  async #fetch(): Promise<StateModule> {
    this.#keeping ??= await this.#options.load();
    return this.#keeping;
  }

  #make({ DashboardStateController: Keeper }: StateModule): DashboardStateController {
    const keeper = new Keeper(this.#host, this.#options);
    if (!this.#isLate) keeper.setState(this.#early);
    keeper.use(this.#subject);
    if (this.#isLate) keeper.setState(this.#early);
    this.#keeper = keeper;
    return keeper;
  }
}

/** What was set early has been read by nobody yet. */
function isGroup(given: unknown): boolean {
  return typeof given === 'object' && given !== null;
}
