import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { abortedError } from '../../errors.js';
import { connectionProblem, UpstreamProblem } from './upstream-problem.js';

/** One request to a cluster. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** Path below the base path, including the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Maximum size of the response headers in bytes. */
const maxHeaderSize = 16 * 1024;
/** How long an idle connection stays open, in milliseconds, unless the cluster requests a shorter time. */
const idleMs = 30_000;
const maxIdle = 32;

/**
 * Connections to one cluster. Does not use `fetch`, which accepts truncated responses as complete if the server closes
 * the connection or compresses the response.
 */
export class UpstreamConnection {
  readonly #base: URL;
  readonly #headMs: number;
  readonly #agent: http.Agent;
  readonly #request: typeof http.request;

  /** @param headMs - maximum wait for the response headers in milliseconds. */
  constructor(base: URL, headMs: number) {
    this.#base = base;
    this.#headMs = headMs;
    const { Agent, request } = base.protocol === 'https:' ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxFreeSockets: maxIdle, timeout: idleMs });
    this.#request = request;
  }

  /**
   * Sends a request without following redirects and resolves with the response headers.
   * @throws UpstreamProblem, or PlatformError 499 if the signal aborts first.
   */
  async send(request: UpstreamRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const first = this.#open(request);
    try {
      return await this.#answer(first, signal);
    } catch (error) {
      // The cluster closed an idle connection at the moment of its reuse. Requests have no side effects, so a retry is
      // safe.
      if (!first.reusedSocket || !isReset(error)) throw connectionProblem(error);
    }
    return this.#answer(this.#open(request), signal).catch((error: unknown) => {
      throw connectionProblem(error);
    });
  }

  /** Closes all connections. */
  close(): void {
    this.#agent.destroy();
  }

  #open({ method, path, headers, body }: UpstreamRequest): ClientRequest {
    const url = new URL(this.#base.pathname.replace(/\/$/, '') + path, this.#base.origin);
    const outgoing = this.#request(url, { method, headers, agent: this.#agent, maxHeaderSize });
    outgoing.end(body);
    return outgoing;
  }

  #answer(outgoing: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const abort = () => outgoing.destroy(abortedError());
      const onTimeout = () => outgoing.destroy(new UpstreamProblem('slow', 'did not start a response in time.'));
      const timer = setTimeout(onTimeout, this.#headMs);
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      signal.addEventListener('abort', abort, { once: true });
      outgoing.on('response', response => {
        settle();
        resolve(response);
      });
      // Leave the listener attached, because a later error would otherwise be unhandled. The body reports such errors.
      outgoing.on('error', error => {
        settle();
        reject(error);
      });
      // The exchange ended with neither a response nor an error, so the server probably uses another protocol.
      outgoing.on('close', () => {
        settle();
        reject(new UpstreamProblem('unfit', 'closed the connection without a response.'));
      });
      if (signal.aborted) abort();
    });
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && ['ECONNRESET', 'EPIPE'].includes(Reflect.get(error, 'code'));
}
