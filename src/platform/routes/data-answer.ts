import type { Context } from 'hono';
import type { LoadRequest } from '../../contract/query.js';
import type { AuthenticateData, DataCaller } from '../auth/authenticate.js';
import type { AnswerBody } from '../data/answer-body.js';
import { ContinueWait } from '../data/continue-wait.js';
import type { DataAnswers } from '../data/data-service.js';
import { readLoadParameters, readLoadRequest } from '../data/load-request.js';
import type { AnswerOptions, LoadOptions } from '../data/loads.js';
import { type QueryEvent, QueryOutcome } from '../data/query-event.js';
import { RequestTrace } from '../data/request-trace.js';
import { PlatformError } from '../errors.js';
import { problemOf } from '../problem-of.js';
import { readBody } from '../read-body.js';
import type { RequestIdEnv } from '../request-id.js';

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
export interface Admitted {
  readonly context: Context<RequestIdEnv>;
  readonly caller: DataCaller;
  /** The signal aborts also when the caller turns out to be refused after all. */
  readonly options: AnswerOptions & { readonly signal: AbortSignal };
}

/** Answers a request that was let in. */
export type Answer = (admitted: Admitted) => Promise<string | AnswerBody>;

/** Answers one request, and tells of it in the end; of a streamed answer `answerStream` tells. */
export async function respond(
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

/** Answers by a body that may be a stream: of it, what has become of it is told when it is over. */
export async function answerStream(
  { onQuery, onFailure }: DataRoutesOptions,
  { options }: Admitted,
  answer: (options: LoadOptions) => Promise<AnswerBody>,
): Promise<AnswerBody> {
  const { requestId, trace } = options;
  let isStream = false;
  let broken: QueryOutcome | undefined;
  const body = await answer({
    ...options,
    onBreak(error) {
      if (!(error instanceof PlatformError)) onFailure?.(error, requestId);
      broken = outcomeOf(problemOf(error).status);
    },
    onEnd(complete) {
      if (isStream) onQuery?.(trace.event(200, broken ?? (complete ? QueryOutcome.ok : QueryOutcome.aborted)));
    },
  });
  isStream = body instanceof ReadableStream;
  return body;
}

/**
 * The body of a request.
 * @throws PlatformError 413
 */
export function readText({ req }: Context): Promise<string> {
  return readBody(req.raw, { maxBytes: maxBodyBytes });
}

/**
 * What is asked of the model, in the body or in the parameters of the URL.
 * @throws PlatformError 400 that names the field, 413
 */
export async function readLoad(context: Context): Promise<LoadRequest> {
  const { raw } = context.req;
  if (raw.method === 'POST') return readLoadRequest(await readText(context));
  if (raw.url.length > maxBodyBytes) {
    throw new PlatformError(413, `The query is too large: ${maxBodyBytes / 1024} KB is the most.`);
  }
  return readLoadParameters(new URL(raw.url).searchParams);
}

/** Begins with the answer while the session of the caller is looked up; nothing of it is told before that. */
async function admitAndAnswer<T>(
  authenticate: AuthenticateData,
  context: Context<RequestIdEnv>,
  answer: (caller: DataCaller, refused: AbortSignal) => Promise<T>,
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

function outcomeOf(status: number): QueryOutcome {
  if (status === 499) return QueryOutcome.aborted;
  if (status === 503) return QueryOutcome.busy;
  return status < 500 ? QueryOutcome.refused : QueryOutcome.failed;
}
