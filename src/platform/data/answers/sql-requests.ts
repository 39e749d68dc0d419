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

/** Dependencies of `SqlRequests`. */
export interface SqlRequestsOptions {
  readonly engine: Engine;
  readonly model: LiveModel;
  readonly answers: SqlAnswers;
  /** Creates the bodies of complete results. */
  readonly bodies: AnswerBodies;
  /** How long a request waits for the first rows before it returns `Continue wait`, in milliseconds. */
  readonly continueWaitMs: number;
}

/** The SQL of one load query in the response format (domain.md 3). */
export interface GeneratedSql {
  readonly sql: {
    readonly sql: readonly [text: string, parameters: readonly Parameter[]];
    readonly status: 'ok';
    readonly query_type: 'regular';
  };
}

/** Handles requests that send semantic SQL or return generated SQL. */
export class SqlRequests {
  readonly #options: SqlRequestsOptions;

  constructor(options: SqlRequestsOptions) {
    this.#options = options;
  }

  /**
   * Returns the rows of semantic SQL that are visible to this caller, as JSON lines.
   * @throws the errors of `DataAnswers.sql`.
   */
  async run(request: SqlRequest, context: SecurityContext, options: LoadOptions): Promise<AnswerBody> {
    const { engine, model, answers, continueWaitMs } = this.#options;
    const { trace, signal } = options;
    // Read the model and the versions once, so that a replacement in the meantime does not affect this request.
    const { current } = model;
    const versions = `${engine.dataVersion} ${current.version}`;
    const importedAt = engine.lastRefreshTime;
    const { query: text, timezone, cache: mode = CacheMode.staleIfSlow, throwContinueWait } = request;
    const statement = { text, ...(timezone !== undefined && { timezone }) };
    const plan = await trace.compiling(() => current.planSql(statement, context, engine));
    const limit = new WaitLimit(continueWaitMs);
    const caller = () => JSON.stringify(context);
    try {
      const answer = await answers.serve({
        plan,
        mode,
        request: { caller, versions, fresh: mode === CacheMode.noCache, waitExpired: () => limit.expired, signal },
        canThrowContinueWait: throwContinueWait === true,
        trace,
      });
      const lastRefreshTime = importedAt ?? new Date(answer.readAt);
      return this.#body(plan, answer, { ...options, lastRefreshTime, caller });
    } finally {
      limit.clear();
    }
  }

  /**
   * Returns the SQL of load queries, including the caller's row filters.
   * @throws PlatformError 400 as `SemanticModel.plan` does.
   */
  generated(query: QuerySet, context: SecurityContext, { trace }: AnswerOptions): GeneratedSql | GeneratedSql[] {
    const { current } = this.#options.model;
    const { queryType, queries } = readQuerySet(query);
    const all = queries.map(one => {
      const { sql, parameters } = trace.compile(() => current.plan(one, context).statement());
      return generatedOf({ sql: this.#options.engine.showSql?.(sql) ?? sql, parameters });
    });
    const [first] = all;
    return queryType === QueryType.regular && first ? first : all;
  }

  /** Returns the load query that is equivalent to semantic SQL, or the reason why none exists. */
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

/** Reports an error that occurs after the first rows as a separate line. */
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
