import type { RowSet } from '../../contract/row-set.js';
import type { ReportRequest } from './report-request.js';

/** What a report is drawn from. */
export interface ReportData {
  /** Rows as they are drawn: missing ones filled in, comparisons in columns of their own. */
  readonly rowSet: RowSet;
  /**
   * Totals that the report shows: rows with fewer groups, by `groupKey` of the columns that still group them. A measure whose total
   * can't be told is missing in them.
   */
  readonly totals: ReadonlyMap<string, RowSet>;
  /** What the rows were asked by, with what was chosen on the dashboard then; absent of rows that were given. */
  readonly request?: ReportRequest;
}

/** Name of a grouping by these columns, in any order; none for the total of all. */
export function groupKey(columns: readonly string[]): string {
  return JSON.stringify([...columns].sort());
}
