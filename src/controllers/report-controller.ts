import type { ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../client/session-status.js';
import type { RowSet } from '../contract/row-set.js';
import { type ReportRequest, renamedRows, titledRows } from '../report/query.js';
import { LoadController } from './load-controller.js';

/** What a report controller needs from its host. */
export interface ReportOptions {
  readonly source: () => SessionSource | null;
  /** What to ask for now; null while nothing is wanted. */
  readonly request: () => ReportRequest | null;
}

/** Loads the rows of one report, under the columns that it is drawn by. */
export class ReportController extends LoadController<ReportRequest, RowSet> {
  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, { source, request }: ReportOptions) {
    super(host, {
      source,
      key: request,
      load: loadRows,
      stands: (loaded, asked) => loaded.snapshot === asked.snapshot,
    });
  }
}

async function loadRows(session: SessionSource, request: ReportRequest, signal: AbortSignal): Promise<RowSet> {
  if (request.kind === 'sql') return titledRows(await session.sql(request.text, { signal }));
  const rowSet = await session.load(request.query, { signal });
  return request.columns ? renamedRows(rowSet, request.columns, request.snapshot.meta?.aliases ?? []) : rowSet;
}
