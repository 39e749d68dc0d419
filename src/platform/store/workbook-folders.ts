import { and, inArray, isNotNull } from 'drizzle-orm';
import type { Db } from './database.js';
import { workbooks } from './schema.js';

/** The folders that some workbooks lie in, by workbook; those at the root are left out. */
export async function foldersOfWorkbooks(db: Db, workbookIds: readonly number[]): Promise<Map<number, number>> {
  if (workbookIds.length === 0) return new Map();
  const rows = await db
    .select({ id: workbooks.id, folderId: workbooks.folderId })
    .from(workbooks)
    .where(and(inArray(workbooks.id, [...new Set(workbookIds)]), isNotNull(workbooks.folderId)));
  return new Map(rows.flatMap(({ id, folderId }) => (folderId === null ? [] : [[id, folderId] as const])));
}
