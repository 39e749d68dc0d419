import type { LanguageModel } from 'ai';
import type { ModelLimits } from './limits.js';
import { ModelProblem, problemOfStatus } from './model-problem.js';

/** What a guarded fetch lets through. */
interface GuardOptions {
  /** Address of the service; no other host is asked. */
  readonly baseUrl: URL;
  /** Bytes of one answer. */
  readonly answerBytes: number;
  readonly fetch: typeof fetch;
}

/**
 * A fetch that reaches one service alone, follows no redirect, and hands on nothing but a stream of events, as long as it may be.
 * Whatever else comes is thrown as a ModelProblem; the body of a refusal is never read, since it may quote the request.
 */
export function guardedFetch({ baseUrl, answerBytes, fetch: inner }: GuardOptions): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== baseUrl.origin) throw new ModelProblem('unfit', 'a request to another host was held back');
    const response = await reached(() => inner(url, { ...init, redirect: 'manual' }), init?.signal);
    const type = response.headers.get('content-type') ?? '';
    const isStream = /^text\/event-stream\b/i.test(type);
    if (response.ok && isStream && response.body) {
      const { status, headers } = response;
      return new Response(response.body.pipeThrough(upToItsEnd(answerBytes)), { status, headers });
    }
    response.body?.cancel().catch(() => undefined);
    if (!response.ok) throw problemOfStatus(response.status, response.headers.get('retry-after'));
    throw new ModelProblem(
      'unfit',
      "the language model's service answered with something other than a stream of events",
    );
  };
}

async function reached(ask: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
  try {
    return await ask();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ModelProblem('away', "the language model's service can't be reached");
  }
}

/** The line by which a stream of chat completions ends. In what a model says, line ends are escaped. */
const lastLine = /[\r\n]data: ?\[DONE\]/;

/**
 * Ends with the protocol's own last line, whatever the connection does after it.
 * @throws ModelProblem while it is read, when there are more bytes.
 */
function upToItsEnd(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  let before = '\n';
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) throw new ModelProblem('long', `an answer of the language model was longer than ${bytes} bytes`);
      controller.enqueue(chunk);
      const seen = before + Buffer.from(chunk).toString('latin1');
      if (lastLine.test(seen)) controller.terminate();
      before = seen.slice(-20);
    },
  });
}

/** Where a language model is, and how it is asked. */
export interface ModelAddress {
  /** Base URL of an OpenAI-compatible service, such as `https://models.example.com/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; null for a service that asks for none. */
  readonly apiKey: string | null;
  /** Name of the model, as the service has it. */
  readonly model: string;
  readonly fetch?: typeof fetch;
}

/** A language model with the package that speaks to it. */
export interface ModelConnection {
  readonly ai: typeof import('ai');
  readonly model: LanguageModel;
}

/**
 * Checks an address before anything is asked.
 * @throws Error without the address, which may hold a password.
 */
export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  throw new Error('The address of the language model must be an http or https URL, without user and password.');
}

/** Loads what speaks to the model, and binds it to its address. */
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

/** The name of a model as users see it: paths and names of accounts say where it runs, not what it is. */
export function publicModelName(model: string): string {
  const name = model.split(/[/\\]/).at(-1) ?? '';
  return (
    name
      .replace(/\.gguf$|\.safetensors$/i, '')
      .replaceAll(/[^\w.:-]/g, '')
      .slice(0, 60) || 'model'
  );
}
