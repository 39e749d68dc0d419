import type { ReportSnapshot } from '../contract/dashboards.js';
import type { Query } from '../contract/query.js';
import { type ColumnKeys, keyOf } from './groups.js';
import { pivotItems, pivotLayout, pivotTotals } from './pivot-layout.js';
import { keysOf } from './query-keys.js';
import { readObject } from './table-look.js';

/** Groups that a report shows totals by, as columns of its rows; one without any is the total of all. */
export function totalGroups(
  snapshot: ReportSnapshot,
  query: Query,
  columns: ColumnKeys,
): readonly (readonly string[])[] {
  const names = columns ? Object.keys(columns) : keysOf(query);
  const measures = new Set(query.measures);
  const shown = names.map(member => ({
    member,
    kind: measures.has(keyOf(member, columns)) ? ('measure' as const) : ('dimension' as const),
  }));
  const isGrouped = shown.some(({ kind }) => kind === 'dimension');
  if (!isGrouped || measures.size === 0) return [];
  const spec = readObject(snapshot.spec);
  if (snapshot.kind === 'kpi') return spec.display === 'sparkline' ? [[]] : [];
  if (snapshot.kind !== 'table') return [];
  const items = pivotItems(snapshot);
  if (items) return pivotTotals(items, pivotLayout(items, shown));
  return spec.showTotals === true ? [[]] : [];
}
