import { type Context, Hono } from 'hono';
import type { LoadRequest } from '../../contract/query.js';
import type { AuthenticateData } from '../auth/authenticate.js';
import type { AnswerBody } from '../data/answer-body.js';
import { ContinueWait } from '../data/continue-wait.js';
import type { DataAnswers } from '../data/data-service.js';
import { readLoadParameters, readLoadRequest } from '../data/load-request.js';
import type { AnswerOptions } from '../data/loads.js';
import { type QueryEvent, QueryOutcome } from '../data/query-event.js';
import { RequestTrace } from '../data/request-trace.js';
import type { SecurityContext } from '../data/semantic-model.js';
import { PlatformError } from '../errors.js';
import { problemOf, statusOf } from '../problem-of.js';
import { readBody } from '../read-body.js';
import { type RequestIdEnv, readRequestId } from '../request-id.js';

/** What the routes of the Data API need. */
export interface DataRoutesOptions {
  readonly service: DataAnswers;
  readonly authenticate: AuthenticateData;
  /** Hears of every failure that is not the caller's doing; the answer is a 500 without details. */
  readonly onFailure?: (error: unknown, requestId: string) => void;
  /** Hears of every request once it was answered to its end, or given up. */
  readonly onQuery?: (event: QueryEvent) => void;
}

const maxBodyBytes = 256 * 1024;
const json = { 'content-type': 'application/json' } as const;

/** A request that was let in. */
interface Admitted {
  readonly context: Context<RequestIdEnv>;
  readonly caller: SecurityContext;
  /** The signal aborts also when the caller turns out to be refused after all. */
  readonly options: AnswerOptions & { readonly signal: AbortSignal };
}

/** Answers a request that was let in. */
type Answer = (admitted: Admitted) => Promise<string | AnswerBody>;

/**
 * The Data API of one deployment (spec 4.5, domain.md 3): `load`, `subscribe` (which a client repeats to stay up to date),
 * `dry-run` and `meta`. Every answer carries an `x-request-id`; errors are `{error, requestId}`.
 */
export function dataRoutes(options: DataRoutesOptions): Hono<RequestIdEnv> {
  const { service, authenticate, onFailure } = options;
  const app = new Hono<RequestIdEnv>({ strict: false });
  const on = (operation: QueryEvent['operation'], methods: string[], answer: Answer) =>
    app.on(methods, `/v1/${operation}`, context => respond(options, operation, context, answer));
  const rows: Answer = admitted => answerRows(options, admitted);

  app.use(async (context, next) => {
    // Where another app mounts this one, it may have read the id already.
    const requestId = context.get('requestId') ?? readRequestId(context.req.header('x-request-id'));
    context.set('requestId', requestId);
    context.header('x-request-id', requestId);
    await next();
  });
  on('load', ['GET', 'POST'], rows);
  on('subscribe', ['GET', 'POST'], rows);
  on('dry-run', ['GET', 'POST'], async ({ context, caller, options }) => {
    const { query } = await readRequest(context);
    return JSON.stringify(await service.dryRun(query, caller, options));
  });
  on('meta', ['GET'], async ({ context, caller, options }) => {
    const onlyViews = ['', 'true', '1'].includes(context.req.query('onlyViews') ?? 'false');
    return JSON.stringify(await options.trace.compile(() => service.meta(caller, { ...options, onlyViews })));
  });

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

/** Answers one request, and tells of it in the end; of a streamed answer `answerRows` tells. */
async function respond(
  { authenticate, onQuery }: DataRoutesOptions,
  operation: QueryEvent['operation'],
  context: Context<RequestIdEnv>,
  answer: Answer,
): Promise<Response> {
  const requestId = context.get('requestId');
  const trace = new RequestTrace(operation, requestId);
  try {
    const body = await admitAndAnswer(authenticate, context, (caller, refused) => {
      const signal = AbortSignal.any([context.req.raw.signal, refused]);
      return answer({ context, caller, options: { requestId, trace, signal } });
    });
    if (!(body instanceof ReadableStream)) onQuery?.(trace.event(200, QueryOutcome.ok));
    return context.body(body, 200, json);
  } catch (error) {
    if (error instanceof ContinueWait) {
      onQuery?.(trace.event(200, QueryOutcome.wait));
      return context.json({ error: error.message, stage: error.stage, timeElapsed: Math.round(error.elapsedMs) });
    }
    const { status } = problemOf(error);
    onQuery?.(trace.event(status, outcomeOf(status)));
    throw error;
  }
}

/** Begins with the answer while the session of the caller is looked up; nothing of it is told before that. */
async function admitAndAnswer<T>(
  authenticate: AuthenticateData,
  context: Context<RequestIdEnv>,
  answer: (caller: SecurityContext, refused: AbortSignal) => Promise<T>,
): Promise<T> {
  const refusal = new AbortController();
  let begun: Promise<T> | undefined;
  const caller = await authenticate(context.req.raw, known => {
    begun = answer(known, refusal.signal);
    // Where the caller is refused nobody hears of it.
    begun.catch(() => undefined);
  }).catch((error: unknown) => {
    refusal.abort();
    begun?.then(body => (body instanceof ReadableStream ? body.cancel() : undefined)).catch(() => undefined);
    throw error;
  });
  return begun ?? answer(caller, refusal.signal);
}

async function answerRows({ service, onQuery }: DataRoutesOptions, admitted: Admitted): Promise<AnswerBody> {
  const { context, caller, options } = admitted;
  const request = await readRequest(context);
  checkQueryType(request.queryType);
  let isStream = false;
  const body = await service.load(request, caller, {
    ...options,
    onEnd: complete => {
      if (isStream) onQuery?.(options.trace.event(200, complete ? QueryOutcome.ok : QueryOutcome.aborted));
    },
  });
  isStream = body instanceof ReadableStream;
  return body;
}

async function readRequest(context: Context<RequestIdEnv>): Promise<LoadRequest> {
  const { raw } = context.req;
  if (raw.method === 'POST') return readLoadRequest(await readBody(raw, maxBodyBytes));
  if (raw.url.length > maxBodyBytes) refuseSize();
  return readLoadParameters(new URL(raw.url).searchParams);
}

function outcomeOf(status: number): QueryOutcome {
  if (status === 499) return QueryOutcome.aborted;
  if (status === 503) return QueryOutcome.busy;
  return status < 500 ? QueryOutcome.refused : QueryOutcome.failed;
}

function checkQueryType(queryType: string | undefined): void {
  if (queryType === undefined || queryType === 'regularQuery' || queryType === 'multi') return;
  throw new PlatformError(400, 'queryType: only "regularQuery" and "multi" are supported.');
}

function refuseSize(): never {
  throw new PlatformError(413, `The query is too large: ${maxBodyBytes / 1024} KB is the most.`);
}

function errorAnswer(context: Context<RequestIdEnv>, error: unknown): Response {
  const problem = problemOf(error);
  if (problem.status === 503) context.header('retry-after', '1');
  return context.json({ error: problem.message, requestId: context.get('requestId') }, statusOf(problem));
}
