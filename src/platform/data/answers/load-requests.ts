import { setMaxListeners } from 'node:events';
import { CacheMode, type LoadRequest, maxQueries, type Query } from '../../../contract/query.js';
import type { SecurityContext } from '../../auth/principal.js';
import { PlatformError } from '../../errors.js';
import { CooperativeScheduler } from '../../runtime/time-slicer.js';
import type { Engine, SqlDialect } from '../engines/engine.js';
import type { LiveModel, QueryPlan } from '../semantic-model.js';
import type { AnswerBodies, AnswerBody, Fragment, OnBodyEnd } from './answer-body.js';
import { ContinueWait, settleAll, WaitLimit } from './continue-wait.js';
import type { QueryAnswer, QueryAnswers } from './query-answers.js';
import type { RequestTrace } from './query-event.js';
import { extraColumns, type PivotQuery, pivotQueryOf, QueryType, readQuerySet } from './query-set.js';

/**
 * Maximum size of the results of a request with several queries. The size of a single result is limited only by the
 * engine.
 */
const maxBytes = 128 * 1024 * 1024;

/** Tracks the results of one request until the response is written. */
class ResultBudget {
  #bytes = 0;
  #parts = 0;
  #restores: (() => void)[] = [];

  /** Registers a function that makes a delivered result available to a repeated request. */
  readonly onDelivered = (restore: () => void): void => {
    this.#restores.push(restore);
  };

  /**
   * Adds the result of a query.
   * @param bytes - approximate size of its rows in memory.
   * @throws PlatformError 413 if the total size of several results is too large.
   */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.#parts += 1;
    if (this.#parts === 1 || this.#bytes <= maxBytes) return;
    this.#restores = [];
    throw new PlatformError(
      413,
      'The combined results of this request are too large. Send fewer queries per request, or set smaller limits.',
    );
  }

  /** Releases the reserved size of all results of this request, because the client repeats the whole request. */
  restore(): void {
    for (const restore of this.#restores) restore();
  }
}

/** The result of one query of a request. */
interface LoadPart extends QueryAnswer {
  readonly plan: QueryPlan;
  /** Time when the rows were read, in ISO 8601. */
  readonly lastRefreshTime: string;
  /** Dialect of the engine that returned the rows. */
  readonly dbType: SqlDialect;
}

/** Writes the result of one query (`V1LoadResult`, domain.md 3). */
function* partJson(
  { plan, data, total, slowQuery, lastRefreshTime, dbType }: LoadPart,
  requestId: string,
): Generator<Fragment> {
  yield `{"query":${JSON.stringify(plan.query)},"data":`;
  yield* data;
  const facts = { lastRefreshTime, requestId, dbType, external: false, slowQuery };
  const counted = total === null ? facts : { ...facts, total };
  yield `,"annotation":${JSON.stringify(plan.annotation)},${JSON.stringify(counted).slice(1)}`;
}

/** Writes the response to a request with several queries (`V1LoadResponse`). */
function* multiJson(
  parts: readonly LoadPart[],
  requestId: string,
  { queryType, pivotQuery }: { readonly queryType: QueryType; readonly pivotQuery: PivotQuery },
): Generator<Fragment> {
  yield `{"queryType":${JSON.stringify(queryType)},"results":[`;
  for (const [index, part] of parts.entries()) {
    if (index > 0) yield ',';
    yield* partJson(part, requestId);
  }
  const slowQuery = parts.some(part => part.slowQuery);
  yield `],"pivotQuery":${JSON.stringify(pivotQuery)},"slowQuery":${slowQuery}}`;
}

/** Dependencies of `LoadRequests`. */
interface LoadRequestsOptions {
  readonly engine: Engine;
  readonly model: LiveModel;
  readonly answers: QueryAnswers;
  readonly bodies: AnswerBodies;
  /** How long a request waits for rows before it returns `Continue wait`, in milliseconds. */
  readonly continueWaitMs: number;
}

/** Options of one request. */
export interface AnswerOptions {
  readonly requestId: string;
  readonly trace: RequestTrace;
  readonly signal?: AbortSignal;
}

/** Options of one request whose response may be a stream. */
export interface LoadOptions extends AnswerOptions {
  /** Called before `onEnd` with the error that ended a response early. The client has already received the error. */
  readonly onBreak?: (error: unknown) => void;
  /** Called once when the response was read completely or aborted. */
  readonly onEnd?: OnBodyEnd;
}

/** Values that all queries of a request share. */
interface Common {
  readonly queryType: QueryType;
  readonly mode: CacheMode;
  readonly versions: string;
  /** Time of the import; `null` if rows are read live. */
  readonly importedAt: Date | null;
  readonly caller: () => string;
  readonly scheduler: CooperativeScheduler;
}

/** The `queryType` that clients send if they accept several results. */
const multi = 'multi';

/**
 * Maximum number of listeners of a signal. Each of the up to two statements of a query adds one, and other code adds a
 * few.
 */
const maxListeners = 2 * maxQueries + 10;

/** Handles load requests, which may contain several queries. */
export class LoadRequests {
  readonly #options: LoadRequestsOptions;

  constructor(options: LoadRequestsOptions) {
    this.#options = options;
  }

  /**
   * Returns the rows that are visible to this caller, as JSON.
   * @throws the errors of `DataAnswers.load`.
   */
  async load(request: LoadRequest, context: SecurityContext, options: LoadOptions): Promise<AnswerBody> {
    const { engine, model } = this.#options;
    const { requestId, signal, trace, onEnd } = options;
    // Read the model and the versions once, so that a replacement in the meantime does not affect this request.
    const { current } = model;
    const versions = `${engine.dataVersion} ${current.version}`;
    const importedAt = engine.lastRefreshTime;
    const { queryType, queries } = readQuerySet(request.query);
    const isMulti = request.queryType === multi;
    if (!isMulti && queryType !== QueryType.regular) {
      throw new PlatformError(400, `A ${queryType} has several results: send it with queryType "multi"`);
    }
    const scheduler = new CooperativeScheduler(signal);
    const plan = (query: Query) => trace.compile(() => current.plan(query, context));
    const plans: QueryPlan[] = [];
    for (const query of queries) {
      if (plans.length > 0) await scheduler.next();
      plans.push(plan(query));
    }
    const mode = request.cache ?? CacheMode.staleIfSlow;
    const caller = () => JSON.stringify(context);
    const parts = await this.#answer(plans, { queryType, mode, versions, importedAt, caller, scheduler }, options);
    const pivotQuery = pivotQueryOf(
      queryType,
      plans.map(({ query }) => query),
    );
    const json = isMulti
      ? multiJson(parts, requestId, { queryType, pivotQuery })
      : concat(parts.map(part => partJson(part, requestId)));
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    return this.#options.bodies.make(trace.serialize(json), { bytes, caller }, onEnd);
  }

  /** Runs all queries. Fails if one of them fails. */
  async #answer(plans: readonly QueryPlan[], common: Common, { signal, trace }: LoadOptions): Promise<LoadPart[]> {
    const { answers, continueWaitMs, engine } = this.#options;
    const { queryType, mode, versions, importedAt, caller, scheduler } = common;
    const limit = new WaitLimit(continueWaitMs);
    const budget = new ResultBudget();
    if (signal) setMaxListeners(maxListeners, signal);
    const waitOptions = { signal, waitExpired: () => limit.expired, onDelivered: budget.onDelivered };
    const parts = plans.map(async plan => {
      if (plans.length > 1) await scheduler.next();
      const fresh = mode === CacheMode.noCache || plan.query.renewQuery === true;
      const extra = extraColumns(queryType, plan.query);
      const request = { caller, versions, fresh, ...waitOptions };
      const answer = await answers.serve({ plan, extra, mode, request, trace, scheduler });
      budget.add(answer.bytes);
      const lastRefreshTime = (importedAt ?? new Date(answer.readAt)).toISOString();
      return { plan, ...answer, lastRefreshTime, dbType: engine.dialect };
    });
    try {
      return await settleAll(parts);
    } catch (error) {
      if (error instanceof ContinueWait) budget.restore();
      throw error;
    } finally {
      limit.clear();
    }
  }
}

function* concat(parts: readonly Iterable<Fragment>[]): Generator<Fragment> {
  for (const part of parts) yield* part;
}
