import { type Context, Hono } from 'hono';
import type { QuerySet } from '../../contract/query.js';
import type { SqlRequest } from '../../contract/sql.js';
import type { AnswerBody } from '../data/answer-body.js';
import type { QueryEvent } from '../data/query-event.js';
import { readConvertQuery, readSqlInput, readSqlRequest } from '../data/sql-answers/sql-input.js';
import { PlatformError } from '../errors.js';
import { problemOf, statusOf } from '../problem-of.js';
import { type RequestIdEnv, readRequestId } from '../request-id.js';
import {
  type Admitted,
  type Answer,
  answerStream,
  type DataRoutesOptions,
  readLoad,
  readText,
  respond,
} from './data-answer.js';

/**
 * The Data API of one deployment (spec 4.5, domain.md 3): `load`, `subscribe` (which a client repeats to stay up to date),
 * `dry-run` and `meta`; `sql`, which `cubesql` is another name of, for rows by semantic SQL, or the SQL of load queries; and
 * `convert-query`. Every answer carries an `x-request-id`; errors are `{error, requestId}`.
 */
export function dataRoutes(options: DataRoutesOptions): Hono<RequestIdEnv> {
  const { authenticate, onFailure } = options;
  const app = new Hono<RequestIdEnv>({ strict: false });
  const on = (operation: QueryEvent['operation'], methods: string[], answer: Answer) =>
    app.on(methods, `/v1/${operation}`, context => respond(options, operation, context, answer));

  app.use(async (context, next) => {
    // Where another app mounts this one, it may have read the id already.
    const requestId = context.get('requestId') ?? readRequestId(context.req.raw);
    context.set('requestId', requestId);
    context.header('x-request-id', requestId);
    await next();
  });
  mountQueries(on, options);
  mountSql(on, options);
  app.all('*', async context => {
    await authenticate(context.req.raw);
    throw new PlatformError(404, 'The Data API has no such path.');
  });
  app.onError((error, context) => {
    if (!(error instanceof PlatformError)) onFailure?.(error, context.get('requestId'));
    return errorAnswer(context, error);
  });
  return app;
}

type On = (operation: QueryEvent['operation'], methods: string[], answer: Answer) => void;

function mountQueries(on: On, routes: DataRoutesOptions): void {
  const { service } = routes;
  const rows: Answer = async admitted => {
    const request = await readLoad(admitted.context);
    checkQueryType(request.queryType);
    const { securityContext } = admitted.caller;
    return answerStream(routes, admitted, options => service.load(request, securityContext, options));
  };
  on('load', ['GET', 'POST'], rows);
  on('subscribe', ['GET', 'POST'], rows);
  on('dry-run', ['GET', 'POST'], async ({ context, caller, options }) => {
    const { query } = await readLoad(context);
    return JSON.stringify(await service.dryRun(query, caller.securityContext, options));
  });
  on('meta', ['GET'], async ({ context, caller, options }) => {
    const onlyViews = ['', 'true', '1'].includes(context.req.query('onlyViews') ?? 'false');
    const meta = { ...options, onlyViews };
    return JSON.stringify(await options.trace.compile(() => service.meta(caller.securityContext, meta)));
  });
}

function mountSql(on: On, routes: DataRoutesOptions): void {
  const { service } = routes;
  on('sql', ['POST'], async admitted => {
    const input = readSqlInput(await readText(admitted.context));
    if (input.kind === 'queries') return generatedSql(routes, admitted, input.queries);
    return statementRows(routes, admitted, input.request);
  });
  on('sql', ['GET'], async admitted => generatedSql(routes, admitted, (await readLoad(admitted.context)).query));
  on('cubesql', ['POST'], async admitted =>
    statementRows(routes, admitted, readSqlRequest(await readText(admitted.context))),
  );
  on('convert-query', ['POST'], async ({ context, caller, options }) => {
    const text = readConvertQuery(await readText(context));
    return JSON.stringify(await service.convertSql(text, caller.securityContext, options));
  });
}

function statementRows(routes: DataRoutesOptions, admitted: Admitted, request: SqlRequest): Promise<AnswerBody> {
  const { securityContext } = admitted.caller;
  return answerStream(routes, admitted, options => routes.service.sql(request, securityContext, options));
}

/** Row filters stand in that SQL, which those whose rows they filter don't see. */
async function generatedSql(
  { service }: DataRoutesOptions,
  { caller, options }: Admitted,
  queries: QuerySet,
): Promise<string> {
  if (caller.isDeveloper !== true) {
    throw new PlatformError(403, 'Only administrators may see the SQL of a query: ask with a token of their API key.');
  }
  return JSON.stringify(await service.generatedSql(queries, caller.securityContext, options));
}

function checkQueryType(queryType: string | undefined): void {
  if (queryType === undefined || queryType === 'regularQuery' || queryType === 'multi') return;
  throw new PlatformError(400, 'queryType: only "regularQuery" and "multi" are supported.');
}

function errorAnswer(context: Context<RequestIdEnv>, error: unknown): Response {
  const problem = problemOf(error);
  if (problem.status === 503) context.header('retry-after', '1');
  return context.json({ error: problem.message, requestId: context.get('requestId') }, statusOf(problem));
}
