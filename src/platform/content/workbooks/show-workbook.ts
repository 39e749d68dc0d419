import type { Dashboard } from '../../../contract/dashboards.js';
import type { JsonObject, UserSummary } from '../../../contract/wire.js';
import type { Workbook } from '../../../contract/workbooks.js';
import { summarizeUsers } from '../../auth/user-store.js';
import type { Db } from '../../db/database.js';
import { tenantNames } from '../../embed/tenant-store.js';
import { Level } from '../content-access.js';
import { findDashboard } from '../dashboards/dashboard-store.js';
import { favoritesOf } from '../workspace/favorite-store.js';
import { folderPathsOf, type PathEntry } from '../workspace/folder-store.js';
import { draftOf, draftRevision } from './draft.js';
import type { StoredWorkbook, WorkbookWithLevel } from './workbook-store.js';

/**
 * Returns a workbook with its published dashboard and, if the caller may edit the workbook, its draft (spec 2.3).
 * @param viewerId - the caller, whose favorites are marked.
 */
export async function showWorkbook(db: Db, reached: WorkbookWithLevel, viewerId: number): Promise<Workbook> {
  const { workbook, level } = reached;
  const published = await publishedOf(db, workbook);
  const [listed] = await showWorkbooks(db, [reached], viewerId);
  if (!listed) throw new Error('A workbook is missing from the list.');
  return {
    ...listed,
    meta: level < Level.edit ? listed.meta : workbook.meta,
    dashboardDraft: level < Level.edit ? null : draftOf(workbook),
    draftRevision: level < Level.edit ? null : draftRevision(workbook.meta),
    dashboardPublished: published?.config,
    publishedDashboard: published,
  };
}

/** Returns the published dashboard of a workbook; `undefined` if never published. */
export async function publishedOf(db: Db, workbook: Pick<StoredWorkbook, 'id'>): Promise<Dashboard | undefined> {
  return (await findDashboard(db, workbook.id)) ?? undefined;
}

/** Returns workbooks for lists, without drafts and published dashboards, which may be large. */
export async function showWorkbooks(
  db: Db,
  reached: readonly Pick<WorkbookWithLevel, 'workbook'>[],
  viewerId: number,
): Promise<Workbook[]> {
  const stored = reached.map(({ workbook }) => workbook);
  const users = await summarizeUsers(
    db,
    stored.map(({ createdBy }) => createdBy),
  );
  const paths = await folderPathsOf(
    db,
    stored.map(({ folderId }) => folderId),
  );
  const tenants = await tenantNames(
    db,
    stored.map(({ embedTenantId }) => embedTenantId),
  );
  const favorites = await favoritesOf(
    db,
    viewerId,
    stored.map(({ id }) => ({ type: 'WORKBOOK', id })),
  );
  return stored.map(workbook => ({
    ...describe(workbook, users.get(workbook.createdBy), paths.get(workbook.folderId ?? 0)),
    embedTenantName: tenants.get(workbook.embedTenantId ?? 0),
    isFavorite: favorites.has({ type: 'WORKBOOK', id: workbook.id }),
  }));
}

function describe(
  { id, deploymentId, folderId, slug, name, meta, createdBy, createdAt, updatedAt }: StoredWorkbook,
  user: UserSummary | undefined,
  folderPath: PathEntry[] = [],
): Workbook {
  return {
    calculatedFields: {},
    createdAt: createdAt.toISOString(),
    createdBy,
    deploymentId,
    folderId,
    folderPath: folderPath.map(entry => ({ ...entry })),
    id,
    meta: withoutDraft(meta),
    name,
    slug,
    type: 'WORKBOOK',
    updatedAt: updatedAt.toISOString(),
    user,
    userId: createdBy,
  };
}

function withoutDraft({ dashboardDraft: _draft, ...meta }: JsonObject): JsonObject {
  return meta;
}
