import { isDeepStrictEqual } from 'node:util';
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db } from './database.js';
import { reports } from './schema.js';

/** A report as it is stored. */
export type StoredReport = typeof reports.$inferSelect;

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
    | 'workbookId'
  >
>;

/** A report to be created. */
export type NewReport = ReportChange &
  Pick<typeof reports.$inferInsert, 'deploymentId' | 'createdBy' | 'name' | 'source'>;

const placeholder = /^0000([0-9a-z]{8})$/;

/**
 * The `publicId` that a report shows: its own, or, until a caller has chosen one, a placeholder made from its id (`0000`
 * and the id in base 36, padded to eight), which nobody can choose.
 */
export function shownPublicId(report: Pick<StoredReport, 'id' | 'publicId'>): string {
  return report.publicId ?? `0000${report.id.toString(36).padStart(8, '0')}`;
}

/** Id of the report that a placeholder stands for; null for every id that a caller may choose. */
export function placeholderReportId(publicId: string): number | null {
  const digits = placeholder.exec(publicId)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 36);
}

/** A report of a deployment by id. */
export async function findReport(db: Db, deploymentId: number, reportId: number): Promise<StoredReport | null> {
  return (await findReports(db, deploymentId, [reportId]))[0] ?? null;
}

/** The reports of a deployment with these ids. */
export async function findReports(db: Db, deploymentId: number, ids: readonly number[]): Promise<StoredReport[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(reports)
    .where(and(inArray(reports.id, [...ids]), eq(reports.deploymentId, deploymentId)));
}

/** The report that shows this `publicId`, in whichever deployment. */
export async function findReportByPublicId(db: Db, publicId: string): Promise<StoredReport | null> {
  const id = placeholderReportId(publicId);
  const own = eq(reports.publicId, publicId);
  const [report] = await db
    .select()
    .from(reports)
    .where(id === null ? own : or(own, and(eq(reports.id, id), isNull(reports.publicId))));
  return report ?? null;
}

/** Creates a report; null when its `publicId` is taken. */
export async function createReport(db: Db, report: NewReport): Promise<StoredReport | null> {
  const [created] = await db.insert(reports).values(report).onConflictDoNothing().returning();
  return created ?? null;
}

/**
 * Changes the report that was found under a `publicId` and makes that id its own; the same change again leaves it as it is. Null
 * when it doesn't show that id any more.
 */
export async function updateReport(db: Db, found: StoredReport, change: ReportChange): Promise<StoredReport | null> {
  const publicId = shownPublicId(found);
  return db.transaction(async tx => {
    const [current] = await tx.select().from(reports).where(eq(reports.id, found.id)).for('update');
    if (!current || shownPublicId(current) !== publicId) return null;
    const next = { ...current, ...change, publicId };
    if (isDeepStrictEqual(next, current)) return current;
    const [changed] = await tx
      .update(reports)
      .set({ ...change, publicId, version: current.version + 1, updatedAt: sql`now()` })
      .where(eq(reports.id, current.id))
      .returning();
    return changed ?? null;
  });
}

/** Deletes a report with its placements; false when there is none. What was published of it stays as it was frozen. */
export async function deleteReport(tx: Db, reportId: number): Promise<boolean> {
  const gone = await tx.delete(reports).where(eq(reports.id, reportId)).returning({ id: reports.id });
  return gone.length > 0;
}
