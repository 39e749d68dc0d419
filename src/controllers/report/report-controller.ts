import type { ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../../client/session/session-status.js';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { ReportData } from '../../report/query/report-data.js';
import { type ReportRequest, renameRows, titleRows } from '../../report/query/report-request.js';
import { LoadController } from '../load-controller.js';

/** Options of a report controller. */
export interface ReportOptions {
  readonly source: () => SessionSource | null;
  /** The current request; `null` if no rows are needed. */
  readonly request: () => ReportRequest | null;
}

/** Loads the rows of one report with the column names of the report. */
export class ReportController extends LoadController<ReportRequest, ReportData> {
  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, { source, request }: ReportOptions) {
    super(host, {
      source,
      key: request,
      load: loadReport,
      isCompatible: (loaded, requested) => loaded.snapshot === requested.snapshot,
    });
  }
}

const noTotals: ReportData['totals'] = new Map();

async function loadReport(session: SessionSource, request: ReportRequest, signal: AbortSignal): Promise<ReportData> {
  if (request.kind === 'sql') {
    return { rowSet: titleRows(await session.sql(request.text, { signal })), totals: noTotals, request };
  }
  const { query, columns, snapshot } = request;
  const rows = session.load(query, { signal });
  if (mayNeedMore(snapshot)) {
    // The error is reported to the code below that awaits the rows.
    rows.catch(() => {});
    const { loadReportData } = await import('./load-report.js');
    return loadReportData(session, request, rows, signal);
  }
  const rowSet = await rows;
  const drawn = columns ? renameRows(rowSet, columns, snapshot.meta?.aliases ?? []) : rowSet;
  return { rowSet: drawn, totals: noTotals, request };
}

/** Whether a report may need more than the rows of its query. The module that checks this in detail is lazy-loaded. */
function mayNeedMore({ kind, fillMissingRows, periodComparisons }: ReportSnapshot): boolean {
  return kind === 'table' || kind === 'kpi' || Boolean(fillMissingRows) || Boolean(periodComparisons);
}
