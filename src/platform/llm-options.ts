import { isLoopback } from '../contract/loopback.js';

/** A language model behind an OpenAI-compatible API. */
export interface LlmOptions {
  /** Where the API is, up to the version: `https://api.example.com/v1`. HTTPS, or HTTP on loopback. */
  readonly baseUrl: string;
  /** Left out where the API asks for none. */
  readonly apiKey?: string;
  readonly model: string;
}

/**
 * Refuses a language model that could not be asked, or only in the open.
 * @throws Error in one sentence, without the key
 */
export function checkLlm({ baseUrl, apiKey, model }: LlmOptions): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error(
      'The base URL of the language model (PA_LLM_BASE_URL) must be an address like https://api.example.com/v1.',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error(
      'The base URL of the language model (PA_LLM_BASE_URL) must begin with https:, unless it is on this machine: key and questions go there.',
    );
  }
  if (model.trim() === '') throw new Error('The language model must have a name.');
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Error('The key of the language model must be visible ASCII characters without spaces.');
  }
}
