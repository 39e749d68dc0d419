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

/** How a request was understood (spec: answer of `/v1/dry-run`). */
export interface DryRun {
  readonly queryType: QueryType;
  readonly normalizedQueries: readonly (NormalizedQuery & { readonly queryType: QueryType })[];
  readonly pivotQuery: PivotQuery;
  /** Of each query, the direction by member. */
  readonly queryOrder: readonly Readonly<Record<string, 'asc' | 'desc'>>[];
  /** Of use to servers with tables built ahead; there are none. */
  readonly transformedQueries: readonly null[];
}

/** Tells how queries were understood, without running them. */
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

/** What a data service is made of, and what it may use. */
export interface DataServiceOptions {
  readonly engine: Engine;
  readonly model: LiveModel;
  /**
   * Statements that the engine runs at once; 3 by default: each holds one of the 4 threads that Node has for such work, and one
   * has to be left for everything else. One caller gets one less at most. An engine that isolates streams runs as many streams beside them.
   */
  readonly concurrency?: number;
  /** Statements that are read from at once, a quarter of them by one caller; 40 by default. Each holds a connection to the engine. */
  readonly streams?: number;
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

/** What runs, what waits, and what is kept. */
export interface DataServiceStats {
  readonly running: number;
  readonly waiting: number;
  readonly cacheBytes: number;
  readonly cacheEntries: number;
}

/** What answers the requests of any caller: a service here, or a cluster that they are passed on to. */
export interface DataAnswers {
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
  dryRun(query: LoadRequest['query'], context: SecurityContext, options: AnswerOptions): Promise<object>;
  /** The model as far as this caller may see it. */
  meta(context: SecurityContext, options: AnswerOptions & MetaOptions): MetaResponse | Promise<MetaResponse>;
  /**
   * Answers semantic SQL with the rows that this caller may see, as lines of JSON.
   * @throws PlatformError as `load` does; ContinueWait only where the request asks for it.
   */
  sql(request: SqlRequest, context: SecurityContext, options: LoadOptions): Promise<AnswerBody>;
  /**
   * The SQL that load queries become, row filters inside: for whoever may read the model.
   * @throws PlatformError 400 as `load` does.
   */
  generatedSql(query: LoadRequest['query'], context: SecurityContext, options: AnswerOptions): object | Promise<object>;
  /** The load query that semantic SQL is equal to, or why there is none (`ConvertedQuery`). */
  convertSql(text: string, context: SecurityContext, options: AnswerOptions): Promise<object>;
}

/** The Data API behind its routes, where it is served from here. */
export interface DataService extends DataAnswers {
  dryRun(query: LoadRequest['query'], context: SecurityContext, options: AnswerOptions): Promise<DryRun>;
  /**
   * Plans and runs a small query of every cube ahead, and loads what reads SQL, so that the first caller doesn't wait for it. Never throws.
   * @param model - the one that is served, by default.
   */
  warm(model?: SemanticModel): Promise<void>;
  /** What runs, what waits, and what is kept. */
  stats(): DataServiceStats;
}

/** Makes the data service of a model over an engine. */
export function createDataService(options: DataServiceOptions): DataService {
  const { engine, model, cacheBytes = 64 * 1024 * 1024, cacheMaxAgeMs = 60_000, continueWaitMs = 5000 } = options;
  const { concurrency = 3, streams = 40, queueLimit = 1000, onProblem } = options;
  const half = cacheBytes / 2;
  const lane = new TaskQueue({ concurrency, queueLimit });
  // Slow statements in SQL must not take the places of load queries.
  const streamLane = engine.isolatesStreams ? new TaskQueue({ concurrency, queueLimit }) : lane;
  const lanes = [...new Set([lane, streamLane])];
  const runner = new StatementRunner({ engine, lane, cacheBytes: half, cacheMaxAgeMs });
  const kept = new BoundedCache<CachedAnswer>(half);
  const bodies = new AnswerBodies();
  const open = new StreamLimit({ all: streams, own: Math.ceil(streams / 4), refusal: tooManyStreams });
  const loads = new LoadRequests({
    engine,
    model,
    answers: new QueryAnswers(runner, kept, cacheMaxAgeMs),
    bodies,
    continueWaitMs,
  });
  const statements = new SqlAnswers({ engine, lane: streamLane, open, kept, maxAgeMs: cacheMaxAgeMs });
  const sqls = new SqlRequests({ engine, model, answers: statements, bodies, continueWaitMs });

  return {
    load: (request, context, how) => loads.load(request, context, how),
    async dryRun(query, context, { trace }) {
      const { current } = model;
      const { queryType, queries } = readQuerySet(query);
      const turns = new CooperativeScheduler();
      const understood: NormalizedQuery[] = [];
      for (const one of queries) {
        if (understood.length > 0) await turns.next();
        const plan = trace.compile(() => current.plan(one, context));
        trace.compile(() => plan.statement());
        understood.push(plan.query);
      }
      return dryRunOf(queryType, understood);
    },
    meta: (context, options) => model.current.meta(context, options),
    sql: (request, context, how) => sqls.run(request, context, how),
    generatedSql: (query, context, how) => sqls.generated(query, context, how),
    convertSql: (text, context, how) => sqls.convert(text, context, how),
    async warm(fresh = model.current) {
      // Nobody waits for it; where it can't be had, whoever sends SQL is told so.
      loadParser().catch(() => undefined);
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
      const { cacheBytes, cacheEntries } = runner.stats;
      const running = lanes.reduce((sum, each) => sum + each.running, 0);
      const waiting = lanes.reduce((sum, each) => sum + each.waiting, 0);
      return { running, waiting, cacheBytes: cacheBytes + kept.bytes, cacheEntries: cacheEntries + kept.size };
    },
  };
}

function tooManyStreams(): PlatformError {
  return new PlatformError(503, 'Too many results are being read: try again in a moment.');
}

/** The cube or view that a rehearsal is of. */
function entityOf({ columns }: QueryPlan): string {
  return columns[0]?.member.split('.', 1)[0] ?? '';
}
