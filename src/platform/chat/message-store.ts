import { and, asc, desc, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { ChatFeedback, ChatFrame, ChatUsage, FinishReason } from '../../contract/chat.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { chatFeedback, chatMessages, chatTurns, type TurnStatus } from '../db/schema.js';
import { toFeedback } from './feedback-store.js';
import { databaseClock, isHeld, type Lease, type StoredTurn, type TurnRef, turnColumns } from './turn-store.js';

/** A stored message of a turn. */
export interface StoredMessage {
  /** Position in the turn, from 1. */
  readonly position: number;
  readonly frame: ChatFrame;
}

/** A turn with the messages of its answer and the user's feedback on it. */
export interface AnsweredTurn {
  readonly turn: StoredTurn;
  readonly messages: readonly StoredMessage[];
  readonly feedback: ChatFeedback | null;
}

/** Progress of a run since its last stored step. */
export interface TurnProgress {
  readonly messages: readonly StoredMessage[];
  readonly usage: ChatUsage | null;
}

/** The end of a turn. */
export interface TurnResult extends TurnProgress {
  readonly reason: FinishReason;
  readonly error: string | null;
}

/** Stores a step. Returns false and stores nothing if another process holds the lease. */
export function storeStep(db: Db, lease: Lease, step: TurnProgress & { readonly state: JsonObject }): Promise<boolean> {
  return storeHeld(db, lease, { state: step.state, usage: step.usage }, step.messages);
}

/**
 * Stores the end of a turn and releases its lease. Returns false and stores nothing if another process holds the lease.
 */
export function storeResult(db: Db, lease: Lease, result: TurnResult): Promise<boolean> {
  const { reason, usage, messages } = result;
  // Removes NUL characters, which the database cannot store.
  const error = result.error?.replaceAll('\0', '') ?? null;
  const status: TurnStatus = reason === 'stop' ? 'finished' : reason;
  // A suspended turn can be resumed from its last step for 24 hours. Otherwise the state is no longer needed.
  const rest = reason === 'suspended' ? { leaseExpiresAt: databaseClock } : { leaseExpiresAt: null, state: null };
  return storeHeld(db, lease, { status, error, usage, leaseOwner: null, ...rest }, messages);
}

/** Updates a turn and inserts its messages in one atomic statement, if the run still holds the lease. */
async function storeHeld(
  db: Db,
  lease: Lease,
  change: PgUpdateSetSource<typeof chatTurns>,
  messages: readonly StoredMessage[],
): Promise<boolean> {
  const held = db.update(chatTurns).set(change).where(isHeld(lease)).returning({ id: chatTurns.id });
  if (messages.length === 0) return (await held).length > 0;
  const positions = sql.param(messages.map(({ position }) => position));
  // Frames are passed as separate strings, because extracting them from one JSON document fails for some characters
  // that JSON allows.
  const frames = sql.param(messages.map(({ frame }) => JSON.stringify(frame)));
  const { rowCount } = await db.execute(sql`
    with held as (${held.getSQL()})
    insert into ${chatMessages} (turn_id, position, frame)
    select held.id, message.position, message.frame::json
    from held, unnest(${positions}::integer[], ${frames}::text[]) as message(position, frame)`);
  return rowCount !== null && rowCount > 0;
}

const stored = { position: chatMessages.position, frame: chatMessages.frame };

/** Returns the messages of a turn after a position, in order. */
export function messagesAfter(db: Db, turn: TurnRef, position: number): Promise<StoredMessage[]> {
  return db
    .select(stored)
    .from(chatMessages)
    .innerJoin(chatTurns, eq(chatTurns.id, chatMessages.turnId))
    .where(and(eq(chatTurns.id, turn.id), eq(chatTurns.ownerKey, turn.ownerKey), gt(chatMessages.position, position)))
    .orderBy(asc(chatMessages.position));
}

/** A range of turns of a thread: with `from` in ascending order, otherwise in descending order. */
export type TurnRange = { readonly from: number; readonly before: number } | { readonly before: number };

/** Reads turns of an owner's thread with their messages and feedback. */
export async function readTurns(
  db: Db,
  thread: { readonly ownerKey: string; readonly threadId: string },
  range: TurnRange,
  limit: number,
): Promise<AnsweredTurn[]> {
  const forward = 'from' in range;
  const found = await db
    .select({ turn: turnColumns, feedback: { rating: chatFeedback.rating, comment: chatFeedback.comment } })
    .from(chatTurns)
    .leftJoin(chatFeedback, eq(chatFeedback.turnId, chatTurns.id))
    .where(
      and(
        eq(chatTurns.ownerKey, thread.ownerKey),
        eq(chatTurns.threadId, thread.threadId),
        lt(chatTurns.number, range.before),
        forward ? gte(chatTurns.number, range.from) : undefined,
      ),
    )
    .orderBy(forward ? asc(chatTurns.number) : desc(chatTurns.number))
    .limit(limit);
  const turns = found.map(({ turn }) => turn);
  const messages = await messagesOf(db, thread.ownerKey, turns);
  return found.map(({ turn, feedback }) => ({
    turn,
    messages: messages.filter(({ turnId }) => turnId === turn.id),
    feedback: feedback && toFeedback(feedback),
  }));
}

async function messagesOf(db: Db, ownerKey: string, turns: readonly TurnRef[]) {
  if (turns.length === 0) return [];
  const ids = turns.map(({ id }) => id);
  return db
    .select({ turnId: chatMessages.turnId, ...stored })
    .from(chatMessages)
    .innerJoin(chatTurns, eq(chatTurns.id, chatMessages.turnId))
    .where(and(inArray(chatTurns.id, ids), eq(chatTurns.ownerKey, ownerKey)))
    .orderBy(asc(chatMessages.turnId), asc(chatMessages.position));
}
