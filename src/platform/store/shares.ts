import { and, asc, eq, isNull, or } from 'drizzle-orm';
import type { Db } from './database.js';
import { embedTenants, GroupKind, groups, workbookShares } from './schema.js';
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

/** True when the users of an embed tenant may read a workbook's dashboard. */
export async function isSharedWith(db: Db, workbookId: number, embedTenantId: number): Promise<boolean> {
  const rows = await db
    .select({ groupId: groups.id })
    .from(workbookShares)
    .innerJoin(groups, and(eq(groups.id, workbookShares.groupId), eq(groups.kind, GroupKind.sharing)))
    .where(
      and(
        eq(workbookShares.workbookId, workbookId),
        or(isNull(groups.embedTenantId), eq(groups.embedTenantId, embedTenantId)),
      ),
    )
    .limit(1);
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
