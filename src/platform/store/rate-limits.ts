import { lt, sql } from 'drizzle-orm';
import type { Db } from './database.js';
import { rateLimits } from './schema.js';

/** What of an allowance is used up in the window of this moment, what was just taken included. */
export interface UsedAllowance {
  readonly used: number;
  /** Milliseconds to the end of the window. */
  readonly msLeft: number;
}

/**
 * Takes a part of an allowance, in one statement. Windows go by the clock of the database, so that replicas agree on them; one that
 * waited for another across the end of a window doesn't bring the old window back.
 * @param key - stands for whom it counts.
 */
export async function takeAllowance(db: Db, key: string, windowMs: number, amount: number): Promise<UsedAllowance> {
  const window = sql`${windowMs}::double precision * interval '1 millisecond'`;
  const { windowStart, used } = rateLimits;
  const [taken] = await db
    .insert(rateLimits)
    .values({ key, windowStart: sql`date_bin(${window}, now(), timestamptz 'epoch')`, used: amount })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        windowStart: sql`greatest(${windowStart}, excluded.window_start)`,
        used: sql`case when excluded.window_start > ${windowStart} then excluded.used
          else least(${used}::bigint + excluded.used, 2000000000) end`,
      },
    })
    .returning({ used, msLeft: sql<number>`extract(epoch from ${windowStart} + ${window} - now())::float8 * 1000` });
  if (!taken) throw new Error('An upsert returned no row.');
  return taken;
}

/** Forgets windows that have ended long ago. */
export async function forgetOldWindows(db: Db): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.windowStart, sql`now() - interval '1 hour'`));
}
