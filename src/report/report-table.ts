import type { ReportSnapshot } from '../contract/dashboards.js';
import { filterTexts } from './filter-texts.js';
import { toPivot } from './pivot.js';
import { pivotItems } from './pivot-layout.js';
import { groupKey, type ReportData } from './report-data.js';
import { type Presentation, type Table, toTable } from './table.js';
import { tableLook } from './table-look.js';

/** The table of a report: a pivot where the report says how, else its rows as they are. */
export function reportTable(data: ReportData, snapshot: ReportSnapshot | null, presentation: Presentation): Table {
  const look = tableLook(snapshot);
  const items = pivotItems(snapshot);
  if (!items) {
    const total = look.showTotals ? (data.totals.get(groupKey([]))?.rows[0] ?? null) : null;
    return toTable(data.rowSet, presentation, look, total);
  }
  const pivot = toPivot(data, { items, look, presentation, snapshot });
  const query = data.request?.kind === 'load' ? data.request.query : null;
  return items.showFilters ? { ...pivot, filters: filterTexts(query, data.rowSet) } : pivot;
}
