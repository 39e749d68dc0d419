import { eq, sql } from 'drizzle-orm';
import type { ChatFeedback } from '../../contract/chat.js';
import type { Db } from '../db/database.js';
import { chatFeedback } from '../db/schema.js';

/** Stores the feedback on the answer of a turn. Storing equal feedback again changes nothing. */
export async function storeFeedback(db: Db, turnId: number, { rating, comment = '' }: ChatFeedback): Promise<void> {
  const fields = { rating, comment: comment || null };
  await db
    .insert(chatFeedback)
    .values({ turnId, ...fields })
    .onConflictDoUpdate({
      target: chatFeedback.turnId,
      set: { ...fields, updatedAt: sql`clock_timestamp()` },
      setWhere: sql`(${chatFeedback.rating}, ${chatFeedback.comment}) is distinct from (excluded.rating, excluded.comment)`,
    });
}

/** Removes the feedback on the answer of a turn, if there is any. */
export async function deleteFeedback(db: Db, turnId: number): Promise<void> {
  await db.delete(chatFeedback).where(eq(chatFeedback.turnId, turnId));
}

/** Returns the feedback as a client receives it. */
export function toFeedback({
  rating,
  comment,
}: Pick<typeof chatFeedback.$inferSelect, 'rating' | 'comment'>): ChatFeedback {
  return { rating, ...(comment !== null && { comment }) };
}
