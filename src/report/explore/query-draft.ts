import type { Filter, Query, TimeDimension } from '../../contract/query.js';
import type { FilterCondition } from '../../contract/widget-config.js';
import {
  conditionFilters,
  dashboardOperatorOf,
  type MemberType,
  operatorOf,
  valuesOf,
} from '../controls/filter-condition.js';
import type { Member, MemberSource } from './members.js';

/** The query that the viewer builds. Immutable: every change returns a new draft. */
export interface Draft {
  /** Selected members, in the order of their selection. */
  readonly members: readonly Member[];
  /** Granularity by name of a selected time dimension; `null` does not group by it. */
  readonly granularities: ReadonlyMap<string, string | null>;
  /** Conditions by member; `null` if the filter is shown but restricts nothing. */
  readonly filters: ReadonlyMap<Member, FilterCondition | null>;
  /** `null` keeps the default order of the Data API. */
  readonly order: { readonly member: string; readonly direction: 'asc' | 'desc' } | null;
  /** Maximum number of rows; `null` if not set. */
  readonly limit: number | null;
  /** IANA time zone. */
  readonly timezone: string;
  /** Parts of a query that no other field can express. They stay unchanged. */
  readonly rest: Query;
}

/** Default maximum number of rows. */
const defaultLimit = 1000;

/** A draft without members. */
export const emptyDraft: Draft = {
  members: [],
  granularities: new Map(),
  filters: new Map(),
  order: null,
  limit: defaultLimit,
  timezone: 'UTC',
  rest: {},
};

/**
 * Returns an initial query that has a result for most models: the count (or else the first measure) of the first view,
 * by month of its first time dimension or else by its first dimension.
 */
export function firstDraft([source]: readonly MemberSource[]): Draft {
  const members = source?.members ?? [];
  const measures = members.filter(({ kind }) => kind === 'measure');
  const measure = measures.find(({ counts }) => counts) ?? measures[0];
  const group = members.find(({ kind }) => kind === 'time') ?? members.find(({ kind }) => kind === 'dimension');
  return [measure, group].reduce((draft, member) => (member ? toggleMember(draft, member) : draft), emptyDraft);
}

/** Adds a member, or removes it. A time dimension is initially grouped by month. */
export function toggleMember(draft: Draft, member: Member): Draft {
  const has = draft.members.some(({ name }) => name === member.name);
  const members = has ? draft.members.filter(({ name }) => name !== member.name) : [...draft.members, member];
  const grains = new Map(draft.granularities);
  if (has) grains.delete(member.name);
  else if (member.kind === 'time') grains.set(member.name, 'month');
  const next = { ...draft, members, granularities: grains };
  return { ...next, order: orderableKeys(next).includes(draft.order?.member ?? '') ? draft.order : null };
}

/** Removes the members that are not in `visible`, for example because another session sees fewer members. */
export function keepVisible(draft: Draft, visible: ReadonlyMap<string, Member>): Draft {
  const hidden = draft.members.filter(({ name }) => !visible.has(name));
  const filters = new Map([...draft.filters].filter(([{ name }]) => visible.has(name)));
  return hidden.reduce(toggleMember, { ...draft, filters });
}

/** Returns the members of one kind. */
export function membersOf({ members }: Draft, kind: Member['kind']): readonly Member[] {
  return members.filter(member => member.kind === kind);
}

/** Returns the members by which the rows can be ordered. */
export function orderableKeys(draft: Draft): readonly string[] {
  return draft.members
    .filter(({ kind, name }) => kind !== 'segment' && (kind !== 'time' || draft.granularities.get(name)))
    .map(({ name }) => name);
}

/** Whether the draft has columns. Without columns it cannot run. */
export function isRunnable(draft: Draft): boolean {
  return orderableKeys(draft).length > 0;
}

/** Returns the member type that determines the filter operators. */
export function filterType({ type }: Member): MemberType {
  return type === 'number' || type === 'boolean' || type === 'time' ? type : 'string';
}

/** Returns the query of a draft. Omits what is not set, so that the copied text is short. */
export function toQuery(draft: Draft): Query {
  const names = (kind: Member['kind']): string[] => membersOf(draft, kind).map(({ name }) => name);
  const ranges = new Map([...draft.filters].map(([{ name }, condition]) => [name, dateRangeOf(condition)]));
  const times = membersOf(draft, 'time').map(({ name }): TimeDimension => {
    const [granularity, dateRange] = [draft.granularities.get(name), ranges.get(name)];
    return { dimension: name, ...(granularity && { granularity }), ...(dateRange && { dateRange }) };
  });
  const timeDimensions = times.filter(({ granularity, dateRange }) => granularity || dateRange);
  const ranged = new Set(timeDimensions.filter(time => time.dateRange).map(({ dimension }) => dimension));
  const { rest } = draft;
  const filters = [...draft.filters].flatMap(([member, condition]) =>
    ranged.has(member.name) ? [] : filtersOf(member, condition),
  );
  filters.push(...(rest.filters ?? []));
  timeDimensions.push(...(rest.timeDimensions ?? []));
  const [measures, dimensions, segments] = [names('measure'), names('dimension'), names('segment')];
  return {
    ...rest,
    ...(measures.length > 0 && { measures }),
    ...(dimensions.length > 0 && { dimensions }),
    ...(timeDimensions.length > 0 && { timeDimensions }),
    ...(segments.length > 0 && { segments }),
    ...(filters.length > 0 && { filters }),
    ...(draft.order && { order: [[draft.order.member, draft.order.direction]] }),
    ...(draft.limit !== null && { limit: draft.limit }),
    ...(draft.timezone !== 'UTC' && { timezone: draft.timezone }),
  };
}

/**
 * Returns the draft of a query. `toQuery` converts it back to an equal query. A member that the model no longer has
 * remains selected; its name is used as its title.
 */
export function fromQuery(query: Query, visible: ReadonlyMap<string, Member>): Draft {
  const { measures = [], dimensions = [], segments = [], filters = [], order, limit, timezone, ...others } = query;
  const { timeDimensions = [], ...rest } = others;
  const memberOf = (name: string, kind: Member['kind']): Member => visible.get(name) ?? missingMember(name, kind);
  const times = timeDimensions.map(time => readTime(time, memberOf(time.dimension, 'time')));
  const conditions = filters.map(filter => readFilter(filter, visible));
  const { known, otherFilters } = sortFilters(times, conditions);
  const otherTimes = times.filter(({ member }) => member === null).map(({ time }) => time);
  const single = readOrder(order);
  return {
    members: [
      ...measures.map(name => memberOf(name, 'measure')),
      ...dimensions.map(name => memberOf(name, 'dimension')),
      ...times.flatMap(({ member }) => member ?? []),
      ...segments.map(name => memberOf(name, 'segment')),
    ],
    granularities: new Map(
      times.flatMap(({ member, time }) => (member ? [[member.name, time.granularity ?? null] as const] : [])),
    ),
    filters: known,
    order: single,
    limit: limit ?? null,
    timezone: timezone ?? 'UTC',
    rest: {
      ...rest,
      ...(otherFilters.length > 0 && { filters: otherFilters }),
      ...(otherTimes.length > 0 && { timeDimensions: otherTimes }),
      ...(order !== undefined && single === null && { order }),
      ...(timezone === 'UTC' && { timezone }),
    },
  };
}

/** Separates the filters that a draft can express, one per member, from the others. */
function sortFilters(times: readonly ReadTime[], conditions: readonly ReadFilter[]) {
  const known = new Map<Member, FilterCondition | null>();
  for (const { member, range } of times) if (member && range) known.set(member, range);
  const otherFilters: Filter[] = [];
  for (const { member, condition, filter } of conditions) {
    if (member && !known.has(member)) known.set(member, condition);
    else otherFilters.push(filter);
  }
  return { known, otherFilters };
}

/** Whether a member of a draft is not in the model. */
export function isMissing({ type, kind }: Member): boolean {
  return type === missingType && kind !== 'segment';
}

const missingType = 'missing';

function missingMember(name: string, kind: Member['kind']): Member {
  return { name, title: name, description: '', kind, type: missingType, counts: false, granularities: [] };
}

interface ReadTime {
  readonly time: TimeDimension;
  /** The member; `null` if a draft cannot express the time dimension. */
  readonly member: Member | null;
  readonly range: FilterCondition | null;
}

function readTime(time: TimeDimension, member: Member): ReadTime {
  const { granularity, dateRange, compareDateRange } = time;
  const hasEffect = granularity || dateRange != null;
  if (compareDateRange || !hasEffect) return { time, member: null, range: null };
  if (dateRange == null) return { time, member, range: null };
  if (typeof dateRange === 'string') return { time, member, range: { operator: 'custom', value: dateRange } };
  const [from, to] = dateRange;
  if (from === undefined || to === undefined) return { time, member: null, range: null };
  return { time, member, range: { operator: 'between', value: [from, to] } };
}

interface ReadFilter {
  readonly filter: Filter;
  /** The filtered member; `null` if a draft cannot express the filter. */
  readonly member: Member | null;
  readonly condition: FilterCondition | null;
}

function readFilter(filter: Filter, visible: ReadonlyMap<string, Member>): ReadFilter {
  const other = { filter, member: null, condition: null };
  if (!('member' in filter) || filter.operator === 'measureFilter') return other;
  const member = visible.get(filter.member);
  const operator = dashboardOperatorOf(filter.operator);
  if (!member || member.kind === 'time' || operator === undefined) return other;
  const condition: FilterCondition = { operator, ...(filter.values && { value: filter.values }) };
  const again = conditionFilters(member.name, condition, filterType(member));
  const isSame = 'filters' in again && JSON.stringify(again.filters) === JSON.stringify([filter]);
  return isSame ? { filter, member, condition } : other;
}

function readOrder(order: Query['order']): Draft['order'] {
  if (order === undefined) return null;
  const entries = Array.isArray(order)
    ? order.map(entry => (Array.isArray(entry) ? entry : ([entry.id, entry.desc ? 'desc' : 'asc'] as const)))
    : Object.entries(order);
  const [first, ...more] = entries;
  return first && more.length === 0 ? { member: first[0], direction: first[1] } : null;
}

function filtersOf(member: Member, condition: FilterCondition | null): readonly Filter[] {
  if (!condition) return [];
  const read = conditionFilters(member.name, condition, filterType(member));
  return 'filters' in read ? read.filters : [];
}

/** Returns a condition on a time as a date range: a phrase, or the first and last day. */
function dateRangeOf(condition: FilterCondition | null): TimeDimension['dateRange'] {
  if (!condition) return undefined;
  const [from, to] = valuesOf(condition);
  const operator = operatorOf(condition);
  if (operator === 'custom' && typeof from === 'string') return from;
  const isRange = operator === 'between' && typeof from === 'string' && typeof to === 'string';
  return isRange && from && to ? [from, to] : undefined;
}
