import type { MetaResponse } from '../../contract/meta.js';
import type { LoadRequest } from '../../contract/query.js';
import type { SqlRequest } from '../../contract/sql.js';
import type { SecurityContext } from '../auth/principal.js';
import { LoggableError, PlatformError } from '../errors.js';
import { BoundedCache } from '../runtime/bounded-cache.js';
import { StreamLimit } from '../runtime/stream-limit.js';
import { TaskQueue } from '../runtime/task-queue.js';
import { CooperativeScheduler } from '../runtime/time-slicer.js';
import { AnswerBodies, type AnswerBody } from './answers/answer-body.js';
import { type AnswerOptions, type LoadOptions, LoadRequests } from './answers/load-requests.js';
import { type CachedAnswer, QueryAnswers } from './answers/query-answers.js';
import { type PivotQuery, pivotQueryOf, type QueryType, readQuerySet } from './answers/query-set.js';
import { SqlAnswers } from './answers/sql-answers.js';
import { SqlRequests } from './answers/sql-requests.js';
import { StatementRunner } from './answers/statement-runner.js';
import type { Engine } from './engines/engine.js';
import type { LiveModel, MetaOptions, NormalizedQuery, QueryPlan, SemanticModel } from './semantic-model.js';
import { loadParser } from './sql/read-statement.js';

/** The interpretation of a request (spec: response of `/v1/dry-run`). */
export interface DryRun {
  readonly queryType: QueryType;
  readonly normalizedQueries: readonly (NormalizedQuery & { readonly queryType: QueryType })[];
  readonly pivotQuery: PivotQuery;
  /** Sort direction by member, one object per query. */
  readonly queryOrder: readonly Readonly<Record<string, 'asc' | 'desc'>>[];
  /** Always `null`. Used only by servers with pre-aggregations. */
  readonly transformedQueries: readonly null[];
}

/** Builds the `/v1/dry-run` response for planned queries. */
export function dryRunOf(queryType: QueryType, queries: readonly NormalizedQuery[]): DryRun {
  return {
    queryType,
    normalizedQueries: queries.map(query => ({ ...query, queryType })),
    pivotQuery: pivotQueryOf(queryType, queries),
    queryOrder: queries.map(directions),
    transformedQueries: queries.map(() => null),
  };
}

function directions({ order = [] }: NormalizedQuery): Record<string, 'asc' | 'desc'> {
  if (!Array.isArray(order)) return order;
  return Object.fromEntries(order.map(item => (Array.isArray(item) ? item : [item.id, item.desc ? 'desc' : 'asc'])));
}

/** Dependencies and limits of a data service. */
export interface DataServiceOptions {
  readonly engine: Engine;
  readonly model: LiveModel;
  /**
   * Maximum number of statements that the engine runs concurrently; 3 by default. Each statement occupies one of the 4
   * threads of Node's thread pool, and one thread must stay free for all other work. A single caller can use all but
   * one of these slots. If the engine isolates streams, it runs the same number of streams in addition.
   */
  readonly concurrency?: number;
  /** Queue that runs the statements. Set it to share the limits above with other services in this process. */
  readonly queue?: TaskQueue | undefined;
  /**
   * Maximum number of open result streams; 40 by default. A single caller can use a quarter of them. Each stream holds
   * a connection to the engine.
   */
  readonly streams?: number;
  /**
   * Maximum number of queued statements; 1,000 by default. A single caller can use a quarter of them. Further queries
   * fail with 503.
   */
  readonly queueLimit?: number;
  /** Size of the caches in bytes; 64 MB by default. 0 disables caching. */
  readonly cacheBytes?: number;
  /**
   * How long a result is served from the cache; 60 seconds by default. A change to the data invalidates it immediately.
   */
  readonly cacheMaxAgeMs?: number;
  /** Called with a message if the engine rejects SQL from the model. */
  readonly onProblem?: (message: string) => void;
  /** How long a request waits for rows before it returns `Continue wait`; 5 seconds by default. */
  readonly continueWaitMs?: number;
}

/** Numbers of running and queued statements, and the size of the caches. */
export interface DataServiceStats {
  readonly running: number;
  readonly waiting: number;
  readonly cacheBytes: number;
  readonly cacheEntries: number;
}

/** Handles the requests of all callers, either locally or by forwarding them to an upstream cluster. */
export interface DataAnswers {
  /**
   * Returns the rows that are visible to this caller, as JSON.
   * @throws PlatformError 400 for a query that is invalid or too costly, 499 if aborted, 503 if too many queries are
   * running; ContinueWait if the query takes longer than one request may wait. The query continues to run.
   */
  load(request: LoadRequest, context: SecurityContext, options: LoadOptions): Promise<AnswerBody>;
  /**
   * Returns the interpretation of a request without running its queries.
   * @throws PlatformError 400 as `load` does.
   */
  dryRun(query: LoadRequest['query'], context: SecurityContext, options: AnswerOptions): Promise<object>;
  /** Returns the part of the model that is visible to this caller. */
  meta(context: SecurityContext, options: AnswerOptions & MetaOptions): MetaResponse | Promise<MetaResponse>;
  /**
   * Returns the rows of semantic SQL that are visible to this caller, as JSON lines.
   * @throws PlatformError as `load` does; ContinueWait only if the request sets the corresponding option.
   */
  sql(request: SqlRequest, context: SecurityContext, options: LoadOptions): Promise<AnswerBody>;
  /**
   * Returns the SQL that is generated for load queries, including row filters. Only for callers that may read the
   * model.
   * @throws PlatformError 400 as `load` does.
   */
  generatedSql(query: LoadRequest['query'], context: SecurityContext, options: AnswerOptions): object | Promise<object>;
  /** Returns the load query that is equivalent to semantic SQL, or the reason why none exists (`ConvertedQuery`). */
  convertSql(text: string, context: SecurityContext, options: AnswerOptions): Promise<object>;
}

/** A data service that runs queries in this process. */
export interface DataService extends DataAnswers {
  dryRun(query: LoadRequest['query'], context: SecurityContext, options: AnswerOptions): Promise<DryRun>;
  /**
   * Plans and runs a small query of every cube and loads the SQL parser, so that the first caller does not wait for it.
   * Never throws.
   * @param model - the current model by default.
   */
  warm(model?: SemanticModel): Promise<void>;
  /** Returns the numbers of running and queued statements, and the size of the caches. */
  stats(): DataServiceStats;
}

/** Creates the data service for a model and an engine. */
export function createDataService(options: DataServiceOptions): DataService {
  const { engine, model, cacheBytes = 64 * 1024 * 1024, cacheMaxAgeMs = 60_000, continueWaitMs = 5000 } = options;
  const { concurrency = 3, streams = 40, queueLimit = 1000, onProblem } = options;
  const half = cacheBytes / 2;
  const queue = options.queue ?? new TaskQueue({ concurrency, queueLimit });
  // A separate queue, because slow SQL statements must not block load queries.
  const streamQueue = engine.isolatesStreams ? new TaskQueue({ concurrency, queueLimit }) : queue;
  const queues = [...new Set([queue, streamQueue])];
  const runner = new StatementRunner({ engine, queue, cacheBytes: half, cacheMaxAgeMs });
  const cache = new BoundedCache<CachedAnswer>(half);
  const bodies = new AnswerBodies();
  const open = new StreamLimit({ all: streams, own: Math.ceil(streams / 4), refusal: tooManyStreams });
  const loads = new LoadRequests({
    engine,
    model,
    answers: new QueryAnswers(runner, cache, cacheMaxAgeMs),
    bodies,
    continueWaitMs,
  });
  const statements = new SqlAnswers({ engine, queue: streamQueue, open, cache, maxAgeMs: cacheMaxAgeMs });
  const sqls = new SqlRequests({ engine, model, answers: statements, bodies, continueWaitMs });

  return {
    load: (request, context, loadOptions) => loads.load(request, context, loadOptions),
    async dryRun(query, context, { trace }) {
      const { current } = model;
      const { queryType, queries } = readQuerySet(query);
      const scheduler = new CooperativeScheduler();
      const normalized: NormalizedQuery[] = [];
      for (const one of queries) {
        if (normalized.length > 0) await scheduler.next();
        const plan = trace.compile(() => current.plan(one, context));
        trace.compile(() => plan.statement());
        normalized.push(plan.query);
      }
      return dryRunOf(queryType, normalized);
    },
    meta: (context, options) => model.current.meta(context, options),
    sql: (request, context, loadOptions) => sqls.run(request, context, loadOptions),
    generatedSql: (query, context, answerOptions) => sqls.generated(query, context, answerOptions),
    convertSql: (text, context, answerOptions) => sqls.convert(text, context, answerOptions),
    async warm(fresh = model.current) {
      // Do not wait for the parser. If it cannot be loaded, requests with SQL report the error.
      loadParser().catch(() => undefined);
      const versions = `${engine.dataVersion} ${fresh.version}`;
      for (const plan of fresh.rehearsals()) {
        try {
          await runner.rows(plan.statement(), { caller: () => 'rehearsal', versions, fresh: true });
        } catch (error) {
          // Ignore other errors, because callers get them when they send a query.
          if (error instanceof LoggableError) onProblem?.(`${entityOf(plan)} cannot be queried: ${error.message}`);
        }
      }
    },
    stats: () => {
      const { cacheBytes, cacheEntries } = runner.stats;
      const running = queues.reduce((sum, each) => sum + each.running, 0);
      const waiting = queues.reduce((sum, each) => sum + each.waiting, 0);
      return { running, waiting, cacheBytes: cacheBytes + cache.bytes, cacheEntries: cacheEntries + cache.size };
    },
  };
}

function tooManyStreams(): PlatformError {
  return new PlatformError(503, 'Too many results are being read. Try again in a moment.');
}

/** Returns the cube or view that a trial query reads. */
function entityOf({ columns }: QueryPlan): string {
  return columns[0]?.member.split('.', 1)[0] ?? '';
}
