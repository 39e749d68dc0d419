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

/** What is kept for a request, and what can be done for it. */
interface CacheModeCall<V, T> {
  readonly mode: CacheMode;
  /** What is kept, however old; undefined where nothing is, or where it doesn't count. */
  readonly found: CacheEntry<V> | undefined;
  /** How long what is kept is given out without a question, in milliseconds. */
  readonly maxAgeMs: number;
  giveOut(found: CacheEntry<V>, cache: CacheUse): T;
  /** Brings what is kept up to date, for whoever asks next. */
  refresh(): void;
  /** @param keepMs - how long it goes on when it takes too long, because what is kept is given out then. */
  run(keepMs?: number): Promise<T>;
}

/** How long a query goes on whose old rows were given out, so that there are new ones in the end. */
const refreshLimitMs = 120_000;

/** Gives out what is kept as long as it is young enough or the cache mode allows it, else runs. */
export async function applyCacheMode<V, T>(call: CacheModeCall<V, T>): Promise<T> {
  const { mode, found, maxAgeMs } = call;
  if (!found) return call.run();
  if (Date.now() - found.storedAt < maxAgeMs) return call.giveOut(found, CacheUse.hit);
  if (mode === CacheMode.staleWhileRevalidate) {
    call.refresh();
    return call.giveOut(found, CacheUse.stale);
  }
  if (mode !== CacheMode.staleIfSlow) return call.run();
  try {
    return await call.run(refreshLimitMs);
  } catch (error) {
    if (error instanceof ContinueWait) return call.giveOut(found, CacheUse.stale);
    throw error;
  }
}

/** One query of a request, and how it may be answered. */
interface AnswerCall {
  readonly plan: QueryPlan;
  /** Columns that the answer has beside those of the plan. */
  readonly extra: readonly ExtraColumn[];
  readonly mode: CacheMode;
  readonly asked: StatementRequest;
  readonly trace: RequestTrace;
  /** SQL beyond the first is made in a turn of its own. */
  readonly turns: CooperativeScheduler;
}

/** Rows as JSON, in the layout that the query asks for. */
export interface QueryAnswer {
  readonly data: Iterable<Fragment>;
  /** What `data` is made of, in memory, about. */
  readonly bytes: number;
  /** How many rows there are without limit and offset, where the query asks for it. */
  readonly total: number | null;
  /** When the rows were read, in milliseconds since 1970. */
  readonly readAt: number;
  /** True for rows that are older than they should be, given out since new ones take too long. */
  readonly slowQuery: boolean;
}

/** An answer that is kept. */
export interface CachedAnswer {
  /** Encoded, since a text that was put together is held as thousands of small ones. */
  readonly fragments: readonly Uint8Array[];
  readonly rows: number;
  readonly total: number | null;
}

/**
 * Answers planned queries, by what is kept as long as it is young enough or its cache mode allows it. Kept answers are found before
 * any SQL is made; their key says everything that rows depend on, what the caller may read included. The rows of statements are
 * kept behind them, by the runner.
 */
export class QueryAnswers {
  readonly #runner: StatementRunner;
  readonly #maxAgeMs: number;
  readonly #kept: BoundedCache<CachedAnswer>;

  /** @param maxAgeMs - how long an answer is given out without a question. */
  constructor(runner: StatementRunner, kept: BoundedCache<CachedAnswer>, maxAgeMs: number) {
    this.#runner = runner;
    this.#maxAgeMs = maxAgeMs;
    this.#kept = kept;
  }

  /**
   * The rows of one query.
   * @throws PlatformError and ContinueWait as `StatementRunner.rows` says.
   */
  async serve(call: AnswerCall): Promise<QueryAnswer> {
    const { mode, asked } = call;
    const key = keyOf(call);
    return applyCacheMode({
      mode,
      found: asked.fresh ? undefined : this.#kept.find(key),
      maxAgeMs: this.#maxAgeMs,
      giveOut: (found, cache) => serveCached(call, found, cache),
      refresh: () => this.#refresh(key, call),
      run: keepMs => this.#run(key, keepMs === undefined ? call : { ...call, asked: { ...asked, keepMs } }),
    });
  }

  async #run(key: string, call: AnswerCall): Promise<QueryAnswer> {
    const { plan, asked, trace, extra } = call;
    const statement = trace.compile(() => plan.statement());
    const [ran, total] = await settleAll([
      this.#runner.rows(statement, asked),
      plan.query.total === true ? this.#count(call) : null,
    ]);
    const members = plan.columns.map(({ member }) => member);
    const table = withExtraColumns({ members, columns: ran.result.columns }, extra);
    const rows = rowsIn(table);
    trace.served(ran.cache, rows, ran.queueMs, ran.engineMs);
    const data = this.#keeping(key, tableJson(plan.query.responseFormat, table), { rows, total }, ran.storedAt);
    return { data, bytes: ran.bytes, total, readAt: ran.storedAt, slowQuery: false };
  }

  async #count({ plan, asked, trace, turns }: AnswerCall): Promise<number> {
    await turns.next();
    const statement = trace.compile(() => plan.totalStatement());
    const { result } = await this.#runner.rows(statement, asked);
    return totalOf(result);
  }

  /** Keeps the fragments while they are handed on, if they don't become too large. */
  *#keeping(
    key: string,
    data: Iterable<string>,
    facts: Omit<CachedAnswer, 'fragments'>,
    storedAt: number,
  ): Generator<Fragment> {
    const fragments: Uint8Array[] = [];
    let bytes = 200;
    for (const text of data) {
      const fragment = bytes <= this.#kept.maxValueBytes ? Buffer.from(text) : text;
      bytes += fragment.length;
      if (typeof fragment !== 'string') fragments.push(fragment);
      yield fragment;
    }
    this.#kept.set(key, { ...facts, fragments }, bytes, storedAt);
  }

  /** Brings the rows behind an answer up to date, for whoever asks next; then the answer is made anew of them. */
  #refresh(key: string, { plan, asked }: AnswerCall): void {
    const refreshing = { caller: asked.caller, versions: asked.versions, fresh: false };
    const forget = () => this.#kept.delete(key);
    // Who asks next is told what went wrong, if it still does.
    this.#runner.rows(plan.statement(), refreshing).then(forget, () => undefined);
  }
}

function serveCached(
  { trace, mode }: AnswerCall,
  { value, bytes, storedAt }: CacheEntry<CachedAnswer>,
  cache: CacheUse,
): QueryAnswer {
  trace.served(cache, value.rows);
  const slowQuery = cache === CacheUse.stale && mode === CacheMode.staleIfSlow;
  return { data: value.fragments, bytes, total: value.total, readAt: storedAt, slowQuery };
}

/** A digest, since filters may hold thousands of values. */
function keyOf({ plan, extra, asked }: AnswerCall): string {
  const { responseFormat, total } = plan.query;
  const parts = [asked.versions, plan.key, responseFormat, total, extra];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

function totalOf({ columns }: EngineResult): number {
  return Number(columns[0]?.[0] ?? 0);
}
