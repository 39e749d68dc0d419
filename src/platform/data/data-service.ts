import type { LoadResponse, MetaResponse } from '../../contract/data.js';
import type { LoadRequest, Query } from '../../contract/query.js';
import type { Engine, EngineResult } from './engine.js';
import { Lane } from './lane.js';
import { toLoadResponse } from './load-response.js';
import { ResultCache } from './result-cache.js';
import type { LiveModel, QueryPlan, SecurityContext, Statement } from './semantic-model.js';
import { SharedRuns } from './shared-runs.js';

/** What a data service is made of, and what it may use. */
export interface DataServiceOptions {
  readonly engine: Engine;
  readonly model: LiveModel;
  /**
   * Statements that the engine runs at once; 3 by default: each holds one of the 4 threads that Node has for such work, and one
   * has to be left for everything else. One caller gets one less at most.
   */
  readonly concurrency?: number;
  /** Statements that may wait, a quarter of them of one caller; 200 by default. Beyond them a query is answered 503. */
  readonly queueLimit?: number;
  /** Size of the result cache in bytes; 64 MB by default, 0 keeps nothing. */
  readonly cacheBytes?: number;
  /** How long a result is given out again; 60 seconds by default. A change of the data ends it at once. */
  readonly cacheMaxAgeMs?: number;
}

/** How one query is answered. */
export interface LoadOptions {
  readonly requestId: string;
  readonly signal?: AbortSignal;
  /** `no-cache` runs the query even when its result is at hand, as `renewQuery` does. */
  readonly cache?: LoadRequest['cache'];
}

/** The Data API behind its routes: answers queries for any caller. */
export interface DataService {
  /**
   * Answers one query with the rows that this caller may see.
   * @throws PlatformError 400 for a query that is invalid or too costly, 499 when aborted, 503 when too many run.
   */
  load(query: Query, context: SecurityContext, options: LoadOptions): Promise<LoadResponse>;
  /** The model as far as this caller may see it. */
  meta(context: SecurityContext): MetaResponse;
  /** Plans and runs a small query of every cube ahead, so that the first caller doesn't wait for it. Never throws. */
  warm(): Promise<void>;
}

/** Makes the data service of one model over one engine. */
export function createDataService(options: DataServiceOptions): DataService {
  const { engine, model } = options;
  const runner = createRunner(options);

  async function load(query: Query, context: SecurityContext, how: LoadOptions): Promise<LoadResponse> {
    const plan = model.current.plan(query, context);
    const { lastRefreshTime } = engine;
    const fresh = query.renewQuery === true || how.cache === 'no-cache';
    const asked = { caller: JSON.stringify(context), signal: how.signal };
    const result = await (fresh ? runner.run(plan, asked) : runner.runOrReuse(plan, asked));
    return toLoadResponse(plan, result, { lastRefreshTime, requestId: how.requestId });
  }

  return {
    load,
    meta: context => model.current.meta(context),
    async warm() {
      try {
        for (const plan of model.current.rehearsals()) await runner.run(plan, { caller: 'rehearsal' });
      } catch {
        // What can't be rehearsed is told to whoever asks for it.
      }
    },
  };
}

interface Asked {
  /** Everything that the caller's rows hang on, so users of one tenant may count as one. */
  readonly caller: string;
  readonly signal?: AbortSignal | undefined;
}

interface Runner {
  /** Runs a plan, together with whoever runs an equal one at this moment. */
  run(plan: QueryPlan, asked: Asked): Promise<EngineResult>;
  /** Gives out the result of an equal plan where one is at hand. */
  runOrReuse(plan: QueryPlan, asked: Asked): Promise<EngineResult>;
}

function createRunner({ engine, model, ...options }: DataServiceOptions): Runner {
  const lane = new Lane({ concurrency: options.concurrency ?? 3, queueLimit: options.queueLimit ?? 200 });
  const shared = new SharedRuns<EngineResult>();
  const cache = new ResultCache({
    maxBytes: options.cacheBytes ?? 64 * 1024 * 1024,
    maxAgeMs: options.cacheMaxAgeMs ?? 60_000,
  });

  // The row filter and its values are part of the statement, so callers share a result only where they see the same rows.
  const keyOf = ({ sql, parameters }: Statement) =>
    JSON.stringify([engine.dataVersion, model.current.version, sql, parameters]);

  async function run({ sql, parameters }: Statement, { caller, signal }: Asked): Promise<EngineResult> {
    const key = keyOf({ sql, parameters });
    const start = async (stop: AbortSignal) => {
      const result = await lane.run(caller, () => engine.run(sql, parameters, { signal: stop }), stop);
      cache.set(key, result);
      return result;
    };
    return shared.run(key, start, signal);
  }

  return {
    run: async (plan, asked) => run(plan.statement(), asked),
    runOrReuse: async (plan, asked) => {
      const statement = plan.statement();
      return cache.get(keyOf(statement)) ?? run(statement, asked);
    },
  };
}
