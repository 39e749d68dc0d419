import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import { isActiveUser } from '../auth/user-store.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { embedTenants, notificationRecipients, users } from '../db/schema.js';

/** A recipient and its user. */
export type StoredRecipient = {
  readonly id: number;
  readonly userId: number;
  readonly username: string | null;
  readonly email: string | null;
  /** `null` for a console user. */
  readonly embedTenantName: string | null;
  readonly externalId: string | null;
};

/**
 * A recipient to add. `embed` holds the grant fields that apply when rendering for an embed user; `null` for a console
 * user.
 */
export interface NewRecipient {
  readonly userId: number;
  readonly embed: JsonObject | null;
}

/** User ids, grouped by the effect of adding them as recipients. */
export interface AddedRecipients {
  readonly created: readonly number[];
  readonly updated: readonly number[];
  readonly unchanged: readonly number[];
}

/** A console user that a recipient can refer to by id or email. */
export interface ConsoleUser {
  readonly id: number;
  readonly email: string | null;
}

const columns = {
  id: notificationRecipients.id,
  userId: users.id,
  username: users.username,
  email: users.email,
  embedTenantName: embedTenants.name,
  externalId: users.externalId,
};

const newestFirst = new Keyset<StoredRecipient>('notification-recipients', { id: notificationRecipients.id }, 'desc');

function selectRecipients(db: Db, condition: SQL | undefined) {
  return db
    .select(columns)
    .from(notificationRecipients)
    .innerJoin(users, eq(users.id, notificationRecipients.userId))
    .leftJoin(embedTenants, eq(embedTenants.id, users.embedTenantId))
    .where(condition);
}

/** Returns one page of a notification's recipients, newest first. */
export async function listRecipients(
  db: Db,
  notificationId: number,
  page: PageRequest,
): Promise<KeysetPage<StoredRecipient>> {
  const condition = and(eq(notificationRecipients.notificationId, notificationId), newestFirst.after(page));
  const rows = await selectRecipients(db, condition)
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}

/** Returns the recipients with the given user ids, by user id. */
export async function findRecipients(
  db: Db,
  notificationId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, StoredRecipient>> {
  const { notificationId: notification, userId } = notificationRecipients;
  const rows = await selectRecipients(db, and(eq(notification, notificationId), inArray(userId, [...userIds])));
  return new Map(rows.map(row => [row.userId, row]));
}

/**
 * Returns the console users with the given ids or emails (case-insensitive), ordered by id. Locks them against deletion
 * until the transaction ends.
 */
export async function findConsoleUsers(
  tx: Db,
  ids: readonly number[],
  emails: readonly string[],
): Promise<ConsoleUser[]> {
  const { id, email, embedTenantId } = users;
  const named = or(inArray(id, [...ids]), inArray(sql`lower(${email})`, [...emails]));
  return tx
    .select({ id, email })
    .from(users)
    .where(and(isNull(embedTenantId), isActiveUser, named))
    .orderBy(asc(id))
    .for('key share');
}

/** Returns emails by user id. */
export async function emailsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
  const { id, email } = users;
  const rows = await db
    .select({ id, email })
    .from(users)
    .where(inArray(id, [...ids]));
  return new Map(rows.map(row => [row.id, row.email]));
}

/** Adds recipients to a locked notification and updates existing recipients that differ. */
export async function addRecipients(
  tx: Db,
  notificationId: number,
  recipients: readonly NewRecipient[],
): Promise<AddedRecipients> {
  const { userId, embed, notificationId: notification } = notificationRecipients;
  const ids = recipients.map(each => each.userId);
  const stored = await tx
    .select({ userId, embed })
    .from(notificationRecipients)
    .where(and(eq(notification, notificationId), inArray(userId, ids)));
  const known = new Map(stored.map(row => [row.userId, row]));
  const created = recipients.filter(each => !known.has(each.userId));
  const updated = recipients.filter(each => {
    const before = known.get(each.userId);
    return before !== undefined && !isDeepStrictEqual(before.embed, each.embed);
  });
  if (created.length > 0) {
    await tx.insert(notificationRecipients).values(created.map(each => ({ ...each, notificationId })));
  }
  for (const each of updated) {
    await tx
      .update(notificationRecipients)
      .set({ embed: each.embed })
      .where(and(eq(notification, notificationId), eq(userId, each.userId)));
  }
  const touched = new Set([...created, ...updated].map(each => each.userId));
  return {
    created: created.map(each => each.userId),
    updated: updated.map(each => each.userId),
    unchanged: ids.filter(each => !touched.has(each)),
  };
}

/** Removes recipients of a notification: console users by id, embed users by id and, if given, by tenant. */
export async function removeRecipients(
  tx: Db,
  notificationId: number,
  consoleUserIds: readonly number[],
  embedUsers: readonly { readonly userId: number; readonly embedTenantName: string | null }[],
): Promise<void> {
  const ids = [...consoleUserIds, ...embedUsers.map(({ userId }) => userId)];
  const found = await findRecipients(tx, notificationId, ids);
  const named = [...found.values()].filter(({ userId, embedTenantName }) =>
    embedTenantName === null
      ? consoleUserIds.includes(userId)
      : embedUsers.some(
          each => each.userId === userId && (each.embedTenantName ?? embedTenantName) === embedTenantName,
        ),
  );
  if (named.length === 0) return;
  const removed = named.map(({ id }) => id);
  await tx.delete(notificationRecipients).where(inArray(notificationRecipients.id, removed));
}

/** Removes one recipient of a notification. No effect if the user is not a recipient. */
export async function removeRecipient(tx: Db, notificationId: number, userId: number): Promise<void> {
  const { notificationId: notification, userId: user } = notificationRecipients;
  await tx.delete(notificationRecipients).where(and(eq(notification, notificationId), eq(user, userId)));
}
