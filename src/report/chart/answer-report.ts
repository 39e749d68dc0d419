import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import { keysOf } from '../query/member-names.js';

/** Whether a query returns all columns of a result. An agent may have added computed columns, such as shares. */
export function isQueried(query: Query, { columns }: Pick<RowSet, 'columns'>): boolean {
  const keys = new Set(keysOf(query));
  return columns.every(({ member }) => keys.has(member));
}
