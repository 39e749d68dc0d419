import type { Cell } from '../../contract/data.js';
import type { Filter, MemberFilter, Query, TimeDimension } from '../../contract/query.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { FilterCondition } from '../../contract/widget-config.js';
import { bucketRange, bucketSpan } from '../dates/time-buckets.js';
import { isOfMeasures, keyOf } from '../query/groups.js';
import type { ReportRequest } from '../query/report-request.js';
import { rowMark } from '../table/table.js';
import type { Mark } from './mark.js';

/** A condition that selects the rows of a mark, in the form of dashboard controls. */
export interface MarkCondition {
  /** Name of the member: `view.dimension`. */
  readonly member: string;
  /** `time` for a time span, otherwise the type in the model. */
  readonly type: string;
  readonly condition: FilterCondition;
}

/** One dimension value of a mark, in the form that queries use. */
interface MarkValue {
  readonly member: string;
  readonly type: string;
  readonly value: Cell;
  /** First and last millisecond of a time bucket; `null` if the value is not a bucket. */
  readonly range: readonly [string, string] | null;
}

const maxDrillMembers = 100;

/**
 * Returns the query for the rows behind a mark: the members that the model defines for its measure
 * (`drillMembersGrouped`), restricted to the values of the mark, the rows that the measure counts, and the filters of
 * the report's query. `null` if the model defines no members, the report compares periods or uses SQL, or the measure
 * of the mark was computed here.
 */
export function drillQuery(request: ReportRequest, rowSet: RowSet, mark: Mark): Query | null {
  if (request.kind === 'sql') return null;
  const { query } = request;
  if (query.timeDimensions?.some(({ compareDateRange }) => compareDateRange)) return null;
  const measure = drilledMeasure(request, rowSet, mark);
  const values = markValues(request, rowSet, mark);
  if (!measure || !values) return null;
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
      ...values.map(valueFilter),
    ],
    ...(timezone !== undefined && { timezone }),
    ...(joinHints && { joinHints }),
  };
}

/** Returns conditions that select the rows of a mark, to filter other reports; empty for the grand total. */
export function filtersOfMark(request: ReportRequest, rowSet: RowSet, mark: Mark): readonly MarkCondition[] {
  const values = request.kind === 'load' ? markValues(request, rowSet, mark) : null;
  return (values ?? []).map(({ member, type, value, range }): MarkCondition => {
    if (range) return { member, type: 'time', condition: { operator: 'between', value: [...range] } };
    if (value === null) return { member, type, condition: { operator: 'is_null' } };
    return { member, type, condition: { operator: 'equals', value: [value] } };
  });
}

/** Returns a filter for the groups of these rows; `null` if one of them cannot be expressed or there are none. */
export function groupFilter(request: LoadRequest, rowSet: RowSet): Filter | null {
  const groups = rowSet.rows.map(row => markValues(request, rowSet, rowMark(rowSet.columns, row, null)));
  const expressible = groups.filter(group => group !== null && group.length > 0);
  if (expressible.length < groups.length || expressible.length === 0) return null;
  return { or: expressible.map(group => ({ and: (group ?? []).map(valueFilter) })) };
}

type LoadRequest = Extract<ReportRequest, { kind: 'load' }>;

/** Returns the measure of a mark, otherwise the first measure of the report with drill members. */
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

/**
 * Returns the drill members of a column by kind. `drillMembers` does not state which members are measures, so all of
 * them are dimensions unless `drillMembersGrouped` exists.
 */
function drillMembers({ annotation: { drillMembers: all, drillMembersGrouped: grouped } }: Column) {
  const { dimensions, measures } = grouped ?? { dimensions: all ?? [], measures: [] };
  return { dimensions: dimensions.slice(0, maxDrillMembers), measures: measures.slice(0, maxDrillMembers) };
}

/** Returns the selected value of each dimension of a mark; `null` if one of them cannot be expressed. */
function markValues({ query, columns }: LoadRequest, rowSet: RowSet, mark: Mark): MarkValue[] | null {
  const found = Object.entries(mark.values).map(([name, value]): MarkValue | null => {
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
  const values = found.filter(item => item !== null);
  // A dimension that the mark does not contain is totaled. A value that is not a group of the report cannot be
  // filtered.
  return values.length === found.length && values.every(({ member }) => isGroup(query, member)) ? values : null;
}

function isGroup({ dimensions = [], timeDimensions = [] }: Query, member: string): boolean {
  return (
    dimensions.some(name => name === member || name.startsWith(`${member}.`)) ||
    timeDimensions.some(({ dimension }) => dimension === member)
  );
}

function valueFilter({ member, value, range }: MarkValue): MemberFilter {
  if (range) return { member, operator: 'inDateRange', values: [...range] };
  if (value === null) return { member, operator: 'notSet' };
  return { member, operator: 'equals', values: [String(value)] };
}

/** Returns the date ranges of a query without its groups. */
function rangesOf({ timeDimensions = [] }: Query): TimeDimension[] {
  return timeDimensions.flatMap(({ dimension, dateRange }) => (dateRange ? [{ dimension, dateRange }] : []));
}
