import type { UpstreamOptions } from '../../platform/data/upstream/upstream-options.js';
import type { LlmOptions } from '../../platform/open-chat.js';
import { UsageError } from '../command.js';

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

/**
 * The cluster that the Data API is passed on to; null where there is none. The secret comes from the environment alone, because others
 * on the machine can read a command line.
 * @throws UsageError where but half of it is said
 */
export function readUpstreamOptions(
  url: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): UpstreamOptions | null {
  const { PA_DATA_API_UPSTREAM_SECRET: secret } = environment;
  if (url !== undefined && secret) return { url, secret };
  if (url !== undefined) {
    throw new UsageError(
      '--data-api-upstream needs PA_DATA_API_UPSTREAM_SECRET: the secret that the cluster verifies its tokens by.',
    );
  }
  if (secret)
    throw new UsageError('PA_DATA_API_UPSTREAM_SECRET needs --data-api-upstream: where the cluster is asked.');
  return null;
}

/** Who serves the Data API, in a line. */
export function describeUpstream({ url }: UpstreamOptions): string {
  return `Data API: passed on to ${new URL(url).host}`;
}
