import type { MemberAnnotation, Row } from '../../src/contract/data.js';
import type { Column, RowSet } from '../../src/contract/row-set.js';

/** A column as the Data API annotates it; `annotation` adds to a plain one of `type`. */
export function columnOf(member: string, type: string, annotation: Partial<MemberAnnotation> = {}): Column {
  const kind = type === 'number' ? 'measure' : type === 'time' ? 'timeDimension' : 'dimension';
  return { member, kind, annotation: { title: `Orders ${member}`, shortTitle: member, type, ...annotation } };
}

/** An answer of these columns and rows. */
export function rowSetOf(columns: readonly Column[], rows: readonly Row[]): RowSet {
  return { columns, rows, truncated: false, lastRefreshTime: null };
}
