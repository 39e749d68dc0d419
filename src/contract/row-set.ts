import type { MemberAnnotation, Row } from './data.js';

/** A column of an answer in the order of the query, with what the model says of it. */
export interface Column {
  /** Key of the rows: `cube.member`, or `cube.member.granularity`. */
  readonly member: string;
  readonly kind: 'measure' | 'dimension' | 'timeDimension';
  readonly annotation: MemberAnnotation;
}

/** The rows of one answer, parsed: the form in which data travels from the Data API client to whatever draws it. */
export interface RowSet {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** True when the service's limit cut the answer, not one that the query itself names: there may be more rows. */
  readonly truncated: boolean;
  /** When the data behind the answer was read (ISO 8601), where the Data API says so. */
  readonly lastRefreshTime: string | null;
}
