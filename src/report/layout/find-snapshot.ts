import type { Dashboard, ReportSnapshot } from '../../contract/dashboards.js';

/** Finds the snapshot by the number or public id of its report. */
export function findSnapshot({ reportSnapshots }: Dashboard, report: string | number): ReportSnapshot | null {
  const isNamed = (name: string | number | null | undefined) => name === report || String(name) === report;
  return reportSnapshots.find(({ reportId, meta }) => isNamed(reportId) || isNamed(meta?.publicId)) ?? null;
}
