import { and, eq, getTableColumns, gte, ilike, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { getQueryLog, type QueryLogEntry } from '../../contract/usage-analytics.js';
import type { QueryCaller, QueryEvent } from '../data/answers/query-event.js';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset } from '../db/keyset.js';
import { embedTenants, queryLog, users } from '../db/schema.js';
import { requireManager } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve } from '../http/serve.js';

type Row = typeof queryLog.$inferSelect;

const newestFirst = new Keyset<Row>('query-log', { at: queryLog.at, id: queryLog.id }, 'desc');
const retention = sql`interval '30 days'`;
const flushMs = 1_000;
/** Maximum number of pending entries. Further entries are dropped, so that the log never slows down queries. */
const maxPending = 10_000;
/** Maximum number of pending entries per caller, so that one caller cannot fill the log. */
const maxPendingPerCaller = 2_500;
/** Maximum number of entries per statement, which has 12 parameters per entry. */
const maxBatch = 1_000;

/** Writes the query log in batches, at most once a second. */
export class QueryLogWriter {
  readonly #db: Db;
  readonly #onFailure: (error: unknown) => void;
  #pending: (typeof queryLog.$inferInsert)[] = [];
  /** Number of pending entries by caller. */
  #pendingOf = new Map<string, number>();
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();

  constructor(db: Db, onFailure: (error: unknown) => void) {
    this.#db = db;
    this.#onFailure = onFailure;
  }

  /** Adds an entry. */
  record(event: QueryEvent, { userId, embedTenantId }: QueryCaller): void {
    const caller = `${userId} ${embedTenantId}`;
    const count = this.#pendingOf.get(caller) ?? 0;
    if (this.#pending.length >= maxPending || count >= maxPendingPerCaller) {
      this.#dropped += 1;
      return;
    }
    this.#pendingOf.set(caller, count + 1);
    const { time, operation, status, outcome, cache, rows, queueMs, engineMs, totalMs, requestId } = event;
    const measured = { operation, status, outcome, cache, rows, queueMs, engineMs, totalMs, requestId };
    this.#pending.push({ at: new Date(time), ...measured, userId, embedTenantId });
    this.#timer ??= setTimeout(() => this.#startFlush(), flushMs).unref();
  }

  /** Writes the pending entries. */
  async close(): Promise<void> {
    this.#startFlush();
    await this.#writing;
  }

  #startFlush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#flush());
  }

  async #flush(): Promise<void> {
    const entries = this.#pending;
    const dropped = this.#dropped;
    this.#pending = [];
    this.#pendingOf = new Map();
    this.#dropped = 0;
    try {
      for (let start = 0; start < entries.length; start += maxBatch) {
        await this.#db.insert(queryLog).values(entries.slice(start, start + maxBatch));
      }
      if (dropped > 0) throw new Error(`The query log dropped ${dropped} entries, because too many were waiting.`);
    } catch (error) {
      this.#onFailure(error);
    }
  }
}

/** Deletes entries that are older than the retention period. */
export async function deleteOldQueries(db: Db): Promise<void> {
  await db.delete(queryLog).where(lt(queryLog.at, sql`now() - ${retention}`));
}

/** Mounts the route for the query log (extension), for administrators. */
export function mountQueryLog(app: Hono, deps: RouteDeps): void {
  serve(app, getQueryLog, deps, async ({ query, principal }) => {
    requireManager(principal);
    const { outcome, userId, minMs, from, to, search } = query;
    const rows = await deps.db
      .select({ ...getTableColumns(queryLog), username: users.username, embedTenantName: embedTenants.name })
      .from(queryLog)
      .leftJoin(users, eq(users.id, queryLog.userId))
      .leftJoin(embedTenants, eq(embedTenants.id, queryLog.embedTenantId))
      .where(
        and(
          outcome === undefined ? undefined : eq(queryLog.outcome, outcome),
          userId === undefined ? undefined : eq(queryLog.userId, userId),
          minMs === undefined ? undefined : gte(queryLog.totalMs, minMs),
          search === undefined ? undefined : isOf(search),
          from === undefined ? undefined : gte(queryLog.at, new Date(from)),
          to === undefined ? undefined : lt(queryLog.at, new Date(to)),
          newestFirst.after(query),
          // The list is empty while the log is turned off, although entries may remain until they expire.
          deps.hasUsageAnalytics ? undefined : sql`false`,
        ),
      )
      .orderBy(...newestFirst.orderBy)
      .limit(newestFirst.limit(query));
    const { items, pageInfo } = newestFirst.page(rows, query);
    return { items: items.map(show), pageInfo };
  });
}

/** Condition for requests whose user or tenant has a name that contains the search text. */
function isOf(search: string): SQL | undefined {
  const pattern = containsPattern(search);
  return or(ilike(users.username, pattern), ilike(users.externalId, pattern), ilike(embedTenants.name, pattern));
}

function show({ at, embedTenantId: _, ...entry }: Row & Pick<QueryLogEntry, 'username' | 'embedTenantName'>) {
  return { ...entry, at: at.toISOString() };
}
