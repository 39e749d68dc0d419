import { setMaxListeners } from 'node:events';
import { CacheMode, type LoadRequest, maxQueries, type Query } from '../../contract/query.js';
import { PlatformError } from '../errors.js';
import type { AnswerBodies, AnswerBody, Fragment, OnBodyEnd } from './answer-body.js';
import type { Answers } from './answers.js';
import { ContinueWait } from './continue-wait.js';
import type { Engine } from './engine.js';
import { HeldResults } from './held-results.js';
import { type LoadPart, multiJson, partJson } from './load-answer.js';
import { extraColumns, pivotQueryOf, QueryType, readQuerySet } from './query-set.js';
import type { RequestTrace } from './request-trace.js';
import type { LiveModel, QueryPlan, SecurityContext } from './semantic-model.js';
import { together } from './together.js';
import { Turns } from './turns.js';
import { WaitLimit } from './wait-limit.js';

/** What load requests are answered with. */
export interface LoadsOptions {
  readonly engine: Engine;
  readonly model: LiveModel;
  readonly answers: Answers;
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
  readonly turns: Turns;
}

/** The `queryType` by which a client says that it reads several results. */
const multi = 'multi';

/** Each statement of a request, of which a query may have two, listens; and whoever else does. */
const maxListeners = 2 * maxQueries + 10;

/** Answers load requests, each of which may hold several queries. */
export class Loads {
  readonly #options: LoadsOptions;

  constructor(options: LoadsOptions) {
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
    const turns = new Turns(signal);
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
    const held = new HeldResults();
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
      return await together(parts);
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
