import type { MemberAnnotation, Row } from './data.js';

/** A column of an answer in the order of the query, with what the model says of it. */
export interface Column {
  /** Key of the rows: `cube.member`, or `cube.member.granularity`. */
  readonly member: string;
  readonly kind: 'measure' | 'dimension' | 'timeDimension';
  readonly annotation: MemberAnnotation;
  /** Set on a column that compares a measure with an earlier period. */
  readonly comparison?: ColumnComparison;
}

/** What a compared column holds: the earlier figure, or what changed since, as a figure or as a share of the earlier one. */
export type ComparisonOutput = 'value' | 'absoluteChange' | 'relativeChange';

/** Which column is compared, and with which period: so many units earlier. */
export interface ColumnComparison {
  readonly measure: string;
  readonly amount: number;
  readonly unit: string;
  readonly output: ComparisonOutput;
}

/** The rows of one answer, parsed: the form in which data travels from the Data API client to whatever draws it. */
export interface RowSet {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** True when the service's limit cut the answer, not one that the query itself names: there may be more rows. */
  readonly truncated: boolean;
  /** Number of all rows, without the limit, where the query asked for it (`total: true`). */
  readonly total?: number;
  /** When the data behind the answer was read (ISO 8601), where the Data API says so. */
  readonly lastRefreshTime: string | null;
  /** First and last moment that a time dimension (`cube.member`) was kept to, as the service understood a `dateRange`, where it says so. */
  readonly dateRanges?: ReadonlyMap<string, readonly [string, string]>;
}
