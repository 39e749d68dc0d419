import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Query } from '../../contract/query.js';
import type { FilterCondition } from '../../contract/widget-config.js';
import { keysOf } from '../query/member-names.js';
import { type ReportRequest, snapshotRequest } from '../query/report-request.js';
import {
  type Choice,
  type Control,
  type FieldControl,
  type FilterControl,
  type GrainControl,
  ignoredBySql,
  type ParentControl,
  withChoices,
} from './controls.js';
import { type DashboardState, emptyDashboardState } from './dashboard-state.js';
import type { MemberType } from './filter-condition.js';
import { conditionOf } from './read-control.js';

/** Origin of the effective value of a control. */
interface ControlOrigin {
  /**
   * Source of the value: a lock of the host, the viewer (or the URL), the host's default, an attribute of the viewer,
   * or the author.
   */
  readonly by: 'lock' | 'viewer' | 'host' | 'attribute' | 'author';
  /** True if the control is visible but cannot be changed. */
  readonly fixed: boolean;
}

/** State of a filter. `value` is the effective condition; `null` means no filter. */
export interface FilterState extends ControlOrigin {
  readonly kind: 'filter';
  readonly control: FilterControl;
  readonly value: FilterCondition | null;
}

/** State of a granularity control. `value` is the effective granularity; `null` means that each report uses its own. */
export interface GrainState extends ControlOrigin {
  readonly kind: 'grain';
  readonly control: GrainControl;
  readonly value: string | null;
}

/** State of a member control. `value` is the member that replaces the control's member; `null` means no replacement. */
export interface FieldState extends ControlOrigin {
  readonly kind: 'field';
  readonly control: FieldControl;
  readonly value: string | null;
}

/** State of a parent control. `value` is the option that all child controls match; `null` if they match none. */
export interface ParentState extends ControlOrigin {
  readonly kind: 'parent';
  readonly control: ParentControl;
  readonly value: string | null;
}

/** A control with its effective value. */
export type ControlState = FilterState | GrainState | FieldState | ParentState;

/** Conditions by member. */
export type Filters = Readonly<Record<string, FilterCondition | null>>;

/** Sources of effective values, by descending precedence. */
export interface ControlSources {
  readonly locked: Filters;
  readonly state: DashboardState;
  readonly given: Filters;
  /** Attributes of the viewer. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Returns the state of each control. Precedence: lock, viewer, host, attribute of the viewer, author. */
export function controlStates(controls: readonly Control[], layers: ControlSources): readonly ControlState[] {
  const driven = parentDefaults(controls);
  const plain = controls.flatMap(control => (control.kind === 'parent' ? [] : [plainState(control, layers, driven)]));
  return controls.flatMap((control): ControlState[] => {
    if (control.kind === 'parent') return [parentState(control, plain)];
    return plain.filter(state => state.control === control);
  });
}

/** Returns the choices that apply to the queries of a dashboard. */
export function choicesOf(
  states: readonly ControlState[],
  typeOf: (member: string) => MemberType | null,
): readonly Choice[] {
  return states.flatMap((state): Choice[] => {
    const { control } = state;
    if (state.kind === 'parent' || control.kind === 'parent') return [];
    const head = { title: control.title, member: control.member, control: control.id };
    if (state.kind !== 'filter') return [{ ...head, kind: state.kind, value: state.value }];
    return [{ ...head, kind: 'filter', condition: state.value, type: typeOf(control.member), from: null }];
  });
}

/** Returns the state after the viewer changed a control; `null` clears the control. */
export function withControlValue(
  state: DashboardState,
  controls: readonly Control[],
  control: Control,
  value: FilterCondition | string | null,
): DashboardState {
  if (control.kind !== 'parent') return withChoice(state, control, value);
  const option = control.options.find(({ id }) => id === value);
  return [...(option?.controls ?? [])].reduce((next, [id, driven]) => {
    const child = controls.find(candidate => candidate.id === id);
    return child && child.kind !== 'parent' ? withChoice(next, child, driven) : next;
  }, state);
}

/** True if a reset would change the state. */
export function hasChoices({ filters, timeGrains, members }: DashboardState): boolean {
  return [filters, timeGrains, members].some(group => Object.keys(group).length > 0);
}

/** Returns the state with all controls reset to their defaults. Open tabs do not change. */
export function resetState({ tabs }: DashboardState): DashboardState {
  return { ...emptyDashboardState, tabs };
}

function withChoice(
  state: DashboardState,
  control: Exclude<Control, ParentControl>,
  value: FilterCondition | string | null,
): DashboardState {
  const { member } = control;
  if (control.kind === 'filter') {
    return typeof value === 'string' ? state : { ...state, filters: { ...state.filters, [member]: value } };
  }
  if (value !== null && typeof value !== 'string') return state;
  return control.kind === 'grain'
    ? { ...state, timeGrains: { ...state.timeGrains, [member]: value } }
    : { ...state, members: { ...state.members, [member]: value } };
}

type DefaultsByParent = ReadonlyMap<string, FilterCondition | string>;

/** Returns the default values that parent controls set for other controls. */
function parentDefaults(controls: readonly Control[]): DefaultsByParent {
  return new Map(
    controls.flatMap(control => {
      if (control.kind !== 'parent' || control.initial === null) return [];
      return [...(control.options.find(({ id }) => id === control.initial)?.controls ?? [])];
    }),
  );
}

function plainState(
  control: Exclude<Control, ParentControl>,
  layers: ControlSources,
  driven: DefaultsByParent,
): ControlState {
  const fixed = control.visibility === 'disabled';
  const { member, id } = control;
  const first = driven.get(id);
  if (control.kind === 'filter') {
    const locked = ownValue(layers.locked, member);
    if (locked !== undefined) return { kind: 'filter', control, value: locked, by: 'lock', fixed: true };
    const viewers = ownValue(layers.state.filters, member);
    if (viewers !== undefined) return { kind: 'filter', control, value: viewers, by: 'viewer', fixed };
    const given = ownValue(layers.given, member);
    if (given !== undefined) return { kind: 'filter', control, value: given, by: 'host', fixed };
    const attribute = attributeCondition(control, layers.attributes);
    if (attribute) return { kind: 'filter', control, value: attribute, by: 'attribute', fixed };
    const value = typeof first === 'object' ? first : control.initial;
    return { kind: 'filter', control, value, by: 'author', fixed };
  }
  const viewers = ownValue(control.kind === 'grain' ? layers.state.timeGrains : layers.state.members, member);
  const initial = typeof first === 'string' ? first : control.initial;
  const value = viewers === undefined ? initial : viewers;
  const by = viewers === undefined ? 'author' : 'viewer';
  return control.kind === 'grain'
    ? { kind: 'grain', control, value, by, fixed }
    : { kind: 'field', control, value, by, fixed };
}

function attributeCondition(
  { userAttribute }: FilterControl,
  attributes: ControlSources['attributes'],
): FilterCondition | null {
  const value = userAttribute === null ? undefined : ownValue(attributes, userAttribute);
  return value === undefined || value === null ? null : conditionOf({ value });
}

function parentState(control: ParentControl, states: readonly ControlState[]): ControlState {
  const values = new Map(states.map(state => [state.control.id, JSON.stringify(state.value)]));
  const option = control.options.find(
    ({ controls }) =>
      controls.size > 0 && [...controls].every(([id, value]) => values.get(id) === JSON.stringify(value)),
  );
  const fixed = control.visibility === 'disabled';
  const driven = states.filter(state => option?.controls.has(state.control.id));
  const by = driven.some(state => state.by === 'viewer') ? 'viewer' : 'author';
  return { kind: 'parent', control, value: option?.id ?? null, by, fixed };
}

/** Returns the value of an own property; `undefined` for inherited properties. */
function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Returns the request of a published report with the choices of its dashboard. SQL reports ignore all choices. */
export function requestWithChoices(snapshot: ReportSnapshot, choices: readonly Choice[]): ReportRequest | null {
  const request = snapshotRequest(snapshot);
  if (request?.kind !== 'load') return request && { ...request, ignored: ignoredBySql(choices) };
  const { query, renamed, ignored } = withChoices(request.query, choices);
  return { ...request, query, columns: columnsOf(request.query, request.columns, renamed), ignored };
}

/** Maps the columns of the published report to the keys of the changed query. */
function columnsOf(
  published: Query,
  columns: Readonly<Record<string, string>> | null,
  renamed: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> | null {
  if (renamed.size === 0) return columns;
  const pairs = columns ? Object.entries(columns) : keysOf(published).map((key): [string, string] => [key, key]);
  return Object.fromEntries(pairs.map(([name, key]) => [name, renamed.get(key) ?? key]));
}
