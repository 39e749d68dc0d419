import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.js';
import { reports, reportViews } from '../../db/schema.js';
import { type ContentAccess, Level, levelColumn } from '../content-access.js';

/** A stored report. */
export type StoredReport = typeof reports.$inferSelect;

/** A report with the caller's access level. */
export interface ReportWithLevel {
  readonly report: StoredReport;
  readonly level: Level;
}

/** Deployment and id of a report. */
export interface ReportKey {
  readonly deploymentId: number;
  readonly reportId: number;
}

/** Change to a report. Omitted fields stay unchanged. */
export type ReportChange = Partial<
  Pick<
    typeof reports.$inferInsert,
    | 'publicId'
    | 'name'
    | 'title'
    | 'jsonQuery'
    | 'sqlQuery'
    | 'meta'
    | 'pivotItems'
    | 'externalWorkbookId'
    | 'resultLocation'
    | 'endResultCell'
    | 'folderId'
    | 'workbookId'
  >
>;

/** A report to be created. */
export type NewReport = ReportChange &
  Pick<typeof reports.$inferInsert, 'deploymentId' | 'createdBy' | 'embedTenantId' | 'name' | 'source'>;

const placeholder = /^0000([0-9a-z]{8})$/;

/**
 * Returns the `publicId` as in responses: the one that a caller has set, or else a placeholder, which consists of
 * `0000` and the id in base 36, padded to eight characters. Callers cannot set placeholders.
 */
export function displayPublicId(report: Pick<StoredReport, 'id' | 'publicId'>): string {
  return report.publicId ?? `0000${report.id.toString(36).padStart(8, '0')}`;
}

/** Returns the id of the report for a placeholder; `null` for every id that callers can set. */
export function placeholderReportId(publicId: string): number | null {
  const digits = placeholder.exec(publicId)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 36);
}

const withLevel = (access: ContentAccess) => ({ report: reports, level: levelColumn(access.report) });
const isReport = ({ deploymentId, reportId }: ReportKey) =>
  and(eq(reports.id, reportId), eq(reports.deploymentId, deploymentId));

/** Returns a report of a deployment with the caller's access level, which may be `none`. */
export async function findReportWithLevel(
  db: Db,
  access: ContentAccess,
  key: ReportKey,
): Promise<ReportWithLevel | null> {
  const [found] = await db.select(withLevel(access)).from(reports).where(isReport(key));
  return found ?? null;
}

/** Like `findReportWithLevel`, but locks the report until the transaction ends. */
export async function lockReport(tx: Db, access: ContentAccess, key: ReportKey): Promise<ReportWithLevel | null> {
  const [found] = await tx.select(withLevel(access)).from(reports).where(isReport(key)).for('update', { of: reports });
  return found ?? null;
}

/** Returns the reports with this `publicId` or placeholder, in any deployment. A placeholder can match two reports. */
export async function reportsShowing(db: Db, access: ContentAccess, publicId: string): Promise<ReportWithLevel[]> {
  const id = placeholderReportId(publicId);
  const own = eq(reports.publicId, publicId);
  return db
    .select(withLevel(access))
    .from(reports)
    .where(id === null ? own : or(own, and(eq(reports.id, id), isNull(reports.publicId))));
}

/** Creates a report. Returns `null` if its `publicId` is taken. */
export async function createReport(tx: Db, report: NewReport): Promise<StoredReport | null> {
  const [created] = await tx.insert(reports).values(report).onConflictDoNothing().returning();
  return created ?? null;
}

/**
 * Changes a report if its `publicId` is still the one that was read. Repeating a change has no effect, not even on
 * `updatedAt` and `version`. Returns `null` if the report no longer exists or has another `publicId`; throws a database
 * error if a new `publicId` is taken.
 */
export async function changeReport(tx: Db, found: StoredReport, change: ReportChange): Promise<StoredReport | null> {
  const [current] = await tx.select().from(reports).where(eq(reports.id, found.id)).for('update');
  if (!current || displayPublicId(current) !== displayPublicId(found)) return null;
  if (isDeepStrictEqual({ ...current, ...change }, current)) return current;
  const [changed] = await tx
    .update(reports)
    .set({ ...change, version: sql`${reports.version} + 1`, updatedAt: sql`now()` })
    .where(eq(reports.id, current.id))
    .returning();
  return changed ?? null;
}

/** Records that a user has refreshed the result of a report. Does not count as a change to the report. */
export async function markRefreshed(tx: Db, reportId: number, userId: number): Promise<void> {
  await tx.update(reports).set({ refreshedBy: userId, refreshedAt: sql`now()` }).where(eq(reports.id, reportId));
}

/** Records a view of a report, at most once a minute. */
export async function recordReportView(db: Db, reportId: number, userId: number): Promise<void> {
  await db
    .insert(reportViews)
    .values({ reportId, userId })
    .onConflictDoUpdate({
      target: [reportViews.userId, reportViews.reportId],
      set: { viewedAt: sql`now()` },
      setWhere: sql`${reportViews.viewedAt} < now() - interval '1 minute'`,
    });
}

/** Deletes a report with its placements. Returns false if there is none. Published snapshots of it remain. */
export async function deleteReport(tx: Db, reportId: number): Promise<boolean> {
  const gone = await tx.delete(reports).where(eq(reports.id, reportId)).returning({ id: reports.id });
  return gone.length > 0;
}

/** Report row for a copy into a workbook or from a snapshot. */
export type ReportRow = typeof reports.$inferInsert;

/** Returns the reports of a deployment with these ids that the caller may read. */
export async function findReadableReports(
  db: Db,
  access: ContentAccess,
  deploymentId: number,
  ids: readonly number[],
): Promise<StoredReport[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(reports)
    .where(and(inArray(reports.id, [...ids]), eq(reports.deploymentId, deploymentId), access.report(Level.read)));
}

/** Returns the reports of a workbook, oldest first. */
export async function reportsOfWorkbook(db: Db, workbookId: number): Promise<StoredReport[]> {
  return db.select().from(reports).where(eq(reports.workbookId, workbookId)).orderBy(asc(reports.id));
}

/** Maximum number of rows per INSERT, because a statement is limited to 65,535 parameters. */
const batch = 1000;

/** Creates reports. Returns their ids in the same order. */
export async function createReports(tx: Db, created: readonly ReportRow[]): Promise<number[]> {
  const ids: number[] = [];
  for (let start = 0; start < created.length; start += batch) {
    const rows = await tx
      .insert(reports)
      .values(created.slice(start, start + batch))
      .returning({ id: reports.id });
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}
