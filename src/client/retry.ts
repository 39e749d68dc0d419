import { ErrorCode } from '../contract/error-code.js';
import type { OperationShape, ResponseOf } from '../contract/operation.js';
import { backOff, pause } from './deadline.js';
import { PaConnectionError, PaError } from './errors.js';

/** How often a call is tried again where nothing else is said, and at most. */
const defaultRetries = 2;
const mostRetries = 10;
/** No attempt begins later than this after the first. */
const withinMs = 60_000;
/** Longest that the client lets itself be sent away for. */
const mostRetryAfterMs = 30_000;
/** The first pause where the service names none, and the longest. */
const pausesMs = { first: 200, most: 5_000 } as const;

/**
 * Runs an attempt, and again where that may help and does no harm. 429 and `upsert_branch_changed` say that nothing was applied, so
 * that every operation is tried again; where it is unknown what became of a request (no connection, or 502, 503 or 504 of something
 * between), what reads, puts and deletes is: doing it twice is doing it once. `Retry-After` is honoured; other pauses grow, and all
 * hold a bit by chance, lest all who were turned away come back together. A time limit that ran out is not tried again: that was
 * as long as the caller would wait.
 */
export async function withRetries<O extends OperationShape>(
  operation: O,
  {
    retries = defaultRetries,
    signal,
  }: { readonly retries: number | undefined; readonly signal: AbortSignal | undefined },
  attempt: () => Promise<ResponseOf<O>>,
): Promise<ResponseOf<O>> {
  const deadline = Date.now() + withinMs;
  let isUncertain = false;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      // An earlier attempt deleted it, and its answer was lost on the way.
      if (isUncertain && isGone(operation, error)) return undefined as ResponseOf<O>;
      const pauseMs = failures < Math.min(retries, mostRetries) ? pauseAfter(operation, error, failures) : null;
      if (pauseMs === null || Date.now() + pauseMs >= deadline) throw error;
      isUncertain ||= !wasTurnedAway(error);
      await pause(pauseMs, signal);
    }
  }
}

/** Null where another attempt could do harm, or would not help soon. */
function pauseAfter({ method }: OperationShape, error: unknown, failures: number): number | null {
  const isRepeatable = method === 'GET' || method === 'PUT' || method === 'DELETE';
  if (!(error instanceof PaError) || !(wasTurnedAway(error) || (isRepeatable && mayPass(error)))) return null;
  const { retryAfterMs } = error;
  if (retryAfterMs === null) return backOff(failures, pausesMs.first, pausesMs.most);
  return retryAfterMs > mostRetryAfterMs ? null : retryAfterMs + backOff(failures, pausesMs.first, 8 * pausesMs.first);
}

/** Whether the service says that it applied nothing. */
function wasTurnedAway(error: unknown): boolean {
  return error instanceof PaError && (error.status === 429 || error.code === ErrorCode.upsertBranchChanged);
}

function mayPass(error: PaError): boolean {
  return error instanceof PaConnectionError || error.status === 502 || error.status === 503 || error.status === 504;
}

function isGone({ method, response }: OperationShape, error: unknown): boolean {
  return method === 'DELETE' && response === null && error instanceof PaError && error.status === 404;
}
