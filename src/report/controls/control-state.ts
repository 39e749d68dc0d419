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

/** What is in force for one control, and why. */
interface ControlOrigin {
  /** Who says it: the host for good, the viewer (or the URL), the host at first, an attribute of the viewer's, or the author. */
  readonly by: 'lock' | 'viewer' | 'host' | 'attribute' | 'author';
  /** Shown, and not to be changed. */
  readonly fixed: boolean;
}

/** A filter, and the condition in force; null for nothing. */
export interface FilterState extends ControlOrigin {
  readonly kind: 'filter';
  readonly control: FilterControl;
  readonly value: FilterCondition | null;
}

/** A granularity, and the one in force; null for each report's own. */
export interface GrainState extends ControlOrigin {
  readonly kind: 'grain';
  readonly control: GrainControl;
  readonly value: string | null;
}

/** A member, and the one that stands in its place; null for itself. */
export interface FieldState extends ControlOrigin {
  readonly kind: 'field';
  readonly control: FieldControl;
  readonly value: string | null;
}

/** A parent, and the option that all which it drives stands by; null where they stand otherwise. */
export interface ParentState extends ControlOrigin {
  readonly kind: 'parent';
  readonly control: ParentControl;
  readonly value: string | null;
}

/** A control with what is in force for it. */
export type ControlState = FilterState | GrainState | FieldState | ParentState;

/** Conditions by member. */
export type Filters = Readonly<Record<string, FilterCondition | null>>;

/** What the value in force is taken from, the strongest first. */
export interface ControlSources {
  readonly locked: Filters;
  readonly state: DashboardState;
  readonly given: Filters;
  /** The viewer's attributes. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What is in force for each control: the viewer's choice before the host's, that before the viewer's attribute, that before the author's. */
export function controlStates(controls: readonly Control[], layers: ControlSources): readonly ControlState[] {
  const driven = drivenAtFirst(controls);
  const plain = controls.flatMap(control => (control.kind === 'parent' ? [] : [plainState(control, layers, driven)]));
  return controls.flatMap((control): ControlState[] => {
    if (control.kind === 'parent') return [parentState(control, plain)];
    return plain.filter(state => state.control === control);
  });
}

/** The choices that the queries of a dashboard are asked with. */
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

/** The state after the viewer chose by a control: null for nothing. */
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

/** Whether there is anything that a reset would take back. */
export function hasChoices({ filters, timeGrains, members }: DashboardState): boolean {
  return [filters, timeGrains, members].some(group => Object.keys(group).length > 0);
}

/** The state with every control as it stood before the viewer chose; tabs stay as they are. */
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

type Driven = ReadonlyMap<string, FilterCondition | string>;

/** What parents choose by other controls before the viewer has chosen. */
function drivenAtFirst(controls: readonly Control[]): Driven {
  return new Map(
    controls.flatMap(control => {
      if (control.kind !== 'parent' || control.initial === null) return [];
      return [...(control.options.find(({ id }) => id === control.initial)?.controls ?? [])];
    }),
  );
}

function plainState(control: Exclude<Control, ParentControl>, layers: ControlSources, driven: Driven): ControlState {
  const fixed = control.visibility === 'disabled';
  const { member, id } = control;
  const first = driven.get(id);
  if (control.kind === 'filter') {
    const locked = own(layers.locked, member);
    if (locked !== undefined) return { kind: 'filter', control, value: locked, by: 'lock', fixed: true };
    const viewers = own(layers.state.filters, member);
    if (viewers !== undefined) return { kind: 'filter', control, value: viewers, by: 'viewer', fixed };
    const given = own(layers.given, member);
    if (given !== undefined) return { kind: 'filter', control, value: given, by: 'host', fixed };
    const attribute = attributeCondition(control, layers.attributes);
    if (attribute) return { kind: 'filter', control, value: attribute, by: 'attribute', fixed };
    const value = typeof first === 'object' ? first : control.initial;
    return { kind: 'filter', control, value, by: 'author', fixed };
  }
  const viewers = own(control.kind === 'grain' ? layers.state.timeGrains : layers.state.members, member);
  const value = viewers === undefined ? (typeof first === 'string' ? first : control.initial) : viewers;
  const by = viewers === undefined ? 'author' : 'viewer';
  return control.kind === 'grain'
    ? { kind: 'grain', control, value, by, fixed }
    : { kind: 'field', control, value, by, fixed };
}

function attributeCondition(
  { userAttribute }: FilterControl,
  attributes: ControlSources['attributes'],
): FilterCondition | null {
  const value = userAttribute === null ? undefined : own(attributes, userAttribute);
  return value === undefined || value === null ? null : conditionOf({ value });
}

function parentState(control: ParentControl, states: readonly ControlState[]): ControlState {
  const standing = new Map(states.map(state => [state.control.id, JSON.stringify(state.value)]));
  const option = control.options.find(({ controls }) =>
    [...controls].every(([id, value]) => standing.get(id) === JSON.stringify(value)),
  );
  const fixed = control.visibility === 'disabled';
  const driven = states.filter(state => option?.controls.has(state.control.id));
  const by = driven.some(state => state.by === 'viewer') ? 'viewer' : 'author';
  return { kind: 'parent', control, value: option?.id ?? null, by, fixed };
}

/** The value under a key of the object's own; undefined for what it merely inherits. */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** What a published report is asked by with what is chosen on its dashboard. SQL follows no choice. */
export function requestWithChoices(snapshot: ReportSnapshot, choices: readonly Choice[]): ReportRequest | null {
  const request = snapshotRequest(snapshot);
  if (request?.kind !== 'load') return request && { ...request, ignored: ignoredBySql(choices) };
  const { query, renamed, ignored } = withChoices(request.query, choices);
  return { ...request, query, columns: columnsOf(request.query, request.columns, renamed), ignored };
}

/** A report is drawn by the names that it was published with, whatever the query has become. */
function columnsOf(
  published: Query,
  columns: Readonly<Record<string, string>> | null,
  renamed: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> | null {
  if (renamed.size === 0) return columns;
  const pairs = columns ? Object.entries(columns) : keysOf(published).map((key): [string, string] => [key, key]);
  return Object.fromEntries(pairs.map(([name, key]) => [name, renamed.get(key) ?? key]));
}
