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

/** What is asked of a cluster. */
export interface UpstreamCall {
  readonly method: 'GET' | 'POST';
  /** Below the base path, with the query string. */
  readonly path: `/v1/${string}`;
  /** Sent as JSON. */
  readonly body?: object;
}

/** What passing on may take; times are in milliseconds. */
export interface UpstreamLimits {
  /** Requests that are under way at once, and how many may wait beyond them. */
  readonly concurrency: number;
  readonly queueLimit: number;
  /** How long an answer may take to begin, and for how long nothing of it may come or be read. */
  readonly headMs: number;
  readonly silenceMs: number;
}

/** How passing on is set up. */
export interface UpstreamClientOptions {
  readonly upstream: Upstream;
  readonly limits: UpstreamLimits;
  /** Hears, in a sentence, what whoever runs the platform should know of a request. */
  readonly onProblem: (message: string) => void;
}

/** Bytes of an answer that is read as a whole. */
const maxWholeBytes = 32 * 1024 * 1024;

/** One cluster, asked in the name of any caller. */
export class UpstreamClient {
  readonly #limits: UpstreamLimits;
  readonly #bodyLimits: StreamLimits;
  readonly #onProblem: (message: string) => void;
  readonly #connection: UpstreamConnection;
  readonly #tokens: ContextTokens;
  readonly #lane: TaskQueue;

  constructor({ upstream, limits, onProblem }: UpstreamClientOptions) {
    this.#limits = limits;
    // Nothing is held for a reader who takes long, but a connection.
    this.#bodyLimits = { stallMs: limits.silenceMs, readMs: Number.POSITIVE_INFINITY };
    this.#onProblem = onProblem;
    this.#connection = new UpstreamConnection(upstream.base, limits.headMs);
    this.#tokens = new ContextTokens(upstream.secret);
    this.#lane = new TaskQueue(limits);
  }

  /** Requests that are under way, and those that wait for others to end. */
  get stats(): { readonly running: number; readonly waiting: number } {
    const { running, waiting } = this.#lane;
    return { running, waiting };
  }

  /**
   * Asks, and hands on the answer as it comes.
   * @throws PlatformError as the cluster refuses it, 499 when aborted, 503 when too many are under way; UpstreamProblem; ContinueWait
   * where the cluster asks to be asked again.
   */
  ask(call: UpstreamCall, context: SecurityContext, options: LoadOptions): Promise<AnswerBody> {
    const signal = options.signal ?? new AbortController().signal;
    const askedAt = performance.now();
    return new Promise((resolve, reject) => {
      const pass = () => this.#pass(call, context, { ...options, signal, askedAt }, resolve);
      this.#lane.run(JSON.stringify(context), pass, signal).catch((error: unknown) => {
        this.#tell(options.requestId, error);
        reject(error);
      });
    });
  }

  /**
   * Asks for what is read as a whole.
   * @throws as `ask` does, and UpstreamProblem where the answer doesn't fit.
   */
  async askFor<S extends z.ZodMiniType>(
    schema: S,
    call: UpstreamCall,
    context: SecurityContext,
    options: AnswerOptions,
  ): Promise<z.output<S>> {
    const text = await textOf(await this.ask(call, context, options), maxWholeBytes);
    const result = z.safeParse(schema, parse(text));
    if (result.success) return result.data;
    const problem = new UpstreamProblem('unfit', `answers to ${call.path} with something else.`);
    this.#tell(options.requestId, problem);
    throw problem;
  }

  close(): void {
    this.#connection.close();
  }

  /** Resolves when the answer is over, one way or the other. */
  async #pass(call: UpstreamCall, context: SecurityContext, options: Asked, onAnswer: OnAnswer): Promise<void> {
    const { askedAt, requestId, signal, trace } = options;
    const { headMs, silenceMs } = this.#limits;
    const sentAt = performance.now();
    const response = await this.#connection.send(requestOf(call, await this.#tokens.of(context), requestId), signal);
    const chunks = chunksOf(response, silenceMs);
    const abort = () => chunks.stop(abortedError());
    const giveUp = () => chunks.stop(new UpstreamProblem('slow', 'took too long for the beginning of an answer.'));
    const timer = setTimeout(giveUp, headMs);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const head = await readAnswer(response, chunks);
      clearTimeout(timer);
      trace.served(CacheUse.upstream, 0, sentAt - askedAt, performance.now() - sentAt);
      const rest = this.#rest(chunks, options);
      const told = call.path === '/v1/cubesql' ? withErrorLine(head.bytes, rest) : rest;
      await this.#handOn(head, told, options, onAnswer);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      chunks.stop();
    }
  }

  /** Resolves when the answer was read, or is not read any more. */
  #handOn({ bytes, isWhole }: AnswerHead, rest: BodySource, { onEnd }: Asked, onAnswer: OnAnswer): Promise<void> {
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

  /** The rest of an answer: what breaks it off, breaks off the body that it is passed on in. */
  #rest(chunks: AnswerChunks, { requestId, onBreak }: Asked): BodySource {
    return {
      next: async () => {
        try {
          return (await chunks.next()).value ?? null;
        } catch (error) {
          this.#tell(requestId, error);
          onBreak?.(error);
          throw error;
        }
      },
      close: () => chunks.stop(),
    };
  }

  #tell(requestId: string, error: unknown): void {
    if (error instanceof UpstreamProblem) this.#onProblem(`${requestId} ${error.note}`);
  }
}

type Asked = LoadOptions & { readonly signal: AbortSignal; readonly askedAt: number };
type OnAnswer = (body: AnswerBody) => void;

/** Nothing of the caller's own request travels but its id and what was read of its body. */
function requestOf({ method, path, body }: UpstreamCall, token: string, requestId: string): UpstreamRequest {
  const headers = {
    accept: 'application/json',
    // What is compressed can end early without a sign of it.
    'accept-encoding': 'identity',
    authorization: token,
    'x-request-id': requestId,
  };
  if (body === undefined) return { method, path, headers };
  const text = JSON.stringify(body);
  const described = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  return { method, path, headers: { ...headers, ...described }, body: text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
