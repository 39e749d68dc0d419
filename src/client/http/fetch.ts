import { PaAbortError, PaConnectionError, PaError, PaErrorCode, PaTimeoutError } from '../errors.js';

/** Problems of a TLS certificate by the error codes of Node. Browsers give no reason. */
const certificateProblems: readonly (readonly [code: RegExp, problem: string])[] = [
  [/ALTNAME_INVALID/, 'is for another name. Use a URL with a name of the certificate'],
  [/CERT_HAS_EXPIRED/, 'has expired. Renew it'],
  [/CERT_NOT_YET_VALID/, 'is not valid yet. Check the clock of this machine'],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/,
    'is self-signed or from an unknown authority. Set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority',
  ],
];

function connectionProblem(error: unknown, what: string): string {
  const { code } = Object(Object(error).cause);
  const problem = certificateProblems.find(([pattern]) => pattern.test(String(code)))?.[1];
  if (problem !== undefined) return `${what} could not be reached: its TLS certificate ${problem}.`;
  // Only browsers reject a response because of its origin (CORS), and they give no error code.
  return typeof code === 'string'
    ? `${what} could not be reached: check the URL and the network, and that the server is running.`
    : `${what} could not be reached: check the URL, the network and the allowed origins.`;
}

/**
 * Calls `fetch` and maps all its failures to one PaConnectionError. The original error is dropped, because it may quote
 * headers.
 */
export async function fetchOrFail(
  fetcher: typeof fetch | undefined,
  url: string,
  init: RequestInit,
  what: string,
  requestId: string | null = null,
): Promise<Response> {
  try {
    return await (fetcher ?? globalThis.fetch)(url, init);
  } catch (error) {
    throw new PaConnectionError(connectionProblem(error, what), { requestId });
  }
}

/** Reads the body of a response as text. */
export async function readText(response: Response, what: string, requestId: string | null = null): Promise<string> {
  try {
    return await response.text();
  } catch {
    throw new PaConnectionError(`${what} closed the connection before the response was complete.`, { requestId });
  }
}

/** Parses a JSON body. The error does not quote an invalid body. */
export function parseJson(text: string, what: string, requestId: string | null): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PaError(PaErrorCode.invalidResponse, `${what} returned a response that is not JSON.`, { requestId });
  }
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maximum delay of a timer, in ms. */
export const maxTimerMs = 2 ** 31 - 1;

/** Time limit and abort signals of an operation. */
interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Name of the operation, as shown in the error. */
  readonly what: string;
  readonly requestId?: string | undefined;
}

/**
 * Runs `work` under a time limit and the caller's signals. `work` receives one signal for both. If either ends the
 * work, rejects with PaTimeoutError or PaAbortError, even if `work` ignores its signal.
 */
export async function withDeadline<T>(limits: DeadlineOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const signals = limits.signals.filter(signal => signal !== undefined);
  const abort = (): void => controller.abort(new PaAbortError());
  const timer = setTimeout(
    () => {
      const message = `${limits.what} did not respond within ${limits.timeoutMs} ms.`;
      controller.abort(new PaTimeoutError(message, { requestId: limits.requestId ?? null }));
    },
    Math.min(limits.timeoutMs, maxTimerMs),
  );
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  if (signals.some(signal => signal.aborted)) abort();
  try {
    controller.signal.throwIfAborted();
    return await Promise.race([refusal(controller.signal), work(controller.signal)]);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', abort);
  }
}

/** Rejects with the signal's reason when the signal is aborted. */
function refusal(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Resolves with the promise; rejects with PaAbortError when the signal is aborted. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new PaAbortError());
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    if (signal.aborted) leave();
  });
}

const maxLength = 500;

/** JSON Web Tokens and one-time session ids. */
const credentials = /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?|\b[0-9a-f]{32}\b/gi;

/**
 * Prepares text for an error message: limits its length and removes credentials. `secrets` are the credentials of
 * this request.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== '') clean = clean.replaceAll(secret, '[removed]');
  }
  clean = clean.replace(credentials, '[removed]');
  return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean;
}
