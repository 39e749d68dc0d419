import type { LlmOptions } from '../platform/llm-options.js';
import { UsageError } from './usage-error.js';

/**
 * The language model that the environment names; null where it names none. An empty variable is how many tools say that there is none.
 * @throws UsageError where it says but half of it
 */
export function readLlm(environment: Readonly<Record<string, string | undefined>>): LlmOptions | null {
  const { PA_LLM_BASE_URL: baseUrl, PA_LLM_API_KEY: apiKey, PA_LLM_MODEL: model } = environment;
  if (baseUrl && model) return { baseUrl, model, ...(apiKey && { apiKey }) };
  if (baseUrl) throw new UsageError('PA_LLM_BASE_URL needs PA_LLM_MODEL: the name of the language model there.');
  const named = model ? 'PA_LLM_MODEL' : 'PA_LLM_API_KEY';
  if (model || apiKey) throw new UsageError(`${named} needs PA_LLM_BASE_URL: where the language model is asked.`);
  return null;
}

/** Who answers in chats, in a line. */
export function describeLlm(llm: LlmOptions | null): string {
  if (llm) return `Chat: ${llm.model} at ${new URL(llm.baseUrl).host}`;
  return 'Chat: the built-in analyst, without a language model. Set PA_LLM_BASE_URL and PA_LLM_MODEL for one.';
}
