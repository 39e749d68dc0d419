import type { Cell } from '../../contract/data.js';
import type { Filter, MemberFilter, Query, TimeDimension } from '../../contract/query.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { FilterCondition } from '../../contract/widget-config.js';
import { bucketRange, bucketSpan } from '../dates/time-buckets.js';
import { isOfMeasures, keyOf } from '../query/groups.js';
import type { ReportRequest } from '../query/report-request.js';
import { rowMark } from '../table/table.js';
import type { Mark } from './mark.js';

/** A condition that keeps the rows which a mark stands for, as a control of a dashboard has it. */
export interface MarkCondition {
  /** `view.dimension`. */
  readonly member: string;
  /** `time` where it is a span of time, else as the model has it. */
  readonly type: string;
  readonly condition: FilterCondition;
}

/** What a value of a mark is called in queries, and what it keeps. */
interface Kept {
  readonly member: string;
  readonly type: string;
  readonly value: Cell;
  /** First and last millisecond of a bucket of time; null where it is no bucket. */
  readonly range: readonly [string, string] | null;
}

const maxDrillMembers = 100;

/**
 * The query of the rows behind a mark: the members that the model names for its measure (`drillMembersGrouped`), kept to the mark's
 * values, to what the measure counts and to all that the report's own query is kept to. Null where there is none: the model names no
 * members, periods are compared, the report's SQL is no query, or the mark is of a measure that was worked out here.
 */
export function drillQuery(request: ReportRequest, rowSet: RowSet, mark: Mark): Query | null {
  if (request.kind === 'sql') return null;
  const { query } = request;
  if (query.timeDimensions?.some(({ compareDateRange }) => compareDateRange)) return null;
  const measure = drilledMeasure(request, rowSet, mark);
  const kept = keptBy(request, rowSet, mark);
  if (!measure || !kept) return null;
  const { dimensions, measures } = drillMembers(measure.column);
  if (dimensions.length + measures.length === 0) return null;
  const { filters = [], segments, timezone, joinHints } = query;
  const known = new Set(query.measures);
  return {
    ...(measures.length > 0 && { measures: [...measures] }),
    ...(dimensions.length > 0 && { dimensions: [...dimensions] }),
    ...(segments && { segments }),
    timeDimensions: rangesOf(query),
    filters: [
      { member: measure.key, operator: 'measureFilter' },
      ...filters.filter(filter => !isOfMeasures(filter, member => known.has(member))),
      ...kept.map(valueFilter),
    ],
    ...(timezone !== undefined && { timezone }),
    ...(joinHints && { joinHints }),
  };
}

/** Conditions that keep the rows which a mark stands for, so that other reports can be kept to them; none for the whole. */
export function filtersOfMark(request: ReportRequest, rowSet: RowSet, mark: Mark): readonly MarkCondition[] {
  const kept = request.kind === 'load' ? keptBy(request, rowSet, mark) : null;
  return (kept ?? []).map(({ member, type, value, range }): MarkCondition => {
    if (range) return { member, type: 'time', condition: { operator: 'between', value: [...range] } };
    if (value === null) return { member, type, condition: { operator: 'is_null' } };
    return { member, type, condition: { operator: 'equals', value: [value] } };
  });
}

/** Keeps a query to the groups that rows show, one by one; null where one of them can't be told, or there is none. */
export function groupFilter(request: LoadRequest, rowSet: RowSet): Filter | null {
  const groups = rowSet.rows.map(row => keptBy(request, rowSet, rowMark(rowSet.columns, row, null)));
  const told = groups.filter(group => group !== null && group.length > 0);
  if (told.length < groups.length || told.length === 0) return null;
  return { or: told.map(group => ({ and: (group ?? []).map(valueFilter) })) };
}

type LoadRequest = Extract<ReportRequest, { kind: 'load' }>;

/** The measure of a mark, else the first of the report that can be drilled into. */
function drilledMeasure({ query, columns }: LoadRequest, rowSet: RowSet, mark: Mark) {
  const keys = new Set(query.measures);
  const measures = rowSet.columns.flatMap(column => {
    const key = keyOf(column.member, columns);
    return keys.has(key) ? [{ key, column }] : [];
  });
  if (mark.measure !== null) return measures.find(({ column }) => column.member === mark.measure) ?? null;
  return measures.find(({ column }) => hasDrillMembers(column)) ?? null;
}

function hasDrillMembers(column: Column): boolean {
  const { dimensions, measures } = drillMembers(column);
  return dimensions.length + measures.length > 0;
}

/** `drillMembers` alone doesn't say which of them are measures: those that the answer's own columns name are. */
function drillMembers({ annotation: { drillMembers: all, drillMembersGrouped: grouped } }: Column) {
  const { dimensions, measures } = grouped ?? { dimensions: all ?? [], measures: [] };
  return { dimensions: dimensions.slice(0, maxDrillMembers), measures: measures.slice(0, maxDrillMembers) };
}

/** What a mark keeps by each of its values; null where one of them can't be told. */
function keptBy({ query, columns }: LoadRequest, rowSet: RowSet, mark: Mark): Kept[] | null {
  const found = Object.entries(mark.values).map(([name, value]): Kept | null => {
    const column = rowSet.columns.find(({ member }) => member === name);
    if (!column) return null;
    const key = keyOf(name, columns);
    const [cube, dimension, granularity] = key.split('.');
    const member = `${cube}.${dimension}`;
    const { type } = column.annotation;
    if (granularity === undefined || value === null) return { member, type, value, range: null };
    const span = bucketSpan({ ...column, member: key });
    const range = span && bucketRange(String(value), span);
    return range && { member, type, value, range };
  });
  const kept = found.filter(item => item !== null);
  // A group of the report that a mark doesn't speak of is a total over it; a value that is no group of it can't be kept to.
  return kept.length === found.length && kept.every(({ member }) => isGroup(query, member)) ? kept : null;
}

function isGroup({ dimensions = [], timeDimensions = [] }: Query, member: string): boolean {
  return (
    dimensions.some(name => name === member || name.startsWith(`${member}.`)) ||
    timeDimensions.some(({ dimension }) => dimension === member)
  );
}

function valueFilter({ member, value, range }: Kept): MemberFilter {
  if (range) return { member, operator: 'inDateRange', values: [...range] };
  if (value === null) return { member, operator: 'notSet' };
  return { member, operator: 'equals', values: [String(value)] };
}

/** What times are kept to, without the groups. */
function rangesOf({ timeDimensions = [] }: Query): TimeDimension[] {
  return timeDimensions.flatMap(({ dimension, dateRange }) => (dateRange ? [{ dimension, dateRange }] : []));
}
