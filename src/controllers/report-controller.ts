import type { ReactiveControllerHost } from 'lit';
import type { SessionSource } from '../client/session-status.js';
import type { ReportSnapshot } from '../contract/dashboards.js';
import type { RowSet } from '../contract/row-set.js';
import { snapshotQuery } from '../report/query.js';
import { LoadController } from './load-controller.js';

/** What a report controller needs from its host. */
export interface ReportOptions {
  readonly source: () => SessionSource | null;
  /** The report to run now; null while it is not wanted. */
  readonly snapshot: () => ReportSnapshot | null;
}

/** Loads the rows of one report. A snapshot without a query loads nothing. */
export class ReportController extends LoadController<ReportSnapshot, RowSet> {
  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, { source, snapshot }: ReportOptions) {
    super(host, {
      source,
      key: () => {
        const wanted = snapshot();
        return wanted && snapshotQuery(wanted) ? wanted : null;
      },
      load: (session, wanted, signal) => {
        const query = snapshotQuery(wanted);
        return query ? session.load(query, { signal }) : Promise.reject(new Error('no query'));
      },
    });
  }
}
