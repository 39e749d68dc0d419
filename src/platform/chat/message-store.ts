import { and, asc, desc, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { ChatFrame, ChatUsage, FinishReason } from '../../contract/chat.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { chatMessages, chatTurns, type TurnStatus } from '../db/schema.js';
import { databaseClock, isHeld, type Lease, type StoredTurn, type TurnRef, turnColumns } from './turn-store.js';

/** A message of a turn, as it is read back. */
export interface StoredMessage {
  /** Place in the turn, from 1. */
  readonly position: number;
  readonly frame: ChatFrame;
}

/** A turn with what was answered. */
export interface AnsweredTurn {
  readonly turn: StoredTurn;
  readonly messages: readonly StoredMessage[];
}

/** What a run has done since it stored last. */
export interface TurnProgress {
  readonly messages: readonly StoredMessage[];
  readonly usage: ChatUsage | null;
}

/** How a turn ended. */
export interface TurnResult extends TurnProgress {
  readonly reason: FinishReason;
  readonly error: string | null;
}

/** Stores a step; false, and nothing is stored, when the lease is somebody else's. */
export function storeStep(db: Db, lease: Lease, step: TurnProgress & { readonly state: JsonObject }): Promise<boolean> {
  return storeHeld(db, lease, { state: step.state, usage: step.usage }, step.messages);
}

/** Stores how a turn ended and gives back its lease; false, and nothing is stored, when the lease is somebody else's. */
export function storeResult(db: Db, lease: Lease, result: TurnResult): Promise<boolean> {
  const { reason, usage, messages } = result;
  // The one character that a text of the database cannot hold.
  const error = result.error?.replaceAll('\0', '') ?? null;
  const status: TurnStatus = reason === 'stop' ? 'finished' : reason;
  // A suspended turn is resumed from its last step, and within 24 hours of now; of any other the state is of no use any more.
  const rest = reason === 'suspended' ? { leaseExpiresAt: databaseClock } : { leaseExpiresAt: null, state: null };
  return storeHeld(db, lease, { status, error, usage, leaseOwner: null, ...rest }, messages);
}

/** Changes a turn and adds its messages, as long as the lease is held: one statement, which the database does whole or not at all. */
async function storeHeld(
  db: Db,
  lease: Lease,
  change: PgUpdateSetSource<typeof chatTurns>,
  messages: readonly StoredMessage[],
): Promise<boolean> {
  const held = db.update(chatTurns).set(change).where(isHeld(lease)).returning({ id: chatTurns.id });
  if (messages.length === 0) return (await held).length > 0;
  const positions = sql.param(messages.map(({ position }) => position));
  // As texts: taken out of one JSON document, frames could not hold every character that JSON can.
  const frames = sql.param(messages.map(({ frame }) => JSON.stringify(frame)));
  const { rowCount } = await db.execute(sql`
    with held as (${held.getSQL()})
    insert into ${chatMessages} (turn_id, position, frame)
    select held.id, message.position, message.frame::json
    from held, unnest(${positions}::integer[], ${frames}::text[]) as message(position, frame)`);
  return rowCount !== null && rowCount > 0;
}

const stored = { position: chatMessages.position, frame: chatMessages.frame };

/** Messages of a turn behind a place in it, in order. */
export function messagesAfter(db: Db, turn: TurnRef, position: number): Promise<StoredMessage[]> {
  return db
    .select(stored)
    .from(chatMessages)
    .innerJoin(chatTurns, eq(chatTurns.id, chatMessages.turnId))
    .where(and(eq(chatTurns.id, turn.id), eq(chatTurns.ownerKey, turn.ownerKey), gt(chatMessages.position, position)))
    .orderBy(asc(chatMessages.position));
}

/** Which turns of a thread: from a number on, oldest first, or those before one, latest first. */
export type TurnRange = { readonly from: number; readonly before: number } | { readonly before: number };

/** Some turns of an owner's thread with their messages. */
export async function readTurns(
  db: Db,
  thread: { readonly ownerKey: string; readonly threadId: string },
  range: TurnRange,
  limit: number,
): Promise<AnsweredTurn[]> {
  const forward = 'from' in range;
  const turns = await db
    .select(turnColumns)
    .from(chatTurns)
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
  const messages = await messagesOf(db, thread.ownerKey, turns);
  return turns.map(turn => ({ turn, messages: messages.filter(({ turnId }) => turnId === turn.id) }));
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
