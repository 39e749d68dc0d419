import type { LanguageModel } from 'ai';
import type { ModelLimits } from './limits.js';
import { ModelProblem, problemOfStatus } from './model-problem.js';

/** Restrictions of a guarded fetch. */
interface GuardOptions {
  /** Address of the service. Requests to any other origin are rejected. */
  readonly baseUrl: URL;
  /** Maximum size of one response in bytes. */
  readonly answerBytes: number;
  readonly fetch: typeof fetch;
}

/**
 * Creates a fetch function that reaches only one service, follows no redirects, and returns only event streams of
 * limited size. Any other outcome is thrown as a ModelProblem. Error response bodies are never read, because they may
 * quote the request.
 */
export function guardedFetch({ baseUrl, answerBytes, fetch: inner }: GuardOptions): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== baseUrl.origin) throw new ModelProblem('unfit', 'a request to another host was blocked');
    const response = await withConnectionErrors(() => inner(url, { ...init, redirect: 'manual' }), init?.signal);
    const type = response.headers.get('content-type') ?? '';
    const isStream = /^text\/event-stream\b/i.test(type);
    if (response.ok && isStream && response.body) {
      const { status, headers } = response;
      return new Response(response.body.pipeThrough(endAtLastLine(answerBytes)), { status, headers });
    }
    // The error below reports the response without reading its body.
    response.body?.cancel().catch(() => undefined);
    if (!response.ok) throw problemOfStatus(response.status, response.headers.get('retry-after'));
    throw new ModelProblem('unfit', "the language model's service returned a response that is not an event stream");
  };
}

async function withConnectionErrors(
  ask: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  try {
    return await ask();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ModelProblem('away', "the language model's service is unreachable");
  }
}

/**
 * The line that ends a stream of chat completions. Model output cannot contain this line, because its line breaks are
 * escaped.
 */
const lastLine = /[\r\n]data: ?\[DONE\]/;

/**
 * Ends the stream at the protocol's final line, even if the connection stays open.
 * Reading it throws a ModelProblem if the stream exceeds `bytes`.
 */
function endAtLastLine(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  let before = '\n';
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) throw new ModelProblem('long', `a response of the language model exceeded ${bytes} bytes`);
      controller.enqueue(chunk);
      const seen = before + Buffer.from(chunk).toString('latin1');
      if (lastLine.test(seen)) controller.terminate();
      before = seen.slice(-20);
    },
  });
}

/** Address and credentials of a language model. */
export interface ModelAddress {
  /** Base URL of an OpenAI-compatible service, such as `https://models.example.com/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; `null` if the service requires no key. */
  readonly apiKey: string | null;
  /** Model name as the service defines it. */
  readonly model: string;
  readonly fetch?: typeof fetch;
}

/** A language model and the AI SDK used to call it. */
export interface ModelConnection {
  readonly ai: typeof import('ai');
  readonly model: LanguageModel;
}

/**
 * Validates the base URL before any request is sent.
 * @throws Error without the URL, which may contain a password.
 */
export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  throw new Error('The address of the language model must be an http or https URL without a user name or password.');
}

/** Loads the AI SDK and binds a model to its address. */
export async function connectModel(address: ModelAddress, limits: ModelLimits): Promise<ModelConnection> {
  const { apiKey, model } = address;
  const baseUrl = readBaseUrl(address.baseUrl);
  const [ai, { createOpenAICompatible }] = await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')]);
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL: baseUrl.href,
    ...(apiKey !== null && { apiKey }),
    includeUsage: true,
    fetch: guardedFetch({ baseUrl, answerBytes: limits.answerBytes, fetch: address.fetch ?? fetch }),
  });
  return { ai, model: provider.chatModel(model) };
}

/** Returns the model name shown to users, without paths and account names, which reveal where it runs. */
export function publicModelName(model: string): string {
  const name = model.split(/[/\\]/).at(-1) ?? '';
  return (
    name
      .replace(/\.gguf$|\.safetensors$/i, '')
      .replaceAll(/[^\w.:-]/g, '')
      .slice(0, 60) || 'model'
  );
}
