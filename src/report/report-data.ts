import type { RowSet } from '../contract/row-set.js';

/** What a report is drawn from. */
export interface ReportData {
  /** Rows as they are drawn: missing ones filled in, comparisons in columns of their own. */
  readonly rowSet: RowSet;
  /**
   * Rows with fewer groups, for totals: by `groupKey` of the columns that still group them. A total that is the sum of rows is not among
   * them.
   */
  readonly totals: ReadonlyMap<string, RowSet>;
}

/** Name of a grouping by these columns, in any order; none for the total of all. */
export function groupKey(columns: readonly string[]): string {
  return JSON.stringify([...columns].sort());
}
