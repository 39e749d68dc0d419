import type { PageExport } from '../../contract/dashboard-exports.js';
import { errorOf, PaAbortError, PaAuthenticationError, PaError, PaErrorCode } from '../errors.js';
import { fetchOrFail, isRecord, parseJson, readText } from '../http/fetch.js';

/** An export to run, and the host that runs it. */
export interface HostExportOptions {
  /** URL of `exportHandler` on the page's own server. */
  readonly url: string;
  readonly body: PageExport;
  /** Cancels the export, on the server too. */
  readonly signal: AbortSignal;
  /** Called with the progress, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly fetch?: typeof fetch | undefined;
}

const what = 'The export URL of the page';
const [firstPollMs, maxPollMs] = [150, 1_000];

/**
 * Exports a dashboard or report with the access rights that the host's back end grants, and returns the file.
 * @throws {PaError} with the reason of the failure.
 */
export async function exportFromHost(options: HostExportOptions): Promise<Blob> {
  const { body, signal, onProgress } = options;
  const headers = { 'content-type': 'application/json' };
  const { job } = await callJson(options, '', { method: 'POST', headers, body: JSON.stringify(body) });
  if (typeof job !== 'string') throw invalidResponse();
  const query = `job=${encodeURIComponent(job)}`;
  try {
    await untilComplete(options, query, onProgress);
    const response = await call(options, `${query}&file`, {});
    return await response.blob();
  } catch (error) {
    if (!signal.aborted) throw error;
    // Ignore errors, because the platform also cancels an export that is no longer polled.
    await call({ ...options, signal: null }, query, { method: 'DELETE', keepalive: true }).catch(() => {});
    throw new PaAbortError('The export was canceled.');
  }
}

async function untilComplete(
  options: HostExportOptions,
  query: string,
  onProgress: HostExportOptions['onProgress'],
): Promise<void> {
  for (let pauseMs = firstPollMs; ; pauseMs = Math.min(maxPollMs, pauseMs * 1.5)) {
    const { status, progress, error, errorCode } = await callJson(options, query, {});
    if (status === 'completed') return;
    if (status === 'failed') {
      const code = typeof errorCode === 'string' ? errorCode : PaErrorCode.serverFailed;
      throw new PaError(code, typeof error === 'string' ? error : 'The export failed. Start another export.');
    }
    if (typeof progress === 'number') onProgress(progress);
    await pause(pauseMs, options.signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}

async function callJson(
  options: HostExportOptions,
  query: string,
  init: RequestInit,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await call(options, query, init);
  const body = parseJson(await readText(response, what), what, null);
  if (!isRecord(body)) throw invalidResponse();
  return body;
}

/** Sends a request with the cookies of the page, because the host identifies its user by a cookie. */
async function call(
  { url, fetch, signal }: Pick<HostExportOptions, 'url' | 'fetch'> & { readonly signal: AbortSignal | null },
  query: string,
  init: RequestInit,
): Promise<Response> {
  const address = query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
  const sent: RequestInit = { credentials: 'same-origin', cache: 'no-store', redirect: 'error', ...init, signal };
  const response = await fetchOrFail(fetch, address, sent, what);
  if (response.ok) return response;
  const { status } = response;
  if (status === 401) throw new PaAuthenticationError(`${what} returned 401. Sign in again.`, { status });
  throw errorOf(reasonIn(await readText(response, what)) ?? `${what} returned ${status}.`, { status });
}

/** Returns the message of an error response; `null` if the response is not from the handler. */
function reasonIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) && typeof body.message === 'string' ? body.message.slice(0, 300) : null;
  } catch {
    return null;
  }
}

function invalidResponse(): PaError {
  return new PaError(PaErrorCode.invalidResponse, `${what} returned an unexpected response.`);
}
