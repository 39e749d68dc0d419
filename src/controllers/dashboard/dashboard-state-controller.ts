import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../../client/session/session-status.js';
import type { DashboardWidget, ReportSnapshot } from '../../contract/dashboards.js';
import type { FilterCondition } from '../../contract/widget-config.js';
import {
  type ControlState,
  choicesOf,
  controlStates,
  type Filters,
  hasChoices,
  requestWithChoices,
  resetState,
  withControlValue,
} from '../../report/controls/control-state.js';
import { type Choice, type Control, choicesOfTile, type FilterChoice } from '../../report/controls/controls.js';
import { type DashboardState, emptyDashboardState } from '../../report/controls/dashboard-state.js';
import { needsType } from '../../report/controls/filter-condition.js';
import {
  implicitControls,
  invalidHostFilters,
  noFilters,
  parseHostFilters,
  parseHostState,
} from '../../report/controls/host-state.js';
import { type ModelFacts, modelFacts, timesOf } from '../../report/controls/model-facts.js';
import { controlOf, mappingOf } from '../../report/controls/read-control.js';
import type { UrlScope } from '../../report/controls/url-state.js';
import { isAnswerSource } from '../../report/marks/mark.js';
import type { MarkFilter } from '../../report/marks/mark-filters.js';
import { LoadController, loadedValue } from '../load-controller.js';
import { type PaFilterChangeDetail, PaFilterChangeEvent } from './filter-change-event.js';
import { UrlState } from './url-state.js';

/** The loaded dashboard or standalone report that choices apply to. */
export interface StateSubject {
  /** Widgets that are controls, as published. */
  readonly widgets: readonly DashboardWidget[];
  readonly snapshots: readonly ReportSnapshot[];
  /** The viewer's attributes that provide defaults for controls. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Tabs by the id of their container. */
  readonly tabs: ReadonlyMap<string, readonly string[]>;
}

/** Options of a state controller. */
export interface DashboardStateOptions {
  readonly source: () => SessionSource | null;
  /** Initial conditions of the host, by member. A new object replaces the viewer's choices for these members. */
  readonly filters: () => Filters | null;
  /** Conditions that the viewer can see but not change. */
  readonly lockedFilters: () => Filters | null;
  /** IANA time zone for all queries; `null` for each report's own. */
  readonly timezone: () => string | null;
  /**
   * Prefix of the state's parameters in the page's URL, which may be empty; `null` to not store the state in the URL.
   */
  readonly urlState: () => string | null;
}

const noFacts: ModelFacts = new Map();
/** Maximum length of the list of members in a console warning, in characters. */
const maxListedMembers = 200;
const noMarks: ReadonlyMap<string, readonly MarkFilter[]> = new Map();

/**
 * Stores the viewer's choices on a dashboard and computes those that apply to each tile. Before every change by the
 * viewer, fires a cancelable `pa-filter-change` on the host.
 */
export class DashboardStateController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: DashboardStateOptions;
  readonly #model: LoadController<string, ModelFacts>;
  readonly #url = new UrlState(() => this.#handleNavigation());
  #subject: StateSubject | null = null;
  /** Controls of the dashboard itself. */
  #own: readonly Control[] = [];
  #state: DashboardState = emptyDashboardState;
  #marks = noMarks;
  /** The host's last filters, unparsed. */
  #filters: Filters | null = null;
  #given = noFilters;
  #lockedFilters: Filters | null = null;
  #timezone: string | null = null;
  #facts: ModelFacts | null = null;
  #wantsModel = false;
  #hasSubject = false;
  /**
   * Whether the conditions come from the URL. Only the model can confirm that they match the types of their members.
   */
  #isUnverified = false;
  #isStale = true;
  #times: ReadonlySet<string> = new Set();
  #controls: readonly ControlState[] = [];
  #choices: readonly Choice[] = [];
  readonly #byWidget = new Map<DashboardWidget, readonly Choice[]>();
  readonly #warned = new Set<string>();

  constructor(host: ReactiveControllerHost & HTMLElement, options: DashboardStateOptions) {
    this.#host = host;
    this.#options = options;
    // Must be added before the model's controller, so that the model is requested in the same update that needs it.
    host.addController(this);
    this.#model = new LoadController<string, ModelFacts>(host, {
      source: options.source,
      key: () => (this.#wantsModel ? 'model' : null),
      load: async (source, _key, signal) => modelFacts(await source.meta({ signal })),
    });
  }

  /** All controls with their current values. */
  get controls(): readonly ControlState[] {
    return this.#controls;
  }

  /** Number of control widgets that cannot be interpreted. */
  get unread(): number {
    return (this.#subject?.widgets.length ?? 0) - this.#own.length;
  }

  /**
   * Metadata of members. Empty if the model cannot be loaded; `null` until it was requested with `wantModel` and has
   * arrived.
   */
  get model(): ModelFacts | null {
    return this.#facts ?? (this.#model.state.status === 'failed' ? noFacts : null);
  }

  /** `false` while the model is required to interpret the choices. Until then, tiles cannot query. */
  get ready(): boolean {
    return !this.#lacksTypes() || this.model !== null;
  }

  /** Resolves when the model is loaded, has failed or is not required. */
  async settled(): Promise<void> {
    await this.#host.updateComplete;
    if (!this.ready) await this.#model.settled();
  }

  /** Whether there is anything to reset. */
  get touched(): boolean {
    return hasChoices(this.#state) || this.#marks.size > 0;
  }

  /** Tiles with selected marks, and the filters that these marks set on other tiles. */
  get marks(): ReadonlyMap<string, readonly MarkFilter[]> {
    return this.#marks;
  }

  /** Choices for the whole dashboard, including those made with marks. */
  get choices(): readonly Choice[] {
    return this.#choices;
  }

  /**
   * Sets the dashboard that choices apply to. The same object means the same dashboard; `null` clears all choices. Call
   * it in the host's `willUpdate`.
   */
  use(subject: StateSubject | null): void {
    if (subject === this.#subject) return;
    this.#subject = subject;
    this.#own = subject?.widgets.flatMap(widget => controlOf(widget) ?? []) ?? [];
    this.#isStale = true;
    this.#times = timesOf(subject?.snapshots ?? []);
    const isFirst = !this.#hasSubject;
    this.#hasSubject = subject !== null;
    if (subject) {
      if (isFirst) this.#begin();
      return;
    }
    this.#state = emptyDashboardState;
    this.#marks = noMarks;
    this.#wantsModel = false;
    this.#isUnverified = false;
  }

  hostConnected(): void {
    this.#url.connect();
  }

  hostDisconnected(): void {
    this.#url.disconnect();
  }

  hostUpdate(): void {
    const { filters, lockedFilters, timezone } = this.#options;
    this.#takeFilters(filters());
    this.#isStale ||= lockedFilters() !== this.#lockedFilters || timezone() !== this.#timezone;
    const facts = loadedValue(this.#model.state);
    this.#isStale ||= facts !== this.#facts;
    if (!this.#isStale) return;
    this.#lockedFilters = lockedFilters();
    this.#timezone = timezone();
    this.#facts = facts;
    this.#settle();
  }

  /** Returns the choices that apply to the tile of a widget. Returns the same array until they change. */
  choicesFor(widget: DashboardWidget): readonly Choice[] {
    const known = this.#byWidget.get(widget);
    if (known) return known;
    const choices = choicesOfTile(this.#choices, widget.id, mappingOf(widget));
    this.#byWidget.set(widget, choices);
    return choices;
  }

  /** Builds the request of a report with the choices that apply to the report. */
  readonly request = requestWithChoices;

  /** Applies the viewer's choice in a control; `null` clears it. Returns `false` if the host canceled the change. */
  choose(control: Control, value: FilterCondition | string | null): boolean {
    const controls = this.#controls.map(state => state.control);
    const state = withControlValue(this.#state, controls, control, value);
    const member = control.kind === 'parent' ? null : control.member;
    return this.#change({ cause: control.kind, widgetId: control.id, member, value, state });
  }

  /**
   * Applies the viewer's selection of marks in a tile as filters of the other tiles, or in an answer of a chat as
   * filters of all tiles. An empty list clears the selection.
   * @param source - id of the widget, or `answerSource` of the answer.
   */
  chooseMarks(source: string, filters: readonly MarkFilter[]): boolean {
    const marks = new Map(this.#marks);
    marks.delete(source);
    if (filters.length > 0) marks.set(source, filters);
    const widgetId = isAnswerSource(source) ? null : source;
    const [first, ...others] = filters;
    const isOne = first && !first.combinedFilter && others.length === 0;
    const [member, value] = isOne ? [first.member, first.condition] : [null, null];
    return this.#change({ cause: 'mark', widgetId, member, value, state: this.#state }, marks);
  }

  /** Whether the viewer can clear a filter. */
  canClear({ control, from }: FilterChoice): boolean {
    if (from !== null) return true;
    const state = this.#stateOf(control);
    return state !== undefined && !state.fixed && state.control.visibility !== 'hidden';
  }

  /** Clears these filters, except those that the viewer cannot clear. */
  clear(filters: readonly FilterChoice[]): void {
    for (const filter of filters.filter(each => this.canClear(each))) {
      const state = this.#stateOf(filter.control);
      if (filter.from !== null) this.chooseMarks(filter.from, []);
      else if (state) this.choose(state.control, null);
    }
  }

  /** Resets all choices to their defaults; open tabs stay open. */
  reset(): boolean {
    const state = resetState(this.#state);
    return this.#change({ cause: 'reset', widgetId: null, member: null, value: null, state }, noMarks);
  }

  /** Opens a tab for the viewer. */
  openTab(containerId: string, tabId: string): void {
    this.#put({ ...this.#state, tabs: { ...this.#state.tabs, [containerId]: tabId } });
    this.#writeUrl();
  }

  /** Returns the viewer's choices. */
  getState(): DashboardState {
    return this.#state;
  }

  /** Replaces the viewer's choices; omitted parts stay unchanged. */
  setState(state: Partial<DashboardState>): void {
    this.#put(parseHostState(state, this.#state));
    this.#writeUrl();
  }

  /** Requests the metadata of members, once. */
  wantModel(): void {
    if (this.#wantsModel) return;
    this.#wantsModel = true;
    this.#host.requestUpdate();
  }

  #stateOf(id: string | null): ControlState | undefined {
    return this.#controls.find(({ control }) => control.id === id);
  }

  #change(detail: PaFilterChangeDetail, marks = this.#marks): boolean {
    const isTaken = this.#host.dispatchEvent(new PaFilterChangeEvent(detail));
    if (isTaken) this.#marks = marks;
    this.#put(isTaken ? detail.state : this.#state);
    if (isTaken) this.#writeUrl();
    return isTaken;
  }

  #put(state: DashboardState): void {
    this.#state = state;
    this.#isStale = true;
    this.#host.requestUpdate();
  }

  /**
   * Applies new filters of the host. They replace the viewer's choices for the same members. An equal object changes
   * nothing.
   */
  #takeFilters(filters: Filters | null): void {
    if (filters === this.#filters) return;
    this.#filters = filters;
    const before = this.#given;
    const given = this.#read('filters', filters);
    if (JSON.stringify(given) === JSON.stringify(before)) return;
    this.#given = given;
    this.#isStale = true;
    if (before === noFilters) return;
    const remaining = Object.entries(this.#state.filters).filter(([member]) => !Object.hasOwn(given, member));
    this.#state = { ...this.#state, filters: Object.fromEntries(remaining) };
    this.#writeUrl();
  }

  /** Parses the host's conditions. Warns about invalid ones, once per property. */
  #read(name: 'filters' | 'lockedFilters', given: Filters | null): Filters {
    const read = parseHostFilters(given);
    const unread = invalidHostFilters(given, read);
    if (unread.length > 0 && !this.#warned.has(name)) {
      this.#warned.add(name);
      const members = unread.join(', ').slice(0, maxListedMembers);
      // biome-ignore lint/suspicious/noConsole: rows are unfiltered; only the console can warn the page's author.
      console.warn(`<${this.#host.localName}>: ${name} contains invalid conditions, which are ignored: ${members}.`);
    }
    return read;
  }

  #settle(): void {
    this.#isStale = false;
    this.#byWidget.clear();
    const given = this.#given;
    const locked = this.#read('lockedFilters', this.#lockedFilters);
    const own = this.#own;
    const layers = { locked, given, state: this.#state, attributes: this.#subject?.attributes ?? {} };
    this.#controls = controlStates([...own, ...implicitControls(own, locked, given)], layers);
    const chosen = choicesOf(this.#controls, member => this.#typeOf(member));
    this.#choices = [...chosen, ...this.#markChoices(), ...this.#zone()];
    if (this.#lacksTypes()) this.wantModel();
  }

  get #urlScope(): UrlScope | null {
    const prefix = this.#options.urlState();
    const subject = this.#subject;
    return prefix === null || !subject ? null : { prefix, controls: this.#own, tabs: subject.tabs };
  }

  /**
   * Merges the URL with choices that were set before the dashboard was loaded. The URL takes precedence; the remaining
   * choices are added to it.
   */
  #begin(): void {
    const before = this.#state;
    this.#readUrl(before);
    if (hasChoices(before) || Object.keys(before.tabs).length > 0) this.#writeUrl();
  }

  #readUrl(state: DashboardState): void {
    const scope = this.#urlScope;
    if (!scope) return;
    this.#state = this.#url.read(scope, state);
    this.#isUnverified = Object.values(this.#state.filters).some(condition => condition !== null);
  }

  #writeUrl(): void {
    const scope = this.#urlScope;
    if (scope) this.#url.write(scope, this.#state);
  }

  #handleNavigation(): void {
    if (!this.#urlScope) return;
    this.#readUrl(emptyDashboardState);
    this.#put(this.#state);
  }

  #markChoices(): Choice[] {
    return [...this.#marks].flatMap(([from, filters]) =>
      filters.map(
        ({ title, member, type, condition, combinedFilter }): Choice => ({
          kind: 'filter',
          title,
          member,
          condition,
          ...(combinedFilter && { combinedFilter }),
          type,
          control: null,
          from,
        }),
      ),
    );
  }

  #zone(): Choice[] {
    return this.#timezone ? [{ kind: 'timezone', value: this.#timezone }] : [];
  }

  #typeOf(member: string) {
    return this.#facts?.get(member)?.type ?? (this.#times.has(member) ? 'time' : null);
  }

  /** Whether the meaning of a condition depends on a type that is not known yet. */
  #lacksTypes(): boolean {
    return this.#choices.some(choice => {
      if (choice.kind !== 'filter' || choice.type !== null || !choice.condition) return false;
      return this.#isUnverified || needsType(choice.condition);
    });
  }
}
