import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.js';
import { reports, reportViews } from '../../db/schema.js';
import { type ContentAccess, Level, levelColumn } from '../content-access.js';

/** A report as it is stored. */
export type StoredReport = typeof reports.$inferSelect;

/** A report, and how far the caller's access to it goes. */
export interface ReportWithLevel {
  readonly report: StoredReport;
  readonly level: Level;
}

/** Which report of which deployment. */
export interface ReportKey {
  readonly deploymentId: number;
  readonly reportId: number;
}

/** What a caller writes of a report; what is left out stays. */
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
 * The `publicId` that a report shows: its own, or, until a caller has chosen one, a placeholder made from its id (`0000`
 * and the id in base 36, padded to eight), which nobody can choose.
 */
export function displayPublicId(report: Pick<StoredReport, 'id' | 'publicId'>): string {
  return report.publicId ?? `0000${report.id.toString(36).padStart(8, '0')}`;
}

/** Id of the report that a placeholder stands for; null for every id that a caller may choose. */
export function placeholderReportId(publicId: string): number | null {
  const digits = placeholder.exec(publicId)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 36);
}

const withLevel = (access: ContentAccess) => ({ report: reports, level: levelColumn(access.report) });
const isReport = ({ deploymentId, reportId }: ReportKey) =>
  and(eq(reports.id, reportId), eq(reports.deploymentId, deploymentId));

/** A report of a deployment with the caller's level on it, which may be none. */
export async function findReportWithLevel(
  db: Db,
  access: ContentAccess,
  key: ReportKey,
): Promise<ReportWithLevel | null> {
  const [found] = await db.select(withLevel(access)).from(reports).where(isReport(key));
  return found ?? null;
}

/** As `findReportWithLevel`; locks the report until the transaction ends. */
export async function lockReport(tx: Db, access: ContentAccess, key: ReportKey): Promise<ReportWithLevel | null> {
  const [found] = await tx.select(withLevel(access)).from(reports).where(isReport(key)).for('update', { of: reports });
  return found ?? null;
}

/** The reports that show this `publicId`, in whichever deployment: of a placeholder there may be two. */
export async function reportsShowing(db: Db, access: ContentAccess, publicId: string): Promise<ReportWithLevel[]> {
  const id = placeholderReportId(publicId);
  const own = eq(reports.publicId, publicId);
  return db
    .select(withLevel(access))
    .from(reports)
    .where(id === null ? own : or(own, and(eq(reports.id, id), isNull(reports.publicId))));
}

/** Creates a report; null when its `publicId` is taken. */
export async function createReport(tx: Db, report: NewReport): Promise<StoredReport | null> {
  const [created] = await tx.insert(reports).values(report).onConflictDoNothing().returning();
  return created ?? null;
}

/**
 * Changes a report that still shows the `publicId` by which it was found. The same change again leaves it as it is, `updatedAt` and
 * `version` included. Null when there is no such report any more; the database throws when a new `publicId` is taken.
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

/** Notes that a user has made a report's result anew; that is no change of the report. */
export async function markRefreshed(tx: Db, reportId: number, userId: number): Promise<void> {
  await tx.update(reports).set({ refreshedBy: userId, refreshedAt: sql`now()` }).where(eq(reports.id, reportId));
}

/** Notes that a user has looked at a report, once a minute at most. */
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

/** Deletes a report with its placements; false when there is none. What was published of it stays as it was frozen. */
export async function deleteReport(tx: Db, reportId: number): Promise<boolean> {
  const gone = await tx.delete(reports).where(eq(reports.id, reportId)).returning({ id: reports.id });
  return gone.length > 0;
}

/** A report about to be copied into a workbook, or made of a snapshot. */
export type ReportRow = typeof reports.$inferInsert;

/** Those of some reports of a deployment that the caller may read. */
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

/** The reports of a workbook, the oldest first. */
export async function reportsOfWorkbook(db: Db, workbookId: number): Promise<StoredReport[]> {
  return db.select().from(reports).where(eq(reports.workbookId, workbookId)).orderBy(asc(reports.id));
}

/** Most rows of one INSERT: a statement has room for 65,535 values. */
const batch = 1000;

/** Creates reports; their ids come back in the same order. */
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
