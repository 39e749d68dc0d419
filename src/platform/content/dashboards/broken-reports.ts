import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Principal } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { dashboards, dashboardVersions, reportSnapshots, workbooks } from '../../db/schema.js';
import type { BrokenReport, BrokenReports } from '../../models/data-model.js';
import { contentAccess, Level } from '../content-access.js';

const limits = { snapshots: 5_000, reports: 50, members: 20 } as const;
const pageSize = 200;

/**
 * Returns the reports of the current versions of published dashboards that a model would break, oldest first. Omits SQL
 * reports without an equivalent query.
 * @param members - names of the public members of the model.
 */
export async function findBrokenReports(
  db: Db,
  principal: Principal,
  deploymentId: number,
  members: ReadonlySet<string>,
): Promise<BrokenReports> {
  const reports: BrokenReport[] = [];
  let last = 0;
  for (let read = 0; read < limits.snapshots; read += pageSize) {
    const page = await readPage(db, principal, deploymentId, last);
    for (const { dashboardPublicId, reportId, query } of page) {
      const missing = [...new Set(membersOf(query))].filter(name => !members.has(name));
      if (missing.length === 0) continue;
      if (reports.length === limits.reports) return { reports, isTruncated: true };
      reports.push({ dashboardPublicId, reportId, members: missing.slice(0, limits.members) });
    }
    if (page.length < pageSize) return { reports, isTruncated: false };
    last = page.at(-1)?.id ?? last;
  }
  return { reports, isTruncated: true };
}

function readPage(db: Db, principal: Principal, deploymentId: number, after: number) {
  const { snapshot } = reportSnapshots;
  return db
    .select({
      id: reportSnapshots.id,
      dashboardPublicId: dashboards.publicId,
      reportId: sql<number>`(${snapshot}->>'reportId')::int`,
      query: sql<unknown>`${snapshot}->'meta'->'jsonQuery'`,
    })
    .from(reportSnapshots)
    .innerJoin(dashboardVersions, eq(dashboardVersions.id, reportSnapshots.versionId))
    .innerJoin(
      dashboards,
      and(
        eq(dashboards.id, dashboardVersions.dashboardId),
        eq(dashboards.versionNumber, dashboardVersions.versionNumber),
      ),
    )
    .innerJoin(workbooks, eq(workbooks.id, dashboards.workbookId))
    .where(
      and(
        eq(workbooks.deploymentId, deploymentId),
        gt(reportSnapshots.id, after),
        contentAccess(principal).workbook(Level.read),
      ),
    )
    .orderBy(asc(reportSnapshots.id))
    .limit(pageSize);
}

/** Returns the members that a stored query names. Ignores parts that are not valid. */
function membersOf(query: unknown): string[] {
  const { measures, dimensions, segments, timeDimensions, filters } = Object(query);
  const names = [
    ...list(measures),
    ...list(dimensions),
    ...list(segments),
    ...list(timeDimensions).map(time => Object(time).dimension),
    ...filteredMembers(filters),
  ];
  // The granularity of `cube.member.month` is not part of the name.
  return names.flatMap(name => (typeof name === 'string' ? name.split('.').slice(0, 2).join('.') : []));
}

function filteredMembers(filters: unknown): unknown[] {
  return list(filters).flatMap(filter => {
    const { member, dimension, and: all, or: any } = Object(filter);
    return [member ?? dimension, ...filteredMembers(all), ...filteredMembers(any)];
  });
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
