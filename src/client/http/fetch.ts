import { PaAbortError, PaConnectionError, PaError, PaErrorCode, PaTimeoutError } from '../errors.js';

/** `fetch`, with its many ways to fail told as one: what it says may quote headers, so nothing of it is passed on. */
export async function fetchOrFail(
  fetcher: typeof fetch | undefined,
  url: string,
  init: RequestInit,
  what: string,
  requestId: string | null = null,
): Promise<Response> {
  try {
    return await (fetcher ?? globalThis.fetch)(url, init);
  } catch {
    throw new PaConnectionError(
      `${what} could not be reached: check the network, the address and the allowed origins.`,
      { requestId },
    );
  }
}

/** The body of an answer as text. */
export async function readText(response: Response, what: string, requestId: string | null = null): Promise<string> {
  try {
    return await response.text();
  } catch {
    throw new PaConnectionError(`${what} broke off in the middle of its answer.`, { requestId });
  }
}

/** Parses a body; what doesn't parse is not quoted. */
export function parseJson(text: string, what: string, requestId: string | null): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PaError(PaErrorCode.invalidResponse, `${what} answered with something else than JSON.`, { requestId });
  }
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Longest that a timer can be set for. */
export const maxTimerMs = 2 ** 31 - 1;

/** How long something may take, and who may call it off. */
interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly signals: readonly (AbortSignal | undefined)[];
  /** What gave no answer, as an error names it. */
  readonly what: string;
  readonly requestId?: string | undefined;
}

/**
 * Runs `work` under a time limit and the caller's signals. `work` gets one signal for both; a rejection that they caused becomes
 * PaTimeoutError or PaAbortError, also where `work` never looks at its signal.
 */
export async function withDeadline<T>(limits: DeadlineOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const signals = limits.signals.filter(signal => signal !== undefined);
  const abort = (): void => controller.abort(new PaAbortError());
  const timer = setTimeout(
    () => {
      const message = `${limits.what} gave no answer within ${limits.timeoutMs} ms.`;
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

/** Rejects with the reason of the signal once it is aborted. */
function refusal(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The promise, or PaAbortError as soon as the signal is aborted. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new PaAbortError());
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    if (signal.aborted) leave();
  });
}

/** Waits, unless the signal is aborted first: then it rejects with PaAbortError. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new PaAbortError());
    const done = (): void => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const stop = (): void => {
      clearTimeout(timer);
      reject(new PaAbortError());
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** How long to wait before the next attempt: doubles from `firstMs` to `mostMs`, the upper half of it by chance. */
export function backOff(attempt: number, firstMs: number, mostMs: number): number {
  const ceiling = Math.min(mostMs, firstMs * 2 ** attempt);
  return ceiling / 2 + (ceiling / 2) * Math.random();
}

const maxLength = 500;

/** JSON Web Tokens and one-time session ids, whoever wrote them into a text. */
const credentials = /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?|\b[0-9a-f]{32}\b/gi;

/** Makes a text fit for an error message: bounded, and without credentials; `secrets` are those that this request carried. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== '') clean = clean.replaceAll(secret, '[removed]');
  }
  clean = clean.replace(credentials, '[removed]');
  return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean;
}
