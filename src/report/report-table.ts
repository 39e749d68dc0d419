import type { ReportSnapshot } from '../contract/dashboards.js';
import { groupKey, type ReportData } from './report-data.js';
import { type Presentation, type Table, toTable } from './table.js';
import { tableLook } from './table-look.js';

/** The table of a report. */
export function reportTable(
  { rowSet, totals }: ReportData,
  snapshot: ReportSnapshot | null,
  presentation: Presentation,
): Table {
  const look = tableLook(snapshot);
  const total = look.showTotals ? (totals.get(groupKey([]))?.rows[0] ?? null) : null;
  return toTable(rowSet, presentation, look, total);
}
