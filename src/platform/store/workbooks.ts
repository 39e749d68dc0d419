import { isDeepStrictEqual } from 'node:util';
import { and, eq, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from './database.js';
import { workbooks } from './schema.js';

/** A workbook as it is stored. */
export type StoredWorkbook = typeof workbooks.$inferSelect;

/** What a caller changes of a workbook; what is left out stays. */
export interface WorkbookChange {
  readonly name?: string;
  /** Keys to be set in the stored metadata. */
  readonly meta?: JsonObject;
}

/** Where a workbook is to be created. */
export interface NewWorkbook {
  readonly deploymentId: number;
  readonly slug: string;
  readonly createdBy: number;
}

/** A workbook of a deployment by id. */
export async function findWorkbook(db: Db, deploymentId: number, workbookId: number): Promise<StoredWorkbook | null> {
  const [workbook] = await db
    .select()
    .from(workbooks)
    .where(and(eq(workbooks.id, workbookId), eq(workbooks.deploymentId, deploymentId)));
  return workbook ?? null;
}

/** The workbook that holds a slug in a deployment. */
export async function findWorkbookBySlug(db: Db, deploymentId: number, slug: string): Promise<StoredWorkbook | null> {
  const [workbook] = await db
    .select()
    .from(workbooks)
    .where(and(eq(workbooks.deploymentId, deploymentId), eq(workbooks.slug, slug)));
  return workbook ?? null;
}

/** Creates the workbook of a slug; null when another writer came first. */
export async function createWorkbook(db: Db, at: NewWorkbook, change: WorkbookChange): Promise<StoredWorkbook | null> {
  const [created] = await db
    .insert(workbooks)
    .values({ ...at, name: change.name ?? at.slug, meta: change.meta ?? {} })
    .onConflictDoNothing()
    .returning();
  return created ?? null;
}

/**
 * Changes the workbook that was found under a slug; the same change again leaves it as it is, `updatedAt` included. Null when it
 * doesn't hold the slug any more.
 */
export async function updateWorkbook(
  db: Db,
  found: Pick<StoredWorkbook, 'id' | 'slug'>,
  change: WorkbookChange,
): Promise<StoredWorkbook | null> {
  return db.transaction(async tx => {
    const [current] = await tx.select().from(workbooks).where(eq(workbooks.id, found.id)).for('update');
    if (!current || current.slug !== found.slug) return null;
    const next = { name: change.name ?? current.name, meta: { ...current.meta, ...change.meta } };
    if (next.name === current.name && isDeepStrictEqual(next.meta, current.meta)) return current;
    const [changed] = await tx
      .update(workbooks)
      .set({ ...next, updatedAt: sql`now()` })
      .where(eq(workbooks.id, current.id))
      .returning();
    return changed ?? null;
  });
}

/** Deletes a workbook; its reports, dashboard, shares and views go with it. False when it isn't there any more. */
export async function deleteWorkbook(tx: Db, workbookId: number): Promise<boolean> {
  const deleted = await tx.delete(workbooks).where(eq(workbooks.id, workbookId)).returning({ id: workbooks.id });
  return deleted.length > 0;
}
