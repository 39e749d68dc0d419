import * as z from 'zod/mini';
import type { SecurityContext } from '../../auth/principal.js';
import { abortedError } from '../../errors.js';
import { TaskQueue } from '../../runtime/task-queue.js';
import { type AnswerBody, textOf } from '../answers/answer-body.js';
import type { AnswerOptions, LoadOptions } from '../answers/load-requests.js';
import { CacheUse } from '../answers/query-event.js';
import { type BodySource, type StreamLimits, streamBody } from '../answers/sql-stream-body.js';
import { ContextTokens } from './context-tokens.js';
import { type AnswerChunks, type AnswerHead, chunksOf, readAnswer, withErrorLine } from './upstream-answer.js';
import { UpstreamConnection, type UpstreamRequest } from './upstream-connection.js';
import type { Upstream } from './upstream-options.js';
import { UpstreamProblem } from './upstream-problem.js';

/** A request to a cluster. */
export interface UpstreamCall {
  readonly method: 'GET' | 'POST';
  /** Path below the base path, including the query string. */
  readonly path: `/v1/${string}`;
  /** Body, sent as JSON. */
  readonly body?: object;
}

/** Limits for forwarding; times are in milliseconds. */
export interface UpstreamLimits {
  /** Maximum numbers of concurrent requests and of queued requests. */
  readonly concurrency: number;
  readonly queueLimit: number;
  /** Maximum wait for the start of a response, and maximum time without receiving or reading a part of it. */
  readonly headMs: number;
  readonly silenceMs: number;
}

/** Configuration of an upstream client. */
export interface UpstreamClientOptions {
  readonly upstream: Upstream;
  readonly limits: UpstreamLimits;
  /** Called with messages for the operator of the platform. */
  readonly onProblem: (message: string) => void;
}

/** Maximum size in bytes of a response that is read as a whole. */
const maxWholeBytes = 32 * 1024 * 1024;

/** Sends requests to one cluster on behalf of callers. */
export class UpstreamClient {
  readonly #limits: UpstreamLimits;
  readonly #bodyLimits: StreamLimits;
  readonly #onProblem: (message: string) => void;
  readonly #connection: UpstreamConnection;
  readonly #tokens: ContextTokens;
  readonly #queue: TaskQueue;

  constructor({ upstream, limits, onProblem }: UpstreamClientOptions) {
    this.#limits = limits;
    // Do not limit the total read time, because a slow reader only occupies a connection.
    this.#bodyLimits = { stallMs: limits.silenceMs, readMs: Number.POSITIVE_INFINITY };
    this.#onProblem = onProblem;
    this.#connection = new UpstreamConnection(upstream.base, limits.headMs);
    this.#tokens = new ContextTokens(upstream.secret);
    this.#queue = new TaskQueue(limits);
  }

  /** Returns the numbers of running and queued requests. */
  get stats(): { readonly running: number; readonly waiting: number } {
    const { running, waiting } = this.#queue;
    return { running, waiting };
  }

  /**
   * Sends a request and streams the response.
   * @throws PlatformError with the status of the cluster, 499 if aborted, 503 if too many requests are running;
   * UpstreamProblem; ContinueWait if the cluster returns it.
   */
  send(call: UpstreamCall, context: SecurityContext, options: LoadOptions): Promise<AnswerBody> {
    const signal = options.signal ?? new AbortController().signal;
    const queuedAt = performance.now();
    return new Promise((resolve, reject) => {
      const forward = () => this.#forward(call, context, { ...options, signal, queuedAt }, resolve);
      this.#queue.run(JSON.stringify(context), forward, signal).catch((error: unknown) => {
        this.#report(options.requestId, error);
        reject(error);
      });
    });
  }

  /**
   * Sends a request and reads the whole response.
   * @throws as `send` does, and UpstreamProblem if the response does not match the schema.
   */
  async sendAndRead<S extends z.ZodMiniType>(
    schema: S,
    call: UpstreamCall,
    context: SecurityContext,
    options: AnswerOptions,
  ): Promise<z.output<S>> {
    const text = await textOf(await this.send(call, context, options), maxWholeBytes);
    const result = z.safeParse(schema, parse(text));
    if (result.success) return result.data;
    const problem = new UpstreamProblem('unfit', `returned an unexpected response to ${call.path}.`);
    this.#report(options.requestId, problem);
    throw problem;
  }

  close(): void {
    this.#connection.close();
  }

  /** Resolves when the response has ended, whether completely or not. */
  async #forward(
    call: UpstreamCall,
    context: SecurityContext,
    options: ForwardOptions,
    onAnswer: OnAnswer,
  ): Promise<void> {
    const { queuedAt, requestId, signal, trace } = options;
    const { headMs, silenceMs } = this.#limits;
    const sentAt = performance.now();
    const response = await this.#connection.send(requestOf(call, await this.#tokens.of(context), requestId), signal);
    const chunks = chunksOf(response, silenceMs);
    const abort = () => chunks.stop(abortedError());
    const onTimeout = () => chunks.stop(new UpstreamProblem('slow', 'took too long to start a response.'));
    const timer = setTimeout(onTimeout, headMs);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const head = await readAnswer(response, chunks);
      clearTimeout(timer);
      trace.recordServed(CacheUse.upstream, 0, sentAt - queuedAt, performance.now() - sentAt);
      const rest = this.#rest(chunks, options);
      const body = call.path === '/v1/cubesql' ? withErrorLine(head.bytes, rest) : rest;
      await this.#deliver(head, body, options, onAnswer);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      chunks.stop();
    }
  }

  /** Resolves when the response was read or its reader stopped. */
  #deliver(
    { bytes, isWhole }: AnswerHead,
    rest: BodySource,
    { onEnd }: ForwardOptions,
    onAnswer: OnAnswer,
  ): Promise<void> {
    return new Promise(resolve => {
      const end = (complete: boolean) => {
        onEnd?.(complete);
        resolve();
      };
      if (!isWhole) return onAnswer(streamBody(bytes, rest, this.#bodyLimits, end));
      onAnswer(bytes);
      end(true);
    });
  }

  /** Returns the rest of a response. If it fails, the body that passes it on ends with the error. */
  #rest(chunks: AnswerChunks, { requestId, onBreak }: ForwardOptions): BodySource {
    return {
      next: async () => {
        try {
          return (await chunks.next()).value ?? null;
        } catch (error) {
          this.#report(requestId, error);
          onBreak?.(error);
          throw error;
        }
      },
      close: () => chunks.stop(),
    };
  }

  #report(requestId: string, error: unknown): void {
    if (error instanceof UpstreamProblem) this.#onProblem(`${requestId} ${error.note}`);
  }
}

type ForwardOptions = LoadOptions & { readonly signal: AbortSignal; readonly queuedAt: number };
type OnAnswer = (body: AnswerBody) => void;

/** Builds the forwarded request. It contains only the ID and the parsed body of the caller's request. */
function requestOf({ method, path, body }: UpstreamCall, token: string, requestId: string): UpstreamRequest {
  const headers = {
    accept: 'application/json',
    // Do not accept compression, because a truncated compressed response may be undetectable.
    'accept-encoding': 'identity',
    authorization: token,
    'x-request-id': requestId,
  };
  if (body === undefined) return { method, path, headers };
  const text = JSON.stringify(body);
  const contentHeaders = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  return { method, path, headers: { ...headers, ...contentHeaders }, body: text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
