import { hash } from 'node:crypto';
import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { chatThreads, chatTurns } from '../db/schema.js';
import { isUuid } from '../db/uuid.js';
import { PlatformError } from '../errors.js';
import { isLive } from './turn-store.js';

/** A thread as its owner sees it. */
export interface StoredThread {
  readonly id: string;
  readonly title: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** True while a process answers a message of the thread. */
  readonly isStreaming: boolean;
}

/** Sort key of a thread in the list. */
export type ThreadPosition = Pick<StoredThread, 'id' | 'updatedAt'>;

/** Columns of a new thread. */
export type NewThread = Pick<
  typeof chatThreads.$inferSelect,
  'id' | 'ownerKey' | 'userId' | 'embedTenantId' | 'deploymentId' | 'agentId' | 'title'
>;

const columns = {
  id: chatThreads.id,
  title: chatThreads.title,
  createdAt: chatThreads.createdAt,
  updatedAt: chatThreads.updatedAt,
  isStreaming: sql<boolean>`exists (select from ${chatTurns} where ${chatTurns.threadId} = ${chatThreads}.id and ${isLive})`,
};

const ofOwner = (ownerKey: string, threadId: string) =>
  and(eq(chatThreads.ownerKey, ownerKey), isUuid(threadId) ? eq(chatThreads.id, threadId) : sql`false`);

/** Returns a thread of an owner; `null` if it does not exist or belongs to another owner. */
export async function findThread(db: Db, ownerKey: string, threadId: string): Promise<StoredThread | null> {
  const [found] = await db.select(columns).from(chatThreads).where(ofOwner(ownerKey, threadId));
  return found ?? null;
}

/** Derives the id of a thread from its owner and from the id that the client sent. Returns a UUID of version 8. */
export function threadIdOfKey(ownerKey: string, threadKey: string): string {
  const hex = hash('sha256', JSON.stringify([ownerKey, threadKey]));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Finds a thread by its id, or by the id that a client of its owner chose. */
export async function findThreadByKey(db: Db, ownerKey: string, threadKey: string): Promise<StoredThread | null> {
  const ids = [threadIdOfKey(ownerKey, threadKey), ...(isUuid(threadKey) ? [threadKey.toLowerCase()] : [])];
  const [found] = await db
    .select(columns)
    .from(chatThreads)
    .where(and(eq(chatThreads.ownerKey, ownerKey), inArray(chatThreads.id, ids)))
    .limit(1);
  return found ?? null;
}

/** True if the thread exists, regardless of its owner. */
export async function isThread(db: Db, threadId: string): Promise<boolean> {
  return isUuid(threadId) && (await db.$count(chatThreads, eq(chatThreads.id, threadId))) > 0;
}

/** Numbers of threads and runs of an owner. */
export interface OwnerUsage {
  readonly threads: number;
  /** Turns that are being answered, in any process. */
  readonly runs: number;
}

/** Counts threads and runs of several owners in one statement. */
export async function countOwnerUsage(db: Db, ownerKeys: readonly string[]): Promise<ReadonlyMap<string, OwnerUsage>> {
  const key = sql<string>`owner.key`;
  const runs = db.$count(chatTurns, and(eq(chatTurns.ownerKey, key), isLive));
  const threads = db.$count(chatThreads, eq(chatThreads.ownerKey, key));
  const counted = await db
    .select({ key, runs, threads })
    .from(sql`unnest(${sql.param(ownerKeys)}::text[]) as owner (key)`);
  return new Map(counted.map(({ key: ownerKey, ...owned }) => [ownerKey, owned]));
}

/** Inserts threads. */
export async function insertThreads(db: Db, threads: readonly NewThread[]): Promise<void> {
  await db.insert(chatThreads).values([...threads]);
}

/** Moves threads to the top of their owners' lists. */
export async function touchThreads(
  db: Db,
  threads: readonly { readonly ownerKey: string; readonly threadId: string }[],
): Promise<void> {
  const isOneOf = or(...threads.map(({ ownerKey, threadId }) => ofOwner(ownerKey, threadId)));
  await db.update(chatThreads).set({ updatedAt: sql`clock_timestamp()` }).where(isOneOf);
}

/** Returns the threads of an owner after a position, most recent first. */
export function listThreads(
  db: Db,
  ownerKey: string,
  page: { readonly limit: number; readonly after: ThreadPosition | null },
): Promise<StoredThread[]> {
  const { after, limit } = page;
  const behind =
    after &&
    or(
      lt(chatThreads.updatedAt, after.updatedAt),
      and(eq(chatThreads.updatedAt, after.updatedAt), isUuid(after.id) ? lt(chatThreads.id, after.id) : sql`false`),
    );
  return db
    .select(columns)
    .from(chatThreads)
    .where(and(eq(chatThreads.ownerKey, ownerKey), behind ?? undefined))
    .orderBy(desc(chatThreads.updatedAt), desc(chatThreads.id))
    .limit(limit);
}

/** Renames a thread without changing its position in the list; false if it does not exist. */
export async function renameThread(db: Db, ownerKey: string, threadId: string, title: string): Promise<boolean> {
  const renamed = await db
    .update(chatThreads)
    .set({ title })
    .where(ofOwner(ownerKey, threadId))
    .returning({ id: chatThreads.id });
  return renamed.length > 0;
}

/** Deletes a thread with its turns; false if it does not exist. */
export async function deleteThread(db: Db, ownerKey: string, threadId: string): Promise<boolean> {
  const deleted = await db.delete(chatThreads).where(ofOwner(ownerKey, threadId)).returning({ id: chatThreads.id });
  return deleted.length > 0;
}

/** Encodes the position of a thread as an opaque cursor. */
export function writeThreadCursor({ id, updatedAt }: ThreadPosition): string {
  return Buffer.from(`${updatedAt.getTime()} ${id}`).toString('base64url');
}

/** Latest timestamp that a cursor can contain. */
const latest = Date.UTC(9999, 0);

/** Decodes a cursor. @throws PlatformError 400 if the text is not a cursor. */
export function readThreadCursor(cursor: string): ThreadPosition {
  const [, time, id] = /^(\d{1,15}) ([\w-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined || Number(time) > latest) {
    throw new PlatformError(400, 'query.after: is not a valid cursor of this list');
  }
  return { id, updatedAt: new Date(Number(time)) };
}
