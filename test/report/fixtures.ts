import type { MemberAnnotation, Row } from '../../src/contract/data.js';
import type { Column, RowSet } from '../../src/contract/row-set.js';

/** Creates a column with an annotation of the Data API; `annotation` extends the default for `type`. */
export function columnOf(member: string, type: string, annotation: Partial<MemberAnnotation> = {}): Column {
  return {
    member,
    kind: kindOf(type),
    annotation: { title: `Orders ${member}`, shortTitle: member, type, ...annotation },
  };
}

function kindOf(type: string): Column['kind'] {
  if (type === 'number') return 'measure';
  return type === 'time' ? 'timeDimension' : 'dimension';
}

/** Creates a row set. */
export function rowSetOf(columns: readonly Column[], rows: readonly Row[]): RowSet {
  return { columns, rows, truncated: false, lastRefreshTime: null };
}
