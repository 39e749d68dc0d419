import type { RowSet } from '../../contract/row-set.js';
import type { ReportRequest } from './report-request.js';

/** The data of a rendered report. */
export interface ReportData {
  /** Rows with missing rows filled in and comparisons as additional columns. */
  readonly rowSet: RowSet;
  /**
   * Totals of the report: rows with fewer groups, by `groupKey` of the remaining group columns. Measures whose total is
   * not known are missing.
   */
  readonly totals: ReadonlyMap<string, RowSet>;
  /**
   * The request of the rows, including the choices on the dashboard at that time; not set for rows that the host
   * provides.
   */
  readonly request?: ReportRequest;
}

/** Returns the key of a grouping by these columns, in any order; without columns, the key of the grand total. */
export function groupKey(columns: readonly string[]): string {
  return JSON.stringify([...columns].sort());
}
