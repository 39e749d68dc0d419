import { and, asc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from './database.js';
import { embedTenants, folderShares, folders, GroupKind, groups, workbookShares, workbooks } from './schema.js';
import type { Tenant } from './tenants.js';

/** Whom a workbook is shared with: the users of one embed tenant, or all embed users (null). Groups stand for both. */
export type Audience = Tenant | null;

/** A share of a workbook. */
export interface Share {
  readonly groupId: number;
  /** Null for all embed users. */
  readonly embedTenantName: string | null;
}

/** The shares of a workbook. */
export async function sharesOf(db: Db, workbookId: number): Promise<Share[]> {
  return db
    .select({ groupId: groups.id, embedTenantName: embedTenants.name })
    .from(workbookShares)
    .innerJoin(groups, eq(groups.id, workbookShares.groupId))
    .leftJoin(embedTenants, eq(embedTenants.id, groups.embedTenantId))
    .where(eq(workbookShares.workbookId, workbookId))
    .orderBy(asc(embedTenants.name));
}

/** An embed tenant's id, or where it stands: in the statement around, or among what is given to a prepared one. */
export type TenantId = number | Placeholder | SQL;

/** What of a workbook its shares hang on. */
export interface SharedItem {
  readonly id: PgColumn;
  readonly folderId: PgColumn;
}

/** Of rows of `groups`: those that the users of an embed tenant are in for the sake of sharing. */
const sharingGroupsOf = (embedTenantId: TenantId): SQL =>
  sql`${groups.kind} = ${sql.raw(`'${GroupKind.sharing}'`)} and (${groups.embedTenantId} is null or ${groups.embedTenantId} = ${embedTenantId})`;

/**
 * True for workbooks whose dashboard the users of an embed tenant may read: one that is shared itself, with the tenant or all embed
 * users, or one in a folder that is, at any depth. It climbs from the workbook: for one row, or a few. See `sharedFolders` for lists.
 * @param workbook - the columns of the workbook in the statement around it.
 */
export function sharedWith(workbook: SharedItem, embedTenantId: TenantId): SQL<boolean> {
  return sql<boolean>`(exists (
      select from ${workbookShares} join ${groups} on ${groups.id} = ${workbookShares.groupId}
      where ${workbookShares.workbookId} = ${workbook.id} and ${sharingGroupsOf(embedTenantId)})
    or exists (
      with recursive above(id) as (
        select ${workbook.folderId} union select parent.parent_id from ${folders} parent join above on above.id = parent.id
      )
      select from above join ${folderShares} on ${folderShares.folderId} = above.id
        join ${groups} on ${groups.id} = ${folderShares.groupId}
      where ${sharingGroupsOf(embedTenantId)}))`;
}

/** Ids of all folders that are shared with an embed tenant or all embed users, and of those in them: a sub-select for lists. */
export function sharedFolders(embedTenantId: TenantId): SQL {
  return sql`(with recursive shared(id) as (
      select ${folderShares.folderId} from ${folderShares} join ${groups} on ${groups.id} = ${folderShares.groupId}
      where ${sharingGroupsOf(embedTenantId)}
      union select child.id from ${folders} child join shared on child.parent_id = shared.id
    ) select id from shared)`;
}

/** True when the users of an embed tenant may read a workbook's dashboard. */
export async function isSharedWith(db: Db, workbookId: number, embedTenantId: number): Promise<boolean> {
  const rows = await db
    .select({ id: workbooks.id })
    .from(workbooks)
    .where(and(eq(workbooks.id, workbookId), sharedWith(workbooks, embedTenantId)));
  return rows.length > 0;
}

/** Shares a workbook, for reading. */
export async function share(db: Db, workbookId: number, audience: Audience): Promise<void> {
  const groupId = await sharingGroup(db, audience);
  await db.insert(workbookShares).values({ workbookId, groupId }).onConflictDoNothing();
}

/** Takes a share back. */
export async function unshare(db: Db, workbookId: number, audience: Audience): Promise<void> {
  const groupId = await sharingGroup(db, audience);
  await db
    .delete(workbookShares)
    .where(and(eq(workbookShares.workbookId, workbookId), eq(workbookShares.groupId, groupId)));
}

/** Id of the group that stands for an audience, made where it is missing. */
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
