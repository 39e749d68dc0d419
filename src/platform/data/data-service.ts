import type { MetaResponse } from '../../contract/data.js';
import { CacheMode, type LoadRequest } from '../../contract/query.js';
import { LoggableError, PlatformError } from '../errors.js';
import { AnswerBodies, type AnswerBody, type Fragment, type OnBodyEnd } from './answer-body.js';
import { Answers } from './answers.js';
import { ContinueWait } from './continue-wait.js';
import { type DryRun, dryRunOf } from './dry-run.js';
import type { Engine } from './engine.js';
import { multiJson, partJson } from './load-answer.js';
import { extraColumns, pivotQueryOf, QueryType, readQuerySet } from './query-set.js';
import type { RequestTrace } from './request-trace.js';
import type {
  LiveModel,
  MetaOptions,
  NormalizedQuery,
  QueryPlan,
  SecurityContext,
  SemanticModel,
} from './semantic-model.js';
import { StatementRunner } from './statement-runner.js';
import { together } from './together.js';
import { WaitLimit } from './wait-limit.js';

/** What a data service is made of, and what it may use. */
export interface DataServiceOptions {
  readonly engine: Engine;
  readonly model: LiveModel;
  /**
   * Statements that the engine runs at once; 3 by default: each holds one of the 4 threads that Node has for such work, and one
   * has to be left for everything else. One caller gets one less at most.
   */
  readonly concurrency?: number;
  /** Statements that may wait, a quarter of them of one caller; 1,000 by default. Beyond them a query is answered 503. */
  readonly queueLimit?: number;
  /** Size of the caches in bytes; 64 MB by default, 0 keeps nothing. */
  readonly cacheBytes?: number;
  /** How long a result is given out again; 60 seconds by default. A change of the data ends it at once. */
  readonly cacheMaxAgeMs?: number;
  /** Hears, in a sentence, of SQL of the model that the engine does not take. */
  readonly onProblem?: (message: string) => void;
  /** How long a request waits for its rows before it is told `Continue wait`; 5 seconds by default. */
  readonly continueWaitMs?: number;
}

/** How one request is answered. */
export interface LoadOptions {
  readonly requestId: string;
  readonly trace: RequestTrace;
  readonly signal?: AbortSignal;
  /** Hears once when the answer was read to its end, or given up. */
  readonly onEnd?: OnBodyEnd;
}

/** What runs, what waits, and what is kept. */
export interface DataServiceStats {
  readonly running: number;
  readonly waiting: number;
  readonly cacheBytes: number;
  readonly cacheEntries: number;
}

/** The Data API behind its routes: answers queries for any caller. */
export interface DataService {
  /**
   * Answers a request with the rows that this caller may see, as JSON.
   * @throws PlatformError 400 for a query that is invalid or too costly, 499 when aborted, 503 when too many run; ContinueWait for
   * one that takes longer than a request may, and goes on.
   */
  load(request: LoadRequest, context: SecurityContext, options: LoadOptions): Promise<AnswerBody>;
  /**
   * How a request would be understood, without running it.
   * @throws PlatformError 400 as `load` does.
   */
  dryRun(query: LoadRequest['query'], context: SecurityContext): DryRun;
  /** The model as far as this caller may see it. */
  meta(context: SecurityContext, options?: MetaOptions): MetaResponse;
  /**
   * Plans and runs a small query of every cube ahead, so that the first caller doesn't wait for it. Never throws.
   * @param model - the one that is served, by default.
   */
  warm(model?: SemanticModel): Promise<void>;
  /** What runs, what waits, and what is kept. */
  stats(): DataServiceStats;
}

/** The `queryType` by which a client says that it reads several results. */
const multi = 'multi';

/** Makes the data service of a model over an engine. */
export function createDataService(options: DataServiceOptions): DataService {
  const { engine, model, cacheBytes = 64 * 1024 * 1024, cacheMaxAgeMs = 60_000, continueWaitMs = 5000 } = options;
  const { concurrency = 3, queueLimit = 1000, onProblem } = options;
  const half = cacheBytes / 2;
  const runner = new StatementRunner({ engine, concurrency, queueLimit, cacheBytes: half, cacheMaxAgeMs });
  const answers = new Answers(runner, half, cacheMaxAgeMs);
  const bodies = new AnswerBodies();

  async function load(request: LoadRequest, context: SecurityContext, options: LoadOptions): Promise<AnswerBody> {
    const { requestId, signal, trace, onEnd } = options;
    // Taken once: a model or data that is swapped meanwhile is for the next request.
    const { current } = model;
    const versions = `${engine.dataVersion} ${current.version}`;
    const lastRefreshTime = engine.lastRefreshTime.toISOString();
    const { queryType, queries } = readQuerySet(request.query);
    const isMulti = request.queryType === multi;
    if (!isMulti && queryType !== QueryType.regular) {
      throw new PlatformError(400, `a ${queryType} has several results: send it with queryType "multi"`);
    }
    const plans = trace.compile(() => queries.map(query => current.plan(query, context)));
    const mode = request.cache ?? CacheMode.staleIfSlow;
    const caller = () => JSON.stringify(context);
    const limit = new WaitLimit(continueWaitMs);
    const taken: (() => void)[] = [];
    const patience = { signal, over: () => limit.over, onTaken: (giveBack: () => void) => taken.push(giveBack) };
    try {
      const calls = plans.map(async plan => {
        const fresh = mode === CacheMode.noCache || plan.query.renewQuery === true;
        const asked = { caller, versions, fresh, ...patience };
        const answered = await answers.serve({ plan, extra: extraColumns(queryType, plan.query), mode, asked, trace });
        return { plan, ...answered, lastRefreshTime };
      });
      const parts = await together(calls);
      const json = isMulti
        ? multiJson(parts, requestId, { queryType, pivotQuery: pivotQueryOf(queryType, queriesOf(plans)) })
        : chained(parts.map(part => partJson(part, requestId)));
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
      return bodies.make(trace.serialize(json), { bytes, caller }, onEnd);
    } catch (error) {
      // The client asks for all of it again, and must find what was ready: else it would never have everything at once.
      if (error instanceof ContinueWait) for (const giveBack of taken) giveBack();
      throw error;
    } finally {
      limit.clear();
    }
  }

  return {
    load,
    dryRun: (query, context) => {
      const { queryType, queries } = readQuerySet(query);
      const plans = queries.map(one => model.current.plan(one, context));
      for (const plan of plans) plan.statement();
      return dryRunOf(queryType, queriesOf(plans));
    },
    meta: (context, meta) => model.current.meta(context, meta),
    async warm(fresh = model.current) {
      const versions = `${engine.dataVersion} ${fresh.version}`;
      for (const plan of fresh.rehearsals()) {
        try {
          await runner.rows(plan.statement(), { caller: () => 'rehearsal', versions, fresh: true });
        } catch (error) {
          // Whatever else a query may be refused for is told to whoever asks it.
          if (error instanceof LoggableError) onProblem?.(`${entityOf(plan)} can't be queried: ${error.message}`);
        }
      }
    },
    stats: () => {
      const { cacheBytes: bytes, cacheEntries: entries } = answers.stats;
      const { running, waiting, cacheBytes, cacheEntries } = runner.stats;
      return { running, waiting, cacheBytes: cacheBytes + bytes, cacheEntries: cacheEntries + entries };
    },
  };
}

/** The cube or view that a rehearsal is of. */
function entityOf({ columns }: QueryPlan): string {
  return columns[0]?.member.split('.', 1)[0] ?? '';
}

function queriesOf(plans: readonly QueryPlan[]): NormalizedQuery[] {
  return plans.map(({ query }) => query);
}

function* chained(parts: readonly Iterable<Fragment>[]): Generator<Fragment> {
  for (const part of parts) yield* part;
}
