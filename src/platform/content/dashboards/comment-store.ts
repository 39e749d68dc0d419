import {
  and,
  asc,
  count,
  eq,
  exists,
  gt,
  ilike,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { CommentContext } from '../../../contract/control-values.js';
import { isActiveUser } from '../../auth/user-store.js';
import type { Db } from '../../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../../db/keyset.js';
import { dashboardComments, dashboardReaders, users } from '../../db/schema.js';

/** A stored comment. */
export type StoredComment = typeof dashboardComments.$inferSelect;

/** A conversation of one embed tenant on one dashboard. All statements here filter by both. */
export interface Conversation {
  readonly dashboardId: number;
  readonly embedTenantId: number;
}

/** A stored thread with its replies, oldest first. */
export interface StoredThread {
  readonly root: StoredComment;
  readonly replies: readonly StoredComment[];
}

/** State of the threads to list. */
export type Resolution = 'open' | 'resolved' | 'any';

/** A user that a comment may mention. */
export type MentionableRow = {
  readonly id: number;
  readonly username: string;
  readonly email: string | null;
  readonly firstName: string | null;
};

/** Names of the author of a comment. */
export interface AuthorRow {
  readonly username: string;
  readonly firstName: string | null;
}

/** Maximum number of threads per page. Each thread includes all its replies. */
const maxThreads = 50;

const { id, parentId, removedAt, resolvedAt, createdAt } = dashboardComments;
const byStart = new Keyset<StoredComment>('comments', { createdAt, id }, 'desc');

const reply = alias(dashboardComments, 'reply');

const inConversation = ({ dashboardId, embedTenantId }: Conversation): SQL | undefined =>
  and(eq(dashboardComments.dashboardId, dashboardId), eq(dashboardComments.embedTenantId, embedTenantId));

const resolutions: Readonly<Record<Resolution, SQL | undefined>> = {
  open: isNull(resolvedAt),
  resolved: isNotNull(resolvedAt),
  any: undefined,
};

/** Returns one page of the threads with at least one comment that is not deleted, newest first. */
export async function listThreads(
  db: Db,
  conversation: Conversation,
  resolution: Resolution,
  request: PageRequest,
): Promise<KeysetPage<StoredComment> & { readonly threads: StoredThread[] }> {
  const bounded = { ...request, first: Math.min(request.first ?? maxThreads, maxThreads) };
  const leftReplies = db
    .select({ id: reply.id })
    .from(reply)
    .where(and(eq(reply.parentId, id), isNull(reply.removedAt)));
  const rows = await db
    .select()
    .from(dashboardComments)
    .where(
      and(
        inConversation(conversation),
        isNull(parentId),
        resolutions[resolution],
        or(isNull(removedAt), exists(leftReplies)),
        byStart.after(bounded),
      ),
    )
    .orderBy(...byStart.orderBy)
    .limit(byStart.limit(bounded));
  const page = byStart.page(rows, bounded);
  return { ...page, threads: await withReplies(db, page.items) };
}

async function withReplies(db: Db, roots: readonly StoredComment[]): Promise<StoredThread[]> {
  if (roots.length === 0) return [];
  const ids = roots.map(root => root.id);
  const rows = await db.select().from(dashboardComments).where(inArray(parentId, ids)).orderBy(asc(createdAt), asc(id));
  const threads = new Map(roots.map(root => [root.id, { root, replies: [] as StoredComment[] }]));
  for (const row of rows) if (row.parentId !== null) threads.get(row.parentId)?.replies.push(row);
  return [...threads.values()];
}

/** Returns a comment; `null` if its row does not exist. */
export async function findComment(db: Db, commentId: number): Promise<StoredComment | null> {
  const [found] = await db.select().from(dashboardComments).where(eq(id, commentId));
  return found ?? null;
}

/** Returns a comment of a conversation, locked until the transaction ends. */
export async function lockComment(
  tx: Db,
  conversation: Conversation,
  commentId: number,
): Promise<StoredComment | null> {
  const [found] = await tx
    .select()
    .from(dashboardComments)
    .where(and(inConversation(conversation), eq(id, commentId)))
    .for('update');
  return found ?? null;
}

/** Returns a comment with its replies. The caller has locked the comment. */
export async function threadOf(tx: Db, root: StoredComment): Promise<StoredThread> {
  const [thread] = await withReplies(tx, [root]);
  return thread ?? { root, replies: [] };
}

/** Returns the number of replies to a comment, including deleted ones. */
export async function countReplies(tx: Db, commentId: number): Promise<number> {
  return tx.$count(dashboardComments, eq(parentId, commentId));
}

/** Stores a comment. */
export async function insertComment(
  tx: Db,
  comment: Conversation & {
    readonly userId: number;
    readonly parentId: number | null;
    readonly body: string;
    readonly context: CommentContext | null;
  },
): Promise<StoredComment> {
  return one(await tx.insert(dashboardComments).values(comment).returning());
}

/** Returns the names of the authors of comments, by the id of the user. */
export async function authorsOf(db: Db, comments: readonly StoredComment[]): Promise<ReadonlyMap<number, AuthorRow>> {
  const ids = [...new Set(comments.map(({ userId }) => userId))];
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, username: sql<string>`${users.externalId}`, firstName: users.displayName })
    .from(users)
    .where(inArray(users.id, ids));
  return new Map(rows.map(({ id: userId, ...author }) => [userId, author]));
}

/** The unread comments of a user in a conversation. */
interface Reading {
  /** Number of comments of other users in open threads. */
  readonly unread: number;
  /** The tiles whose threads contain unread comments, at most 500. */
  readonly unreadTiles: { widgetId: string; unread: number }[];
  /** Id of the last comment that the user has read; 0 if none. */
  readonly readUpTo: number;
}

const maxUnreadTiles = 500;

/** Returns what a user has not read of a conversation. */
export async function readingOf(db: Db, conversation: Conversation, userId: number): Promise<Reading> {
  const { dashboardId } = conversation;
  const [reader] = await db
    .select({ readUpTo: dashboardReaders.readUpTo })
    .from(dashboardReaders)
    .where(and(eq(dashboardReaders.dashboardId, dashboardId), eq(dashboardReaders.userId, userId)));
  const readUpTo = reader?.readUpTo ?? 0;
  const thread = alias(dashboardComments, 'thread');
  const widgetId = sql<string | null>`${thread.context} ->> 'widgetId'`;
  const groups = await db
    .select({ widgetId, unread: count() })
    .from(dashboardComments)
    .innerJoin(thread, eq(thread.id, sql`coalesce(${parentId}, ${id})`))
    .where(
      and(
        inConversation(conversation),
        gt(id, readUpTo),
        ne(dashboardComments.userId, userId),
        isNull(removedAt),
        isNull(thread.resolvedAt),
      ),
    )
    .groupBy(sql`1`);
  const unreadTiles = groups.flatMap(group =>
    group.widgetId === null ? [] : [{ widgetId: group.widgetId, unread: group.unread }],
  );
  const unread = groups.reduce((sum, group) => sum + group.unread, 0);
  return { unread, unreadTiles: unreadTiles.slice(0, maxUnreadTiles), readUpTo };
}

/** Marks the comments of a conversation as read by a user, up to the last one whose id is at most `upTo`. */
export async function markRead(db: Db, conversation: Conversation, userId: number, upTo: number): Promise<void> {
  const { dashboardId } = conversation;
  const last = sql`(${db
    .select({ id: sql`coalesce(max(${id}), 0)` })
    .from(dashboardComments)
    .where(and(inConversation(conversation), lte(id, upTo)))})`;
  await db
    .insert(dashboardReaders)
    .values({ dashboardId, userId, readUpTo: last })
    .onConflictDoUpdate({
      target: [dashboardReaders.dashboardId, dashboardReaders.userId],
      set: { readUpTo: sql`greatest(${dashboardReaders.readUpTo}, excluded.read_up_to)` },
    });
}

/** Replaces the body of a comment. */
export async function changeBody(tx: Db, commentId: number, body: string): Promise<StoredComment> {
  const changed = { body, editedAt: sql`now()` };
  return one(await tx.update(dashboardComments).set(changed).where(eq(id, commentId)).returning());
}

/** Clears a locked comment and its replies. New replies wait for the lock. */
export async function removeThread(tx: Db, commentId: number): Promise<void> {
  await tx
    .update(dashboardComments)
    .set({ body: '', context: null, removedAt: sql`now()` })
    .where(and(or(eq(id, commentId), eq(parentId, commentId)), isNull(removedAt)));
}

/** Resolves a thread in the name of a user; `null` reopens it. */
export async function setResolved(tx: Db, rootId: number, resolvedBy: number | null): Promise<StoredComment> {
  const changed = { resolvedBy, resolvedAt: resolvedBy === null ? null : sql`now()` };
  return one(await tx.update(dashboardComments).set(changed).where(eq(id, rootId)).returning());
}

function one<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error('A locked row does not exist.');
  return row;
}

/** Returns the active users of an embed tenant with these external ids. */
export async function findMentioned(
  db: Db,
  embedTenantId: number,
  usernames: readonly string[],
): Promise<MentionableRow[]> {
  if (usernames.length === 0) return [];
  return db
    .select(mentionable)
    .from(users)
    .where(and(eq(users.embedTenantId, embedTenantId), inArray(users.externalId, [...usernames]), isActiveUser))
    .orderBy(asc(users.id));
}

/** Embed users always have an external id (constraint `users_kind`). */
const mentionable = {
  id: users.id,
  username: sql<string>`${users.externalId}`,
  email: users.email,
  firstName: users.displayName,
};

const byUsername = new Keyset<MentionableRow>('mentionable', { username: users.externalId }, 'asc');

/**
 * Returns one page of an embed tenant's users, ordered by external id. `search` matches part of the external id,
 * email or display name, ignoring case.
 */
export async function listMentionable(
  db: Db,
  embedTenantId: number,
  search: string,
  request: PageRequest,
): Promise<KeysetPage<MentionableRow>> {
  const pattern = containsPattern(search);
  const columns = [users.externalId, users.email, users.displayName];
  const found = search === '' ? undefined : or(...columns.map(column => ilike(column, pattern)));
  const rows = await db
    .select(mentionable)
    .from(users)
    .where(and(eq(users.embedTenantId, embedTenantId), found, byUsername.after(request)))
    .orderBy(...byUsername.orderBy)
    .limit(byUsername.limit(request));
  return byUsername.page(rows, request);
}
