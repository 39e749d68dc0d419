import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.js';
import { reportPlacements, reports } from '../../db/schema.js';
import type { StoredReport } from './report-store.js';

/** A stored placement. */
export type StoredPlacement = typeof reportPlacements.$inferSelect;

type Value = StoredPlacement[keyof StoredPlacement];

/** Change to a placement. Omitted fields stay unchanged. */
export type PlacementChange = Partial<
  Pick<
    StoredPlacement,
    | 'workbookName'
    | 'host'
    | 'sheetId'
    | 'sheetName'
    | 'anchorCell'
    | 'endResultCell'
    | 'resultChecksum'
    | 'queryChecksum'
  >
> &
  Pick<StoredPlacement, 'externalWorkbookId' | 'resultLocation'>;

/** Returns the checksum of a report's query; `null` if it has none. */
export function queryChecksum({ jsonQuery, sqlQuery }: Pick<StoredReport, 'jsonQuery' | 'sqlQuery'>): string | null {
  const asked = jsonQuery ?? sqlQuery;
  return asked === null ? null : createHash('sha256').update(asked).digest('hex');
}

/** Returns the placements of reports, newest first. */
export async function placementsOf(db: Db, reportIds: readonly number[]): Promise<StoredPlacement[]> {
  if (reportIds.length === 0) return [];
  return db
    .select()
    .from(reportPlacements)
    .where(inArray(reportPlacements.reportId, [...reportIds]))
    .orderBy(desc(reportPlacements.placedAt), desc(reportPlacements.id));
}

/** Records a new placement of a report. */
export async function addPlacement(
  tx: Db,
  by: { readonly reportId: number; readonly userId: number },
  change: PlacementChange,
): Promise<StoredPlacement> {
  const [added] = await tx
    .insert(reportPlacements)
    .values({ ...change, reportId: by.reportId, placedBy: by.userId, placedAt: sql`clock_timestamp()` })
    .returning();
  if (!added) throw new Error('Insert returned no placement.');
  return added;
}

/** Changes a placement. Writes nothing if no field changes. */
export async function changePlacement(
  tx: Db,
  placement: StoredPlacement,
  userId: number,
  change: PlacementChange,
): Promise<StoredPlacement> {
  const entries = Object.entries<Value>(change) as [keyof StoredPlacement, Value][];
  if (entries.every(([key, value]) => isDeepStrictEqual(placement[key], value))) return placement;
  const [changed] = await tx
    .update(reportPlacements)
    .set({ ...change, placedBy: userId, placedAt: sql`clock_timestamp()` })
    .where(eq(reportPlacements.id, placement.id))
    .returning();
  return changed ?? placement;
}

/** Records that a placement contains a result that was just computed. */
export async function refreshPlacement(
  tx: Db,
  placementId: string,
  userId: number,
  result: Partial<Pick<StoredPlacement, 'resultChecksum' | 'queryChecksum'>>,
): Promise<void> {
  await tx
    .update(reportPlacements)
    .set({ ...result, refreshedBy: userId, refreshedAt: sql`now()` })
    .where(eq(reportPlacements.id, placementId));
}

/** Deletes placements. */
export async function removePlacements(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(reportPlacements).where(inArray(reportPlacements.id, [...ids]));
}

type Mirrored = Pick<StoredReport, 'externalWorkbookId' | 'resultLocation' | 'endResultCell'>;

/**
 * Copies the last placement into the placement fields of the report, or clears these fields if there is none. Does not
 * count as a change to the report.
 */
export async function mirrorPlacement(tx: Db, report: StoredReport, last: Mirrored | null): Promise<void> {
  const { externalWorkbookId = null, resultLocation = null, endResultCell = null } = last ?? {};
  const isTold =
    report.externalWorkbookId === externalWorkbookId &&
    report.resultLocation === resultLocation &&
    report.endResultCell === endResultCell;
  if (isTold) return;
  await tx.update(reports).set({ externalWorkbookId, resultLocation, endResultCell }).where(eq(reports.id, report.id));
}
