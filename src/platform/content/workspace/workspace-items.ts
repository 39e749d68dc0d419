import { and, eq, inArray, sql } from 'drizzle-orm';
import type { ItemType, JsonObject } from '../../../contract/wire.js';
import type { Principal } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { dashboards, dashboardVersions, reports, workbooks } from '../../db/schema.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import { type ContentAccess, contentAccess, Level, levelColumn } from '../content-access.js';
import { deleteReport } from '../reports/report-store.js';
import { deleteWorkbook, metaWithoutKey } from '../workbooks/workbook-store.js';
import {
  changeFolder,
  folderMatches,
  folderPathsOf,
  heightOfFolder,
  lockFolderTree,
  nextPosition,
  visibleFolders,
} from './folder-store.js';
import { checkFolderDepth, removeFolder, requireFolder, requireTargetFolder } from './folders.js';

/** Types of items in folders. */
type ContentType = 'WORKBOOK' | 'REPORT';

/** Fields of a workbook or report for moving and deleting, with the caller's access level. */
interface ItemWithLevel {
  readonly id: number;
  readonly folderId: number | null;
  readonly embedTenantId: number | null;
  /** For reports: the workbook that contains it. */
  readonly workbookId: number | null;
  readonly level: Level;
}

/** Returns a workbook or report of a deployment, locked until the transaction ends. */
async function findItem(
  tx: Db,
  access: ContentAccess,
  { type, id, deploymentId }: { type: ContentType; id: number; deploymentId: number },
): Promise<ItemWithLevel | null> {
  const table = type === 'WORKBOOK' ? workbooks : reports;
  const [item] = await tx
    .select({
      id: table.id,
      folderId: table.folderId,
      embedTenantId: table.embedTenantId,
      workbookId: type === 'WORKBOOK' ? sql<null>`null` : reports.workbookId,
      level: levelColumn(type === 'WORKBOOK' ? access.workbook : access.report),
    })
    .from(table)
    .where(and(eq(table.id, id), eq(table.deploymentId, deploymentId)))
    .for('update');
  return item ?? null;
}

/**
 * Moves a workbook or report into a folder, or to the root (`null`). Has no effect, not even on `updatedAt`, if it is
 * already there.
 */
async function moveItemRow(tx: Db, type: ContentType, id: number, folderId: number | null): Promise<void> {
  const table = type === 'WORKBOOK' ? workbooks : reports;
  await tx
    .update(table)
    .set({ folderId, updatedAt: sql`now()` })
    .where(and(eq(table.id, id), sql`${table.folderId} is distinct from ${folderId}`));
}

/** A workbook or report in workspace lists. */
export interface ListedItem {
  readonly id: number;
  readonly deploymentId: number;
  readonly folderId: number | null;
  readonly name: string;
  readonly meta: JsonObject;
  readonly createdBy: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly slug: string | null;
  readonly published: PublishedSummary | null;
}

/** A published dashboard in workspace lists. */
interface PublishedSummary {
  readonly id: number;
  readonly publicId: string;
  readonly allowEmbed: boolean;
  readonly title: string | null;
  readonly description: string | null;
  readonly createdBy: number;
  readonly versionId: number;
  readonly versionNumber: number;
  readonly kind: string | null;
}

/** Returns the workbooks with these ids, by id. */
export async function listedWorkbooks(db: Db, ids: readonly number[]): Promise<Map<number, ListedItem>> {
  if (ids.length === 0) return new Map();
  const { id, deploymentId, folderId, name, createdBy, createdAt, updatedAt, slug } = workbooks;
  const rows = await db
    .select({
      item: { id, deploymentId, folderId, name, createdBy, createdAt, updatedAt, slug },
      meta: metaWithoutKey('dashboardDraft', workbooks.meta),
      board: dashboards,
      versionId: dashboardVersions.id,
      kind: sql<string | null>`${dashboardVersions.config} ->> 'kind'`,
    })
    .from(workbooks)
    .leftJoin(dashboards, eq(dashboards.workbookId, workbooks.id))
    .leftJoin(
      dashboardVersions,
      and(
        eq(dashboardVersions.dashboardId, dashboards.id),
        eq(dashboardVersions.versionNumber, dashboards.versionNumber),
      ),
    )
    .where(inArray(workbooks.id, [...ids]));
  return new Map(
    rows.map(({ item, meta, board, versionId, kind }) => [
      item.id,
      { ...item, meta, published: board && versionId !== null ? { ...board, versionId, kind } : null },
    ]),
  );
}

/** Returns the reports with these ids, by id. */
export async function listedReports(db: Db, ids: readonly number[]): Promise<Map<number, ListedItem>> {
  if (ids.length === 0) return new Map();
  const { id, deploymentId, folderId, name, createdBy, createdAt, updatedAt } = reports;
  const rows = await db
    .select({
      id,
      deploymentId,
      folderId,
      name,
      createdBy,
      createdAt,
      updatedAt,
      meta: metaWithoutKey('spec', reports.meta),
    })
    .from(reports)
    .where(inArray(reports.id, [...ids]));
  return new Map(rows.map(item => [item.id, { ...item, slug: null, published: null }]));
}

/** An item of a deployment's workspace. */
interface Item {
  readonly deploymentId: number;
  readonly type: ItemType;
  readonly id: number;
}

const field = 'body.folderId';
const nameOf = { WORKBOOK: 'Workbook', REPORT: 'Report' } as const;

/**
 * Moves an item that the caller manages into a folder that it may edit, or to the root (`null`).
 * @throws PlatformError 404, 403, or 400 for an invalid move.
 */
export async function moveItem(tx: Db, principal: Principal, item: Item, folderId: number | null): Promise<void> {
  const { type, ...at } = item;
  if (type === 'FOLDER') return moveFolder(tx, principal, at, folderId);
  const { id, embedTenantId, workbookId } = await requireItem(tx, principal, { ...at, type });
  if (workbookId !== null) {
    throw new PlatformError(400, 'body.id: the report belongs to a workbook and can only be moved with it');
  }
  if (folderId !== null) {
    await requireTargetFolder(tx, principal, { deploymentId: at.deploymentId, folderId, embedTenantId, field });
  }
  await moveItemRow(tx, type, id, folderId);
}

/** Whether a caller may read an item of a deployment. */
export async function canReadItem(db: Db, principal: Principal, { deploymentId, type, id }: Item): Promise<boolean> {
  const access = contentAccess(principal);
  if (type === 'FOLDER') {
    return folderMatches(db, { deploymentId, folderId: id }, visibleFolders(access, deploymentId));
  }
  const found = await findItem(db, access, { type, id, deploymentId });
  return found !== null && found.level >= Level.read;
}

/**
 * Deletes an item that the caller manages.
 * @throws PlatformError 404, 403, or 400 if a folder contains folders.
 */
export async function deleteItem(tx: Db, principal: Principal, { type, ...at }: Item): Promise<void> {
  if (type === 'FOLDER') return removeFolder(tx, principal, at.deploymentId, at.id);
  const { id } = await requireItem(tx, principal, { ...at, type });
  await (type === 'WORKBOOK' ? deleteWorkbook : deleteReport)(tx, id);
}

async function requireItem(
  tx: Db,
  principal: Principal,
  item: Item & { readonly type: ContentType },
): Promise<ItemWithLevel> {
  const found = await findItem(tx, contentAccess(principal), item);
  const name = nameOf[item.type];
  if (!found || found.level < Level.read) throw notFound(name);
  if (found.level >= Level.manage) return found;
  throw new PlatformError(403, `This operation requires manage access to the ${name.toLowerCase()}.`);
}

async function moveFolder(
  tx: Db,
  principal: Principal,
  { deploymentId, id }: Omit<Item, 'type'>,
  parentId: number | null,
): Promise<void> {
  await lockFolderTree(tx, deploymentId);
  const folder = await requireFolder(tx, principal, deploymentId, id, Level.manage);
  if (folder.parentId === parentId) return;
  if (parentId !== null) {
    const { embedTenantId } = folder;
    await requireTargetFolder(tx, principal, { deploymentId, folderId: parentId, embedTenantId, field });
    const path = (await folderPathsOf(tx, [parentId])).get(parentId) ?? [];
    if (path.some(step => step.id === id)) {
      throw new PlatformError(400, `${field}: a folder cannot be moved into itself or one of its subfolders`);
    }
    await checkFolderDepth(tx, parentId, await heightOfFolder(tx, id), field);
  }
  const position = await nextPosition(tx, { ...folder, parentId });
  await changeFolder(tx, id, { parentId, position }, principal.userId);
}
