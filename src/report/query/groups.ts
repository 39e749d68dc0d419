import type { Cell, Row } from '../../contract/data.js';
import type { Filter, Query } from '../../contract/query.js';
import type { RowLimit } from '../../contract/row-limit.js';

/** Limit of a query that is to leave out no row: the most that there can be. */
export const allRows: (typeof RowLimit)['max'] = 50_000;

/** What a query and the columns of its rows are called by. */
export type ColumnKeys = Readonly<Record<string, string>> | null;

/** Key of the query's rows behind a column. */
export function keyOf(column: string, columns: ColumnKeys): string {
  return columns && Object.hasOwn(columns, column) ? (columns[column] ?? column) : column;
}

/** A cell of a row; null where the row has none of that name of its own. */
export function cellOf(row: Row, column: string): Cell {
  return Object.hasOwn(row, column) ? (row[column] ?? null) : null;
}

/** Names a row's values of these columns. */
export function rowKey(row: Row, columns: readonly string[]): string {
  return valuesKey(columns.map(column => cellOf(row, column)));
}

/** Names values, in their order. */
export function valuesKey(values: readonly Cell[]): string {
  return JSON.stringify(values);
}

/**
 * The query with fewer groups: those of these keys alone, all of them, in no order. What times are kept to stays, filters of measures,
 * which are made for the groups that the query had, go.
 */
export function withGroups(query: Query, keys: readonly string[], isMeasure: (member: string) => boolean): Query {
  const { order: _order, limit: _limit, offset: _offset, total: _total, ...rest } = query;
  const kept = new Set(keys);
  const times = query.timeDimensions?.flatMap(time => {
    if (time.granularity && kept.has(`${time.dimension}.${time.granularity}`)) return [time];
    return time.dateRange ? [{ dimension: time.dimension, dateRange: time.dateRange }] : [];
  });
  return {
    ...rest,
    dimensions: (query.dimensions ?? []).filter(dimension => kept.has(dimension)),
    ...(times && { timeDimensions: times }),
    ...(query.filters && { filters: query.filters.filter(filter => !isOfMeasures(filter, isMeasure)) }),
    order: [],
    limit: allRows,
  };
}

/** Whether a filter is on measures: it keeps groups of the rows that it was made for, and would keep others of any other query. */
export function isOfMeasures(filter: Filter, isMeasure: (member: string) => boolean): boolean {
  if ('and' in filter) return filter.and.some(part => isOfMeasures(part, isMeasure));
  if ('or' in filter) return filter.or.some(part => isOfMeasures(part, isMeasure));
  return filter.operator !== 'measureFilter' && isMeasure(filter.member);
}
