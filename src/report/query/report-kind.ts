import type { ReportSnapshot } from '../../contract/dashboards.js';

const kinds = ['vega', 'table', 'kpi', 'map', 'sankey', 'html'] as const;

/** Kind of a report that this package can display. */
export type ReportKind = (typeof kinds)[number];

/** Returns the kind of a report. A snapshot without a kind is a chart if it has a specification, otherwise a table. */
export function kindOf({ kind, spec }: ReportSnapshot): string {
  return kind ?? (spec ? 'vega' : 'table');
}

/** Returns the kind of a report; `null` if this package cannot display it. */
export function reportKind(snapshot: ReportSnapshot): ReportKind | null {
  const kind = kindOf(snapshot);
  return kinds.find(known => known === kind) ?? null;
}
