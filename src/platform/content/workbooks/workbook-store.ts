import { isDeepStrictEqual } from 'node:util';
import { and, eq, getTableColumns, ilike, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { JsonObject } from '../../../contract/wire.js';
import { DatabaseCode, type Db, databaseCode } from '../../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../../db/keyset.js';
import { dashboards, type reports, workbooks, workbookViews } from '../../db/schema.js';
import { type ContentAccess, type Level, levelColumn, reachableOn } from '../content-access.js';

/**
 * Returns the metadata without one key, preserving the order of the other keys. The key is removed in the database,
 * because its value may have megabytes.
 */
export const metaWithoutKey = (key: string, meta: typeof workbooks.meta | typeof reports.meta): SQL<JsonObject> =>
  sql<JsonObject>`(select coalesce(json_object_agg(entry.key, entry.value), '{}') from json_each(coalesce(${meta}, '{}')) entry
    where entry.key <> ${key})`;

/** A stored workbook. */
export type StoredWorkbook = typeof workbooks.$inferSelect;

/** A workbook with the caller's access level. */
export interface WorkbookWithLevel {
  readonly workbook: StoredWorkbook;
  readonly level: Level;
}

/** Key of a workbook in a deployment. Slugs are unique per embed tenant, or in the account (`null`). */
export type WorkbookKey = { readonly id: number } | { readonly slug: string; readonly embedTenantId: number | null };

/** A workbook to be created. */
export type NewWorkbook = Pick<
  typeof workbooks.$inferInsert,
  'deploymentId' | 'folderId' | 'slug' | 'name' | 'meta' | 'createdBy' | 'embedTenantId'
>;

/** Change to a workbook. Omitted fields stay unchanged. */
export interface WorkbookChange {
  readonly name?: string;
  readonly slug?: string;
  /** `null` moves the workbook to the root. */
  readonly folderId?: number | null;
  /** Returns the new metadata for the stored metadata. */
  readonly meta?: (stored: JsonObject) => JsonObject;
}

/** Returns a workbook of a deployment by id. */
export async function findWorkbook(db: Db, deploymentId: number, workbookId: number): Promise<StoredWorkbook | null> {
  const [workbook] = await db
    .select()
    .from(workbooks)
    .where(and(eq(workbooks.id, workbookId), eq(workbooks.deploymentId, deploymentId)));
  return workbook ?? null;
}

/** Returns a workbook of a deployment with the caller's access level, which may be `none`. */
export async function findWorkbookWithLevel(
  db: Db,
  access: ContentAccess,
  deploymentId: number,
  key: WorkbookKey,
): Promise<WorkbookWithLevel | null> {
  const [found] = await db
    .select({ workbook: workbooks, level: levelColumn(access.workbook) })
    .from(workbooks)
    .where(and(eq(workbooks.deploymentId, deploymentId), matches(key)));
  return found ?? null;
}

function matches(key: WorkbookKey): SQL | undefined {
  if ('id' in key) return eq(workbooks.id, key.id);
  const { slug, embedTenantId } = key;
  const space = embedTenantId === null ? isNull(workbooks.embedTenantId) : eq(workbooks.embedTenantId, embedTenantId);
  return and(eq(workbooks.slug, slug), space);
}

type ListedWorkbook = { readonly id: number; readonly workbook: StoredWorkbook; readonly level: Level };

// Newest first, so that new workbooks do not shift later pages and changes do not move workbooks.
const newestFirst = new Keyset<ListedWorkbook>('workbooks', { id: workbooks.id }, 'desc');

/** Columns of a workbook for lists, without its draft. */
export const columnsWithoutDraft = {
  ...getTableColumns(workbooks),
  meta: metaWithoutKey('dashboardDraft', workbooks.meta),
};

/** Filter of a list of workbooks; folder 0 is the root. */
export interface WorkbookFilter {
  readonly deploymentId: number;
  readonly folderId?: number | null | undefined;
  readonly search?: string | undefined;
}

/** Returns a SQL condition for workbooks that match a search; `undefined` without a search. */
export function nameCondition(search: string | undefined): SQL | undefined {
  return search === undefined ? undefined : ilike(workbooks.name, containsPattern(search));
}

/** Returns a page of the workbooks of a deployment that the caller may read, newest first, with their total number. */
export async function listWorkbooks(
  db: Db,
  access: ContentAccess,
  { deploymentId, folderId, search }: WorkbookFilter,
  page: PageRequest,
): Promise<KeysetPage<WorkbookWithLevel> & { readonly count: number }> {
  const conditions = and(eq(workbooks.deploymentId, deploymentId), folderCondition(folderId), nameCondition(search));
  const first = { orderBy: newestFirst.orderBy, limit: newestFirst.limit(page) };
  const rows = await db
    .select({ id: workbooks.id, workbook: columnsWithoutDraft, level: levelColumn(access.workbook) })
    .from(workbooks)
    .where(reachableOn(workbooks, access.readPaths.workbooks, and(conditions, newestFirst.after(page)), first))
    .orderBy(...first.orderBy)
    .limit(first.limit);
  const count = await db.$count(workbooks, reachableOn(workbooks, access.readPaths.workbooks, conditions));
  return { ...newestFirst.pageWithinBytes(rows, page), count };
}

/** Creates a workbook. Returns `null` if its slug is taken. */
export async function createWorkbook(db: Db, workbook: NewWorkbook): Promise<StoredWorkbook | null> {
  const [created] = await db.insert(workbooks).values(workbook).onConflictDoNothing().returning();
  return created ?? null;
}

/**
 * Changes a workbook if its slug is still the one that was read. Repeating a change has no effect, not even on
 * `updatedAt`. Returns `null` if the workbook was deleted or has another slug by now.
 */
export async function updateWorkbook(
  tx: Db,
  found: Pick<StoredWorkbook, 'id' | 'slug'>,
  change: WorkbookChange,
): Promise<StoredWorkbook | null> {
  const [current] = await lockWorkbooks(tx, [found.id]);
  if (!current || current.slug !== found.slug) return null;
  const { meta, ...plain } = change;
  const next: StoredWorkbook = { ...current, ...plain, ...(meta && { meta: meta(current.meta) }) };
  if (isDeepStrictEqual(next, current)) return current;
  const [changed] = await tx
    .update(workbooks)
    .set({ name: next.name, slug: next.slug, folderId: next.folderId, meta: next.meta, updatedAt: sql`now()` })
    .where(and(eq(workbooks.id, current.id), sql`${workbooks.slug} is not distinct from ${found.slug}`))
    .returning();
  if (changed && next.name !== current.name) await renameDashboard(tx, current.id);
  return changed ?? null;
}

/** Increments the revision of a dashboard without its own title, because its title is the name of the workbook. */
async function renameDashboard(tx: Db, workbookId: number): Promise<void> {
  await tx
    .update(dashboards)
    .set({ revision: sql`${dashboards.revision} + 1` })
    .where(and(eq(dashboards.workbookId, workbookId), isNull(dashboards.title)));
}

/** Locks workbooks until the transaction ends, in the order of their ids to prevent deadlocks. */
export async function lockWorkbooks(tx: Db, ids: readonly number[]): Promise<StoredWorkbook[]> {
  return tx
    .select()
    .from(workbooks)
    .where(inArray(workbooks.id, [...ids]))
    .orderBy(workbooks.id)
    .for('update');
}

/** Removes the slug of a workbook. Returns false if the workbook has another slug by now. */
export async function releaseSlug(tx: Db, workbookId: number, slug: string): Promise<boolean> {
  const released = await tx
    .update(workbooks)
    .set({ slug: null, updatedAt: sql`now()` })
    .where(and(eq(workbooks.id, workbookId), eq(workbooks.slug, slug)))
    .returning({ id: workbooks.id });
  return released.length > 0;
}

/** Deletes a workbook with its reports, dashboard, shares and views. Returns false if it no longer exists. */
export async function deleteWorkbook(tx: Db, workbookId: number): Promise<boolean> {
  const deleted = await tx.delete(workbooks).where(eq(workbooks.id, workbookId)).returning({ id: workbooks.id });
  return deleted.length > 0;
}

/** Records a view of a workbook, at most once a minute. */
export async function recordWorkbookView(db: Db, userId: number, workbookId: number): Promise<void> {
  try {
    await db
      .insert(workbookViews)
      .values({ userId, workbookId })
      .onConflictDoUpdate({
        target: [workbookViews.userId, workbookViews.workbookId],
        set: { viewedAt: sql`now()` },
        setWhere: lt(workbookViews.viewedAt, sql`now() - interval '1 minute'`),
      });
  } catch (error) {
    // The workbook was deleted concurrently, so there is no view to record.
    if (databaseCode(error) !== DatabaseCode.foreignKeyViolation) throw error;
  }
}

/** Returns the condition on the folder of a workbook; 0 is the root. */
function folderCondition(folderId: WorkbookFilter['folderId']): SQL | undefined {
  if (folderId == null) return undefined;
  return folderId === 0 ? isNull(workbooks.folderId) : eq(workbooks.folderId, folderId);
}
