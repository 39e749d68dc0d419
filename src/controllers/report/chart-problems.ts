import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { RowSet } from '../../contract/row-set.js';

/**
 * Returns problems that do not stop a chart from rendering and that the page therefore does not show, such as a field
 * that is not a column. Each problem is a sentence for the author of the chart.
 */
export async function chartProblems({ spec, meta }: ReportSnapshot, { columns }: RowSet): Promise<string[]> {
  if (!spec) return [];
  const { chartProblems: find } = await import('../../charts/publishing.js');
  const members = columns.map(({ member }) => member);
  return find(spec, meta?.vega ?? null, members);
}
