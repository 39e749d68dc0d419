import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { RowSet } from '../../contract/row-set.js';
import type { ReportSource } from './load-report-data.js';
import type { ReportData } from './report-data.js';
import { type ReportRequest, renameRows, titleRows } from './report-request.js';

/** Loads the rows of reports as queries or as semantic SQL. */
export interface SqlReportSource extends ReportSource {
  readonly sql: (text: string) => Promise<RowSet>;
}

const noTotals: ReportData['totals'] = new Map();

/** Loads the rows of a report with the column names of the report. */
export async function loadReport(source: SqlReportSource, request: ReportRequest): Promise<ReportData> {
  if (request.kind === 'sql') {
    return { rowSet: titleRows(await source.sql(request.text)), totals: noTotals, request };
  }
  const { query, columns, snapshot } = request;
  const rows = source.load(query);
  if (mayNeedMore(snapshot)) {
    // The error is reported to the code below that awaits the rows.
    rows.catch(() => {});
    const { loadReportData } = await import('./load-report-data.js');
    return loadReportData(source, request, rows);
  }
  const rowSet = await rows;
  const renamedRows = columns ? renameRows(rowSet, columns, snapshot.meta?.aliases ?? []) : rowSet;
  return { rowSet: renamedRows, totals: noTotals, request };
}

/** Whether a report may need more than the rows of its query. The module that checks this in detail is lazy-loaded. */
function mayNeedMore({ kind, fillMissingRows, periodComparisons }: ReportSnapshot): boolean {
  return kind === 'table' || kind === 'kpi' || Boolean(fillMissingRows) || Boolean(periodComparisons);
}
