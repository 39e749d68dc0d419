import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { revokeUserSessions } from '../auth/sessions.js';
import type { Db } from '../db/database.js';
import { groupMembers, users } from '../db/schema.js';

/** True for names that policies of the model use for groups of embed tenants. */
export function isReservedGroupName(name: string): boolean {
  return name.startsWith('system:');
}

/** The members to remove: the given users, all members except them, or all members. */
export type RemovedMembers = { readonly only: readonly number[] } | { readonly except: readonly number[] } | 'all';

/**
 * Adds users to a group. Returns up to 3 ids that do not belong to an eligible user.
 * @param isEligible - SQL condition on `users`.
 */
export async function addMembers(
  tx: Db,
  groupId: number,
  userIds: readonly number[],
  isEligible: SQL,
): Promise<readonly number[]> {
  const requested = sql.param([...userIds]);
  const unknown = await tx.execute<{ id: string }>(sql`
    with found as (select id from users where id = any(${requested}::bigint[]) and ${isEligible}),
    added as (
      insert into group_members (group_id, user_id) select ${groupId}, id from found order by id on conflict do nothing
    )
    select id from unnest(${requested}::bigint[]) id where id not in (select id from found) limit 3`);
  return unknown.rows.map(row => Number(row.id));
}

/**
 * Removes members from a group and ends their sessions, whose tokens contain the group. Their next request is rejected;
 * pages create a new session.
 * @param isEligible - SQL condition on `users`; members that do not meet it stay.
 */
export async function removeMembers(tx: Db, groupId: number, removed: RemovedMembers, isEligible?: SQL): Promise<void> {
  const { userId } = groupMembers;
  const eligible = isEligible && inArray(userId, tx.select({ id: users.id }).from(users).where(isEligible));
  const former = await tx
    .delete(groupMembers)
    .where(and(eq(groupMembers.groupId, groupId), chosen(removed), eligible))
    .returning({ userId });
  await revokeUserSessions(
    tx,
    former.map(member => member.userId),
  );
}

function chosen(removed: RemovedMembers): SQL | undefined {
  if (removed === 'all') return undefined;
  const { userId } = groupMembers;
  if ('only' in removed) return sql`${userId} = any(${sql.param([...removed.only])}::bigint[])`;
  return sql`${userId} <> all(${sql.param([...removed.except])}::bigint[])`;
}

/**
 * Ends the sessions of all members of a group, because their tokens contain its name. Call it before renaming or
 * deleting the group.
 */
export async function endSessionsOfMembers(tx: Db, groupId: number): Promise<void> {
  const { userId } = groupMembers;
  const members = await tx.select({ userId }).from(groupMembers).where(eq(groupMembers.groupId, groupId));
  await revokeUserSessions(
    tx,
    members.map(member => member.userId),
  );
}
