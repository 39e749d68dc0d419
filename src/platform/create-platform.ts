import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Hono } from 'hono';
import '../contract/messages.js';
import type pg from 'pg';
import { createApp, createOpsApp } from './app.js';
import { createAuthenticate, createAuthenticateChat, createAuthenticateData } from './auth/authenticate.js';
import { createAuthenticateScim } from './auth/authenticate-scim.js';
import type { SecurityContext } from './auth/principal.js';
import { createSealedSecrets, type SealedSecrets } from './auth/sealed-secrets.js';
import { type AdminKey, hashApiKey, openAdminKey, openSecrets, readPreviousSecrets } from './auth/secrets.js';
import { deleteExpiredSessions } from './auth/sessions.js';
import { createTokens, type Tokens } from './auth/tokens.js';
import { ChartCompiler } from './content/dashboards/chart-compiler.js';
import type { QueryEvent } from './data/answers/query-event.js';
import { readDataLocation } from './data/engines/open-engine.js';
import type { VariableSource } from './data/model/variables.js';
import { type DataApi, noDataApi, openDataApi } from './data/open-data.js';
import { checkLimits, type QueryLimits } from './data/query-limits.js';
import { readUpstream, refuseOwnData, type UpstreamOptions } from './data/upstream/upstream-options.js';
import { type Database, type Db, openDatabase } from './db/database.js';
import { startPostgresServer } from './db/embedded-postgres/postgres-server.js';
import { type ChannelOptions, readChannelOptions } from './delivery/channels/channel-options.js';
import { openSlackSender } from './delivery/channels/slack-sender.js';
import { openWebhookSender } from './delivery/channels/webhook-sender.js';
import { type DeliveryEvent, deliveryHandler } from './delivery/deliver-run.js';
import { deleteExpiredExports } from './delivery/exports/export-store.js';
import { exportKind } from './delivery/exports/exports.js';
import { exportHandler } from './delivery/exports/render-export.js';
import { type MailOptions, readMailOptions } from './delivery/mail/mail-options.js';
import { openMailSender } from './delivery/mail/mail-sender.js';
import { countDeadLetters, deleteOldRuns, deliveryKind } from './delivery/run-store.js';
import { scheduleHandler, scheduleKind } from './delivery/start-runs.js';
import { createUnsubscribeUrl, unsubscribePages } from './delivery/unsubscribe.js';
import { describeFailure } from './errors.js';
import { consoleRoutes } from './http/console-routes.js';
import { readOrigin, readPublicUrl } from './http/public-url.js';
import { deleteOldRateLimitWindows } from './http/rate-limiter.js';
import { applyRateLimits, readRateLimit } from './http/rate-limits.js';
import type { RequestIdEnv, RequestOrigin } from './http/request-id.js';
import { type JobHandler, JobQueue } from './jobs/job-queue.js';
import type { mcpRoutes } from './mcp/mcp-routes.js';
import type { Metrics } from './metrics.js';
import { resealVariables } from './models/env-variable-store.js';
import { deleteExpiredEnvironmentTokens, resealEnvironmentTokens } from './models/environment-store.js';
import { transformSyncHandler, transformSyncKind } from './models/transform-sync-runs.js';
import { type ChatApi, checkLlm, type LlmOptions, noChatApi, openChatApi } from './open-chat.js';
import { openVariableSource } from './open-variables.js';
import { platformRoutes } from './platform-routes.js';
import { CleanupStack } from './runtime/cleanup-stack.js';
import { seed } from './seed.js';
import { deleteOldAuditEntries } from './settings/audit-log.js';

/** Options of `createPlatform`. Only `publicUrl` is required. */
export interface PlatformOptions {
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
  /** Folder of the source files. Each file is a table with the file's name. */
  readonly sourcesDirectory?: string;
  /**
   * URL of a Postgres server with the rows, instead of files: `postgres://…`. Its role must have only SELECT
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
  /** For evaluation: stores a generated admin key in a temporary folder if there is no data folder. */
  readonly demo?: boolean;
  /** The language model for chats. By default the built-in analyst answers, which does not use a language model. */
  readonly llm?: LlmOptions;
  /** The mail server for notifications. Without it, messages are written to files in the data folder. */
  readonly mail?: MailOptions;
  /** Channels to which notifications may be posted, in addition to mail: none by default. */
  readonly channels?: ChannelOptions;
  /**
   * Max requests per minute of an embed tenant's user to the Platform API; 6,000 by default. The limit of an API key is
   * 20 times as high. 0 disables the limit. Platforms on one database share it. Data and Chat API have separate limits.
   */
  readonly rateLimit?: number;
  /** Resource limits for queries. */
  readonly limits?: QueryLimits;
  /**
   * Serves the console page at `/` and `/console`: it says what the platform is, and has a playground for viewers who
   * enter an admin API key; on by default.
   */
  readonly console?: boolean;
  /**
   * Serves tools for the clients of language models at `/mcp` (Model Context Protocol): read-only, with the permissions
   * of a data token; off by default. Requires the package `@modelcontextprotocol/server`.
   */
  readonly mcp?: boolean;
  /** Collects counters and timings for `/metrics` of `ops`; off by default. */
  readonly metrics?: boolean;
  /** Called after every request to the Data API. The event contains no names or values of the request. */
  readonly onQuery?: (event: QueryEvent) => void;
  /** Called with notices for the operator, such as a changed model. */
  readonly onNotice?: (notice: string) => void;
  /** Called with every failure that the client did not cause, without values of requests or rows. */
  readonly onFailure?: (failure: string) => void;
}

/** A running platform. Several platforms in one process are independent. */
export interface Platform {
  /**
   * Handles a request to the Platform, Data or Chat API.
   * @param origin - origin of the request. Failed authentications are counted by address.
   */
  readonly fetch: (request: Request, origin?: RequestOrigin) => Promise<Response>;
  /** Handles `/livez`, `/readyz` and `/metrics`. Serve it on a listener that is not publicly reachable. */
  readonly ops: (request: Request) => Promise<Response>;
  /** Path of the file with the admin's API key; `null` if the `adminKey` option is set. */
  readonly adminKeyPath: string | null;
  /**
   * Suspends running chat responses, to be resumed by the next platform. Their streams end within seconds; otherwise
   * they would delay a shutdown that waits for open requests. Releases running jobs for other platforms. Never rejects.
   */
  drain(): Promise<void>;
  /** Stops everything that the platform has started. Call `drain` and wait for open requests to end first. */
  close(): Promise<void>;
}

const cleanUpKind = 'clean-up';
const cleanUpEveryMs = 10 * 60_000;

/**
 * Starts a platform: database, seed, semantic model and APIs.
 * @throws Error with a one-sentence reason. For an invalid model, lists the location of every problem.
 */
export async function createPlatform(options: PlatformOptions): Promise<Platform> {
  const settings = readSettings(options);
  const cleanUp = new CleanupStack();
  try {
    return await start(settings, cleanUp);
  } catch (error) {
    // Errors of the cleanup must not hide the reason of the failed start.
    await cleanUp.run().catch(() => undefined);
    throw error;
  }
}

type Settings = ReturnType<typeof readSettings>;

function readSettings(options: PlatformOptions) {
  const { dataDirectory, databaseUrl, secretKey, dataApiPath = '/data-api' } = options;
  if (!/^(\/[\w.-]+)+$/.test(dataApiPath) || /^\/(api|build)(\/|$)/.test(dataApiPath)) {
    throw new Error('The path of the Data API must be like /data-api, and not below /api or /build.');
  }
  if (databaseUrl !== undefined && dataDirectory === undefined && secretKey === undefined) {
    throw new Error(
      'A platform with its own database requires a secret key or a data folder, because tokens must remain valid after a restart.',
    );
  }
  const limits = options.limits ?? {};
  if (options.dataApiUpstream) refuseOwnData(options, limits);
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
    mail: readMailOptions(options.mail ?? {}),
    channels: readChannelOptions(options.channels ?? {}),
    place,
    dataApiPath,
    dataApiUpstream: options.dataApiUpstream && readUpstream(options.dataApiUpstream),
    publicUrl: readPublicUrl(options.publicUrl),
    allowOrigins: (options.allowOrigins ?? []).map(readOrigin),
    dataDirectory: dataDirectory === undefined ? undefined : resolve(dataDirectory),
    report: (failure: string) => options.onFailure?.(failure),
  };
}

async function start(settings: Settings, cleanUp: CleanupStack): Promise<Platform> {
  const { dataDirectory } = settings;
  if (dataDirectory !== undefined) await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const adminKey = await findAdminKey(settings, cleanUp);
  const keys = await openKeys(settings);
  const metrics = settings.metrics ? (await import('./metrics.js')).createMetrics() : null;
  const opening = openStore(settings, { adminKey, ...keys }, cleanUp);
  const variables = async () => openVariables(settings, keys, await opening, cleanUp);
  const [store, data] = await Promise.allSettled([opening, openData(settings, { metrics, variables }, cleanUp)]);
  // Both have settled, so after a failed start nothing is pending when the cleanup runs.
  if (data.status === 'rejected') throw data.reason;
  if (store.status === 'rejected') throw store.reason;
  const database = store.value;
  const chat = await openChat(settings, database, data.value, cleanUp);
  const jobs = await openJobs(settings, keys, database, { data: data.value, chat, metrics }, cleanUp);
  const charts = new ChartCompiler();
  cleanUp.add(() => charts.close());
  const mcp = settings.mcp ? (await import('./mcp/mcp-routes.js')).mcpRoutes : null;
  const app = assemble(settings, keys, database, { data: data.value, chat, charts, metrics, mcp });
  const ops = createOpsApp(
    () => database.isReady(),
    metrics ? async () => metrics.render(data.value.state(), await deadLetters(database.db)) : undefined,
  );
  return {
    fetch: async (request, origin) => app.fetch(request, origin),
    ops: async request => ops.fetch(request),
    adminKeyPath: adminKey.path,
    drain: async () => {
      const ends = await Promise.allSettled([chat.close(), jobs.close()]);
      for (const end of ends) if (end.status === 'rejected') settings.report(describeFailure(end.reason));
    },
    close: () => cleanUp.run(),
  };
}

async function findAdminKey({ adminKey, dataDirectory, demo }: Settings, cleanUp: CleanupStack): Promise<AdminKey> {
  if (adminKey !== undefined || dataDirectory !== undefined || !demo) return openAdminKey(adminKey, dataDirectory);
  const folder = await mkdtemp(join(tmpdir(), 'pa-demo-'));
  cleanUp.add(() => rm(folder, { recursive: true, force: true }));
  return openAdminKey(undefined, folder);
}

/** Services whose keys derive from the current and previous secret keys. */
interface Keys {
  readonly tokens: Tokens;
  readonly sealedSecrets: SealedSecrets;
}

async function openKeys({ secretKey, previousSecretKeys = [], dataDirectory }: Settings): Promise<Keys> {
  const previous = readPreviousSecrets(previousSecretKeys);
  const secrets = await openSecrets(secretKey, dataDirectory);
  return { tokens: createTokens(secrets, previous), sealedSecrets: createSealedSecrets(secrets, previous) };
}

async function openStore(
  settings: Settings,
  { adminKey: { key }, sealedSecrets }: { readonly adminKey: AdminKey; readonly sealedSecrets: SealedSecrets },
  cleanUp: CleanupStack,
): Promise<Database> {
  const database = await openDatabase(await findPostgres(settings, cleanUp));
  cleanUp.add(() => database.close());
  await seed(database.db, { adminKeyHash: hashApiKey(key), groups: settings.groups ?? [] });
  await resealEnvironmentTokens(database.db, sealedSecrets);
  await resealVariables(database.db, sealedSecrets);
  return database;
}

async function findPostgres({ databaseUrl, dataDirectory }: Settings, cleanUp: CleanupStack): Promise<pg.PoolConfig> {
  if (databaseUrl !== undefined) return { connectionString: databaseUrl };
  const server = await startPostgresServer(
    dataDirectory === undefined ? {} : { directory: join(dataDirectory, 'postgres') },
  );
  cleanUp.add(() => server.stop());
  return server.connection;
}

async function openVariables(
  { report }: Settings,
  { sealedSecrets }: Keys,
  database: Database,
  cleanUp: CleanupStack,
): Promise<VariableSource> {
  const source = await openVariableSource(database, sealedSecrets, error => report(describeFailure(error)));
  cleanUp.add(() => source.close());
  return source;
}

async function openData(
  settings: Settings,
  { metrics, variables }: { readonly metrics: Metrics | null; readonly variables: () => Promise<VariableSource> },
  cleanUp: CleanupStack,
): Promise<DataApi> {
  const { dataApiUpstream: upstream, dataDirectory, limits, modelDirectory, place, report } = settings;
  if (upstream) {
    const { openUpstreamApi } = await import('./data/upstream/open-upstream-api.js');
    const data = openUpstreamApi({ upstream, limits, onProblem: report });
    cleanUp.add(() => data.close());
    return data;
  }
  if (modelDirectory === undefined || place === null) return noDataApi;
  const data = await openDataApi({
    modelDirectory,
    place,
    limits,
    openVariables: variables,
    onNotice: notice => settings.onNotice?.(notice),
    onProblem: report,
    onReloadFailure: () => metrics?.onReloadFailure(),
    onEngineLoss: loss => metrics?.onEngineLoss(loss),
    ...(dataDirectory !== undefined && { workDirectory: join(dataDirectory, 'duckdb') }),
  });
  cleanUp.add(() => data.close());
  return data;
}

async function openChat(settings: Settings, { db }: Database, data: DataApi, cleanUp: CleanupStack): Promise<ChatApi> {
  if (data === noDataApi) return noChatApi;
  const { llm = null, report } = settings;
  const chat = await openChatApi({ db, data, llm, onFailure: error => report(describeFailure(error)) });
  cleanUp.add(() => chat.close());
  return chat;
}

/** Opens the queue of background jobs, which all platforms on the database share. */
async function openJobs(
  { dataDirectory, mail, channels, publicUrl, report }: Settings,
  { sealedSecrets }: Keys,
  { db, listen }: Database,
  { data, chat, metrics }: Pick<Parts, 'data' | 'chat' | 'metrics'>,
  cleanUp: CleanupStack,
): Promise<JobQueue> {
  const sender = await openMailSender(mail, dataDirectory === undefined ? null : join(dataDirectory, 'mail'));
  cleanUp.add(async () => sender.close());
  const deliveries = {
    db,
    sender,
    channels: { slack: openSlackSender(channels), webhook: openWebhookSender(channels) },
    dataOf: (context: SecurityContext) => data.dataOf(context),
    writeSummary: chat.summarize,
    unsubscribeUrl: createUnsubscribeUrl(sealedSecrets, publicUrl.origin),
    onFailure: (error: unknown) => report(describeFailure(error)),
    onEvent: (event: DeliveryEvent) => metrics?.onDelivery(event),
  };
  const jobs = new JobQueue({
    db,
    listen,
    handlers: {
      [transformSyncKind]: transformSyncHandler(db, () => data.publicModel()),
      [cleanUpKind]: cleanUpHandler(db),
      [scheduleKind]: scheduleHandler(db),
      [deliveryKind]: deliveryHandler(deliveries),
      [exportKind]: exportHandler(deliveries),
    },
    onFailure: (error, job) => {
      const source = job ? `Job ${job.kind} ${job.id}, attempt ${job.attempts}: ` : '';
      report(`${source}${describeFailure(error)}`);
    },
  });
  cleanUp.add(() => jobs.close());
  return jobs;
}

/** The number of dead letters; `null` if the database does not respond, so that the other metrics are available. */
async function deadLetters(db: Db): Promise<number | null> {
  // `/readyz` reports a database that does not respond.
  return countDeadLetters(db).catch(() => null);
}

/** Creates the handler of the recurring job that deletes expired rows. */
function cleanUpHandler(db: Db): JobHandler {
  return {
    everyMs: cleanUpEveryMs,
    async run() {
      const deletions = [
        deleteExpiredSessions,
        deleteExpiredEnvironmentTokens,
        deleteOldAuditEntries,
        deleteOldRateLimitWindows,
        deleteOldRuns,
        deleteExpiredExports,
      ];
      // A failure must not prevent the other deletions.
      const ends = await Promise.allSettled(deletions.map(deleteFrom => deleteFrom(db)));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
    // The queue has reported the failures, and the next run deletes the rows.
    giveUp: async () => undefined,
  };
}

interface Parts {
  readonly data: DataApi;
  readonly chat: ChatApi;
  readonly charts: ChartCompiler;
  readonly metrics: Metrics | null;
  readonly mcp: typeof mcpRoutes | null;
}

function assemble(settings: Settings, keys: Keys, database: Database, parts: Parts): Hono<RequestIdEnv> {
  const { db } = database;
  const { tokens, sealedSecrets } = keys;
  const { data, chat, charts, metrics, mcp } = parts;
  const { allowOrigins, channels, dataApiPath, publicUrl, report } = settings;
  const limits = applyRateLimits(db, createAuthenticate({ db, tokens }), settings.rateLimit);
  const { authenticate, limitProblems, countRequest, countKeyRequest } = limits;
  const scim = { db, authenticate, countRequest: countKeyRequest };
  const onFailure = (error: unknown, requestId: string) => report(`${requestId} ${describeFailure(error)}`);
  const authentication = { authenticate, authenticateScim: createAuthenticateScim(scim) };
  return createApp({
    publicUrl,
    allowOrigins,
    dataApiPath,
    ...authentication,
    ...(limitProblems && { limitProblems }),
    platformRoutes: platformRoutes({
      db,
      tokens,
      ...authentication,
      publicUrl: publicUrl.origin,
      dataApiPath,
      sealedSecrets,
      channels: { hasSlack: channels.slackToken !== undefined, webhookHosts: channels.webhook?.hosts ?? [] },
      compileChart: (spec, columns) => charts.compile(spec, columns),
      convertSql: text => data.convert(text),
      publicModel: () => data.publicModel(),
      dataOf: context => data.dataOf(context),
    }),
    dataRoutes: data.routes({
      authenticate: createAuthenticateData({ db, tokens }),
      onFailure,
      onQuery(event) {
        metrics?.onQuery(event);
        settings.onQuery?.(event);
      },
    }),
    chatRoutes: chat.routes({ authenticate: createAuthenticateChat({ db, tokens }), onFailure }),
    mailPages: unsubscribePages({ db, sealedSecrets }),
    consoleRoutes:
      settings.console === false
        ? null
        : consoleRoutes({ publicUrl, dataApiPath, hasModel: data !== noDataApi, isReady: () => database.isReady() }),
    mcpRoutes: mcp?.({
      db,
      data,
      authenticate: createAuthenticateData({ db, tokens }, () => true),
      countRequest,
      origins: [publicUrl.origin, ...allowOrigins],
      onFailure,
    }),
    onFailure,
  });
}
