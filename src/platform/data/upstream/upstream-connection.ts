import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { abortedError } from '../../errors.js';
import { connectionProblem, UpstreamProblem } from './upstream-problem.js';

/** One request to a cluster. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base path, with the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Bytes of all headers of an answer. */
const maxHeaderSize = 16 * 1024;
/** How long a connection is kept without use, where the cluster doesn't ask for less. */
const idleMs = 30_000;
const maxIdle = 32;

/**
 * Connections to one cluster. Not `fetch`: that takes an answer which was cut off for a whole one where the server meant to close
 * the connection, and so does it with one that is compressed.
 */
export class UpstreamConnection {
  readonly #base: URL;
  readonly #headMs: number;
  readonly #agent: http.Agent;
  readonly #request: typeof http.request;

  /** @param headMs - how long the head of an answer may take, in milliseconds. */
  constructor(base: URL, headMs: number) {
    this.#base = base;
    this.#headMs = headMs;
    const { Agent, request } = base.protocol === 'https:' ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxFreeSockets: maxIdle, timeout: idleMs });
    this.#request = request;
  }

  /**
   * Sends a request, follows nothing, and resolves with the head of the answer.
   * @throws UpstreamProblem, or PlatformError 499 when the signal aborts before.
   */
  async send(request: UpstreamRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const first = this.#open(request);
    try {
      return await this.#answer(first, signal);
    } catch (error) {
      // The cluster closed a connection that had idled, in the moment when we used it. Nothing here changes anything there.
      if (!first.reusedSocket || !isReset(error)) throw connectionProblem(error);
    }
    return this.#answer(this.#open(request), signal).catch((error: unknown) => {
      throw connectionProblem(error);
    });
  }

  /** Breaks off what is open. */
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
      const giveUp = () => outgoing.destroy(new UpstreamProblem('slow', 'did not begin to answer in time.'));
      const timer = setTimeout(giveUp, this.#headMs);
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      signal.addEventListener('abort', abort, { once: true });
      outgoing.on('response', response => {
        settle();
        resolve(response);
      });
      // Listened to until the end: what happens after the head is told by the body.
      outgoing.on('error', error => {
        settle();
        reject(error);
      });
      // Where there was neither: the cluster wants to speak something else.
      outgoing.on('close', () => {
        settle();
        reject(new UpstreamProblem('unfit', 'hung up without an answer.'));
      });
      if (signal.aborted) abort();
    });
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && ['ECONNRESET', 'EPIPE'].includes(Reflect.get(error, 'code'));
}
