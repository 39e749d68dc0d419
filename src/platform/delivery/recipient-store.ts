import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { embedTenants, notificationRecipients, users } from '../db/schema.js';

/** A recipient with the user behind it. */
export type StoredRecipient = {
  readonly id: number;
  readonly userId: number;
  readonly username: string | null;
  readonly email: string | null;
  /** Null for a user of the console. */
  readonly embedTenantName: string | null;
  readonly externalId: string | null;
};

/** A recipient to be added; `embed` is what an embed user's rendering is to be governed by, null for a user of the console. */
export interface NewRecipient {
  readonly userId: number;
  readonly embed: JsonObject | null;
}

/** Ids of users by what became of them as recipients. */
export interface AddedRecipients {
  readonly created: readonly number[];
  readonly updated: readonly number[];
  readonly unchanged: readonly number[];
}

/** A user of the console as recipients name it. */
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

/** One page of a notification's recipients, the newest first. */
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

/** The recipients that are these users, by user id. */
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
 * The users of the console that are named by id or by email, whatever the case, the first one first; none of them is deleted before the
 * transaction ends.
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
    .where(and(isNull(embedTenantId), named))
    .orderBy(asc(id))
    .for('key share');
}

/** Emails of users by id. */
export async function emailsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
  const { id, email } = users;
  const rows = await db
    .select({ id, email })
    .from(users)
    .where(inArray(id, [...ids]));
  return new Map(rows.map(row => [row.id, row.email]));
}

/** Adds recipients to a notification that is locked, and brings those that differ up to date. */
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

/** Removes recipients of a notification: users of the console by id, embed users by id and, where it is given, their tenant. */
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
