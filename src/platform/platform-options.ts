import { resolve } from 'node:path';
import { readToolServerOptions, type ToolServerOptions } from './agent/remote-tools/tool-server-options.js';
import type { QueryEvent } from './data/answers/query-event.js';
import { readDataLocation } from './data/engines/open-engine.js';
import { checkLimits, type QueryLimits } from './data/query-limits.js';
import { readUpstream, rejectOwnData, type UpstreamOptions } from './data/upstream/upstream-options.js';
import { type ChannelOptions, readChannelOptions } from './delivery/channels/channel-options.js';
import { type MailOptions, readMailOptions } from './delivery/mail/mail-options.js';
import { readOrigin, readPublicUrl } from './http/public-url.js';
import { readRateLimit } from './http/rate-limits.js';
import { type GitHostOptions, readGitHostOptions } from './models/repohost/git-host.js';
import { checkLlm, type LlmOptions } from './open-chat.js';
import { type OAuthOptions, readOAuthOptions } from './people/oauth/oauth-options.js';
import { readSignInOptions, type SignInOptions } from './people/sign-in/oidc-options.js';

/** Options of `createPlatform`. Only `publicUrl` is required. */
export interface PlatformOptions extends SignInOptions {
  /**
   * Public URL of the platform, such as `https://analytics.example.com`: HTTPS, or HTTP on loopback. Requests for any
   * other `Host` return 421.
   */
  readonly publicUrl: string;
  /**
   * Folder of all persistent data: database, keys, imported data. Created if it does not exist. Several platforms can
   * share it. Without it, all data is lost when the platform stops.
   */
  readonly dataDirectory?: string;
  /** URL of a Postgres server to use instead of the embedded one: `postgres://…`. */
  readonly databaseUrl?: string;
  /** Folder of the semantic model (YAML) of deployment 1. Requires `sourcesDirectory` or `dataSourceUrl`. */
  readonly modelDirectory?: string;
  /** Folder of the source files. Each file becomes a table with the name of the file. */
  readonly sourcesDirectory?: string;
  /**
   * URL of a Postgres server that contains the rows, instead of files: `postgres://…`. Its role must have only SELECT
   * privileges.
   */
  readonly dataSourceUrl?: string;
  /** Schema of the tables in the data source; `public` by default. */
  readonly dataSchema?: string;
  /** A cluster that Data API requests are forwarded to, instead of a local model and data. */
  readonly dataApiUpstream?: UpstreamOptions;
  /** Base path of the Data API; `/data-api` by default. */
  readonly dataApiPath?: string;
  /** Allowed origins for CORS, such as `https://app.example.com`; none by default. */
  readonly allowOrigins?: readonly string[];
  /** Names of account groups to create at startup. */
  readonly groups?: readonly string[];
  /** The admin's API key; by default generated and stored in `<dataDirectory>/admin-key`. */
  readonly adminKey?: string;
  /**
   * Secret from which the keys for tokens and for secrets in the database are derived; by default stored in
   * `<dataDirectory>/secret-key`.
   */
  readonly secretKey?: string;
  /**
   * Previous secret keys, for key rotation. Tokens that they signed remain valid until they expire, and secrets that
   * they encrypted in the database are encrypted with the new key at startup. Remove them one day after the last
   * platform was started with the new key.
   */
  readonly previousSecretKeys?: readonly string[];
  /** For evaluation only. Stores a generated admin key in a temporary folder if there is no data folder. */
  readonly demo?: boolean;
  /** The language model for chats. By default, the built-in analyst answers; it does not use a language model. */
  readonly llm?: LlmOptions;
  /** The mail server for notifications. Without it, messages are written to files in the data folder. */
  readonly mail?: MailOptions;
  /** Channels to which notifications may be posted, in addition to mail; none by default. */
  readonly channels?: ChannelOptions;
  /** Hosts of OAuth integrations; none by default. */
  readonly oauth?: OAuthOptions;
  /** Which git hosts repositories can be connected from. By default, only hosts with public addresses. */
  readonly gitHosts?: GitHostOptions;
  /** Hosts of the services whose tools agents with a language model can use (MCP); none by default. */
  readonly agentTools?: ToolServerOptions;
  /**
   * Maximum number of requests per minute of an embed tenant's user to the Platform API; 6,000 by default. API keys
   * have 20 times this limit. 0 disables the limits. Platforms on one database share the limits. Data and Chat API have
   * separate limits.
   */
  readonly rateLimit?: number;
  /** Resource limits for queries. */
  readonly limits?: QueryLimits;
  /**
   * Serves the console page at `/` and `/console`: the page describes the platform, and has a playground for users who
   * enter an admin API key. On by default.
   */
  readonly console?: boolean;
  /**
   * Serves tools for the clients of language models at `/mcp` (Model Context Protocol): read-only, with the permissions
   * of a data token; off by default. Requires the package `@modelcontextprotocol/server`.
   */
  readonly mcp?: boolean;
  /**
   * Records requests to the Data API for 30 days, and serves the records to administrators as a separate model; off by
   * default. The database must allow the platform to create a role.
   */
  readonly usageAnalytics?: boolean;
  /** Collects counters and timings for `/metrics` of `ops`; off by default. */
  readonly metrics?: boolean;
  /** Called after every request to the Data API. The event contains no names or values of the request. */
  readonly onQuery?: (event: QueryEvent) => void;
  /** Called with notices for the operator, such as a changed model. */
  readonly onNotice?: (notice: string) => void;
  /** Called for every failure that the client did not cause. The text contains no values from requests or rows. */
  readonly onFailure?: (failure: string) => void;
}

/** Validated options. */
export type Settings = ReturnType<typeof readSettings>;

/** Validates the options and parses their values. @throws Error with a one-sentence reason if an option is invalid. */
export function readSettings(options: PlatformOptions) {
  const { dataDirectory, databaseUrl, secretKey, dataApiPath = '/data-api' } = options;
  if (!/^(\/[\w.-]+)+$/.test(dataApiPath) || /^\/(api|build|deployments)(\/|$)/.test(dataApiPath)) {
    throw new Error(
      'The path of the Data API must have the form /data-api and must not be below /api, /build or /deployments.',
    );
  }
  if (databaseUrl !== undefined && dataDirectory === undefined && secretKey === undefined) {
    throw new Error(
      'A platform with its own database requires a secret key or a data folder, because tokens must remain valid after a restart.',
    );
  }
  const limits = options.limits ?? {};
  if (options.dataApiUpstream) rejectOwnData(options, limits);
  const place = readDataLocation(options);
  if (options.modelDirectory !== undefined && place === null) {
    throw new Error(
      'A model requires data. Set --sources to the folder of the source files, or PA_DATA_SOURCE_URL to a data source.',
    );
  }
  checkLimits(limits);
  if (place?.kind === 'postgres' && limits.memoryLimit !== undefined) {
    throw new Error(
      '--memory-limit is not supported with PA_DATA_SOURCE_URL, because the server limits its own memory. Remove it.',
    );
  }
  if (options.llm) checkLlm(options.llm);
  return {
    ...options,
    limits,
    rateLimit: readRateLimit(options.rateLimit),
    ...readSignInOptions(options),
    mail: readMailOptions(options.mail ?? {}),
    channels: readChannelOptions(options.channels ?? {}),
    oauth: readOAuthOptions(options.oauth),
    gitHosts: readGitHostOptions(options.gitHosts),
    agentTools: readToolServerOptions(options.agentTools),
    place,
    dataApiPath,
    dataApiUpstream: options.dataApiUpstream && readUpstream(options.dataApiUpstream),
    publicUrl: readPublicUrl(options.publicUrl),
    allowOrigins: (options.allowOrigins ?? []).map(readOrigin),
    dataDirectory: dataDirectory === undefined ? undefined : resolve(dataDirectory),
    report: (failure: string) => options.onFailure?.(failure),
  };
}
