import { and, eq, inArray, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import { type ContentAccess, type Level, levelColumn } from '../access/content-access.js';
import type { Db } from './database.js';
import { metaWithout } from './meta-without.js';
import { dashboards, dashboardVersions, reports, workbooks } from './schema.js';

/** What lies in folders. */
export type ContentType = 'WORKBOOK' | 'REPORT';

/** A workbook or report as far as moving and deleting it needs, with what the caller may do to it. */
export interface ReachedItem {
  readonly id: number;
  readonly folderId: number | null;
  readonly embedTenantId: number | null;
  /** Of a report: the workbook that it belongs to. */
  readonly workbookId: number | null;
  readonly level: Level;
}

/** A workbook or report of a deployment, locked until the transaction ends. */
export async function findItem(
  tx: Db,
  access: ContentAccess,
  { type, id, deploymentId }: { type: ContentType; id: number; deploymentId: number },
): Promise<ReachedItem | null> {
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

/** Puts a workbook or report into a folder, or at the root (null). What is there already is left alone, `updatedAt` included. */
export async function placeItem(tx: Db, type: ContentType, id: number, folderId: number | null): Promise<void> {
  const table = type === 'WORKBOOK' ? workbooks : reports;
  await tx
    .update(table)
    .set({ folderId, updatedAt: sql`now()` })
    .where(and(eq(table.id, id), sql`${table.folderId} is distinct from ${folderId}`));
}

/** A workbook or report as lists of a workspace tell of it. */
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

/** What lists tell of a published dashboard. */
export interface PublishedSummary {
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

/** The workbooks with these ids, by id. */
export async function listedWorkbooks(db: Db, ids: readonly number[]): Promise<Map<number, ListedItem>> {
  if (ids.length === 0) return new Map();
  const { id, deploymentId, folderId, name, createdBy, createdAt, updatedAt, slug } = workbooks;
  const rows = await db
    .select({
      item: { id, deploymentId, folderId, name, createdBy, createdAt, updatedAt, slug },
      meta: metaWithout('dashboardDraft', workbooks.meta),
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

/** The reports with these ids, by id. */
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
      meta: metaWithout('spec', reports.meta),
    })
    .from(reports)
    .where(inArray(reports.id, [...ids]));
  return new Map(rows.map(item => [item.id, { ...item, slug: null, published: null }]));
}
