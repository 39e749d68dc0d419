import { and, eq, gt, gte, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { ItemType } from '../../../contract/wire.js';
import type { workspaceOrderDirections, workspaceOrderFields } from '../../../contract/workspace.js';
import type { Db } from '../../db/database.js';
import {
  containsPattern,
  foreignCursor,
  type KeyKind,
  type KeysetPage,
  type PageRequest,
  pageSize,
  readCursor,
  writeCursor,
} from '../../db/keyset.js';
import {
  dashboards,
  folders,
  GroupKind,
  groups,
  reports,
  reportViews,
  workbookShares,
  workbooks,
  workbookViews,
} from '../../db/schema.js';
import { type AccessPath, type AccessPaths, rowsOnPath } from '../content-access.js';
import { sharedFolderIds } from '../share-store.js';
import { isFavoriteOf } from './favorite-store.js';
import { ancestorsOf, folderMatches } from './folder-store.js';

/** Visible part of a workspace: a condition on folders, and access paths to workbooks and reports. */
export interface WorkspaceView {
  /** Part of cursors, so that cursors of another view are rejected. */
  readonly name: string;
  readonly folder: SQL;
  readonly workbooks: AccessPaths;
  /** Only reports without a workbook; other reports are not listed. */
  readonly reports: AccessPaths;
}

/** Filter, order and page of a workspace. */
export interface WorkspaceRequest {
  readonly deploymentId: number;
  /** `null` for the root. */
  readonly folderId: number | null;
  /** Part of the name, searched in all folders; `null` if there is none. */
  readonly search: string | null;
  readonly types: ReadonlySet<ItemType>;
  readonly field: (typeof workspaceOrderFields)[number];
  readonly direction: (typeof workspaceOrderDirections)[number];
  /** User whose views determine the order by last view, and whose favorites are selected. */
  readonly viewerId: number;
  /** Whether only favorites are listed, in all folders. */
  readonly isFavorite: boolean;
  readonly page: PageRequest;
}

/** An item of a workspace, with the cursor after it. */
interface WorkspaceEntry {
  readonly type: ItemType;
  readonly id: number;
  readonly cursor: string;
}

/**
 * Returns one page of a workspace: folders by position, followed by workbooks and reports in a common order. Pages
 * start after the sort keys in the cursor and use an index per table, so that all pages take equally long and inserts
 * do not shift them.
 */
export async function listWorkspace(
  db: Db,
  view: WorkspaceView,
  request: WorkspaceRequest,
): Promise<KeysetPage<WorkspaceEntry>> {
  const size = pageSize(request.page);
  const start = readStart(view, request);
  const found =
    request.types.has('FOLDER') && start.part === 'folders'
      ? await listFolders(db, view, request, { after: start.after, limit: size + 1 })
      : [];
  if (found.length <= size) {
    const after = start.part === 'rest' ? start.after : null;
    found.push(...(await listRest(db, view, request, { after, limit: size + 1 - found.length })));
  }
  const items = found.slice(0, size);
  const pageInfo = { hasNextPage: found.length > size, hasPreviousPage: request.page.after !== undefined };
  const bounds = { startCursor: items[0]?.cursor ?? null, endCursor: items.at(-1)?.cursor ?? null };
  return { items, pageInfo: { ...pageInfo, ...bounds } };
}

interface Part {
  /** Sort keys after which the page starts; `null` for the first page. */
  readonly after: readonly string[] | null;
  readonly limit: number;
}

function namesOf({ name }: WorkspaceView, { field, direction }: WorkspaceRequest) {
  return { folders: `${name} folders`, rest: `${name} ${field} ${direction}` };
}

const kindOfKey = (field: WorkspaceRequest['field']): KeyKind => (field === 'name' ? 'text' : 'moment');

function readStart(view: WorkspaceView, request: WorkspaceRequest) {
  const { after } = request.page;
  if (after === undefined) return { part: 'folders', after: null } as const;
  const names = namesOf(view, request);
  const folder = readCursor(names.folders, ['integer', 'bigint'], after);
  if (folder) return { part: 'folders', after: folder } as const;
  const rest = readCursor(names.rest, [kindOfKey(request.field), 'integer', 'bigint'], after);
  if (rest) return { part: 'rest', after: rest } as const;
  throw foreignCursor();
}

async function listFolders(
  db: Db,
  view: WorkspaceView,
  request: WorkspaceRequest,
  { after, limit }: Part,
): Promise<WorkspaceEntry[]> {
  const [position, id] = after ?? [];
  const rows = await db
    .select({ id: folders.id, position: folders.position })
    .from(folders)
    .where(
      and(
        inScope(folders, folders.parentId, request),
        view.folder,
        after
          ? sql`(${folders.position}, ${folders.id}) > (${position}::text::integer, ${id}::text::bigint)`
          : undefined,
      ),
    )
    .orderBy(folders.position, folders.id)
    .limit(limit);
  const { folders: name } = namesOf(view, request);
  return rows.map(row => ({ type: 'FOLDER', id: row.id, cursor: writeCursor(name, [row.position, row.id]) }));
}

async function listRest(db: Db, view: WorkspaceView, request: WorkspaceRequest, part: Part): Promise<WorkspaceEntry[]> {
  const requested = content.filter(({ type }) => request.types.has(type));
  if (requested.length === 0) return [];
  const parts = requested.flatMap(each => each.readPaths(view).map(path => branch(each, path, request, part)));
  const down = downOrUp(request);
  const key = request.field === 'name' ? sql`item.key` : sql`to_char(item.key at time zone 'UTC', ${isoFormat})`;
  const { rows } = await db.execute<{ rank: number; id: string; key: string }>(sql`
    select item.rank, item.id, ${key} as key from (${sql.join(parts, sql` union `)}) item
    order by item.key ${down}, item.rank ${down}, item.id ${down} limit ${part.limit}`);
  const { rest: name } = namesOf(view, request);
  return rows.flatMap(({ rank, id, key }) => {
    const type = content.find(each => each.rank === rank)?.type;
    return type ? [{ type, id: Number(id), cursor: writeCursor(name, [key, rank, id]) }] : [];
  });
}

const isoFormat = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

/** A table of workspace items other than folders. Items with equal keys are ordered by the rank of their table. */
interface Content {
  readonly type: 'WORKBOOK' | 'REPORT';
  readonly rank: number;
  readonly table: typeof workbooks | typeof reports;
  readonly views: { readonly table: typeof workbookViews | typeof reportViews; readonly itemId: PgColumn };
  readonly readPaths: (view: WorkspaceView) => AccessPaths;
  /** Additional condition for items that are listed. */
  readonly where?: SQL;
}

const content: readonly Content[] = [
  {
    type: 'WORKBOOK',
    rank: 1,
    table: workbooks,
    views: { table: workbookViews, itemId: workbookViews.workbookId },
    readPaths: view => view.workbooks,
  },
  {
    type: 'REPORT',
    rank: 2,
    table: reports,
    views: { table: reportViews, itemId: reportViews.reportId },
    readPaths: view => view.reports,
    where: isNull(reports.workbookId),
  },
];

/**
 * Returns the first rows after the cursor in one table, on one access path. The limit suffices, because the page cannot
 * contain more of them.
 */
function branch({ rank, table, views, where }: Content, path: AccessPath, request: WorkspaceRequest, part: Part): SQL {
  const key = keyOf(table, views.table, request.field);
  const down = downOrUp(request);
  const seen =
    request.field === 'viewer_last_viewed_at'
      ? sql`left join ${views.table} on ${views.itemId} = ${table.id} and ${views.table.userId} = ${request.viewerId}`
      : sql``;
  const rows = rowsOnPath(table, path, and(inScope(table, table.folderId, request), where));
  const after = part.after ? afterKeys({ key, id: table.id, rank }, part.after, request) : sql`true`;
  return sql`(select ${sql.raw(String(rank))} as rank, ${table.id} as id, ${key} as key from ${rows} ${seen}
    where ${after} order by ${key} ${down}, ${table.id} ${down} limit ${part.limit})`;
}

function keyOf(table: Content['table'], views: Content['views']['table'], field: WorkspaceRequest['field']): SQL {
  if (field === 'name') return sql`${table.name}`;
  if (field === 'created_at') return sql`${table.createdAt}`;
  if (field === 'updated_at') return sql`${table.updatedAt}`;
  return sql`coalesce(${views.viewedAt}, timestamptz 'epoch')`;
}

/**
 * Returns the condition for rows after the sort keys of a cursor. The rank of a table is constant, so an index on the
 * other keys can be used.
 */
function afterKeys(
  { key, id, rank }: { key: SQL; id: PgColumn; rank: number },
  [value, cursorRank, cursorId]: readonly string[],
  { field, direction }: WorkspaceRequest,
): SQL {
  const at = kindOfKey(field) === 'text' ? sql`${value}::text` : sql`${value}::text::timestamptz`;
  const isUp = direction === 'ASC';
  if (Number(cursorRank) === rank)
    return sql`(${key}, ${id}) ${isUp ? sql`>` : sql`<`} (${at}, ${cursorId}::text::bigint)`;
  const comesLater = isUp ? rank > Number(cursorRank) : rank < Number(cursorRank);
  if (isUp) return comesLater ? gte(key, at) : gt(key, at);
  return comesLater ? lte(key, at) : lt(key, at);
}

function downOrUp({ direction }: WorkspaceRequest): SQL {
  return direction === 'ASC' ? sql`asc` : sql`desc`;
}

function inScope(
  table: Content['table'] | typeof folders,
  folderId: PgColumn,
  { deploymentId, folderId: requested, search, isFavorite, viewerId }: WorkspaceRequest,
): SQL | undefined {
  const within = requested === null ? isNull(folderId) : eq(folderId, requested);
  const matching = search === null ? undefined : sql`${table.name} ilike ${containsPattern(search)}`;
  const marked = isFavorite ? isFavoriteOf(viewerId, typeOf(table)) : undefined;
  return and(eq(table.deploymentId, deploymentId), matching || marked ? and(matching, marked) : within);
}

function typeOf(table: Content['table'] | typeof folders): ItemType {
  return content.find(each => each.table === table)?.type ?? 'FOLDER';
}

/** Whether the shared workspace of a tenant contains an item. */
export async function canSeeShared(
  db: Db,
  { embedTenantId }: { readonly embedTenantId: number },
  { deploymentId, type, id }: { readonly deploymentId: number; readonly type: ItemType; readonly id: number },
): Promise<boolean> {
  const view = sharedWorkspace(embedTenantId);
  if (type === 'FOLDER') return folderMatches(db, { deploymentId, folderId: id }, view.folder);
  if (type === 'REPORT') return false;
  const [path] = view.workbooks;
  const isIt = and(eq(workbooks.deploymentId, deploymentId), eq(workbooks.id, id));
  return (await db.$count(workbooks, and(isIt, path.where))) > 0;
}

/**
 * Returns the shared workspace of an embed tenant: workbooks with a published dashboard that are shared with the tenant
 * or all embed users, directly or through a folder above; shared folders; and the ancestors of both. Excludes content
 * of other tenants.
 */
export function sharedWorkspace(embedTenantId: number): WorkspaceView {
  const workbook = sharedWorkbooks(embedTenantId);
  const onTheWay = ancestorsOf([
    sql`select id from ${sharedFolderIds(embedTenantId)} direct`,
    sql`select ${workbooks.folderId} from ${workbooks} where ${workbooks.folderId} is not null and ${workbook}`,
  ]);
  return {
    name: 'shared workspace',
    folder: sql`(${notOfOthers(folders.embedTenantId, embedTenantId)} and ${folders.id} in (${onTheWay}))`,
    workbooks: [{ where: workbook, order: 'by index' }],
    reports: [{ where: sql`false`, order: 'by index' }],
  };
}

/** Returns the condition for the workbooks of a shared workspace. */
function sharedWorkbooks(embedTenantId: number): SQL {
  return sql`(${notOfOthers(workbooks.embedTenantId, embedTenantId)}
    and exists (select from ${dashboards} where ${dashboards.workbookId} = ${workbooks.id})
    and (${workbooks.folderId} in ${sharedFolderIds(embedTenantId)} or ${workbooks.id} in (
      select ${workbookShares.workbookId} from ${workbookShares} join ${groups} on ${groups.id} = ${workbookShares.groupId}
      where ${groups.kind} = ${GroupKind.sharing} and (${groups.embedTenantId} is null or ${groups.embedTenantId} = ${embedTenantId}))))`;
}

function notOfOthers(owner: PgColumn, embedTenantId: number): SQL {
  return sql`(${owner} is null or ${owner} = ${embedTenantId})`;
}
