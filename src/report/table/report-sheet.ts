import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { RowSet } from '../../contract/row-set.js';
import { createFormatter } from '../format/format.js';
import type { ReportData } from '../query/report-data.js';
import { reportTable } from './report-table.js';
import { type Presentation, toTable } from './table.js';
import type { SheetTable } from './workbook.js';

/** A report with its rows. */
interface SheetReport {
  readonly title: string;
  readonly rowSet: RowSet;
  readonly data: ReportData;
  readonly snapshot: ReportSnapshot | null;
}

/** Returns the sheet of a report: a table as displayed, with its pivot and totals, other reports as their rows. */
export function reportSheet(
  { title, rowSet, data, snapshot }: SheetReport,
  presentation: Presentation = { formatter: createFormatter('en'), totalTitle: '∑' },
): SheetTable {
  const preferences = snapshot?.preferences;
  const shown = { ...presentation, preferences };
  const table = snapshot?.kind === 'table' ? reportTable(data, snapshot, shown) : toTable(rowSet, shown);
  return { title, table, rowSet, preferences };
}
