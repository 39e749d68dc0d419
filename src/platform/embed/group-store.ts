import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm';
import { type Db, inNameOrder } from '../db/database.js';
import { GroupKind, groupMembers, groups } from '../db/schema.js';
import type { Tenant } from './tenant-store.js';

/** Where a group's name holds: in the whole account, or in one embed tenant. */
export type GroupScope =
  | { readonly kind: typeof GroupKind.account }
  | { readonly kind: typeof GroupKind.tenant; readonly tenant: Tenant };

/** A group to be created, or described anew. */
export interface GroupDescription {
  readonly name: string;
  readonly description?: string | null | undefined;
}

const inScope = (scope: GroupScope) =>
  scope.kind === GroupKind.tenant
    ? and(eq(groups.kind, scope.kind), eq(groups.embedTenantId, scope.tenant.id))
    : eq(groups.kind, scope.kind);

/** Ids of the groups with these names, by name. */
export async function findGroups(db: Db, scope: GroupScope, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(and(inScope(scope), inArray(groups.name, [...names])));
  return new Map(rows.map(group => [group.name, group.id]));
}

/**
 * Creates the groups that a tenant does not have yet, and replaces the descriptions that are given. Where nothing is new nothing
 * is locked, so that a host may define its groups with every session.
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

/** Makes a user a member of exactly these groups of the scope. */
export async function replaceMemberships(
  db: Db,
  userId: number,
  scope: GroupScope,
  groupIds: readonly number[],
): Promise<void> {
  const others = db
    .select({ id: groups.id })
    .from(groups)
    .where(and(inScope(scope), notInArray(groups.id, [...groupIds])));
  await db.delete(groupMembers).where(and(eq(groupMembers.userId, userId), inArray(groupMembers.groupId, others)));
  if (groupIds.length === 0) return;
  await db
    .insert(groupMembers)
    .values([...new Set(groupIds)].map(groupId => ({ userId, groupId })))
    .onConflictDoNothing();
}

/**
 * Names of a user's groups as the model's policies see them in a session of this tenant, sorted: account groups as they are,
 * groups of the tenant as `system:tenant:{tenant}:group:{name}`. Groups in other tenants don't count.
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

/** Names of a user's groups, of the account and of the tenant alone, as `groupNamesOf` tells them. */
export function visibleGroupNames(
  rows: readonly { readonly name: string; readonly kind: GroupKind }[],
  tenant: Tenant,
): string[] {
  const shown = rows.map(({ name, kind }) =>
    kind === GroupKind.account ? name : `system:tenant:${tenant.name}:group:${name}`,
  );
  return shown.sort();
}
