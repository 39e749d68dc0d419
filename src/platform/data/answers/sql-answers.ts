import { createHash, randomUUID } from 'node:crypto';
import type { CacheMode } from '../../../contract/query.js';
import type { BoundedCache, CacheEntry } from '../../runtime/bounded-cache.js';
import type { SqlPlan } from '../semantic-model.js';
import { applyCacheMode, type CachedAnswer } from './query-answers.js';
import { CacheUse, type RequestTrace } from './query-event.js';
import { SingleFlight } from './single-flight.js';
import { type FirstRows, type SqlRowsOptions, startStatement } from './sql-rows.js';
import type { StatementRequest } from './statement-runner.js';

/** Dependencies of `SqlAnswers`. */
export interface SqlAnswersOptions extends SqlRowsOptions {
  /** Cache for small results. */
  readonly cache: BoundedCache<CachedAnswer>;
  /** Age in milliseconds up to which a cached result is fresh. */
  readonly maxAgeMs: number;
}

/** One statement and its options. */
export interface SqlCall {
  readonly plan: SqlPlan;
  readonly mode: CacheMode;
  readonly request: StatementRequest;
  /**
   * Whether the caller gets `ContinueWait` after the maximum wait. Otherwise, it waits until the rows are ready or gets
   * a stale result.
   */
  readonly canThrowContinueWait: boolean;
  readonly trace: RequestTrace;
}

/** The rows of a statement as JSON without the enclosing brackets. */
export interface SqlAnswer {
  /** The first rows, or all rows. */
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
  /** `null` if `pieces` contains all rows. Must be read to the end or closed. */
  readonly rest: RemainingRows | null;
  /** Time when the rows were read, in milliseconds since 1970. */
  readonly readAt: number;
}

/** Rows that are generated while they are read. */
export interface RemainingRows {
  /** Returns the next rows; `null` at the end. Throws as `Engine.stream` and `TaskQueue.run` do. */
  next(): Promise<Uint8Array | null>;
  close(): void;
}

/** Maximum size of the results that wait for callers that got `ContinueWait`. */
const readyBytes = 64 * 1024 * 1024;
/**
 * Maximum size of a cached result. Small, because many results are read concurrently, and each is buffered until it
 * exceeds this size.
 */
const maxCachedBytes = 1024 * 1024;

/**
 * Serves planned statements from the cache, as `QueryAnswers` does, or as a stream of rows. Identical statements share
 * a run until its first rows are ready. If more rows follow, one caller continues to read this run, and the others run
 * the statement separately.
 */
export class SqlAnswers {
  readonly #options: SqlAnswersOptions;
  readonly #runs = new SingleFlight<FirstRows>({
    readyBytes,
    bytesOf: ({ bytes }) => bytes,
    discard: ({ rest }) => rest?.close(),
  });

  constructor(options: SqlAnswersOptions) {
    this.#options = options;
  }

  /**
   * Returns the rows of one statement.
   * @throws PlatformError as `startStatement` does; ContinueWait when the maximum wait is over.
   */
  async serve(call: SqlCall): Promise<SqlAnswer> {
    const { mode, request } = call;
    const key = keyOf(call);
    return applyCacheMode({
      mode,
      // A caller that repeats its request after `ContinueWait` gets the result of its run, including the measured
      // times.
      cached: request.fresh || this.#runs.isReady(key) ? undefined : this.#options.cache.find(key),
      maxAgeMs: this.#options.maxAgeMs,
      serveCached: (cached, cache) => serveCached(call, cached, cache),
      refresh: () => this.#refresh(key, call),
      run: keepMs => this.#run(key, call, waitOptionsOf(call, keepMs)),
    });
  }

  async #run(key: string, call: SqlCall, request: StatementRequest): Promise<SqlAnswer> {
    const cache = this.#runs.has(key) ? CacheUse.shared : CacheUse.miss;
    const head = await this.#head(key, call, request);
    if (head.rest === null || head.rest.take()) return this.#answer(key, call, head, cache);
    // Another caller reads the rest of this run. If this caller gets `ContinueWait`, its next request uses the shared
    // run.
    const own = await this.#head(`${key} ${randomUUID()}`, call, { ...request, keepMs: 0 });
    own.rest?.take();
    return this.#answer(key, call, own, CacheUse.miss);
  }

  #head(key: string, { plan, trace }: SqlCall, request: StatementRequest): Promise<FirstRows> {
    return this.#runs.run(
      key,
      async handle => {
        const head = await startStatement(
          this.#options,
          trace.compile(() => plan.statement()),
          request.caller(),
          handle,
        );
        if (head.rest === null) this.#store(key, head);
        return head;
      },
      request,
    );
  }

  #answer(key: string, { trace }: SqlCall, head: FirstRows, cache: CacheUse): SqlAnswer {
    const { rest, queueMs, bytes, readAt } = head;
    trace.recordServed(cache, rowsIn(head), queueMs, head.engineMs);
    const pieces = head.pieces.map(({ json }) => json);
    if (rest === null) return { pieces, bytes, rest, readAt };
    const collected = { pieces: [...head.pieces], bytes, readAt };
    const next = async () => {
      const piece = await rest.next();
      if (piece === null) {
        this.#store(key, collected);
        return null;
      }
      trace.recordServed(cache, piece.rows, queueMs, rest.engineMs);
      collected.bytes += piece.json.byteLength;
      if (collected.bytes <= maxCachedBytes) collected.pieces.push(piece);
      else collected.pieces = [];
      return piece.json;
    };
    return { pieces, bytes, rest: { next, close: () => rest.close() }, readAt };
  }

  #store(key: string, { pieces, bytes, readAt }: Pick<FirstRows, 'pieces' | 'bytes' | 'readAt'>): void {
    if (bytes > maxCachedBytes) return;
    const answer = { fragments: pieces.map(({ json }) => json), rows: rowsIn({ pieces }), total: null };
    this.#options.cache.set(key, answer, bytes + 200, readAt);
  }

  /** Updates the cache in the background. If it fails and the problem persists, the next request reports it. */
  #refresh(key: string, call: SqlCall): void {
    const { caller, versions } = call.request;
    this.#head(key, call, { caller, versions, fresh: false }).then(
      ({ rest }) => {
        if (rest === null || !rest.take()) return;
        this.#options.cache.delete(key);
        rest.close();
      },
      () => undefined,
    );
  }
}

/**
 * Returns the options that limit the wait for rows. The wait is limited if a stale result can be served instead, or if
 * the caller accepts `ContinueWait`.
 */
function waitOptionsOf({ request, canThrowContinueWait }: SqlCall, keepMs: number | undefined): StatementRequest {
  if (keepMs !== undefined) return { ...request, keepMs };
  const { waitExpired, ...unlimited } = request;
  return canThrowContinueWait && waitExpired ? { ...unlimited, waitExpired } : unlimited;
}

function serveCached(
  { trace }: SqlCall,
  { value, bytes, storedAt }: CacheEntry<CachedAnswer>,
  cache: CacheUse,
): SqlAnswer {
  trace.recordServed(cache, value.rows);
  return { pieces: value.fragments, bytes, rest: null, readAt: storedAt };
}

function rowsIn({ pieces }: Pick<FirstRows, 'pieces'>): number {
  return pieces.reduce((sum, { rows }) => sum + rows, 0);
}

function keyOf({ plan, request }: SqlCall): string {
  const parts = JSON.stringify(['sql', request.versions, plan.key]);
  return createHash('sha256').update(parts).digest('base64');
}
