import { isTransient, PaAbortError, PaError } from '../client/errors.js';
import { problem } from './page-responses.js';

/** Options that handlers of the host's back end share: the platform, its API key, and where failures are reported. */
export interface HostHandlerOptions {
  /** Base URL of the platform or of the Chat API: HTTPS, except for loopback hosts. */
  readonly baseUrl: string;
  /** Admin API key. It stays on the server; no error, log or response contains it. */
  readonly apiKey: string;
  /** Time until the service must start to respond, in ms. Defaults to 30 s. */
  readonly timeoutMs?: number;
  /** Custom `fetch`. Defaults to the global one. */
  readonly fetch?: typeof fetch;
  /**
   * Called for every failure that the page did not cause; the page only receives the error code. By default, emits a
   * process warning.
   */
  readonly onError?: (error: PaError) => void;
}

/** A Fetch API handler with a limit for request bodies. */
export interface HostHandler<Context extends unknown[]> {
  (request: Request, ...context: Context): Promise<Response>;
  /** Maximum size of a request body, in bytes. `toNodeHandler` applies it too. */
  readonly maxBodyBytes: number;
}

/** How an error is returned to the page and reported to the host. */
interface FailureOptions {
  readonly onError: (error: PaError) => void;
  /** Message for the page if the host must fix the problem, without the reason. */
  readonly hidden: string;
  /** Whether the page also receives the messages of 5xx responses. */
  readonly showsServerErrors: boolean;
}

/**
 * Returns the response to an error. Errors of the page's own request are returned to the page. Rejected API keys and
 * unreachable services are reported to the host only. Throws any other error.
 */
export function failureResponse(error: unknown, { onError, hidden, showsServerErrors }: FailureOptions): Response {
  if (!(error instanceof PaError)) throw error;
  const { status, message, code, retryAfterMs } = error;
  const retry: Record<string, string> =
    retryAfterMs === null ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  if (error instanceof PaAbortError) return problem(499, 'The client closed the connection.');
  const isShown = status !== null && status !== 401 && (status < 500 || showsServerErrors);
  if (status === null || status === 401 || status >= 500) onError(error);
  if (isShown) return problem(status, message, retry, code);
  return problem(isTransient(error) ? 503 : 500, hidden, retry, code);
}
