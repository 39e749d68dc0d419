import type { Filter, Query, TimeDimension } from '../contract/query.js';
import type { FilterCondition } from '../contract/widget-config.js';
import { conditionFilters, type MemberType, operatorOf, valuesOf } from '../report/controls/filter-condition.js';
import type { Member, MemberSource } from './model.js';

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
  readonly limit: number;
  /** IANA time zone. */
  readonly timezone: string;
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
};

/**
 * Returns a first query that shows something for most models: the count, or the first measure, of the first view, by
 * month of its first time dimension or else by its first dimension.
 */
export function firstDraft([source]: readonly MemberSource[]): Draft {
  const members = source?.members ?? [];
  const measures = members.filter(({ kind }) => kind === 'measure');
  const measure = measures.find(({ counts }) => counts) ?? measures[0];
  const group = members.find(({ kind }) => kind === 'time') ?? members.find(({ kind }) => kind === 'dimension');
  return [measure, group].reduce((draft, member) => (member ? toggleMember(draft, member) : draft), emptyDraft);
}

/** Adds a member, or removes it. A time dimension is grouped by month at first. */
export function toggleMember(draft: Draft, member: Member): Draft {
  const has = draft.members.some(({ name }) => name === member.name);
  const members = has ? draft.members.filter(({ name }) => name !== member.name) : [...draft.members, member];
  const grains = new Map(draft.granularities);
  if (has) grains.delete(member.name);
  else if (member.kind === 'time') grains.set(member.name, 'month');
  const next = { ...draft, members, granularities: grains };
  return { ...next, order: orderableKeys(next).includes(draft.order?.member ?? '') ? draft.order : null };
}

/** Removes what a changed model no longer has, for example because another session sees less of it. */
export function keepVisible(draft: Draft, visible: ReadonlyMap<string, Member>): Draft {
  const hidden = draft.members.filter(({ name }) => !visible.has(name));
  const filters = new Map([...draft.filters].filter(([{ name }]) => visible.has(name)));
  return hidden.reduce(toggleMember, { ...draft, filters });
}

/** Members of one kind. */
export function membersOf({ members }: Draft, kind: Member['kind']): readonly Member[] {
  return members.filter(member => member.kind === kind);
}

/** Members by which the rows can be ordered. */
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
  const filters = [...draft.filters].flatMap(([member, condition]) =>
    ranged.has(member.name) ? [] : filtersOf(member, condition),
  );
  const [measures, dimensions, segments] = [names('measure'), names('dimension'), names('segment')];
  return {
    ...(measures.length > 0 && { measures }),
    ...(dimensions.length > 0 && { dimensions }),
    ...(timeDimensions.length > 0 && { timeDimensions }),
    ...(segments.length > 0 && { segments }),
    ...(filters.length > 0 && { filters }),
    ...(draft.order && { order: [[draft.order.member, draft.order.direction]] }),
    limit: draft.limit,
    ...(draft.timezone !== 'UTC' && { timezone: draft.timezone }),
  };
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
