import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { ChatContext, ChatImage } from '../../contract/chat.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { chatTurns } from '../db/schema.js';
import { isUuid } from '../db/uuid.js';

/** Current phase of a turn. */
export const TurnPhase = {
  /** A process answers the message and holds the lease of the turn. */
  live: 'live',
  /** No process answers the message; the turn can be resumed. */
  resumable: 'resumable',
  ended: 'ended',
} as const;
/** Current phase of a turn. */
export type TurnPhase = (typeof TurnPhase)[keyof typeof TurnPhase];

/** The clock of leases, shared by all processes. `now()` would not advance while a transaction waits for a lock. */
export const databaseClock = sql`clock_timestamp()`;

const after = (milliseconds: number): SQL => sql`${databaseClock} + ${milliseconds} * interval '1 millisecond'`;

/** SQL condition that a process answers the turn. */
export const isLive = sql<boolean>`(${chatTurns.status} = 'running' and ${chatTurns.leaseExpiresAt} > ${databaseClock})`;

const phase = sql<TurnPhase>`case
  when ${isLive} then 'live'
  when ${chatTurns.status} in ('running', 'suspended') and not ${chatTurns.abortRequested}
    and ${chatTurns.leaseExpiresAt} > ${databaseClock} - interval '24 hours' then 'resumable'
  else 'ended' end`;

/** Columns of a turn, without its images, which may be large. */
export const turnColumns = {
  id: chatTurns.id,
  threadId: chatTurns.threadId,
  ownerKey: chatTurns.ownerKey,
  number: chatTurns.number,
  messageId: chatTurns.messageId,
  input: chatTurns.input,
  promptHash: chatTurns.promptHash,
  // Compares the stored size, to avoid reading the images: `[]` takes at most 8 bytes.
  hasImages: sql<boolean>`pg_column_size(${chatTurns.images}) > 8`,
  hasContext: sql<boolean>`${chatTurns.context} is not null`,
  status: chatTurns.status,
  abortRequested: chatTurns.abortRequested,
  error: chatTurns.error,
  usage: chatTurns.usage,
  attempt: chatTurns.attempt,
  createdAt: chatTurns.createdAt,
  phase,
};

/** A stored turn. */
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
> & { readonly hasImages: boolean; readonly hasContext: boolean; readonly phase: TurnPhase };

/** Identifies a turn and its owner. */
export type TurnRef = Pick<StoredTurn, 'id' | 'ownerKey'>;

/** A leased turn. Its run may write as long as it holds the lease. */
export interface Lease extends TurnRef {
  readonly attempt: number;
  readonly leaseOwner: string;
}

const ofRef = (turn: TurnRef) => and(eq(chatTurns.id, turn.id), eq(chatTurns.ownerKey, turn.ownerKey));

/** Returns the SQL condition that this run still holds the lease of the turn. */
export const isHeld = (lease: Lease) =>
  and(
    ofRef(lease),
    eq(chatTurns.status, 'running'),
    eq(chatTurns.leaseOwner, lease.leaseOwner),
    eq(chatTurns.attempt, lease.attempt),
  );

/** Serializes the beginning of an owner's turns across processes, until the transaction ends. */
export async function lockOwner(tx: Db, ownerKey: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${ownerKey}, 7265003))`);
}

/**
 * Locks those owners that no other transaction has locked, until the transaction ends. Does not wait, to avoid
 * deadlocks between transactions that lock several owners.
 * @returns the locked owners.
 */
export async function tryLockOwners(tx: Db, ownerKeys: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.execute<{ key: string; locked: boolean }>(sql`
    select owner.key, pg_try_advisory_xact_lock(hashtextextended(owner.key, 7265003)) as locked
    from unnest(${sql.param(ownerKeys)}::text[]) as owner (key)`);
  return new Set(rows.flatMap(({ key, locked }) => (locked ? [key] : [])));
}

/** A message id, to be looked up in all turns of an owner or in one thread. */
export interface MessageRef {
  readonly ownerKey: string;
  readonly chatId: string | null;
  readonly messageId: string;
}

/**
 * Finds the turns of messages in one statement, in the order of the messages. Returns the last turn of each, `null` if
 * there is none.
 */
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
          where turn.owner_key = requested.owner and turn.message_id = requested.message
            and (requested.thread is null or turn.thread_id = requested.thread)
          order by turn.id desc limit 1
        )
        from unnest(${owners}::text[], ${ids}::text[], ${threads}::uuid[]) as requested (owner, message, thread))`,
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

/** Returns the current state of a turn; `null` if it no longer exists. */
export async function readTurn(db: Db, turn: TurnRef): Promise<StoredTurn | null> {
  const [found] = await db.select(turnColumns).from(chatTurns).where(ofRef(turn));
  return found ?? null;
}

/** Returns the last turn of an owner's thread; `null` if the thread does not exist. */
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

/** Returns the last turns of threads of different owners, in one statement. */
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
          where turn.owner_key = requested.owner and turn.thread_id = requested.thread
          order by turn.number desc limit 1
        )
        from unnest(${owners}::text[], ${ids}::uuid[]) as requested (owner, thread))`,
    );
}

/** Returns the images of a turn's message. */
export async function findImages(db: Db, turn: TurnRef): Promise<readonly ChatImage[]> {
  const [found] = await db.select({ images: chatTurns.images }).from(chatTurns).where(ofRef(turn));
  return found?.images ?? [];
}

/** Returns the dashboard that a turn's message is about; `null` if none. */
export async function findContext(db: Db, turn: TurnRef): Promise<ChatContext | null> {
  const [found] = await db.select({ context: chatTurns.context }).from(chatTurns).where(ofRef(turn));
  return found?.context ?? null;
}

/** Returns the agent's state after the last step of a turn; `null` before the first step. */
export async function findState(db: Db, turn: TurnRef): Promise<JsonObject | null> {
  const [found] = await db.select({ state: chatTurns.state }).from(chatTurns).where(ofRef(turn));
  return found?.state ?? null;
}

/** Columns of a new turn. */
export type NewTurn = Pick<
  typeof chatTurns.$inferInsert,
  'threadId' | 'ownerKey' | 'number' | 'messageId' | 'input' | 'images' | 'context' | 'promptHash' | 'createdAt'
>;

/** Inserts running turns of different threads, each with a lease. */
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

/**
 * Acquires the lease of a suspended turn. Returns `null` if another process has taken it, or if it can no longer be
 * resumed.
 */
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
 * Ends a suspended turn, so that it cannot be resumed. Does not change a turn that is being answered.
 * @param status - reported to the owner: `suspended` if another message replaces it, `aborted` if the owner stopped it.
 */
export async function endIdleTurn(db: Db, turn: TurnRef, status: 'suspended' | 'aborted'): Promise<void> {
  await db
    .update(chatTurns)
    .set({ status, leaseOwner: null, leaseExpiresAt: null, state: null })
    .where(and(ofRef(turn), sql`${phase} = 'resumable'`));
}

/** Records an abort request for the process that answers a turn, which detects the request when it renews the lease. */
export async function requestAbort(db: Db, turn: TurnRef): Promise<void> {
  await db
    .update(chatTurns)
    .set({ abortRequested: true })
    .where(and(ofRef(turn), isLive));
}

/**
 * Renews the leases of a process in one statement.
 * @param turnIds - turns of its runs.
 * @returns the turns whose lease is renewed; the process has lost the other leases.
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
