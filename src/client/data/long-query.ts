import type { BodyOf, OperationShape } from '../../contract/operation.js';
import { PaError } from '../errors.js';
import type { DataConnection } from '../http/connection.js';
import { backOff, isRecord, pause, withDeadline } from '../http/fetch.js';
import { type Answer, defaultTimeoutMs, type ReadBody, type RequestOptions, send } from '../http/request.js';

/** Most that a query may take with all its waits, where nothing else is said. */
const defaultWaitMs = 600_000;
/** An answer that comes sooner than this was not waited for by the service: the next request is held back. */
const heldMs = 1_000;
/** The first pause after answers that came at once, and the longest. */
const pausesMs = { first: 250, most: 1_000 } as const;
/** How often a request that was turned away is sent again. */
const maxRetries = 4;
/** Longest that the client lets itself be sent away for. */
const maxRetryAfterMs = 30_000;

/** How far a query is that the service has not answered yet. */
export interface QueryProgress {
  /** Since the query was first sent. */
  readonly elapsedMs: number;
  /** What the service says that it is doing, in its own words; null where it doesn't say. */
  readonly stage: string | null;
}

/** What a request to the Data API may say. */
export interface QueryOptions extends Omit<RequestOptions, 'retries'> {
  /** Most that one request may take, the body included: 30 s by default. A long query takes several of them. */
  readonly timeoutMs?: number | undefined;
  /** Most that it may take in all, the waits included: 10 minutes by default. */
  readonly waitMs?: number | undefined;
  /** Called each time the service says that there is no answer yet. */
  readonly onProgress?: ((progress: QueryProgress) => void) | undefined;
}

/**
 * Calls an operation of the Data API, and again while the service says `Continue wait`. A service that holds its answer back is asked
 * again at once, one that doesn't after a pause. Where it is too busy and says for how long, it is asked a few times more.
 * @param read - reads the body of an answer where that is not one JSON text; a `Continue wait` among them as it is.
 */
export function pollUntilReady<O extends OperationShape>(
  operation: O,
  { baseUrl, token, fetch, dialect, ...connection }: DataConnection,
  body: BodyOf<O> | undefined,
  { signal: caller, waitMs = defaultWaitMs, onProgress, requestId, ...options }: QueryOptions,
  read?: ReadBody,
): Promise<Answer> {
  const timeoutMs = options.timeoutMs ?? connection.timeoutMs ?? defaultTimeoutMs;
  const limits = { timeoutMs: waitMs, signals: [caller], what: `${operation.path} of the Data API` };
  const startedAt = Date.now();
  return withDeadline(limits, async signal => {
    const input = { baseUrl, authorization: token, body, fetch, dialect, requestId, signal, timeoutMs, read };
    for (let quickAnswers = 0; ; ) {
      const sentAt = Date.now();
      const answer = await sendWithRetries(() => send(operation, input), startedAt + waitMs, signal);
      if (!isRecord(answer.body) || answer.body.error !== 'Continue wait') return answer;
      signal.throwIfAborted();
      const { stage } = answer.body;
      onProgress?.({ elapsedMs: Date.now() - startedAt, stage: typeof stage === 'string' ? stage : null });
      quickAnswers = Date.now() - sentAt < heldMs ? quickAnswers + 1 : 0;
      if (quickAnswers > 1) await pause(backOff(quickAnswers - 2, pausesMs.first, pausesMs.most), signal);
    }
  });
}

/** Sends again what was turned away for the time being, as long as there is time until `deadline`. */
async function sendWithRetries(attempt: () => Promise<Answer>, deadline: number, signal: AbortSignal): Promise<Answer> {
  for (let refusals = 0; ; refusals += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = refusals < maxRetries ? pauseAfter(error, refusals) : null;
      if (pauseMs === null || Date.now() + pauseMs >= deadline) throw error;
      await pause(pauseMs, signal);
    }
  }
}

/** As long as the service asks for, and a bit by chance, lest all who were turned away come back together; null is for good. */
function pauseAfter(error: unknown, refusals: number): number | null {
  if (!(error instanceof PaError) || (error.status !== 503 && error.status !== 429)) return null;
  const { retryAfterMs } = error;
  if (retryAfterMs === null || retryAfterMs > maxRetryAfterMs) return null;
  return retryAfterMs + backOff(refusals, pausesMs.first, 8 * pausesMs.first);
}
