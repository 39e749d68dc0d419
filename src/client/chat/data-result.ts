import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';

/** Rows that a tool has found, and what to draw of them. */
export interface DataResult {
  readonly title: string;
  readonly description: string;
  /** To run again for all rows; null where the service told none that the Data API takes. */
  readonly query: Query | null;
  /** `truncated` where there are more rows than these. */
  readonly rowSet: RowSet;
  readonly totalRows: number;
  /** Vega-Lite without data; null where a table says it best. */
  readonly spec: JsonObject | null;
}

/** Reads the result of a tool that queries data, in any of the forms that services send; null where it is something else. */
export function readDataResult(value: unknown): DataResult | null {
  void value;
  return null;
}
