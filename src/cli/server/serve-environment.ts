import type { UpstreamOptions } from '../../platform/data/upstream/upstream-options.js';
import type {
  ChannelOptions,
  GitHostOptions,
  MailOptions,
  OAuthOptions,
  OidcOptions,
  ToolServerOptions,
} from '../../platform/index.js';
import type { LlmOptions } from '../../platform/open-chat.js';
import { UsageError } from '../command.js';

/**
 * Reads the language model from the environment; `null` if not set. Empty variables count as not set.
 * @throws UsageError if only some of the variables are set.
 */
export function readLlm(environment: Readonly<Record<string, string | undefined>>): LlmOptions | null {
  const { PA_LLM_BASE_URL: baseUrl, PA_LLM_API_KEY: apiKey, PA_LLM_MODEL: model } = environment;
  if (baseUrl && model) return { baseUrl, model, ...(apiKey && { apiKey }) };
  if (baseUrl) throw new UsageError('PA_LLM_BASE_URL requires PA_LLM_MODEL: the name of the language model.');
  const named = model ? 'PA_LLM_MODEL' : 'PA_LLM_API_KEY';
  if (model || apiKey) throw new UsageError(`${named} requires PA_LLM_BASE_URL: the base URL of the language model.`);
  return null;
}

/** Reads the mail options from the environment. Empty variables count as not set. The platform validates them. */
export function readMail(environment: Readonly<Record<string, string | undefined>>): MailOptions {
  const { PA_SMTP_URL: smtpUrl, PA_MAIL_FROM: from, PA_MAIL_REPLY_TO: replyTo } = environment;
  return { ...(smtpUrl && { smtpUrl }), ...(from && { from }), ...(replyTo && { replyTo }) };
}

/**
 * Reads the channels for notifications from the environment. Empty variables count as not set. The platform validates
 * them.
 */
export function readChannels(environment: Readonly<Record<string, string | undefined>>): ChannelOptions {
  const { PA_WEBHOOK_HOSTS: hosts, PA_WEBHOOK_SECRET: webhookSecret, PA_SLACK_TOKEN: slackToken } = environment;
  return {
    ...(hosts && { webhookHosts: hosts.split(',') }),
    ...(webhookSecret && { webhookSecret }),
    ...(slackToken && { slackToken }),
  };
}

/** Reads the hosts of OAuth integrations from the environment. The platform validates them. */
export function readOAuth({ PA_OAUTH_HOSTS: hosts }: Readonly<Record<string, string | undefined>>): OAuthOptions {
  return hosts ? { hosts: hosts.split(',') } : {};
}

/** Reads the options of git hosts from the environment. The platform validates them. */
export function readGitHosts(environment: Readonly<Record<string, string | undefined>>): GitHostOptions {
  const { PA_GIT_PRIVATE_HOSTS: hosts, PA_GIT_CA_FILE: certificateFile } = environment;
  return { ...(hosts && { privateHosts: hosts.split(',') }), ...(certificateFile && { certificateFile }) };
}

/** Reads the hosts of the services whose tools agents can use. The platform validates them. */
export function readAgentTools(environment: Readonly<Record<string, string | undefined>>): ToolServerOptions {
  const { PA_AGENT_TOOL_HOSTS: hosts, PA_AGENT_TOOL_PRIVATE_HOSTS: privateHosts } = environment;
  return { ...(hosts && { hosts: hosts.split(',') }), ...(privateHosts && { privateHosts: privateHosts.split(',') }) };
}

/**
 * Adds the secret of the platform at the OpenID provider. It only comes from the environment.
 * @throws UsageError if only the secret is set.
 */
export function readOidcSecret(
  oidc: OidcOptions | null,
  environment: Readonly<Record<string, string | undefined>>,
): OidcOptions | null {
  const { PA_OIDC_CLIENT_SECRET: clientSecret } = environment;
  if (oidc && clientSecret) return { ...oidc, clientSecret };
  if (clientSecret) throw new UsageError('PA_OIDC_CLIENT_SECRET requires --oidc-issuer and --oidc-client-id.');
  return oidc;
}

/** Returns the log line for the chat backend. */
export function describeLlm(llm: LlmOptions | null): string {
  if (llm) return `Chat: ${llm.model} at ${new URL(llm.baseUrl).host}`;
  return 'Chat: built-in analyst. Set PA_LLM_BASE_URL and PA_LLM_MODEL to use a language model.';
}

/**
 * Reads the cluster to which the Data API is forwarded; `null` if not set. The secret comes only from the environment,
 * because other users of the machine can read command lines.
 * @throws UsageError if only URL or secret is set.
 */
export function readUpstreamOptions(
  url: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): UpstreamOptions | null {
  const { PA_DATA_API_UPSTREAM_SECRET: secret } = environment;
  if (url !== undefined && secret) return { url, secret };
  if (url !== undefined) {
    throw new UsageError(
      '--data-api-upstream requires PA_DATA_API_UPSTREAM_SECRET: the secret with which the cluster verifies tokens.',
    );
  }
  if (secret)
    throw new UsageError('PA_DATA_API_UPSTREAM_SECRET requires --data-api-upstream: the base URL of the cluster.');
  return null;
}

/** Returns the log line for the Data API backend. */
export function describeUpstream({ url }: UpstreamOptions): string {
  return `Data API: forwarded to ${new URL(url).host}`;
}
