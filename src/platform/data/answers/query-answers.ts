import { createHash } from 'node:crypto';
import { CacheMode } from '../../../contract/query.js';
import type { BoundedCache, CacheEntry } from '../../runtime/bounded-cache.js';
import type { CooperativeScheduler } from '../../runtime/time-slicer.js';
import type { EngineResult } from '../engines/engine.js';
import type { QueryPlan } from '../semantic-model.js';
import type { Fragment } from './answer-body.js';
import { ContinueWait, settleAll } from './continue-wait.js';
import { CacheUse, type RequestTrace } from './query-event.js';
import { type ExtraColumn, withExtraColumns } from './query-set.js';
import { rowsIn, tableJson } from './row-json.js';
import type { StatementRequest, StatementRunner } from './statement-runner.js';

/** A request that can be served from the cache. */
interface CacheModeCall<V, T> {
  readonly mode: CacheMode;
  /** The cache entry, regardless of its age; `undefined` on a cache miss or if the cache must be bypassed. */
  readonly cached: CacheEntry<V> | undefined;
  /** Age in milliseconds up to which an entry is fresh. */
  readonly maxAgeMs: number;
  /** Returns the response for a cache entry. */
  serveCached(cached: CacheEntry<V>, cache: CacheUse): T;
  /** Updates the cache in the background. */
  refresh(): void;
  /**
   * Runs the query.
   * @param keepMs - how long the query continues to run after the maximum wait in milliseconds, if a stale entry is
   * served instead.
   */
  run(keepMs?: number): Promise<T>;
}

/** How long a query continues to run after a stale entry was served instead, so that it can update the cache. */
const refreshLimitMs = 120_000;

/** Serves the cache entry if it is fresh or if the cache mode allows a stale entry, otherwise runs the query. */
export async function applyCacheMode<V, T>(call: CacheModeCall<V, T>): Promise<T> {
  const { mode, cached, maxAgeMs } = call;
  if (!cached) return call.run();
  if (Date.now() - cached.storedAt < maxAgeMs) return call.serveCached(cached, CacheUse.hit);
  if (mode === CacheMode.staleWhileRevalidate) {
    call.refresh();
    return call.serveCached(cached, CacheUse.stale);
  }
  if (mode !== CacheMode.staleIfSlow) return call.run();
  try {
    return await call.run(refreshLimitMs);
  } catch (error) {
    if (error instanceof ContinueWait) return call.serveCached(cached, CacheUse.stale);
    throw error;
  }
}

/** One query of a request and its options. */
interface AnswerCall {
  readonly plan: QueryPlan;
  /** Columns of the response in addition to those of the plan. */
  readonly extra: readonly ExtraColumn[];
  readonly mode: CacheMode;
  readonly request: StatementRequest;
  readonly trace: RequestTrace;
  /** Schedules the generation of a second statement in a separate event-loop turn. */
  readonly scheduler: CooperativeScheduler;
}

/** Rows as JSON in the requested layout. */
export interface QueryAnswer {
  readonly data: Iterable<Fragment>;
  /** Approximate size of the source rows in memory. */
  readonly bytes: number;
  /** Number of rows without limit and offset; `null` if not requested. */
  readonly total: number | null;
  /** Time when the rows were read, in milliseconds since 1970. */
  readonly readAt: number;
  /** Whether the rows are stale because reading new ones takes too long. */
  readonly slowQuery: boolean;
}

/** A cached response. */
export interface CachedAnswer {
  /** Encoded as bytes, because a concatenated string is stored as thousands of small strings. */
  readonly fragments: readonly Uint8Array[];
  readonly rows: number;
  readonly total: number | null;
}

/**
 * Serves planned queries from the response cache if the entry is fresh or the cache mode allows it. The cache is
 * checked before any SQL is generated. The key covers everything that the rows depend on, including what the caller may
 * read. On a cache miss, the statement runner has a second cache for the rows of statements.
 */
export class QueryAnswers {
  readonly #runner: StatementRunner;
  readonly #maxAgeMs: number;
  readonly #cache: BoundedCache<CachedAnswer>;

  /** @param maxAgeMs - age in milliseconds up to which a response is fresh. */
  constructor(runner: StatementRunner, cache: BoundedCache<CachedAnswer>, maxAgeMs: number) {
    this.#runner = runner;
    this.#maxAgeMs = maxAgeMs;
    this.#cache = cache;
  }

  /**
   * Returns the rows of one query.
   * @throws PlatformError and ContinueWait as `StatementRunner.rows` does.
   */
  async serve(call: AnswerCall): Promise<QueryAnswer> {
    const { mode, request } = call;
    const key = keyOf(call);
    return applyCacheMode({
      mode,
      cached: request.fresh ? undefined : this.#cache.find(key),
      maxAgeMs: this.#maxAgeMs,
      serveCached: (cached, cache) => serveCached(call, cached, cache),
      refresh: () => this.#refresh(key, call),
      run: keepMs => this.#run(key, keepMs === undefined ? call : { ...call, request: { ...request, keepMs } }),
    });
  }

  async #run(key: string, call: AnswerCall): Promise<QueryAnswer> {
    const { plan, request, trace, extra } = call;
    const statement = trace.compile(() => plan.statement());
    const [ran, total] = await settleAll([
      this.#runner.rows(statement, request),
      plan.query.total === true ? this.#count(call) : null,
    ]);
    const members = plan.columns.map(({ member }) => member);
    const table = withExtraColumns({ members, columns: ran.result.columns }, extra);
    const rows = rowsIn(table);
    trace.recordServed(ran.cache, rows, ran.queueMs, ran.engineMs);
    const data = this.#caching(key, tableJson(plan.query.responseFormat, table), { rows, total }, ran.storedAt);
    return { data, bytes: ran.bytes, total, readAt: ran.storedAt, slowQuery: false };
  }

  async #count({ plan, request, trace, scheduler }: AnswerCall): Promise<number> {
    await scheduler.next();
    const statement = trace.compile(() => plan.totalStatement());
    const { result } = await this.#runner.rows(statement, request);
    return totalOf(result);
  }

  /** Yields the fragments, and caches them unless they are too large. */
  *#caching(
    key: string,
    data: Iterable<string>,
    facts: Omit<CachedAnswer, 'fragments'>,
    storedAt: number,
  ): Generator<Fragment> {
    const fragments: Uint8Array[] = [];
    let bytes = 200;
    for (const text of data) {
      const fragment = bytes <= this.#cache.maxValueBytes ? Buffer.from(text) : text;
      bytes += fragment.length;
      if (typeof fragment !== 'string') fragments.push(fragment);
      yield fragment;
    }
    this.#cache.set(key, { ...facts, fragments }, bytes, storedAt);
  }

  /**
   * Updates the cached rows and then removes the cached response, so that the next request rebuilds it from the new
   * rows.
   */
  #refresh(key: string, { plan, request }: AnswerCall): void {
    const refreshRequest = { caller: request.caller, versions: request.versions, fresh: false };
    const forget = () => this.#cache.delete(key);
    // Ignore the error. If the problem persists, the next request reports it.
    this.#runner.rows(plan.statement(), refreshRequest).then(forget, () => undefined);
  }
}

function serveCached(
  { trace, mode }: AnswerCall,
  { value, bytes, storedAt }: CacheEntry<CachedAnswer>,
  cache: CacheUse,
): QueryAnswer {
  trace.recordServed(cache, value.rows);
  const slowQuery = cache === CacheUse.stale && mode === CacheMode.staleIfSlow;
  return { data: value.fragments, bytes, total: value.total, readAt: storedAt, slowQuery };
}

/** Returns a digest as the cache key, because filters can contain thousands of values. */
function keyOf({ plan, extra, request }: AnswerCall): string {
  const { responseFormat, total } = plan.query;
  const parts = [request.versions, plan.key, responseFormat, total, extra];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

function totalOf({ columns }: EngineResult): number {
  return Number(columns[0]?.[0] ?? 0);
}
