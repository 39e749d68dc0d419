import type { Dashboard, ReportSnapshot } from '../../contract/dashboards.js';

/** Name of a report as its tile shows it. */
export function snapshotTitle(snapshot: ReportSnapshot | null): string {
  return snapshot?.title || snapshot?.name || '';
}

/** The snapshot of a dashboard that a report's number or public id means. */
export function findSnapshot({ reportSnapshots }: Dashboard, report: string | number): ReportSnapshot | null {
  const isNamed = (name: string | number | null | undefined) => name === report || String(name) === report;
  return reportSnapshots.find(({ reportId, meta }) => isNamed(reportId) || isNamed(meta?.publicId)) ?? null;
}
