import type { MemberAnnotation, Row } from '../../src/contract/data.js';
import type { Column, RowSet } from '../../src/contract/row-set.js';

/** Creates a column with an annotation of the Data API; `annotation` extends the default for `type`. */
export function columnOf(member: string, type: string, annotation: Partial<MemberAnnotation> = {}): Column {
  const kind = type === 'number' ? 'measure' : type === 'time' ? 'timeDimension' : 'dimension';
  return { member, kind, annotation: { title: `Orders ${member}`, shortTitle: member, type, ...annotation } };
}

/** Creates a row set. */
export function rowSetOf(columns: readonly Column[], rows: readonly Row[]): RowSet {
  return { columns, rows, truncated: false, lastRefreshTime: null };
}
