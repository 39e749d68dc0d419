import { and, asc, eq, inArray, isNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type AccessSource, accessSources } from '../../contract/embed-access.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { embedTenants, folderShares, folders, GroupKind, groups, workbookShares, workbooks } from '../db/schema.js';
import type { Tenant } from '../embed/tenant-store.js';
import { columnsWithoutDraft, nameCondition } from './workbooks/workbook-store.js';

/** Audience of a share: one embed tenant, or all embed users (`null`). Both are stored as groups. */
export type Audience = Tenant | null;

/** An item to share: a workbook, or a folder with its content. */
export type Shareable = { readonly workbookId: number } | { readonly folderId: number };

/** A share. */
export interface Share {
  readonly groupId: number;
  /** `null` for all embed users. */
  readonly embedTenantName: string | null;
}

/** Returns the direct shares of a workbook or folder, ordered by tenant. */
export async function sharesOf(db: Db, item: Shareable): Promise<Share[]> {
  const ids =
    'workbookId' in item
      ? db
          .select({ id: workbookShares.groupId })
          .from(workbookShares)
          .where(eq(workbookShares.workbookId, item.workbookId))
      : db.select({ id: folderShares.groupId }).from(folderShares).where(eq(folderShares.folderId, item.folderId));
  return db
    .select({ groupId: groups.id, embedTenantName: embedTenants.name })
    .from(groups)
    .leftJoin(embedTenants, eq(embedTenants.id, groups.embedTenantId))
    .where(inArray(groups.id, ids))
    .orderBy(asc(embedTenants.name));
}

/** Embed tenant id as a value, a placeholder of a prepared statement, or a column of an outer statement. */
export type TenantId = number | Placeholder | SQL;

/** Columns of a workbook that determine its shares. */
export interface SharedItem {
  readonly id: PgColumn;
  readonly folderId: PgColumn;
  readonly embedTenantId: PgColumn;
}

/** Returns the condition on `groups`: the groups for sharing that include the users of an embed tenant. */
const sharingGroupsOf = (embedTenantId: TenantId): SQL =>
  sql`${groups.kind} = ${sql.raw(`'${GroupKind.sharing}'`)} and (${groups.embedTenantId} is null or ${groups.embedTenantId} = ${embedTenantId})`;

/**
 * Returns the condition for content of the account and of the embed tenant itself. Content of other tenants cannot be
 * shared with it.
 */
const isOfTenantOrAccount = (embedTenantId: PgColumn, tenant: TenantId): SQL =>
  sql`(${embedTenantId} is null or ${embedTenantId} = ${tenant})`;

/**
 * Returns the condition that is true if the users of an embed tenant may read the dashboard of a workbook: the
 * workbook, or a folder above it, is shared with the tenant or all embed users. Walks up the folders of each workbook,
 * so use it only for few rows; use `sharedFolderIds` for lists.
 * @param workbook - columns of the workbook in the outer statement.
 */
export function sharedWithCondition(workbook: SharedItem, embedTenantId: TenantId): SQL<boolean> {
  return sql<boolean>`(${isOfTenantOrAccount(workbook.embedTenantId, embedTenantId)} and (exists (
      select from ${workbookShares} join ${groups} on ${groups.id} = ${workbookShares.groupId}
      where ${workbookShares.workbookId} = ${workbook.id} and ${sharingGroupsOf(embedTenantId)})
    or exists (
      with recursive above(id) as (
        select ${workbook.folderId} union select parent.parent_id from ${folders} parent join above on above.id = parent.id
      )
      select from above join ${folderShares} on ${folderShares.folderId} = above.id
        join ${groups} on ${groups.id} = ${folderShares.groupId}
      where ${sharingGroupsOf(embedTenantId)})))`;
}

/**
 * Returns the subquery for lists: ids of all folders that are shared with an embed tenant or all embed users, with
 * their subfolders.
 */
export function sharedFolderIds(embedTenantId: TenantId): SQL {
  return sql`(with recursive shared(id) as (
      select ${folderShares.folderId} from ${folderShares} join ${groups} on ${groups.id} = ${folderShares.groupId}
      where ${sharingGroupsOf(embedTenantId)}
      union select child.id from ${folders} child join shared on child.parent_id = shared.id
    ) select id from shared)`;
}

/** True if the users of an embed tenant may read a workbook's dashboard. */
export async function isSharedWith(db: Db, workbookId: number, embedTenantId: number): Promise<boolean> {
  const rows = await db
    .select({ id: workbooks.id })
    .from(workbooks)
    .where(and(eq(workbooks.id, workbookId), sharedWithCondition(workbooks, embedTenantId)));
  return rows.length > 0;
}

const newestFirst = new Keyset<typeof workbooks.$inferSelect>('shared-workbooks', { id: workbooks.id }, 'desc');

/** Filter of a list of workbooks that are shared with an embed tenant. */
interface SharedFilter {
  readonly deploymentId: number;
  readonly embedTenantId: number;
  /** `null` for all sources. */
  readonly source: AccessSource | null;
  readonly search?: string | undefined;
}

/** Returns one page of the workbooks of a deployment that are shared with an embed tenant, newest first. */
export async function listSharedWorkbooks(
  db: Db,
  { deploymentId, embedTenantId, source, search }: SharedFilter,
  page: PageRequest,
): Promise<KeysetPage<typeof workbooks.$inferSelect>> {
  const rows = await db
    .select(columnsWithoutDraft)
    .from(workbooks)
    .where(
      and(
        eq(workbooks.deploymentId, deploymentId),
        sharedWithTenant(embedTenantId, source === null ? accessSources : [source]),
        nameCondition(search),
        newestFirst.after(page),
      ),
    )
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.pageWithinBytes(rows, page);
}

/**
 * Returns the condition on `workbooks`, for lists: those that are shared with an embed tenant by one of the sources.
 */
export function sharedWithTenant(
  embedTenantId: number,
  sources: readonly AccessSource[] = accessSources,
): SQL | undefined {
  return and(
    isOfTenantOrAccount(workbooks.embedTenantId, embedTenantId),
    or(...sources.map(each => sharedBy(each, embedTenantId))),
  );
}

function sharedBy(source: AccessSource, embedTenantId: number): SQL {
  if (source === 'folder') return sql`${workbooks.folderId} in ${sharedFolderIds(embedTenantId)}`;
  const audience = source === 'tenant' ? eq(groups.embedTenantId, embedTenantId) : isNull(groups.embedTenantId);
  return sql`exists (select from ${workbookShares} join ${groups} on ${groups.id} = ${workbookShares.groupId}
    where ${workbookShares.workbookId} = ${workbooks.id} and ${eq(groups.kind, GroupKind.sharing)} and ${audience})`;
}

/** Shares a workbook or folder with read access. */
export async function share(tx: Db, item: Shareable, audience: Audience): Promise<void> {
  const groupId = await sharingGroup(tx, audience);
  if ('workbookId' in item)
    await tx
      .insert(workbookShares)
      .values({ ...item, groupId })
      .onConflictDoNothing();
  else
    await tx
      .insert(folderShares)
      .values({ ...item, groupId })
      .onConflictDoNothing();
}

/** Removes a share. */
export async function unshare(tx: Db, item: Shareable, audience: Audience): Promise<void> {
  const groupId = await sharingGroup(tx, audience);
  if ('workbookId' in item) {
    const { workbookId } = workbookShares;
    await tx.delete(workbookShares).where(and(eq(workbookId, item.workbookId), eq(workbookShares.groupId, groupId)));
  } else {
    const { folderId } = folderShares;
    await tx.delete(folderShares).where(and(eq(folderId, item.folderId), eq(folderShares.groupId, groupId)));
  }
}

/** Returns the id of the group for an audience. Creates the group if it is missing. */
export async function sharingGroup(db: Db, audience: Audience): Promise<number> {
  const name = audience ? `system:tenant:${audience.name}` : 'system:embed-users';
  const [known] = await db
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.kind, GroupKind.sharing), eq(groups.name, name)));
  if (known) return known.id;
  const [group] = await db
    .insert(groups)
    .values({ kind: GroupKind.sharing, embedTenantId: audience?.id ?? null, name })
    .onConflictDoUpdate({ target: [groups.kind, groups.embedTenantId, groups.name], set: { name } })
    .returning({ id: groups.id });
  if (!group) throw new Error('An upsert returned no row.');
  return group.id;
}
