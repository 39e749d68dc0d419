import { isLoopback } from '../contract/loopback.js';
import { isMemorySize, type QueryLimits } from '../platform/data/query-limits.js';
import { maxRateLimit } from '../platform/http/limit-requests.js';
import type { IssuerSettings, OidcOptions } from '../platform/index.js';
import { parseFlags, readNumber, UsageError } from './command.js';
import { readDatabaseUrl } from './database-options.js';
import type { TlsFiles } from './server/tls-files.js';
import { readTrustedProxies, type TrustedProxies } from './server/trusted-proxies.js';

/** Address to listen on; port 0 selects a free port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Options of `pa-platform serve`. */
export interface ServeOptions {
  readonly address: Address;
  /** Address of the ops listener; `null` if `--ops-port` is not set. */
  readonly ops: Address | null;
  /** Certificate and key for HTTPS; `null` for plain HTTP. */
  readonly tls: TlsFiles | null;
  /** Proxies whose `X-Forwarded-*` headers are used; `null` if there is none. */
  readonly trustedProxies: TrustedProxies | null;
  readonly dataDirectory: string | undefined;
  /** Postgres server for the platform's own data, instead of the embedded one. */
  readonly databaseUrl: string | undefined;
  readonly modelDirectory: string | undefined;
  readonly sourcesDirectory: string | undefined;
  readonly dataSchema: string | undefined;
  readonly dataApiPath: string;
  /** Base URL of the cluster that serves the Data API, instead of a local model. */
  readonly dataApiUpstream: string | undefined;
  readonly publicUrl: string | undefined;
  readonly allowOrigins: readonly string[];
  readonly groups: readonly string[];
  readonly limits: QueryLimits;
  /** Requests per minute to the Platform API; `undefined` applies the platform's default. */
  readonly rateLimit: number | undefined;
  /** OpenID provider of the sign-in, without its secret; `null` if there is none. */
  readonly oidc: OidcOptions | null;
  /** Issuer of bearer tokens; `null` if there is none. */
  readonly tokenIssuer: IssuerSettings | null;
  /** Whether to serve the MCP endpoint. */
  readonly mcp: boolean;
  /** Whether to record usage and serve it as a model. */
  readonly usageAnalytics: boolean;
  /** Whether to serve the console page. */
  readonly console: boolean;
  /** Whether to log every request to the Data API to stdout. */
  readonly queryLog: boolean;
  readonly demo: boolean;
}

/** Text of `pa-platform serve --help`. */
export const serveHelp = `Starts the platform. Prints "pa-platform listening on <url>" when it is ready.

  pa-platform serve [options]

  --host HOST           address to listen on (127.0.0.1); must be a loopback address unless a certificate is set
  --port N              port to listen on (4100); 0 selects a free one
  --tls-cert FILE       serves HTTPS with this certificate and its intermediate certificates (PEM); requires --tls-key.
                        Changed files are reloaded
  --tls-key FILE        private key of the certificate (PEM)
  --trust-proxy CIDR    trusts X-Forwarded-For, -Proto and -Host headers from these proxies, like 10.0.0.0/8; repeatable.
                        These headers are ignored from other clients
  --data DIR            folder of database, keys and imported data; without it, all data is lost when the process ends
  --database-url URL    Postgres server for the platform's own data, instead of the embedded one:
                        postgres://user@host/database. Put a URL with a password into PA_DATABASE_URL
  --model DIR           folder of the semantic model (YAML)
  --sources DIR         folder of the data; flights.parquet becomes the table flights
  --data-schema NAME    schema of the tables in the data source of PA_DATA_SOURCE_URL (public)
  --data-api-path PATH  base path of the Data API (/data-api)
  --data-api-upstream URL
                        forwards the Data API to a cluster with the same protocol, instead of using --model and its data:
                        its base URL without /v1, like https://cluster.example.com/cubejs-api; HTTPS, or HTTP on loopback.
                        Of the query limits below, only --queue-limit can then be set
  --public-url URL      public base URL of the platform, if it differs from the address that it listens on
  --allow-origin O      origin whose pages may call the platform, like https://app.example.com; repeatable
  --group NAME          account group to create; repeatable
  --continue-wait MS    how long a request waits for rows before it returns "Continue wait" (5000)
  --query-timeout MS    time limit of the engine for one query (30000)
  --memory-limit SIZE   memory limit of all load queries on --sources, and of all SQL statements, like 2GB (a quarter of the machine's memory, max. 4 GB)
  --cache-size MB       size of the response and result cache (64); 0 disables it
  --queue-limit N       queries that may wait for the engine (1000); returns 503 for any more
  --rate-limit N        requests per minute to the Platform API for each user of a tenant (6000); an API key may send 20 times
                        as many. Returns 429 for any more; 0 disables the limit
  --oidc-issuer URL     OpenID provider with which users sign in: HTTPS, or HTTP on loopback. Its redirect address is
                        <public URL>/sign-in/oidc/callback
  --oidc-client-id ID   id of the platform at the provider; required with --oidc-issuer
  --oidc-name NAME      name of the provider on the page (host of the issuer)
  --oidc-scope SCOPE    scope to request in addition to openid, email and profile; repeatable
  --oidc-create-users   creates users with a verified email at their first sign-in
  --oidc-trust-email    treats emails as verified if the provider does not send email_verified; only for providers in
                        which users cannot choose their email
  --oidc-rule RULE      what users with a claim get, and lose without it: groups=analysts:role=AIBIUser, groups=sales:group=sales
                        or groups=owners:admin; repeatable
  --token-issuer URL    issuer whose JSON Web Tokens the Platform API, the Chat API and MCP accept as bearer tokens of its users
  --token-audience AUD  required audience of these tokens; required with --token-issuer
  --token-jwks-url URL  keys of the issuer, if its OpenID configuration does not name them
  --mcp                 serves tools for the clients of language models at /mcp (Model Context Protocol): read-only, with the
                        permissions of a data token
  --usage-analytics     records requests to the Data API for 30 days, lists them in the console, and serves them to
                        administrators as a separate model
  --no-console          disables the console page at / and /console
  --no-query-log        disables the query log: one line of JSON on stdout for each request to the Data API
  --ops-host HOST       address of the ops listener (127.0.0.1)
  --ops-port N          port of the ops listener (/livez, /readyz, /metrics); without it, there is no listener
  --demo                for evaluation: without --data, writes a key for the admin to a temporary file
  --help                this text

Environment
  PA_ADMIN_KEY          API key of the admin; without it, one is generated and stored in <data>/admin-key
  PA_SECRET_KEY         secret from which the platform derives the keys that sign tokens and encrypt secrets in the
                        database; without it, one is generated and stored in <data>/secret-key
  PA_SECRET_KEY_PREVIOUS
                        previous values of PA_SECRET_KEY, separated by commas: their tokens stay valid, and secrets in the
                        database are encrypted again at startup. Remove them a day later
  PA_DATABASE_URL       like --database-url, but not visible to other users of the machine
  PA_DATA_SOURCE_URL    Postgres server with the data, instead of --sources: postgres://user:password@host/database, with a
                        role that has only the SELECT privilege
  PA_DATA_API_UPSTREAM_SECRET
                        secret with which the cluster of --data-api-upstream verifies tokens (HS256), at least 16 characters
                        long. Not checked at startup: a wrong secret fails at the first query
  PA_OIDC_CLIENT_SECRET secret of the platform at the provider of --oidc-issuer; without it, the client is public and identified
                        by PKCE only
  PA_SMTP_URL           mail server for notifications: smtp://user:password@mail.example.com:587 (STARTTLS) or smtps://…:465;
                        without it, messages are written to <data>/mail as .eml files. Append ?requireTLS=false for a server
                        without STARTTLS; the URL must then not contain a password
  PA_MAIL_FROM          sender of notifications, like "Reports <reports@example.com>"; required with PA_SMTP_URL
  PA_MAIL_REPLY_TO      address for replies to notifications; by default the sender
  PA_WEBHOOK_HOSTS      hosts to which notifications can be posted as webhooks, separated by commas: hooks.example.com or
                        *.example.com. Without it, webhooks are rejected. Private addresses are always rejected
  PA_WEBHOOK_SECRET     secret that signs webhooks: whsec_ and 24 random bytes or more in Base64; required with PA_WEBHOOK_HOSTS;
                        with two secrets, separated by a comma, each webhook is signed with both
  PA_OAUTH_HOSTS        hosts of OAuth integrations, separated by commas: id.example.com,*.example.com
  PA_GIT_PRIVATE_HOSTS  git hosts that may have addresses of a private network, separated by commas: git.example.internal
  PA_GIT_CA_FILE        PEM file with the certificates that are trusted for git hosts, instead of those of the system
  PA_AGENT_TOOL_HOSTS   hosts of the services whose tools agents can use (MCP), separated by commas; without it, none
  PA_AGENT_TOOL_PRIVATE_HOSTS
                        those of PA_AGENT_TOOL_HOSTS that may have private addresses
  PA_SLACK_TOKEN        bot token for notifications to channels of Slack, with the scopes chat:write and files:write
  PA_LLM_BASE_URL       language model for chats: base URL of an OpenAI-compatible API, like https://api.example.com/v1;
                        without it, chats use the built-in analyst. HTTPS, or HTTP on loopback
  PA_LLM_MODEL          name of the language model
  PA_LLM_API_KEY        API key for the language model, if it requires one`;

const flags = {
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '4100' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'trust-proxy': { type: 'string', multiple: true },
  data: { type: 'string' },
  'database-url': { type: 'string' },
  model: { type: 'string' },
  sources: { type: 'string' },
  'data-schema': { type: 'string' },
  'data-api-path': { type: 'string', default: '/data-api' },
  'data-api-upstream': { type: 'string' },
  'public-url': { type: 'string' },
  'allow-origin': { type: 'string', multiple: true },
  group: { type: 'string', multiple: true },
  'continue-wait': { type: 'string' },
  'query-timeout': { type: 'string' },
  'memory-limit': { type: 'string' },
  'cache-size': { type: 'string' },
  'queue-limit': { type: 'string' },
  'rate-limit': { type: 'string' },
  'oidc-issuer': { type: 'string' },
  'oidc-client-id': { type: 'string' },
  'oidc-name': { type: 'string' },
  'oidc-scope': { type: 'string', multiple: true },
  'oidc-create-users': { type: 'boolean', default: false },
  'oidc-trust-email': { type: 'boolean', default: false },
  'oidc-rule': { type: 'string', multiple: true },
  'token-issuer': { type: 'string' },
  'token-audience': { type: 'string' },
  'token-jwks-url': { type: 'string' },
  mcp: { type: 'boolean', default: false },
  'usage-analytics': { type: 'boolean', default: false },
  'no-console': { type: 'boolean', default: false },
  'no-query-log': { type: 'boolean', default: false },
  'ops-host': { type: 'string', default: '127.0.0.1' },
  'ops-port': { type: 'string' },
  demo: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Parses the arguments after `serve`. Returns `null` if they request the help text.
 * @throws UsageError
 */
export function readServeOptions(args: readonly string[]): ServeOptions | null {
  const values = parseFlags('serve', args, flags);
  if (values.help) return null;
  const tls = readTls(values);
  return {
    address: readServedAddress(values, tls),
    ops:
      values['ops-port'] === undefined
        ? null
        : readAddress('ops-host', values['ops-host'], 'ops-port', values['ops-port']),
    tls,
    trustedProxies: readTrustedProxies(values['trust-proxy'] ?? []),
    dataDirectory: values.data,
    databaseUrl:
      values['database-url'] === undefined ? undefined : readDatabaseUrl('--database-url', values['database-url']),
    modelDirectory: values.model,
    sourcesDirectory: values.sources,
    dataSchema: values['data-schema'],
    dataApiPath: values['data-api-path'],
    dataApiUpstream: values['data-api-upstream'],
    publicUrl: values['public-url'],
    allowOrigins: values['allow-origin'] ?? [],
    groups: values.group ?? [],
    limits: readLimits(values),
    rateLimit:
      values['rate-limit'] === undefined ? undefined : readNumber('rate-limit', values['rate-limit'], 0, maxRateLimit),
    oidc: readOidc(values),
    tokenIssuer: readTokenIssuer(values),
    mcp: values.mcp,
    usageAnalytics: values['usage-analytics'],
    console: !values['no-console'],
    queryLog: !values['no-query-log'],
    demo: values.demo,
  };
}

type Values = ReturnType<typeof parseFlags<typeof flags>>;

function readOidc(values: Values): OidcOptions | null {
  const { 'oidc-issuer': issuer, 'oidc-client-id': clientId, 'oidc-name': name } = values;
  const { 'oidc-scope': scopes, 'oidc-rule': rules, 'oidc-create-users': createUsers } = values;
  const trustEmail = values['oidc-trust-email'];
  if (issuer !== undefined && clientId !== undefined) {
    return {
      issuer,
      clientId,
      createUsers,
      ...(trustEmail && { trustEmail }),
      ...(name && { name }),
      ...(scopes && { scopes }),
      ...(rules && { rules }),
    };
  }
  if ([issuer, clientId, name, scopes, rules].every(value => value === undefined) && !createUsers && !trustEmail)
    return null;
  throw new UsageError('The options --oidc-… require both --oidc-issuer and --oidc-client-id.');
}

function readTokenIssuer(values: Values): IssuerSettings | null {
  const { 'token-issuer': issuer, 'token-audience': audience, 'token-jwks-url': jwksUrl } = values;
  if (issuer !== undefined && audience !== undefined) return { issuer, audience, jwksUrl };
  if (issuer === undefined && audience === undefined && jwksUrl === undefined) return null;
  throw new UsageError('--token-issuer and --token-audience require each other: set both or neither.');
}

type NumberFlag = 'continue-wait' | 'query-timeout' | 'cache-size' | 'queue-limit';

function readLimits(values: Values): QueryLimits {
  const memoryLimit = values['memory-limit'];
  if (memoryLimit !== undefined && !isMemorySize(memoryLimit)) {
    throw new UsageError('--memory-limit must be a size like 512MB or 2GB.');
  }
  const number = (flag: NumberFlag, min: number, max: number) => {
    const text = values[flag];
    return text === undefined ? undefined : readNumber(flag, text, min, max);
  };
  const continueWaitMs = number('continue-wait', 1, 120_000);
  const queryTimeoutMs = number('query-timeout', 1, 3_600_000);
  const cacheSize = number('cache-size', 0, 1_000_000);
  const queueLimit = number('queue-limit', 1, 100_000);
  // Omit limits that are not set, because some limits cannot be combined with other flags.
  return {
    ...(continueWaitMs !== undefined && { continueWaitMs }),
    ...(queryTimeoutMs !== undefined && { queryTimeoutMs }),
    ...(cacheSize !== undefined && { cacheBytes: cacheSize * 1024 * 1024 }),
    ...(queueLimit !== undefined && { queueLimit }),
    ...(memoryLimit !== undefined && { memoryLimit }),
  };
}

function readTls({ 'tls-cert': cert, 'tls-key': key }: Values): TlsFiles | null {
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) {
    throw new UsageError('--tls-cert and --tls-key require each other: set both or neither.');
  }
  return { cert, key };
}

/**
 * Reads the address to listen on. Plain HTTP is allowed on loopback only, HTTPS on any address if the operator sets the
 * public host name.
 */
function readServedAddress(values: Values, tls: TlsFiles | null): Address {
  const { host, port } = values;
  if (isLoopback(host)) return readAddress('host', host, 'port', port);
  if (tls === null) {
    throw new UsageError('--host must be a loopback address like 127.0.0.1, unless --tls-cert and --tls-key are set.');
  }
  if (values['public-url'] === undefined) {
    throw new UsageError(
      '--host with an address other than loopback requires --public-url, because requests for other host names are rejected.',
    );
  }
  return { host: bare(host), port: readNumber('port', port, 0, 65_535) };
}

function readAddress(hostFlag: string, host: string, portFlag: string, port: string): Address {
  if (!isLoopback(host)) {
    throw new UsageError(`--${hostFlag} must be a loopback address like 127.0.0.1, because it serves plain HTTP.`);
  }
  return { host: bare(host), port: readNumber(portFlag, port, 0, 65_535) };
}

/** Removes the brackets that an IPv6 address has in a URL. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
