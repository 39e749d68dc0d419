import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { DashboardWidget } from '../../contract/dashboards.js';
import type { Choice } from '../../report/controls/controls.js';
import { type DashboardState, emptyDashboardState } from '../../report/controls/dashboard-state.js';
import { chunkProblem, type Problem } from '../problem.js';
import type { DashboardStateController, DashboardStateOptions, StateSubject } from './dashboard-state-controller.js';

type StateModule = typeof import('./dashboard-state-controller.js');

/** Options of a lazy state controller. */
export interface LazyDashboardStateOptions extends DashboardStateOptions {
  /** Loads the module of the state controller. */
  readonly load: () => Promise<StateModule>;
  /** Called if the module cannot be loaded but is needed. */
  readonly onProblem: (problem: Problem) => void;
}

const noChoices: readonly Choice[] = [];

/**
 * Placeholder for the lazy-loaded state controller of a dashboard. Loads it when the dashboard has controls or initial
 * choices, when a choice is made, or ahead of time with `prepare`.
 */
export class LazyDashboardStateController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: LazyDashboardStateOptions;
  #module: StateModule | null = null;
  #stateController: DashboardStateController | null = null;
  #loading: Promise<DashboardStateController> | null = null;
  #subject: StateSubject | null = null;
  /** State that was set before the state controller was loaded. */
  #early: Partial<DashboardState> = {};
  /** Whether the state was set after the dashboard was loaded. If so, it takes precedence over the URL. */
  #isLate = false;
  #wasSet = false;
  #problem: Problem | null = null;
  #wasReady = false;

  constructor(host: ReactiveControllerHost & HTMLElement, options: LazyDashboardStateOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** The state controller; `null` if it is not needed or still loading. */
  get stateController(): DashboardStateController | null {
    return this.#stateController;
  }

  /** `false` until the choices are known. Until then, tiles cannot query; tiles that already have rows retain them. */
  get ready(): boolean {
    return this.#stateController ? this.#stateController.ready : this.#wasReady || !this.#isNeeded;
  }

  /** Resolves when the choices are known, or cannot be loaded. */
  async settled(): Promise<void> {
    if (!this.#isNeeded) return;
    try {
      await (await this.load()).settled();
    } catch {
      // Ignore the error, because `problem` contains the reason.
    }
  }

  /** Reason why the choices are not known. Without them, the rows would be wrong. */
  get problem(): Problem | null {
    return this.#isNeeded ? this.#problem : null;
  }

  /** Whether any filter, granularity or member is set. */
  get hasChoices(): boolean {
    const { filters, timeGrains, members } = this.getState();
    return [filters, timeGrains, members].some(group => Object.keys(group ?? {}).length > 0);
  }

  /** Choices for the whole dashboard, including those made with marks. */
  get choices(): readonly Choice[] {
    return this.#stateController?.choices ?? noChoices;
  }

  /** Returns the choices that apply to the tile of a widget. Returns the same array until they change. */
  choicesFor(widget: DashboardWidget): readonly Choice[] {
    return this.#stateController?.choicesFor(widget) ?? noChoices;
  }

  /**
   * Sets the dashboard that choices apply to. The same object means the same dashboard; `null` clears all choices. Call
   * it in the host's `willUpdate`.
   */
  use(subject: StateSubject | null): void {
    if (!subject) this.#wasReady = false;
    if (this.#subject && !subject) this.#early = {};
    this.#subject = subject;
    if (this.#stateController) this.#stateController.use(subject);
    else if (this.#module && this.#isNeeded) this.#make(this.#module);
  }

  hostUpdate(): void {
    if (!this.#isNeeded) this.#wasReady ||= this.#subject !== null;
    // Ignore the error, because `#load` stores the problem with a function that retries.
    else if (!this.#stateController && !this.#problem) this.load().catch(() => {});
  }

  /** Prefetches the state controller, so that queries of a dashboard with controls do not wait for it. */
  prepare(): void {
    // Ignore the error, because `load` fetches again and reports it.
    this.#fetch().catch(() => {});
  }

  /** Loads the state controller, once. */
  load(): Promise<DashboardStateController> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Retries after a failed load. */
  readonly retry = (): void => {
    this.#problem = null;
    this.#host.requestUpdate();
  };

  /** Returns the id of the tab that the viewer opened in a container; `null` if none. */
  tabOf(containerId: string): string | null {
    const { tabs } = this.getState();
    return isGroup(tabs) && Object.hasOwn(tabs, containerId) ? (tabs[containerId] ?? null) : null;
  }

  /** Opens a tab for the viewer. */
  openTab(containerId: string, tabId: string): void {
    if (this.#stateController) {
      this.#stateController.openTab(containerId, tabId);
      return;
    }
    this.#setEarly({ tabs: { ...this.#early.tabs, [containerId]: tabId } });
  }

  /** Returns the viewer's choices. */
  getState(): DashboardState {
    return this.#stateController?.getState() ?? { ...emptyDashboardState, ...this.#early };
  }

  /** Replaces the viewer's choices; omitted parts stay unchanged. */
  setState(state: Partial<DashboardState>): void {
    if (this.#stateController) {
      this.#stateController.setState(state);
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
      const module = await this.#fetch();
      const stateController = this.#stateController ?? this.#make(module);
      this.#host.requestUpdate();
      return stateController;
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
    this.#module ??= await this.#options.load();
    return this.#module;
  }

  #make({ DashboardStateController: Keeper }: StateModule): DashboardStateController {
    const stateController = new Keeper(this.#host, this.#options);
    if (!this.#isLate) stateController.setState(this.#early);
    stateController.use(this.#subject);
    if (this.#isLate) stateController.setState(this.#early);
    this.#stateController = stateController;
    return stateController;
  }
}

/** True for an object. State that was set before loading has not been validated yet. */
function isGroup(given: unknown): boolean {
  return typeof given === 'object' && given !== null;
}
