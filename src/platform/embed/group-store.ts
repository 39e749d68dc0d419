import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm';
import { type Db, inNameOrder } from '../db/database.js';
import { GroupKind, groupMembers, groups } from '../db/schema.js';
import type { Tenant } from './tenant-store.js';

/** The scope in which a group's name is unique: the account, or one embed tenant. */
export type GroupScope =
  | { readonly kind: typeof GroupKind.account }
  | { readonly kind: typeof GroupKind.tenant; readonly tenant: Tenant };

/** Name and description of a group to create or update. */
export interface GroupDescription {
  readonly name: string;
  readonly description?: string | null | undefined;
}

const inScope = (scope: GroupScope) =>
  scope.kind === GroupKind.tenant
    ? and(eq(groups.kind, scope.kind), eq(groups.embedTenantId, scope.tenant.id))
    : eq(groups.kind, scope.kind);

/** Returns the ids of the groups with the given names, by name. */
export async function findGroups(db: Db, scope: GroupScope, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(and(inScope(scope), inArray(groups.name, [...names])));
  return new Map(rows.map(group => [group.name, group.id]));
}

/**
 * Creates missing groups of a tenant and updates the descriptions that are set. Takes no lock if nothing changes, so
 * that a host can define its groups in every grant.
 */
export async function defineTenantGroups(db: Db, tenant: Tenant, list: readonly GroupDescription[]): Promise<void> {
  if (list.length === 0) return;
  const kind = GroupKind.tenant;
  const rows = list.map(({ name, description = null }) => ({ kind, embedTenantId: tenant.id, name, description }));
  await db.insert(groups).values(inNameOrder(rows)).onConflictDoNothing();
  for (const { name, description } of inNameOrder(rows)) {
    if (description === null) continue;
    const changes = sql`${groups.description} is distinct from ${description}`;
    await db
      .update(groups)
      .set({ description })
      .where(and(inScope({ kind, tenant }), eq(groups.name, name), changes));
  }
}

/** Replaces the memberships of a user in the groups of a scope. Returns true if the user was removed from a group. */
export async function replaceMemberships(
  db: Db,
  userId: number,
  scope: GroupScope,
  groupIds: readonly number[],
): Promise<boolean> {
  const others = db
    .select({ id: groups.id })
    .from(groups)
    .where(and(inScope(scope), notInArray(groups.id, [...groupIds])));
  const removed = await db
    .delete(groupMembers)
    .where(and(eq(groupMembers.userId, userId), inArray(groupMembers.groupId, others)))
    .returning({ groupId: groupMembers.groupId });
  const isRemoved = removed.length > 0;
  if (groupIds.length === 0) return isRemoved;
  await db
    .insert(groupMembers)
    .values([...new Set(groupIds)].map(groupId => ({ userId, groupId })))
    .onConflictDoNothing();
  return isRemoved;
}

/**
 * Returns the sorted names of a user's groups, as used by the model's policies in a session of this tenant: account
 * groups by name, and groups of the tenant as `system:tenant:{tenant}:group:{name}`. Groups of other tenants are
 * ignored.
 */
export async function groupNamesOf(db: Db, userId: number, tenant: Tenant): Promise<string[]> {
  const scopes = or(inScope({ kind: GroupKind.account }), inScope({ kind: GroupKind.tenant, tenant }));
  const rows = await db
    .select({ name: groups.name, kind: groups.kind })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(and(eq(groupMembers.userId, userId), scopes));
  return visibleGroupNames(rows, tenant);
}

/**
 * Formats group names as `groupNamesOf` does.
 * @param rows - groups of the account and of this tenant only.
 */
export function visibleGroupNames(
  rows: readonly { readonly name: string; readonly kind: GroupKind }[],
  tenant: Tenant,
): string[] {
  const shown = rows.map(({ name, kind }) =>
    kind === GroupKind.account ? name : `system:tenant:${tenant.name}:group:${name}`,
  );
  return shown.sort();
}
