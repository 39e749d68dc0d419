import { type Context, Hono } from 'hono';
import type { LoadRequest, QuerySet } from '../../contract/query.js';
import type { SqlRequest } from '../../contract/sql.js';
import type { AuthenticateData, DataPrincipal } from '../auth/authenticate.js';
import { PlatformError } from '../errors.js';
import { statusOf, toPlatformError } from '../http/error-response.js';
import { readBody } from '../http/read-body.js';
import { type RequestIdEnv, readRequestId } from '../http/request-id.js';
import type { AnswerBody } from './answers/answer-body.js';
import { type BatchPart, batchBody, readAhead } from './answers/batch-body.js';
import { ContinueWait } from './answers/continue-wait.js';
import type { AnswerOptions, LoadOptions } from './answers/load-requests.js';
import { type QueryCaller, type QueryEvent, QueryOutcome, RequestTrace } from './answers/query-event.js';
import {
  readBatch,
  readBatchPart,
  readConvertQuery,
  readLoadParameters,
  readLoadRequest,
  readSqlInput,
  readSqlRequest,
} from './answers/read-request.js';
import type { DataAnswers } from './data-service.js';

/** Dependencies of the Data API routes. */
export interface DataRoutesOptions {
  /** The `DataAnswers` for all callers, or a function that returns those for the model that a caller may query. */
  readonly service: DataAnswers | ((caller: DataPrincipal) => DataAnswers);
  readonly authenticate: AuthenticateData;
  /** Called for every failure that the caller did not cause. The client gets a 500 without details. */
  readonly onFailure?: (error: unknown, requestId: string) => void;
  /** Called for every request after its response has ended or was aborted. */
  readonly onQuery?: (event: QueryEvent, caller: QueryCaller | null) => void;
}

const maxBodyBytes = 256 * 1024;
const json = { 'content-type': 'application/json' } as const;

/** An authenticated request. */
export interface AdmittedRequest {
  readonly context: Context<RequestIdEnv>;
  readonly caller: DataPrincipal;
  /** The signal also aborts if authentication fails after the work has started. */
  readonly options: AnswerOptions & { readonly signal: AbortSignal };
}

function answersFor({ service }: DataRoutesOptions, caller: DataPrincipal): DataAnswers {
  return typeof service === 'function' ? service(caller) : service;
}

/** Handles an authenticated request and returns its body. */
export type Answer = (admitted: AdmittedRequest) => Promise<string | AnswerBody>;

/** Handles one request and reports it to `onQuery`. */
async function respond(
  { authenticate, onQuery }: DataRoutesOptions,
  operation: QueryEvent['operation'],
  context: Context<RequestIdEnv>,
  answer: Answer,
): Promise<Response> {
  const requestId = context.get('requestId');
  const trace = new RequestTrace(operation, requestId);
  const admitted = () =>
    admitAndAnswer(authenticate, context, (caller, refused) => {
      if (caller.branchName !== undefined) context.header('x-branch-name', caller.branchName);
      trace.caller = { userId: caller.viewer?.userId ?? null, embedTenantId: caller.embedTenantId ?? null };
      const signal = AbortSignal.any([context.req.raw.signal, refused]);
      return answer({ context, caller, options: { requestId, trace, signal } });
    });
  return context.body(await reportOutcome(onQuery, trace, admitted), 200, json);
}

/**
 * Runs a request and reports its outcome to `onQuery`. Streamed responses are reported by `answerStream` when they end.
 * Returns `Continue wait` as a response.
 */
async function reportOutcome(
  onQuery: DataRoutesOptions['onQuery'],
  trace: RequestTrace,
  run: () => Promise<string | AnswerBody>,
): Promise<string | AnswerBody> {
  try {
    const body = await run();
    if (!(body instanceof ReadableStream)) onQuery?.(trace.event(200, QueryOutcome.ok), trace.caller);
    return body;
  } catch (error) {
    if (error instanceof ContinueWait) {
      onQuery?.(trace.event(200, QueryOutcome.wait), trace.caller);
      return JSON.stringify({ error: error.message, stage: error.stage, timeElapsed: Math.round(error.elapsedMs) });
    }
    const { status } = toPlatformError(error);
    onQuery?.(trace.event(status, outcomeOf(status)), trace.caller);
    throw error;
  }
}

/** Returns a body that may be a stream. The outcome of a stream is reported when the stream ends. */
async function answerStream(
  { onQuery, onFailure }: DataRoutesOptions,
  { options }: AdmittedRequest,
  answer: (options: LoadOptions) => Promise<AnswerBody>,
): Promise<AnswerBody> {
  const { requestId, trace } = options;
  let isStream = false;
  let broken: QueryOutcome | undefined;
  const body = await answer({
    ...options,
    onBreak(error) {
      if (!(error instanceof PlatformError)) onFailure?.(error, requestId);
      broken = outcomeOf(toPlatformError(error).status);
    },
    onEnd(complete) {
      const outcome = broken ?? (complete ? QueryOutcome.ok : QueryOutcome.aborted);
      if (isStream) onQuery?.(trace.event(200, outcome), trace.caller);
    },
  });
  isStream = body instanceof ReadableStream;
  return body;
}

/**
 * Reads the body of a request.
 * @throws PlatformError 413 if the body is too large.
 */
function readText({ req }: Context): Promise<string> {
  return readBody(req.raw, { maxBytes: maxBodyBytes });
}

/**
 * Reads the load request from the body or the URL parameters.
 * @throws PlatformError 400 that names the field, or 413 if the request is too large.
 */
async function readLoad(context: Context): Promise<LoadRequest> {
  const { raw } = context.req;
  if (raw.method === 'POST') return readLoadRequest(await readText(context));
  if (raw.url.length > maxBodyBytes) {
    throw new PlatformError(413, `The query is too large. The maximum is ${maxBodyBytes / 1024} KB.`);
  }
  return readLoadParameters(new URL(raw.url).searchParams);
}

/**
 * Starts the work while the caller's session is being looked up. Returns the result only after the session is
 * confirmed.
 */
async function admitAndAnswer<T>(
  authenticate: AuthenticateData,
  context: Context<RequestIdEnv>,
  answer: (caller: DataPrincipal, refused: AbortSignal) => Promise<T>,
): Promise<T> {
  const refusal = new AbortController();
  let started: Promise<T> | undefined;
  const caller = await authenticate(context.req.raw, known => {
    started = answer(known, refusal.signal);
    // Prevent an unhandled rejection if authentication fails.
    started.catch(() => undefined);
  }).catch((error: unknown) => {
    refusal.abort();
    // Discard the result, because the authentication error is thrown instead.
    started?.then(body => (body instanceof ReadableStream ? body.cancel() : undefined)).catch(() => undefined);
    throw error;
  });
  return started ?? answer(caller, refusal.signal);
}

function outcomeOf(status: number): QueryOutcome {
  if (status === 499) return QueryOutcome.aborted;
  if (status === 503) return QueryOutcome.busy;
  return status < 500 ? QueryOutcome.refused : QueryOutcome.failed;
}

/**
 * Returns the routes of the Data API of one deployment (spec 4.5, domain.md 3): `load`, `load-batch` (an extension),
 * `subscribe` (clients repeat it to stay up to date), `dry-run`, `meta`, `convert-query`, and `sql` with its alias
 * `cubesql`, which return rows of semantic SQL or the SQL of load queries. Every response has an `x-request-id` header.
 * Errors are `{error, requestId}`.
 */
export function dataRoutes(options: DataRoutesOptions): Hono<RequestIdEnv> {
  const { authenticate, onFailure } = options;
  const app = new Hono<RequestIdEnv>({ strict: false });
  const on = (operation: QueryEvent['operation'], methods: string[], answer: Answer) =>
    app.on(methods, `/v1/${operation}`, context => respond(options, operation, context, answer));

  app.use(async (context, next) => {
    // The parent app may have read the ID already.
    const requestId = context.get('requestId') ?? readRequestId(context.req.raw);
    context.set('requestId', requestId);
    context.header('x-request-id', requestId);
    await next();
  });
  mountQueries(on, options);
  on('load-batch', ['POST'], async admitted => answerBatch(options, admitted));
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

/**
 * Answers the requests of a batch. Each request is planned, limited and reported to `onQuery` separately, as if it had
 * been sent alone. The requests start when the response body is read, which is after the caller's session was
 * confirmed.
 */
async function answerBatch(routes: DataRoutesOptions, admitted: AdmittedRequest): Promise<AnswerBody> {
  const requests = readBatch(await readText(admitted.context));
  return batchBody(requests.map(request => signal => answerPart(routes, admitted, { request, signal })));
}

async function answerPart(
  routes: DataRoutesOptions,
  admitted: AdmittedRequest,
  { request, signal }: { readonly request: unknown; readonly signal: AbortSignal },
): Promise<BatchPart> {
  const { requestId, signal: outer } = admitted.options;
  const trace = new RequestTrace('load', requestId);
  trace.caller = admitted.options.trace.caller;
  const options = { requestId, trace, signal: AbortSignal.any([outer, signal]) };
  try {
    const body = await reportOutcome(routes.onQuery, trace, async () =>
      loadRows(routes, { ...admitted, options }, readBatchPart(request)),
    );
    return { status: 200, body: await readAhead(body) };
  } catch (error) {
    if (!(error instanceof PlatformError)) routes.onFailure?.(error, requestId);
    const { status, message, retryAfter = status === 503 ? 1 : undefined } = toPlatformError(error);
    const body = JSON.stringify({ error: message, requestId });
    return { status, body, ...(retryAfter !== undefined && { retryAfter }) };
  }
}

async function loadRows(
  routes: DataRoutesOptions,
  admitted: AdmittedRequest,
  request: LoadRequest,
): Promise<AnswerBody> {
  checkQueryType(request.queryType);
  const { securityContext } = admitted.caller;
  const service = answersFor(routes, admitted.caller);
  return answerStream(routes, admitted, options => service.load(request, securityContext, options));
}

type On = (operation: QueryEvent['operation'], methods: string[], answer: Answer) => void;

function mountQueries(on: On, routes: DataRoutesOptions): void {
  const rows: Answer = async admitted => loadRows(routes, admitted, await readLoad(admitted.context));
  on('load', ['GET', 'POST'], rows);
  on('subscribe', ['GET', 'POST'], rows);
  on('dry-run', ['GET', 'POST'], async ({ context, caller, options }) => {
    const { query } = await readLoad(context);
    return JSON.stringify(await answersFor(routes, caller).dryRun(query, caller.securityContext, options));
  });
  on('meta', ['GET'], async ({ context, caller, options }) => {
    const onlyViews = ['', 'true', '1'].includes(context.req.query('onlyViews') ?? 'false');
    const meta = { ...options, onlyViews };
    return JSON.stringify(
      await options.trace.compile(() => answersFor(routes, caller).meta(caller.securityContext, meta)),
    );
  });
}

function mountSql(on: On, routes: DataRoutesOptions): void {
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
    return JSON.stringify(await answersFor(routes, caller).convertSql(text, caller.securityContext, options));
  });
}

function statementRows(routes: DataRoutesOptions, admitted: AdmittedRequest, request: SqlRequest): Promise<AnswerBody> {
  const { securityContext } = admitted.caller;
  const service = answersFor(routes, admitted.caller);
  return answerStream(routes, admitted, options => service.sql(request, securityContext, options));
}

/** Returns the SQL of a query. It contains row filters, which must stay hidden from the callers to which they apply. */
async function generatedSql(
  routes: DataRoutesOptions,
  { caller, options }: AdmittedRequest,
  queries: QuerySet,
): Promise<string> {
  if (caller.isDeveloper !== true) {
    throw new PlatformError(
      403,
      'Only administrators can see the SQL of a query. Use a data token created with an admin API key.',
    );
  }
  return JSON.stringify(await answersFor(routes, caller).generatedSql(queries, caller.securityContext, options));
}

function checkQueryType(queryType: string | undefined): void {
  if (queryType === undefined || queryType === 'regularQuery' || queryType === 'multi') return;
  throw new PlatformError(400, 'queryType: only "regularQuery" and "multi" are supported.');
}

function errorAnswer(context: Context<RequestIdEnv>, error: unknown): Response {
  const problem = toPlatformError(error);
  if (problem.status === 503) context.header('retry-after', '1');
  return context.json({ error: problem.message, requestId: context.get('requestId') }, statusOf(problem));
}
