import type { ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../../client/session/session-status.js';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { ReportData } from '../../report/query/report-data.js';
import { type ReportRequest, renameRows, titleRows } from '../../report/query/report-request.js';
import { LoadController } from '../load-controller.js';

/** What a report controller needs from its host. */
export interface ReportOptions {
  readonly source: () => SessionSource | null;
  /** What to ask for now; null while nothing is wanted. */
  readonly request: () => ReportRequest | null;
}

/** Loads the rows of one report, under the columns that it is drawn by. */
export class ReportController extends LoadController<ReportRequest, ReportData> {
  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, { source, request }: ReportOptions) {
    super(host, {
      source,
      key: request,
      load: loadReport,
      stands: (loaded, asked) => loaded.snapshot === asked.snapshot,
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
    // Whoever waits for the rows below is told of it.
    rows.catch(() => {});
    const { loadReportData } = await import('./load-report.js');
    return loadReportData(session, request, rows, signal);
  }
  const rowSet = await rows;
  const drawn = columns ? renameRows(rowSet, columns, snapshot.meta?.aliases ?? []) : rowSet;
  return { rowSet: drawn, totals: noTotals, request };
}

/** Whether a report may show more than the rows of its query. What works that out is a chunk of its own. */
function mayNeedMore({ kind, fillMissingRows, periodComparisons }: ReportSnapshot): boolean {
  return kind === 'table' || kind === 'kpi' || Boolean(fillMissingRows) || Boolean(periodComparisons);
}
