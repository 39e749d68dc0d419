import type { ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../../client/session/session-status.js';
import { loadReport } from '../../report/query/load-report.js';
import type { ReportData } from '../../report/query/report-data.js';
import type { ReportRequest } from '../../report/query/report-request.js';
import { LoadController } from '../load-controller.js';
import { reportSourceOf } from './report-source.js';

/** Options of a report controller. */
export interface ReportOptions {
  readonly source: () => SessionSource | null;
  /** The current request; `null` if no rows are needed. */
  readonly request: () => ReportRequest | null;
}

/** Loads the rows of one report with the column names of the report. One signal aborts all its requests. */
export class ReportController extends LoadController<ReportRequest, ReportData> {
  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, { source, request }: ReportOptions) {
    super(host, {
      source,
      key: request,
      load: (session, requested, signal) => loadReport(reportSourceOf(session, signal), requested),
      isCompatible: (loaded, requested) => loaded.snapshot === requested.snapshot,
    });
  }
}
