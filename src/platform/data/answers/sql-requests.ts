import { CacheMode, type QuerySet } from '../../../contract/query.js';
import type { ConvertedQuery, SqlRequest } from '../../../contract/sql.js';
import type { SecurityContext } from '../../auth/principal.js';
import { PlatformError } from '../../errors.js';
import type { Engine, Parameter } from '../engines/engine.js';
import type { LiveModel, SqlPlan } from '../semantic-model.js';
import type { AnswerBodies, AnswerBody, Fragment } from './answer-body.js';
import { WaitLimit } from './continue-wait.js';
import type { AnswerOptions, LoadOptions } from './load-requests.js';
import { QueryType, readQuerySet } from './query-set.js';
import type { RemainingRows, SqlAnswer, SqlAnswers } from './sql-answers.js';
import { type BodySource, errorLine, noRowsLine, rowsLine, schemaLine, streamBody } from './sql-stream-body.js';

/** What SQL requests are answered with. */
export interface SqlRequestsOptions {
  readonly engine: Engine;
  readonly model: LiveModel;
  readonly answers: SqlAnswers;
  /** Bodies of results that are at hand. */
  readonly bodies: AnswerBodies;
  /** How long a request waits for its first rows before it is told `Continue wait`, in milliseconds. */
  readonly continueWaitMs: number;
}

/** The SQL of one load query, in the shape that clients read (domain.md 3). */
export interface GeneratedSql {
  readonly sql: {
    readonly sql: readonly [text: string, parameters: readonly Parameter[]];
    readonly status: 'ok';
    readonly query_type: 'regular';
  };
}

/** Answers what is asked in SQL, or about it. */
export class SqlRequests {
  readonly #options: SqlRequestsOptions;

  constructor(options: SqlRequestsOptions) {
    this.#options = options;
  }

  /**
   * Answers semantic SQL with the rows that this caller may see, as lines of JSON.
   * @throws as `DataAnswers.sql` says.
   */
  async run(request: SqlRequest, context: SecurityContext, options: LoadOptions): Promise<AnswerBody> {
    const { engine, model, answers, continueWaitMs } = this.#options;
    const { trace, signal } = options;
    // Taken once: a model or data that is swapped meanwhile is for the next request.
    const { current } = model;
    const versions = `${engine.dataVersion} ${current.version}`;
    const importedAt = engine.lastRefreshTime;
    const { query: text, timezone, cache: mode = CacheMode.staleIfSlow, throwContinueWait } = request;
    const asked = { text, ...(timezone !== undefined && { timezone }) };
    const plan = await trace.compiling(() => current.planSql(asked, context, engine));
    const limit = new WaitLimit(continueWaitMs);
    const caller = () => JSON.stringify(context);
    try {
      const answered = await answers.serve({
        plan,
        mode,
        asked: { caller, versions, fresh: mode === CacheMode.noCache, over: () => limit.over, signal },
        mayBeToldToWait: throwContinueWait === true,
        trace,
      });
      const lastRefreshTime = importedAt ?? new Date(answered.readAt);
      return this.#body(plan, answered, { ...options, lastRefreshTime, caller });
    } finally {
      limit.clear();
    }
  }

  /**
   * The SQL of load queries, with the caller's row filters inside.
   * @throws PlatformError 400 as `SemanticModel.plan` does.
   */
  generated(query: QuerySet, context: SecurityContext, { trace }: AnswerOptions): GeneratedSql | GeneratedSql[] {
    const { current } = this.#options.model;
    const { queryType, queries } = readQuerySet(query);
    const all = queries.map(one => generatedOf(trace.compile(() => current.plan(one, context).statement())));
    const [first] = all;
    return queryType === QueryType.regular && first ? first : all;
  }

  /** The load query that semantic SQL is equal to, or why there is none. */
  async convert(text: string, context: SecurityContext, { trace }: AnswerOptions): Promise<ConvertedQuery> {
    const { engine, model } = this.#options;
    try {
      const { query } = await trace.compiling(() => model.current.convertSql(text, context, engine));
      return { status: 'ok', query };
    } catch (error) {
      if (error instanceof PlatformError && error.status === 400) return { status: 'error', error: error.message };
      throw error;
    }
  }

  #body(plan: SqlPlan, { pieces, bytes, rest }: SqlAnswer, options: BodyOptions): AnswerBody {
    const schema = schemaLine(plan.columns, options.lastRefreshTime.toISOString());
    const { onEnd = () => {}, caller, trace } = options;
    if (rest === null)
      return this.#options.bodies.make(trace.serialize(linesOf(schema, pieces)), { bytes, caller }, onEnd);
    const first = Buffer.concat([Buffer.from(schema), ...pieces.map(rowsLine)]);
    return streamBody(first, restLines(rest, options), this.#options.bodies.limits, onEnd);
  }
}

interface BodyOptions extends LoadOptions {
  readonly lastRefreshTime: Date;
  readonly caller: () => string;
}

function* linesOf(schema: string, pieces: readonly Uint8Array[]): Generator<Fragment> {
  yield schema;
  if (pieces.length === 0) yield noRowsLine;
  for (const piece of pieces) yield rowsLine(piece);
}

/** A line of its own tells what broke the rows off. */
function restLines(rest: RemainingRows, { onBreak }: LoadOptions): BodySource {
  let isOver = false;
  return {
    async next() {
      if (isOver) return null;
      try {
        const rows = await rest.next();
        return rows && rowsLine(rows);
      } catch (error) {
        isOver = true;
        onBreak?.(error);
        return errorLine(error);
      }
    },
    close: () => rest.close(),
  };
}

function generatedOf({
  sql,
  parameters,
}: {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}): GeneratedSql {
  return { sql: { sql: [sql, parameters], status: 'ok', query_type: 'regular' } };
}
