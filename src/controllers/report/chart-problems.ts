import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { RowSet } from '../../contract/row-set.js';

/**
 * Returns the problems of a rendered chart for which it shows no message, such as a field that is not a column, as
 * sentences for its author.
 */
export async function chartProblems({ spec, meta }: ReportSnapshot, { columns }: RowSet): Promise<string[]> {
  if (!spec) return [];
  const { chartProblems: find } = await import('../../charts/publishing.js');
  const members = columns.map(({ member }) => member);
  return find(spec, meta?.vega ?? null, members);
}
