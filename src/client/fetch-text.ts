import { PaConnectionError, PaError, PaErrorCode } from './errors.js';

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
