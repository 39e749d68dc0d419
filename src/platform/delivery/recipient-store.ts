import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { lowerAscii } from '../../contract/lower-ascii.js';
import type { JsonObject } from '../../contract/wire.js';
import { isActiveUser } from '../auth/user-store.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { lowerAsciiSql } from '../db/lower-ascii.js';
import { embedTenants, notificationRecipients, users } from '../db/schema.js';
import { endSubscription } from './subscription-store.js';

/** A stored recipient, with its user or channel. */
export type StoredRecipient = {
  readonly id: number;
  /** The user; `null` for a channel. */
  readonly userId: number | null;
  readonly username: string | null;
  readonly email: string | null;
  /** The embed tenant; `null` for a console user, and for a channel of the account. */
  readonly embedTenantName: string | null;
  readonly externalId: string | null;
  /** Key of a channel; `null` for a user. */
  readonly channel: string | null;
  readonly channelName: string | null;
};

/** A stored recipient with the grant fields for rendering, which are `null` for a console user. */
type ListedRecipient = StoredRecipient & { readonly embed: JsonObject | null };

/**
 * A user or a channel to add. `embed` holds the grant fields that apply when rendering for an embed user or a channel;
 * `null` for a console user.
 */
export interface NewRecipient {
  readonly userId: number | null;
  readonly channel: string | null;
  readonly channelName: string | null;
  readonly embedTenantId: number | null;
  readonly embed: JsonObject | null;
}

/** Ids of recipients, grouped by the effect of adding them. */
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
  channel: notificationRecipients.channel,
  channelName: notificationRecipients.channelName,
  embed: notificationRecipients.embed,
};

const newestFirst = new Keyset<ListedRecipient>('notification-recipients', { id: notificationRecipients.id }, 'desc');

function selectRecipients(db: Db, condition: SQL | undefined) {
  return db
    .select(columns)
    .from(notificationRecipients)
    .leftJoin(users, eq(users.id, notificationRecipients.userId))
    .leftJoin(
      embedTenants,
      eq(embedTenants.id, sql`coalesce(${users.embedTenantId}, ${notificationRecipients.embedTenantId})`),
    )
    .where(condition);
}

/** Returns one page of a notification's recipients, newest first. */
export async function listRecipients(
  db: Db,
  notificationId: number,
  page: PageRequest,
): Promise<KeysetPage<ListedRecipient>> {
  const condition = and(eq(notificationRecipients.notificationId, notificationId), newestFirst.after(page));
  const rows = await selectRecipients(db, condition)
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}

/** Returns the recipients with the given ids, by id. */
export async function findRecipients(
  db: Db,
  notificationId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredRecipient>> {
  const { notificationId: notification, id } = notificationRecipients;
  const rows = await selectRecipients(db, and(eq(notification, notificationId), inArray(id, [...ids])));
  return new Map(rows.map(row => [row.id, row]));
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
  const named = or(inArray(id, [...ids]), inArray(lowerAsciiSql(email), emails.map(lowerAscii)));
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
  const { notificationId: notification, id } = notificationRecipients;
  const stored = await tx.select().from(notificationRecipients).where(eq(notification, notificationId));
  const known = new Map(stored.map(row => [keyOf(row), row]));
  const created = recipients.filter(each => !known.has(keyOf(each)));
  const result = { created: [] as number[], updated: [] as number[], unchanged: [] as number[] };
  for (const each of recipients) {
    const before = known.get(keyOf(each));
    if (!before) continue;
    const { embed, embedTenantId, channelName } = each;
    const isSame = isDeepStrictEqual([before.embed, before.embedTenantId], [embed, embedTenantId]);
    if (isSame && before.channelName === channelName) {
      result.unchanged.push(before.id);
      continue;
    }
    await tx.update(notificationRecipients).set({ embed, embedTenantId, channelName }).where(eq(id, before.id));
    result.updated.push(before.id);
  }
  if (created.length === 0) return result;
  const rows = created.map(each => ({ ...each, notificationId }));
  const added = await tx.insert(notificationRecipients).values(rows).returning({ id });
  return { ...result, created: added.map(row => row.id) };
}

const keyOf = ({ userId, channel }: Pick<NewRecipient, 'userId' | 'channel'>) => channel ?? userId;

/** Removes channels of a notification. */
export async function removeChannels(tx: Db, notificationId: number, channels: readonly string[]): Promise<void> {
  if (channels.length === 0) return;
  const { notificationId: notification, channel } = notificationRecipients;
  await tx.delete(notificationRecipients).where(and(eq(notification, notificationId), inArray(channel, [...channels])));
}

/** Removes recipients of a notification: console users by id, embed users by id and, if given, by tenant. */
export async function removeRecipients(
  tx: Db,
  notificationId: number,
  consoleUserIds: readonly number[],
  embedUsers: readonly { readonly userId: number; readonly embedTenantName: string | null }[],
): Promise<void> {
  const ids = [...consoleUserIds, ...embedUsers.map(({ userId }) => userId)];
  const { notificationId: notification, userId: user } = notificationRecipients;
  const found = await selectRecipients(tx, and(eq(notification, notificationId), inArray(user, ids)));
  const named = found.filter(({ userId, embedTenantName }) =>
    embedTenantName === null
      ? consoleUserIds.some(id => id === userId)
      : embedUsers.some(
          each => each.userId === userId && (each.embedTenantName ?? embedTenantName) === embedTenantName,
        ),
  );
  if (named.length === 0) return;
  const removed = named.map(({ id }) => id);
  await tx.delete(notificationRecipients).where(inArray(notificationRecipients.id, removed));
  await endSubscription(
    tx,
    notificationId,
    named.flatMap(({ userId }) => userId ?? []),
  );
}

/** Removes one recipient of a notification. Has no effect if the user is not a recipient. */
export async function removeRecipient(tx: Db, notificationId: number, userId: number): Promise<void> {
  const { notificationId: notification, userId: user } = notificationRecipients;
  await tx.delete(notificationRecipients).where(and(eq(notification, notificationId), eq(user, userId)));
  await endSubscription(tx, notificationId, [userId]);
}
