import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { ChatImage } from '../../contract/chat.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { chatTurns } from '../db/schema.js';

/** True of what may be the id of a thread: the database takes nothing else. */
export const isUuid = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

/** Where a turn stands for whoever looks at it now. */
export const TurnPhase = {
  /** A process answers it and holds its lease. */
  live: 'live',
  /** Nobody answers it any more, and it is not too late to go on. */
  resumable: 'resumable',
  ended: 'ended',
} as const;
/** Where a turn stands. */
export type TurnPhase = (typeof TurnPhase)[keyof typeof TurnPhase];

/** The clock of leases, the same for all processes. `now()` would stand still while a transaction waits for a lock. */
export const databaseClock = sql`clock_timestamp()`;

const after = (milliseconds: number): SQL => sql`${databaseClock} + ${milliseconds} * interval '1 millisecond'`;

/** True of turns that some process answers. */
export const isLive = sql<boolean>`(${chatTurns.status} = 'running' and ${chatTurns.leaseExpiresAt} > ${databaseClock})`;

const phase = sql<TurnPhase>`case
  when ${isLive} then 'live'
  when ${chatTurns.status} in ('running', 'suspended') and not ${chatTurns.abortRequested}
    and ${chatTurns.leaseExpiresAt} > ${databaseClock} - interval '24 hours' then 'resumable'
  else 'ended' end`;

/** Columns of a turn, without its images: they may be large. */
export const turnColumns = {
  id: chatTurns.id,
  threadId: chatTurns.threadId,
  ownerKey: chatTurns.ownerKey,
  number: chatTurns.number,
  messageId: chatTurns.messageId,
  input: chatTurns.input,
  promptHash: chatTurns.promptHash,
  // More bytes than `[]` takes: said without reading them.
  hasImages: sql<boolean>`pg_column_size(${chatTurns.images}) > 8`,
  status: chatTurns.status,
  abortRequested: chatTurns.abortRequested,
  error: chatTurns.error,
  usage: chatTurns.usage,
  attempt: chatTurns.attempt,
  createdAt: chatTurns.createdAt,
  phase,
};

/** A turn, as it is stored. */
export type StoredTurn = Pick<
  typeof chatTurns.$inferSelect,
  | 'id'
  | 'threadId'
  | 'ownerKey'
  | 'number'
  | 'messageId'
  | 'input'
  | 'promptHash'
  | 'status'
  | 'abortRequested'
  | 'error'
  | 'usage'
  | 'attempt'
  | 'createdAt'
> & { readonly hasImages: boolean; readonly phase: TurnPhase };

/** Which turn is meant, and whose it must be. */
export type TurnRef = Pick<StoredTurn, 'id' | 'ownerKey'>;

/** A turn as its run knows it: what it writes counts as long as the lease is its own. */
export interface Lease extends TurnRef {
  readonly attempt: number;
  readonly leaseOwner: string;
}

const ofRef = (turn: TurnRef) => and(eq(chatTurns.id, turn.id), eq(chatTurns.ownerKey, turn.ownerKey));

/** True of a turn whose lease is still held by this run. */
export const isHeld = (lease: Lease) =>
  and(
    ofRef(lease),
    eq(chatTurns.status, 'running'),
    eq(chatTurns.leaseOwner, lease.leaseOwner),
    eq(chatTurns.attempt, lease.attempt),
  );

/** Lets one owner's turns begin one after the other, in whatever process, until the transaction ends. */
export async function lockOwner(tx: Db, ownerKey: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${ownerKey}, 7265003))`);
}

/**
 * Takes the locks of those owners that nobody else holds, until the transaction ends: whoever takes many may not wait for any.
 * @returns the owners whose turns may begin.
 */
export async function tryLockOwners(tx: Db, ownerKeys: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.execute<{ key: string; locked: boolean }>(sql`
    select owner.key, pg_try_advisory_xact_lock(hashtextextended(owner.key, 7265003)) as locked
    from unnest(${sql.param(ownerKeys)}::text[]) as owner (key)`);
  return new Set(rows.flatMap(({ key, locked }) => (locked ? [key] : [])));
}

/** A message, and among whose turns it is looked for: all of an owner's, or those of one thread of theirs. */
export interface MessageRef {
  readonly ownerKey: string;
  readonly chatId: string | null;
  readonly messageId: string;
}

/** The turns of some messages, in their order, in one statement; of several turns the last, null where there is none. */
export async function findTurns(db: Db, messages: readonly MessageRef[]): Promise<(StoredTurn | null)[]> {
  const possible = messages.filter(({ chatId }) => chatId === null || isUuid(chatId));
  if (possible.length === 0) return messages.map(() => null);
  const [owners, ids, threads] = [
    possible.map(({ ownerKey }) => ownerKey),
    possible.map(({ messageId }) => messageId),
    possible.map(({ chatId }) => chatId),
  ].map(values => sql.param(values));
  const found = await db
    .select(turnColumns)
    .from(chatTurns)
    .where(
      sql`${chatTurns.id} in (
        select (
          select turn.id from ${chatTurns} turn
          where turn.owner_key = asked.owner and turn.message_id = asked.message
            and (asked.thread is null or turn.thread_id = asked.thread)
          order by turn.id desc limit 1
        )
        from unnest(${owners}::text[], ${ids}::text[], ${threads}::uuid[]) as asked (owner, message, thread))`,
    )
    .orderBy(desc(chatTurns.id));
  return messages.map(({ ownerKey, chatId, messageId }) => {
    const isIt = (turn: StoredTurn) =>
      turn.ownerKey === ownerKey &&
      turn.messageId === messageId &&
      (chatId === null || turn.threadId === chatId.toLowerCase());
    return found.find(isIt) ?? null;
  });
}

/** A turn as it stands now; null when it is gone. */
export async function readTurn(db: Db, turn: TurnRef): Promise<StoredTurn | null> {
  const [found] = await db.select(turnColumns).from(chatTurns).where(ofRef(turn));
  return found ?? null;
}

/** The last turn of an owner's thread; null where there is no such thread. */
export async function findLastTurn(db: Db, ownerKey: string, threadId: string): Promise<StoredTurn | null> {
  if (!isUuid(threadId)) return null;
  const [found] = await db
    .select(turnColumns)
    .from(chatTurns)
    .where(and(eq(chatTurns.ownerKey, ownerKey), eq(chatTurns.threadId, threadId)))
    .orderBy(desc(chatTurns.number))
    .limit(1);
  return found ?? null;
}

/** The last turns of some threads of as many owners, in one statement. */
export async function findLastTurns(
  db: Db,
  threads: readonly Pick<StoredTurn, 'ownerKey' | 'threadId'>[],
): Promise<StoredTurn[]> {
  const possible = threads.filter(({ threadId }) => isUuid(threadId));
  if (possible.length === 0) return [];
  const owners = sql.param(possible.map(({ ownerKey }) => ownerKey));
  const ids = sql.param(possible.map(({ threadId }) => threadId));
  return db
    .select(turnColumns)
    .from(chatTurns)
    .where(
      sql`${chatTurns.id} in (
        select (
          select turn.id from ${chatTurns} turn
          where turn.owner_key = asked.owner and turn.thread_id = asked.thread
          order by turn.number desc limit 1
        )
        from unnest(${owners}::text[], ${ids}::uuid[]) as asked (owner, thread))`,
    );
}

/** Images of a turn's message. */
export async function findImages(db: Db, turn: TurnRef): Promise<readonly ChatImage[]> {
  const [found] = await db.select({ images: chatTurns.images }).from(chatTurns).where(ofRef(turn));
  return found?.images ?? [];
}

/** What the last step of a turn said; null before the first. */
export async function findState(db: Db, turn: TurnRef): Promise<JsonObject | null> {
  const [found] = await db.select({ state: chatTurns.state }).from(chatTurns).where(ofRef(turn));
  return found?.state ?? null;
}

/** What a turn is begun with. */
export type NewTurn = Pick<
  typeof chatTurns.$inferInsert,
  'threadId' | 'ownerKey' | 'number' | 'messageId' | 'input' | 'images' | 'promptHash' | 'createdAt'
>;

/** Begins turns, one a thread, under leases of so many milliseconds. */
export function insertTurns(
  db: Db,
  turns: readonly NewTurn[],
  lease: { readonly owner: string; readonly milliseconds: number },
): Promise<StoredTurn[]> {
  const held = { status: 'running' as const, leaseOwner: lease.owner, leaseExpiresAt: after(lease.milliseconds) };
  return db
    .insert(chatTurns)
    .values(turns.map(turn => ({ ...turn, ...held })))
    .returning(turnColumns);
}

/** Takes the lease of a turn that nobody answers any more; null when somebody else came first, or it is too late. */
export async function takeTurn(
  db: Db,
  turn: TurnRef,
  lease: { readonly owner: string; readonly milliseconds: number },
): Promise<StoredTurn | null> {
  const held = { status: 'running' as const, leaseOwner: lease.owner, leaseExpiresAt: after(lease.milliseconds) };
  const [taken] = await db
    .update(chatTurns)
    .set({ ...held, attempt: sql`${chatTurns.attempt} + 1`, error: null })
    .where(and(ofRef(turn), sql`${phase} = 'resumable'`))
    .returning(turnColumns);
  return taken ?? null;
}

/**
 * Ends a turn that nobody answers any more, so that it can't be resumed. A live one is left alone.
 * @param status - what its owner is told: `suspended` where another message took its place, `aborted` where they stopped it.
 */
export async function endIdleTurn(db: Db, turn: TurnRef, status: 'suspended' | 'aborted'): Promise<void> {
  await db
    .update(chatTurns)
    .set({ status, leaseOwner: null, leaseExpiresAt: null, state: null })
    .where(and(ofRef(turn), sql`${phase} = 'resumable'`));
}

/** Tells the process that answers a turn to stop; it hears of it when it renews the lease. */
export async function requestAbort(db: Db, turn: TurnRef): Promise<void> {
  await db
    .update(chatTurns)
    .set({ abortRequested: true })
    .where(and(ofRef(turn), isLive));
}

/**
 * Renews the leases of a process in one statement.
 * @param turnIds - of its runs; what isn't among the answer is its own no longer.
 */
export function renewLeases(
  db: Db,
  turnIds: readonly number[],
  lease: { readonly owner: string; readonly milliseconds: number },
): Promise<{ id: number; attempt: number; abortRequested: boolean }[]> {
  return db
    .update(chatTurns)
    .set({ leaseExpiresAt: after(lease.milliseconds) })
    .where(
      and(inArray(chatTurns.id, [...turnIds]), eq(chatTurns.leaseOwner, lease.owner), eq(chatTurns.status, 'running')),
    )
    .returning({ id: chatTurns.id, attempt: chatTurns.attempt, abortRequested: chatTurns.abortRequested });
}
