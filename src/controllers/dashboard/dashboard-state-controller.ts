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
import type { MarkFilter } from '../../report/marks/mark-filters.js';
import { LoadController, loadedValue } from '../load-controller.js';
import { type PaFilterChangeDetail, PaFilterChangeEvent } from './filter-change-event.js';
import { UrlState } from './url-state.js';

/** What is chosen on: a dashboard, or a report alone, as it was loaded. */
export interface StateSubject {
  /** Widgets that are controls, as they were published. */
  readonly widgets: readonly DashboardWidget[];
  readonly snapshots: readonly ReportSnapshot[];
  /** The viewer's attributes that controls start from. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Tabs that can be opened, by the id of their container. */
  readonly tabs: ReadonlyMap<string, readonly string[]>;
}

/** What a state controller needs from its host. */
export interface DashboardStateOptions {
  readonly source: () => SessionSource | null;
  /** Conditions that the host starts with, by member; a new object takes the place of what the viewer chose for them. */
  readonly filters: () => Filters | null;
  /** Conditions that the viewer sees and can't change. */
  readonly lockedFilters: () => Filters | null;
  /** IANA time zone for all queries; null for each report's own. */
  readonly timezone: () => string | null;
  /** Null keeps the state out of the page's address; else what stands before the names of its parameters there, empty for nothing. */
  readonly urlState: () => string | null;
}

const noFacts: ModelFacts = new Map();
/** Longest that a list of members gets on the console. */
const maxListedMembers = 200;
const noMarks: ReadonlyMap<string, readonly MarkFilter[]> = new Map();

/**
 * Keeps what is chosen on a dashboard and what of it reaches each tile. Every change by the viewer is announced by a cancelable
 * `pa-filter-change` on the host first.
 */
export class DashboardStateController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: DashboardStateOptions;
  readonly #model: LoadController<string, ModelFacts>;
  readonly #url = new UrlState(() => this.#handleNavigation());
  #subject: StateSubject | null = null;
  /** Controls of the dashboard's own. */
  #own: readonly Control[] = [];
  #state: DashboardState = emptyDashboardState;
  #marks = noMarks;
  /** What the host gave last, as it came. */
  #filters: Filters | null = null;
  #given = noFilters;
  #lockedFilters: Filters | null = null;
  #timezone: string | null = null;
  #facts: ModelFacts | null = null;
  #wantsModel = false;
  #hasSubject = false;
  /** Conditions came from an address: only with the model at hand it is sure that they suit their members. */
  #doubtful = false;
  #isStale = true;
  #times: ReadonlySet<string> = new Set();
  #controls: readonly ControlState[] = [];
  #choices: readonly Choice[] = [];
  readonly #byWidget = new Map<DashboardWidget, readonly Choice[]>();
  readonly #told = new Set<string>();

  constructor(host: ReactiveControllerHost & HTMLElement, options: DashboardStateOptions) {
    this.#host = host;
    this.#options = options;
    // Before the model's: what is found to want the model in an update has it asked for in the same one.
    host.addController(this);
    this.#model = new LoadController<string, ModelFacts>(host, {
      source: options.source,
      key: () => (this.#wantsModel ? 'model' : null),
      load: async (source, _key, signal) => modelFacts(await source.meta({ signal })),
    });
  }

  /** All controls, with what is in force for each. */
  get controls(): readonly ControlState[] {
    return this.#controls;
  }

  /** How many widgets are controls that can't be understood. */
  get unread(): number {
    return (this.#subject?.widgets.length ?? 0) - this.#own.length;
  }

  /** What the model says of members: nothing where it can't be had; null until somebody wanted it (`wantModel`) and it has come. */
  get model(): ModelFacts | null {
    return this.#facts ?? (this.#model.state.status === 'failed' ? noFacts : null);
  }

  /** False while it takes the model to know what is chosen: until then no tile can ask. */
  get ready(): boolean {
    return !this.#lacksTypes() || this.model !== null;
  }

  /** Whether there is anything to reset. */
  get touched(): boolean {
    return hasChoices(this.#state) || this.#marks.size > 0;
  }

  /** Tiles whose marks are chosen, with what each of them filters the others by. */
  get marks(): ReadonlyMap<string, readonly MarkFilter[]> {
    return this.#marks;
  }

  /** What is chosen for the whole dashboard, also by marks. */
  get choices(): readonly Choice[] {
    return this.#choices;
  }

  /** What is chosen on; the same object is the same dashboard. Null forgets all that was chosen. Call it from the host's `willUpdate`. */
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
    this.#doubtful = false;
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

  /** What reaches the tile of a widget: the same array as long as it is the same. */
  choicesFor(widget: DashboardWidget): readonly Choice[] {
    const known = this.#byWidget.get(widget);
    if (known) return known;
    const choices = choicesOfTile(this.#choices, widget.id, mappingOf(widget));
    this.#byWidget.set(widget, choices);
    return choices;
  }

  /** What a report is asked by with choices that reach it. */
  readonly request = requestWithChoices;

  /** The viewer chose by a control; null for nothing. False where the host would not have it. */
  choose(control: Control, value: FilterCondition | string | null): boolean {
    const controls = this.#controls.map(state => state.control);
    const state = withControlValue(this.#state, controls, control, value);
    const member = control.kind === 'parent' ? null : control.member;
    return this.#change({ cause: control.kind, widgetId: control.id, member, value, state });
  }

  /** The viewer chose marks of a tile: they filter the other tiles. None takes back what was chosen there. */
  chooseMarks(widgetId: string, filters: readonly MarkFilter[]): boolean {
    const marks = new Map(this.#marks);
    marks.delete(widgetId);
    if (filters.length > 0) marks.set(widgetId, filters);
    const [first, ...others] = filters;
    const isOne = first && !first.combinedFilter && others.length === 0;
    const [member, value] = isOne ? [first.member, first.condition] : [null, null];
    return this.#change({ cause: 'mark', widgetId, member, value, state: this.#state }, marks);
  }

  /** Whether the viewer may take a filter away. */
  canClear({ control, from }: FilterChoice): boolean {
    if (from !== null) return true;
    const state = this.#stateOf(control);
    return state !== undefined && !state.fixed && state.control.visibility !== 'hidden';
  }

  /** Takes away those filters that may be. */
  clear(filters: readonly FilterChoice[]): void {
    for (const filter of filters.filter(each => this.canClear(each))) {
      const state = this.#stateOf(filter.control);
      if (filter.from !== null) this.chooseMarks(filter.from, []);
      else if (state) this.choose(state.control, null);
    }
  }

  /** Back to what stands by default; tabs stay open. */
  reset(): boolean {
    const state = resetState(this.#state);
    return this.#change({ cause: 'reset', widgetId: null, member: null, value: null, state }, noMarks);
  }

  /** The viewer opened a tab. */
  openTab(containerId: string, tabId: string): void {
    this.#put({ ...this.#state, tabs: { ...this.#state.tabs, [containerId]: tabId } });
    this.#writeUrl();
  }

  /** What the viewer has chosen. */
  getState(): DashboardState {
    return this.#state;
  }

  /** Puts a state in the place of what the viewer has chosen; parts that are absent stay. */
  setState(state: Partial<DashboardState>): void {
    this.#put(parseHostState(state, this.#state));
    this.#writeUrl();
  }

  /** Loads what the model says of members, once. */
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

  /** What the host gives anew stands in the place of what the viewer chose for it. The same in another object is nothing new. */
  #takeFilters(filters: Filters | null): void {
    if (filters === this.#filters) return;
    this.#filters = filters;
    const before = this.#given;
    const given = this.#read('filters', filters);
    if (JSON.stringify(given) === JSON.stringify(before)) return;
    this.#given = given;
    this.#isStale = true;
    if (before === noFilters) return;
    const kept = Object.entries(this.#state.filters).filter(([member]) => !Object.hasOwn(given, member));
    this.#state = { ...this.#state, filters: Object.fromEntries(kept) };
    this.#writeUrl();
  }

  /** Conditions that the host gives; of those that can't be read its author is told, once a property. */
  #read(name: 'filters' | 'lockedFilters', given: Filters | null): Filters {
    const read = parseHostFilters(given);
    const unread = invalidHostFilters(given, read);
    if (unread.length > 0 && !this.#told.has(name)) {
      this.#told.add(name);
      const members = unread.join(', ').slice(0, maxListedMembers);
      // biome-ignore lint/suspicious/noConsole: rows that a page means to filter are shown unfiltered, and nothing else tells its author.
      console.warn(
        `<${this.#host.localName}>: ${name} holds conditions that can't be read, which filter nothing: ${members}.`,
      );
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

  /** What the address says comes before what was set while there was no dashboard; what of that stands is written beside it. */
  #begin(): void {
    const before = this.#state;
    this.#readUrl(before);
    if (hasChoices(before) || Object.keys(before.tabs).length > 0) this.#writeUrl();
  }

  #readUrl(state: DashboardState): void {
    const scope = this.#urlScope;
    if (!scope) return;
    this.#state = this.#url.read(scope, state);
    this.#doubtful = Object.values(this.#state.filters).some(condition => condition !== null);
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

  /** Whether a condition means one thing or another by a type that is not known. */
  #lacksTypes(): boolean {
    return this.#choices.some(choice => {
      if (choice.kind !== 'filter' || choice.type !== null || !choice.condition) return false;
      return this.#doubtful || needsType(choice.condition);
    });
  }
}
