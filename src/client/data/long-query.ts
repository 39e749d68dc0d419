import type { BodyOf, OperationShape } from '../../contract/operation.js';
import { PaError } from '../errors.js';
import type { DataConnection } from '../http/connection.js';
import { isRecord, withDeadline } from '../http/fetch.js';
import {
  type Answer,
  defaultTimeoutMs,
  type ReadBody,
  type RequestInput,
  type RequestOptions,
  send,
} from '../http/request.js';
import { backOff, pause, pauseForRetryAfter, retry } from '../http/retry.js';

/** Default time limit of a query, including all its waits. */
const defaultWaitMs = 600_000;
/**
 * If `Continue wait` arrives sooner than this, the service did not hold the request, so the client pauses before the
 * next one.
 */
const heldMs = 1_000;
/** First and maximum pause after a response that arrived sooner than `heldMs`. */
const pausesMs = { first: 250, max: 1_000 } as const;
/** Maximum number of retries of a rejected request (429 or 503). */
const maxRetries = 4;

/** Progress of a query that the service is still working on. */
export interface QueryProgress {
  /** Time since the query was first sent, in ms. */
  readonly elapsedMs: number;
  /** Current stage of the query, as reported by the service; `null` if it reports none. */
  readonly stage: string | null;
}

/** Options of a request to the Data API. */
export interface QueryOptions extends Omit<RequestOptions, 'retries'> {
  /** Time limit of one request including its body, in ms. Defaults to 30 s. A long query takes several requests. */
  readonly timeoutMs?: number | undefined;
  /** Time limit of the query including all waits, in ms. Defaults to 10 minutes. */
  readonly waitMs?: number | undefined;
  /** Called each time the service returns `Continue wait`. */
  readonly onProgress?: ((progress: QueryProgress) => void) | undefined;
}

/** How the requests of a query are sent and read. */
interface Transport<O extends OperationShape> {
  /** Reads the body of a response that is not a single JSON text; must return `Continue wait` unchanged. */
  readonly read?: ReadBody | undefined;
  /** Sends the first request of the query; further ones are sent alone. */
  readonly sendFirst?: ((input: RequestInput<O>) => Promise<Answer>) | undefined;
}

/**
 * Calls an operation of the Data API and repeats the request while the service returns `Continue wait`: immediately if
 * the service held the request, else after a pause. Retries a few times if the service is overloaded and sends
 * `Retry-After`.
 */
export function pollUntilReady<O extends OperationShape>(
  operation: O,
  { baseUrl, token, fetch, dialect, ...connection }: DataConnection,
  body: BodyOf<O> | undefined,
  { signal: caller, waitMs = defaultWaitMs, onProgress, requestId, ...options }: QueryOptions,
  { read, sendFirst }: Transport<O> = {},
): Promise<Answer> {
  const timeoutMs = options.timeoutMs ?? connection.timeoutMs ?? defaultTimeoutMs;
  const limits = { timeoutMs: waitMs, signals: [caller], what: `${operation.path} of the Data API` };
  const startedAt = Date.now();
  return withDeadline(limits, async signal => {
    const input = { baseUrl, authorization: token, body, fetch, dialect, requestId, signal, timeoutMs, read };
    let isFirst = sendFirst !== undefined;
    const attempt = (): Promise<Answer> => {
      if (!isFirst || !sendFirst) return send(operation, input);
      isFirst = false;
      return sendFirst(input);
    };
    const policy = { maxRetries, pauseAfter, deadline: startedAt + waitMs, signal };
    for (let quickAnswers = 0; ; ) {
      const sentAt = Date.now();
      const answer = await retry(attempt, policy);
      if (!isRecord(answer.body) || answer.body.error !== 'Continue wait') return answer;
      signal.throwIfAborted();
      const { stage } = answer.body;
      onProgress?.({ elapsedMs: Date.now() - startedAt, stage: typeof stage === 'string' ? stage : null });
      quickAnswers = Date.now() - sentAt < heldMs ? quickAnswers + 1 : 0;
      if (quickAnswers > 1) await pause(backOff(quickAnswers - 2, pausesMs.first, pausesMs.max), signal);
    }
  });
}

/** Returns the pause before a retry of a rejected request, in ms; `null` if a retry cannot help. */
function pauseAfter(error: unknown, refusals: number): number | null {
  if (!(error instanceof PaError) || (error.status !== 503 && error.status !== 429)) return null;
  const { retryAfterMs } = error;
  return retryAfterMs === null ? null : pauseForRetryAfter(retryAfterMs, refusals, pausesMs.first);
}
