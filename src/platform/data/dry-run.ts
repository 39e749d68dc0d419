import { type PivotQuery, pivotQueryOf, type QueryType } from './query-set.js';
import type { NormalizedQuery } from './semantic-model.js';

/** How a request was understood (spec: answer of `/v1/dry-run`). */
export interface DryRun {
  readonly queryType: QueryType;
  readonly normalizedQueries: readonly (NormalizedQuery & { readonly queryType: QueryType })[];
  readonly pivotQuery: PivotQuery;
  /** Of each query, the direction by member. */
  readonly queryOrder: readonly Readonly<Record<string, 'asc' | 'desc'>>[];
  /** Of use to servers with tables built ahead; there are none. */
  readonly transformedQueries: readonly null[];
}

/** Tells how queries were understood, without running them. */
export function dryRunOf(queryType: QueryType, queries: readonly NormalizedQuery[]): DryRun {
  return {
    queryType,
    normalizedQueries: queries.map(query => ({ ...query, queryType })),
    pivotQuery: pivotQueryOf(queryType, queries),
    queryOrder: queries.map(directions),
    transformedQueries: queries.map(() => null),
  };
}

function directions({ order = [] }: NormalizedQuery): Record<string, 'asc' | 'desc'> {
  if (!Array.isArray(order)) return order;
  return Object.fromEntries(order.map(item => (Array.isArray(item) ? item : [item.id, item.desc ? 'desc' : 'asc'])));
}
