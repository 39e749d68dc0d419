import type { SortBy } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import type { Expression, SortKey } from '../tree.js';

/** A key of an order by a value that was read. NULL counts as greater than all values, unless it is said where it stands. */
export function sortKey(
  { sortby_dir: direction, sortby_nulls: nulls, location: at }: SortBy,
  value: Expression,
): SortKey {
  if (direction === 'SORTBY_USING') throw new SqlProblem('ORDER BY … USING is not supported: use ASC or DESC', at);
  const desc = direction === 'SORTBY_DESC';
  return { value, desc, nullsFirst: nulls === 'SORTBY_NULLS_FIRST' || (nulls !== 'SORTBY_NULLS_LAST' && desc) };
}
