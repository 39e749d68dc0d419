import type { Cell, Row } from '../../contract/data.js';
import type { Filter, Query } from '../../contract/query.js';
import type { RowLimit } from '../../contract/row-limit.js';

/** Limit of a query that must return all rows: the maximum limit. */
export const allRows: (typeof RowLimit)['max'] = 50_000;

/** Keys of a query's rows by column; `null` if columns and keys are equal. */
export type ColumnKeys = Readonly<Record<string, string>> | null;

/** Returns the key of a column in the query's rows. */
export function keyOf(column: string, columns: ColumnKeys): string {
  return columns && Object.hasOwn(columns, column) ? (columns[column] ?? column) : column;
}

/** Returns a cell of a row; `null` if the row has no such own property. */
export function cellOf(row: Row, column: string): Cell {
  return Object.hasOwn(row, column) ? (row[column] ?? null) : null;
}

/** Returns a key for the values of these columns. */
export function rowKey(row: Row, columns: readonly string[]): string {
  return valuesKey(columns.map(column => cellOf(row, column)));
}

/** Returns a key for values in this order. */
export function valuesKey(values: readonly Cell[]): string {
  return JSON.stringify(values);
}

/**
 * Returns the query with fewer groups: only those with these keys, without order and limit. Date ranges are retained.
 * Filters on measures are removed, because they refer to the original groups.
 */
export function withGroups(query: Query, keys: readonly string[], isMeasure: (member: string) => boolean): Query {
  const { order: _order, limit: _limit, offset: _offset, total: _total, ...rest } = query;
  const groupKeys = new Set(keys);
  const times = query.timeDimensions?.flatMap(time => {
    if (time.granularity && groupKeys.has(`${time.dimension}.${time.granularity}`)) return [time];
    return time.dateRange ? [{ dimension: time.dimension, dateRange: time.dateRange }] : [];
  });
  return {
    ...rest,
    dimensions: (query.dimensions ?? []).filter(dimension => groupKeys.has(dimension)),
    ...(times && { timeDimensions: times }),
    ...(query.filters && { filters: query.filters.filter(filter => !isOfMeasures(filter, isMeasure)) }),
    order: [],
    limit: allRows,
  };
}

/**
 * True for a filter on measures. It applies to the groups of its query, and would restrict other groups differently.
 */
export function isOfMeasures(filter: Filter, isMeasure: (member: string) => boolean): boolean {
  if ('and' in filter) return filter.and.some(part => isOfMeasures(part, isMeasure));
  if ('or' in filter) return filter.or.some(part => isOfMeasures(part, isMeasure));
  return filter.operator !== 'measureFilter' && isMeasure(filter.member);
}
