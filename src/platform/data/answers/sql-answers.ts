import { createHash, randomUUID } from 'node:crypto';
import type { CacheMode } from '../../../contract/query.js';
import type { BoundedCache, CacheEntry } from '../../runtime/bounded-cache.js';
import type { SqlPlan } from '../semantic-model.js';
import { applyCacheMode, type CachedAnswer } from './query-answers.js';
import { CacheUse, type RequestTrace } from './query-event.js';
import { SingleFlight } from './single-flight.js';
import { type FirstRows, type SqlRowsOptions, startStatement } from './sql-rows.js';
import type { StatementRequest } from './statement-runner.js';

/** What statements are answered with. */
export interface SqlAnswersOptions extends SqlRowsOptions {
  /** Where small results are kept. */
  readonly kept: BoundedCache<CachedAnswer>;
  /** How long one is given out without a question, in milliseconds. */
  readonly maxAgeMs: number;
}

/** One statement, and how it may be answered. */
export interface SqlCall {
  readonly plan: SqlPlan;
  readonly mode: CacheMode;
  readonly asked: StatementRequest;
  /** Whether the caller is told to ask again where its patience is over; else it waits, unless old rows are at hand. */
  readonly mayBeToldToWait: boolean;
  readonly trace: RequestTrace;
}

/** The rows of a statement, as JSON without brackets around. */
export interface SqlAnswer {
  /** The first of them, or all. */
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
  /** Null where that is all. To be read to its end, or closed. */
  readonly rest: RemainingRows | null;
  /** When they were read, in milliseconds since 1970. */
  readonly readAt: number;
}

/** Rows that are made as they are read. */
export interface RemainingRows {
  /** The next rows; null when there are no more. Throws as `Engine.stream` and `TaskQueue.run` do. */
  next(): Promise<Uint8Array | null>;
  close(): void;
}

/** Of results that wait for those who were told to ask again. */
const readyBytes = 64 * 1024 * 1024;
/** Largest result that is kept: many are read at once, and each of them is collected until it is larger. */
const maxKeptBytes = 1024 * 1024;

/**
 * Answers planned statements: from the cache as `QueryAnswers` does, else by rows that are made as they are read. Equal statements share a
 * run until its first rows are there; where these are not all, one reads on, and the others have it run for themselves.
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
   * The rows of one statement.
   * @throws PlatformError as `startStatement` does; ContinueWait when the maximum wait is over.
   */
  async serve(call: SqlCall): Promise<SqlAnswer> {
    const { mode, asked } = call;
    const key = keyOf(call);
    return applyCacheMode({
      mode,
      // Who comes back for a run picks up that run, with what it took.
      found: asked.fresh || this.#runs.isReady(key) ? undefined : this.#options.kept.find(key),
      maxAgeMs: this.#options.maxAgeMs,
      giveOut: (found, cache) => giveOut(call, found, cache),
      refresh: () => this.#refresh(key, call),
      run: keepMs => this.#run(key, call, waitOptionsOf(call, keepMs)),
    });
  }

  async #run(key: string, call: SqlCall, asked: StatementRequest): Promise<SqlAnswer> {
    const cache = this.#runs.has(key) ? CacheUse.shared : CacheUse.miss;
    const head = await this.#head(key, call, asked);
    if (head.rest === null || head.rest.take()) return this.#answer(key, call, head, cache);
    // Somebody else reads on from here. Whoever is told to wait comes back to the shared run.
    const own = await this.#head(`${key} ${randomUUID()}`, call, { ...asked, keepMs: 0 });
    own.rest?.take();
    return this.#answer(key, call, own, CacheUse.miss);
  }

  #head(key: string, { plan, trace }: SqlCall, asked: StatementRequest): Promise<FirstRows> {
    return this.#runs.run(
      key,
      async handle => {
        const head = await startStatement(
          this.#options,
          trace.compile(() => plan.statement()),
          asked.caller(),
          handle,
        );
        if (head.rest === null) this.#keep(key, head);
        return head;
      },
      asked,
    );
  }

  #answer(key: string, { trace }: SqlCall, head: FirstRows, cache: CacheUse): SqlAnswer {
    const { rest, queueMs, bytes, readAt } = head;
    trace.served(cache, rowsIn(head), queueMs, head.engineMs);
    const pieces = head.pieces.map(({ json }) => json);
    if (rest === null) return { pieces, bytes, rest, readAt };
    const collected = { pieces: [...head.pieces], bytes, readAt };
    const next = async () => {
      const piece = await rest.next();
      if (piece === null) {
        this.#keep(key, collected);
        return null;
      }
      trace.served(cache, piece.rows, queueMs, rest.engineMs);
      collected.bytes += piece.json.byteLength;
      if (collected.bytes <= maxKeptBytes) collected.pieces.push(piece);
      else collected.pieces = [];
      return piece.json;
    };
    return { pieces, bytes, rest: { next, close: () => rest.close() }, readAt };
  }

  #keep(key: string, { pieces, bytes, readAt }: Pick<FirstRows, 'pieces' | 'bytes' | 'readAt'>): void {
    if (bytes > maxKeptBytes) return;
    const kept = { fragments: pieces.map(({ json }) => json), rows: rowsIn({ pieces }), total: null };
    this.#options.kept.set(key, kept, bytes + 200, readAt);
  }

  /** Who asks next is told what went wrong, if it still does. */
  #refresh(key: string, call: SqlCall): void {
    const { caller, versions } = call.asked;
    this.#head(key, call, { caller, versions, fresh: false }).then(
      ({ rest }) => {
        if (rest === null || !rest.take()) return;
        this.#options.kept.delete(key);
        rest.close();
      },
      () => undefined,
    );
  }
}

/** Old rows are given out in the place of a wait; where there are none, only who asked for it is told to. */
function waitOptionsOf({ asked, mayBeToldToWait }: SqlCall, keepMs: number | undefined): StatementRequest {
  if (keepMs !== undefined) return { ...asked, keepMs };
  const { over, ...patient } = asked;
  return mayBeToldToWait && over ? { ...patient, over } : patient;
}

function giveOut({ trace }: SqlCall, { value, bytes, storedAt }: CacheEntry<CachedAnswer>, cache: CacheUse): SqlAnswer {
  trace.served(cache, value.rows);
  return { pieces: value.fragments, bytes, rest: null, readAt: storedAt };
}

function rowsIn({ pieces }: Pick<FirstRows, 'pieces'>): number {
  return pieces.reduce((sum, { rows }) => sum + rows, 0);
}

function keyOf({ plan, asked }: SqlCall): string {
  const parts = JSON.stringify(['sql', asked.versions, plan.key]);
  return createHash('sha256').update(parts).digest('base64');
}
