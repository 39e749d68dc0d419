import { createHash } from 'node:crypto';
import { CacheMode } from '../../contract/query.js';
import type { Fragment } from './answer-body.js';
import type { BoundedCache, CacheEntry } from './bounded-cache.js';
import { byCacheMode } from './by-cache-mode.js';
import type { EngineResult } from './engine.js';
import { CacheUse } from './query-event.js';
import { type ExtraColumn, withExtraColumns } from './query-set.js';
import type { RequestTrace } from './request-trace.js';
import { rowsIn, tableJson } from './row-json.js';
import type { QueryPlan } from './semantic-model.js';
import type { Asked, StatementRunner } from './statement-runner.js';
import { together } from './together.js';
import type { Turns } from './turns.js';

/** One query of a request, and how it may be answered. */
export interface AnswerCall {
  readonly plan: QueryPlan;
  /** Columns that the answer has beside those of the plan. */
  readonly extra: readonly ExtraColumn[];
  readonly mode: CacheMode;
  readonly asked: Asked;
  readonly trace: RequestTrace;
  /** SQL beyond the first is made in a turn of its own. */
  readonly turns: Turns;
}

/** Rows as JSON, in the layout that the query asks for. */
export interface Answered {
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
export interface Kept {
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
export class Answers {
  readonly #runner: StatementRunner;
  readonly #maxAgeMs: number;
  readonly #kept: BoundedCache<Kept>;

  /** @param maxAgeMs - how long an answer is given out without a question. */
  constructor(runner: StatementRunner, kept: BoundedCache<Kept>, maxAgeMs: number) {
    this.#runner = runner;
    this.#maxAgeMs = maxAgeMs;
    this.#kept = kept;
  }

  /**
   * The rows of one query.
   * @throws PlatformError and ContinueWait as `StatementRunner.rows` says.
   */
  async serve(call: AnswerCall): Promise<Answered> {
    const { mode, asked } = call;
    const key = keyOf(call);
    return byCacheMode({
      mode,
      found: asked.fresh ? undefined : this.#kept.find(key),
      maxAgeMs: this.#maxAgeMs,
      giveOut: (found, cache) => giveOut(call, found, cache),
      refresh: () => this.#refresh(key, call),
      run: keepMs => this.#run(key, keepMs === undefined ? call : { ...call, asked: { ...asked, keepMs } }),
    });
  }

  async #run(key: string, call: AnswerCall): Promise<Answered> {
    const { plan, asked, trace, extra } = call;
    const statement = trace.compile(() => plan.statement());
    const [ran, total] = await together([
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
    facts: Omit<Kept, 'fragments'>,
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

function giveOut({ trace, mode }: AnswerCall, { value, bytes, storedAt }: CacheEntry<Kept>, cache: CacheUse): Answered {
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
