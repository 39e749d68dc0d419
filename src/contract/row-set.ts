import type { MemberAnnotation, Row } from './data.js';

/** A column of a result, in the order of the query, with its annotation from the model. */
export interface Column {
  /** Key in the rows: `cube.member`, or `cube.member.granularity`. */
  readonly member: string;
  readonly kind: 'measure' | 'dimension' | 'timeDimension';
  readonly annotation: MemberAnnotation;
  /** Set for a column that compares a measure with an earlier period. */
  readonly comparison?: ColumnComparison;
}

/**
 * Content of a comparison column: the earlier value, the absolute change, or the change relative to the earlier value.
 */
export type ComparisonOutput = 'value' | 'absoluteChange' | 'relativeChange';

/** The compared measure and how much earlier the period is. */
export interface ColumnComparison {
  readonly measure: string;
  readonly amount: number;
  readonly unit: string;
  readonly output: ComparisonOutput;
}

/** The parsed rows of one result, as passed from the Data API client to renderers. */
export interface RowSet {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Whether the rows end at the service's limit, and not at the query's own limit: there may be more rows. */
  readonly truncated: boolean;
  /** Number of rows without the limit, if the query requested it (`total: true`). */
  readonly total?: number;
  /** When the underlying data was read (ISO 8601); `null` if the Data API does not report it. */
  readonly lastRefreshTime: string | null;
  /**
   * Start and end of each time dimension (keyed by `cube.member`), as the service resolved its `dateRange`; missing if
   * the service does not report them.
   */
  readonly dateRanges?: ReadonlyMap<string, readonly [string, string]>;
}
