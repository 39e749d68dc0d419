import { isLoopback } from '../contract/loopback.js';
import { isMemorySize, type QueryLimits } from '../platform/data/query-limits.js';
import { maxRateLimit } from '../platform/http/limit-requests.js';
import { parseFlags, readNumber, UsageError } from './command.js';
import { readDatabaseUrl } from './database-options.js';
import type { TlsFiles } from './server/tls-files.js';
import { readTrustedProxies, type TrustedProxies } from './server/trusted-proxies.js';

/** Where something listens; port 0 picks a free one. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What `pa-platform serve` was asked for. */
export interface ServeOptions {
  readonly address: Address;
  /** `null` without `--ops-port`: then there is no ops listener. */
  readonly ops: Address | null;
  /** `null` for plain HTTP. */
  readonly tls: TlsFiles | null;
  /** `null` where nobody's `X-Forwarded-*` headers count. */
  readonly trustedProxies: TrustedProxies | null;
  readonly dataDirectory: string | undefined;
  /** Postgres server of the platform's own data, in place of the embedded one. */
  readonly databaseUrl: string | undefined;
  readonly modelDirectory: string | undefined;
  readonly sourcesDirectory: string | undefined;
  readonly dataSchema: string | undefined;
  readonly dataApiPath: string;
  /** Where the Data API is passed on to, in place of a model of its own. */
  readonly dataApiUpstream: string | undefined;
  readonly publicUrl: string | undefined;
  readonly allowOrigins: readonly string[];
  readonly groups: readonly string[];
  readonly limits: QueryLimits;
  /** Requests a minute to the Platform API; `undefined` leaves it to the platform. */
  readonly rateLimit: number | undefined;
  /** Whether every request to the Data API is a line on stdout. */
  readonly queryLog: boolean;
  readonly demo: boolean;
}

/** Text of `pa-platform serve --help`. */
export const serveHelp = `Starts the platform, and says "pa-platform listening on <url>" when it is ready.

  pa-platform serve [options]

  --host HOST           address to listen on (127.0.0.1); without a certificate of loopback alone, because it is plain HTTP
  --port N              port to listen on (4100); 0 picks a free one
  --tls-cert FILE       serves HTTPS with this certificate, and those between it and the authority's (PEM); needs --tls-key.
                        Files that are renewed are read anew
  --tls-key FILE        its key (PEM)
  --trust-proxy CIDR    proxies whose X-Forwarded-For, -Proto and -Host headers count, like 10.0.0.0/8; may be repeated.
                        From anybody else they mean nothing
  --data DIR            folder of database, keys and imported data; without it all of that ends with the process
  --database-url URL    Postgres server for the platform's own data, in place of the embedded one:
                        postgres://user@host/database. With a password it belongs in PA_DATABASE_URL
  --model DIR           folder of the semantic model (YAML)
  --sources DIR         folder of the data; flights.parquet is the table flights
  --data-schema NAME    schema of the tables in the data source of PA_DATA_SOURCE_URL (public)
  --data-api-path PATH  base path of the Data API (/data-api)
  --data-api-upstream URL
                        passes the Data API on to a cluster that speaks the same protocol, in place of --model and its data:
                        its base URL without /v1, like https://cluster.example.com/cubejs-api; HTTPS, or HTTP on loopback.
                        Of the limits below only --queue-limit holds then
  --public-url URL      where the platform is reached, when that is not where it listens
  --allow-origin O      origin whose pages may call, like https://app.example.com; may be repeated
  --group NAME          account group to create; may be repeated
  --continue-wait MS    how long a request waits for its rows before it is told to ask again (5000)
  --query-timeout MS    how long the engine may work on one query (30000)
  --memory-limit SIZE   memory of all queries on --sources together, like 2GB (a quarter of the machine's, 4 GB at most)
  --cache-size MB       how much of the results is kept (64); 0 keeps none
  --queue-limit N       queries that may wait for the engine (1000); one more is answered 503
  --rate-limit N        requests a minute to the Platform API that a user of a tenant may send (6000), an API key 20 times as
                        many; one more is answered 429. 0 sets no limit
  --no-query-log        leaves out the log of queries: one line of JSON on stdout for each request to the Data API
  --ops-host HOST       address of the ops listener (127.0.0.1)
  --ops-port N          port of the ops listener (/livez, /readyz, /metrics); without it there is none
  --demo                for trying out: keeps a key for the admin in a temporary file when there is no --data
  --help                this text

Environment
  PA_ADMIN_KEY          API key of the admin; without it one is kept in <data>/admin-key
  PA_SECRET_KEY         secret that the keys of tokens, and of secrets in the database, derive from; without it one is kept
                        in <data>/secret-key
  PA_SECRET_KEY_PREVIOUS
                        secrets from before, separated by commas, when PA_SECRET_KEY is changed: their tokens stay good, and
                        what they sealed is sealed anew at the start; a day later they can be left out
  PA_DATABASE_URL       --database-url, where others can't read it
  PA_DATA_SOURCE_URL    Postgres server with the data, in place of --sources: postgres://user:password@host/database of a role
                        that may SELECT and nothing else
  PA_DATA_API_UPSTREAM_SECRET
                        secret that the cluster of --data-api-upstream verifies its tokens by (HS256), of 16 characters
                        at least; the cluster is not asked at the start, so that a wrong one shows at the first query
  PA_LLM_BASE_URL       language model that answers in chats: an OpenAI-compatible API, like https://api.example.com/v1;
                        without one the built-in analyst answers. HTTPS, or HTTP on loopback
  PA_LLM_MODEL          name of the model there
  PA_LLM_API_KEY        key for it, where it asks for one`;

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
  'no-query-log': { type: 'boolean', default: false },
  'ops-host': { type: 'string', default: '127.0.0.1' },
  'ops-port': { type: 'string' },
  demo: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the arguments that follow `serve`; `null` asks for the help text.
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
    queryLog: !values['no-query-log'],
    demo: values.demo,
  };
}

type Values = ReturnType<typeof parseFlags<typeof flags>>;

type NumberFlag = 'continue-wait' | 'query-timeout' | 'cache-size' | 'queue-limit';

function readLimits(values: Values): QueryLimits {
  const memoryLimit = values['memory-limit'];
  if (memoryLimit !== undefined && !isMemorySize(memoryLimit)) {
    throw new UsageError('--memory-limit must be a size like 512MB or 2GB.');
  }
  const number = (flag: NumberFlag, least: number, most: number) => {
    const text = values[flag];
    return text === undefined ? undefined : readNumber(flag, text, least, most);
  };
  const continueWaitMs = number('continue-wait', 1, 120_000);
  const queryTimeoutMs = number('query-timeout', 1, 3_600_000);
  const cacheSize = number('cache-size', 0, 1_000_000);
  const queueLimit = number('queue-limit', 1, 100_000);
  // What isn't given is left to the platform: some of it means nothing beside other flags.
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
    throw new UsageError('--tls-cert and --tls-key go together: give both, or none.');
  }
  return { cert, key };
}

/** HTTPS may be served on any address; but what others call the platform is then for the operator to say. */
function readServedAddress(values: Values, tls: TlsFiles | null): Address {
  const { host, port } = values;
  if (isLoopback(host)) return readAddress('host', host, 'port', port);
  if (tls === null) {
    throw new UsageError(
      '--host must be of loopback, like 127.0.0.1, without a certificate: give --tls-cert and --tls-key to serve HTTPS on others.',
    );
  }
  if (values['public-url'] === undefined) {
    throw new UsageError('--host that is not of loopback needs --public-url: no other host name is answered.');
  }
  return { host: bare(host), port: readNumber('port', port, 0, 65_535) };
}

function readAddress(hostFlag: string, host: string, portFlag: string, port: string): Address {
  if (!isLoopback(host)) {
    throw new UsageError(
      `--${hostFlag} must be of loopback, like 127.0.0.1: anything else would be served plain HTTP.`,
    );
  }
  return { host: bare(host), port: readNumber(portFlag, port, 0, 65_535) };
}

/** An IPv6 address without the brackets that it has in a URL. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
