import { and, asc, eq, inArray } from 'drizzle-orm';
import { type ContentAccess, Level } from '../access/content-access.js';
import type { Db } from './database.js';
import type { StoredReport } from './reports.js';
import { reports } from './schema.js';

/** A report about to be copied into a workbook, or made of a snapshot. */
export type NewReport = typeof reports.$inferInsert;

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
export async function createReports(tx: Db, created: readonly NewReport[]): Promise<number[]> {
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
