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

/** Of all results of a request that holds several queries. A result alone may be as large as the engine lets it be. */
const maxBytes = 128 * 1024 * 1024;

/** What one request holds until its answer is written. */
class ResultBudget {
  #bytes = 0;
  #parts = 0;
  #giveBacks: (() => void)[] = [];

  /** Notes a result that was picked up, and how it is given back. */
  readonly take = (giveBack: () => void): void => {
    this.#giveBacks.push(giveBack);
  };

  /**
   * Notes that a query is answered.
   * @param bytes - of its rows in memory, about.
   * @throws PlatformError 413 when it is too much together with the others.
   */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.#parts += 1;
    if (this.#parts === 1 || this.#bytes <= maxBytes) return;
    this.#giveBacks = [];
    throw new PlatformError(
      413,
      'The results of this request are too large together: send fewer queries at once, or set smaller limits.',
    );
  }

  /** The client asks for all of it again, and must find what was ready: else it would never have everything at once. */
  giveBack(): void {
    for (const giveBack of this.#giveBacks) giveBack();
  }
}

/** One query of a request, answered. */
interface LoadPart extends QueryAnswer {
  readonly plan: QueryPlan;
  /** ISO 8601. */
  readonly lastRefreshTime: string;
  /** Whose rows they are. */
  readonly dbType: SqlDialect;
}

/** Writes the answer to one query (`V1LoadResult`, domain.md 3). */
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

/** Writes the answer to a request that may hold several queries (`V1LoadResponse`). */
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

/** What load requests are answered with. */
interface LoadRequestsOptions {
  readonly engine: Engine;
  readonly model: LiveModel;
  readonly answers: QueryAnswers;
  readonly bodies: AnswerBodies;
  /** How long a request waits for its rows before it is told `Continue wait`. */
  readonly continueWaitMs: number;
}

/** How one request is answered. */
export interface AnswerOptions {
  readonly requestId: string;
  readonly trace: RequestTrace;
  readonly signal?: AbortSignal;
}

/** How one request is answered whose answer may be a stream. */
export interface LoadOptions extends AnswerOptions {
  /** Hears what broke an answer off midway, before `onEnd`; its reader has been told. */
  readonly onBreak?: (error: unknown) => void;
  /** Hears once when the answer was read to its end, or given up. */
  readonly onEnd?: OnBodyEnd;
}

/** What all queries of a request have in common. */
interface Common {
  readonly queryType: QueryType;
  readonly mode: CacheMode;
  readonly versions: string;
  /** When the data was, where that is not the moment of its reading. */
  readonly importedAt: Date | null;
  readonly caller: () => string;
  readonly turns: CooperativeScheduler;
}

/** The `queryType` by which a client says that it reads several results. */
const multi = 'multi';

/** Each statement of a request, of which a query may have two, listens; and whoever else does. */
const maxListeners = 2 * maxQueries + 10;

/** Answers load requests, each of which may hold several queries. */
export class LoadRequests {
  readonly #options: LoadRequestsOptions;

  constructor(options: LoadRequestsOptions) {
    this.#options = options;
  }

  /**
   * Answers a request with the rows that this caller may see, as JSON.
   * @throws as `DataService.load` says.
   */
  async load(request: LoadRequest, context: SecurityContext, options: LoadOptions): Promise<AnswerBody> {
    const { engine, model } = this.#options;
    const { requestId, signal, trace, onEnd } = options;
    // Taken once: a model or data that is swapped meanwhile is for the next request.
    const { current } = model;
    const versions = `${engine.dataVersion} ${current.version}`;
    const importedAt = engine.lastRefreshTime;
    const { queryType, queries } = readQuerySet(request.query);
    const isMulti = request.queryType === multi;
    if (!isMulti && queryType !== QueryType.regular) {
      throw new PlatformError(400, `a ${queryType} has several results: send it with queryType "multi"`);
    }
    const turns = new CooperativeScheduler(signal);
    const plan = (query: Query) => trace.compile(() => current.plan(query, context));
    const plans: QueryPlan[] = [];
    for (const query of queries) {
      if (plans.length > 0) await turns.next();
      plans.push(plan(query));
    }
    const mode = request.cache ?? CacheMode.staleIfSlow;
    const caller = () => JSON.stringify(context);
    const parts = await this.#answer(plans, { queryType, mode, versions, importedAt, caller, turns }, options);
    const pivotQuery = pivotQueryOf(
      queryType,
      plans.map(({ query }) => query),
    );
    const json = isMulti
      ? multiJson(parts, requestId, { queryType, pivotQuery })
      : chained(parts.map(part => partJson(part, requestId)));
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    return this.#options.bodies.make(trace.serialize(json), { bytes, caller }, onEnd);
  }

  /** Answers all queries, or none. */
  async #answer(plans: readonly QueryPlan[], common: Common, { signal, trace }: LoadOptions): Promise<LoadPart[]> {
    const { answers, continueWaitMs, engine } = this.#options;
    const { queryType, mode, versions, importedAt, caller, turns } = common;
    const limit = new WaitLimit(continueWaitMs);
    const held = new ResultBudget();
    if (signal) setMaxListeners(maxListeners, signal);
    const patience = { signal, over: () => limit.over, onTaken: held.take };
    const parts = plans.map(async plan => {
      if (plans.length > 1) await turns.next();
      const fresh = mode === CacheMode.noCache || plan.query.renewQuery === true;
      const extra = extraColumns(queryType, plan.query);
      const asked = { caller, versions, fresh, ...patience };
      const answered = await answers.serve({ plan, extra, mode, asked, trace, turns });
      held.add(answered.bytes);
      const lastRefreshTime = (importedAt ?? new Date(answered.readAt)).toISOString();
      return { plan, ...answered, lastRefreshTime, dbType: engine.dialect };
    });
    try {
      return await settleAll(parts);
    } catch (error) {
      if (error instanceof ContinueWait) held.giveBack();
      throw error;
    } finally {
      limit.clear();
    }
  }
}

function* chained(parts: readonly Iterable<Fragment>[]): Generator<Fragment> {
  for (const part of parts) yield* part;
}
