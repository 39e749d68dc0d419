import type { ReportSnapshot } from '../contract/dashboards.js';
import type { Query } from '../contract/query.js';

/**
 * Query of a published report (spec 2.6), or null for a snapshot that has SQL alone: publishing writes `meta.jsonQuery`
 * wherever the report can be told as a query.
 */
export function snapshotQuery(snapshot: ReportSnapshot): Query | null {
  return snapshot.meta?.jsonQuery ?? null;
}
