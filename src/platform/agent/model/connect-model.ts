import type { LanguageModel } from 'ai';
import { guardedFetch } from './guarded-fetch.js';
import type { ModelLimits } from './limits.js';

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
