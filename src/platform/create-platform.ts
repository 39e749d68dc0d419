import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import '../contract/messages.js';
import type pg from 'pg';
import { createRemoteTools } from './agent/remote-tools/remote-tools.js';
import { createApp, createOpsApp } from './app.js';
import { createContentApplier } from './apply-repository-content.js';
import {
  createAuthenticate,
  createAuthenticateChat,
  createAuthenticateData,
  createAuthenticateMcp,
  createAuthenticateUsage,
} from './auth/authenticate.js';
import { createAuthenticateScim } from './auth/authenticate-scim.js';
import { createIssuerTokens } from './auth/issuer-tokens.js';
import { createSealedSecrets, type SealedSecrets } from './auth/sealed-secrets.js';
import { type AdminKey, hashApiKey, openAdminKey, openSecrets, readPreviousSecrets } from './auth/secrets.js';
import { resealSigningKeys } from './auth/signing-key-store.js';
import { createTokens, type Tokens } from './auth/tokens.js';
import { ChartCompiler } from './content/dashboards/chart-compiler.js';
import { DeploymentData, type ModelEvent, type ModelRepositories } from './data/deployment-data.js';
import { openEngine } from './data/engines/open-engine.js';
import type { VariableSource } from './data/model/variables.js';
import { type DataApi, type DataApiHooks, noDataApi, openDataApi } from './data/open-data.js';
import { type Database, type Db, openDatabase } from './db/database.js';
import { startPostgresServer } from './db/embedded-postgres/postgres-server.js';
import { countDeadLetters } from './delivery/run-store.js';
import { unsubscribePages } from './delivery/unsubscribe.js';
import { describeFailure } from './errors.js';
import { consoleRoutes } from './http/console-routes.js';
import { applyRateLimits } from './http/rate-limits.js';
import type { RequestIdEnv, RequestOrigin } from './http/request-id.js';
import type { RouteDeps } from './http/route-deps.js';
import type { mcpRoutes } from './mcp/mcp-routes.js';
import type { Metrics } from './metrics.js';
import { findDeployment } from './models/deployment-store.js';
import { modelVariables, resealVariables, servedVariables } from './models/env-variable-store.js';
import { resealEnvironmentTokens } from './models/environment-store.js';
import { Repositories } from './models/git/repositories.js';
import { findGitProblem } from './models/git/run-git.js';
import { repairWrites } from './models/repair-writes.js';
import { resealWebhookSecrets } from './models/repohost/connection-store.js';
import { removeAbandonedKeys } from './models/repohost/git-host.js';
import { resealInstallations } from './models/repohost/installation-store.js';
import { modelLine } from './models/status/deployment-log.js';
import { repairUploads } from './models/uploads/deployment-uploads.js';
import { type ChatApi, noChatApi, openChatApi } from './open-chat.js';
import { openDeploymentLog } from './open-deployment-log.js';
import { openJobs } from './open-jobs.js';
import { remoteToolHooks } from './open-remote-tools.js';
import { openUsage, type Usage } from './open-usage.js';
import { openDeploymentVariables, openVariableSource } from './open-variables.js';
import { resealIntegrations } from './people/oauth/integration-store.js';
import { createUserTokenReader, resealUserTokens } from './people/oauth/user-token-store.js';
import { oauthCallback } from './people/oauth/user-tokens.js';
import { createTokenReader } from './people/oidc-tokens/token-variables.js';
import { oidcRoutes } from './people/sign-in/oidc-routes.js';
import { type PlatformOptions, readSettings, type Settings } from './platform-options.js';
import { platformRoutes } from './platform-routes.js';
import { CleanupStack } from './runtime/cleanup-stack.js';
import { createDataDirectory } from './runtime/data-directory.js';
import { TaskQueue } from './runtime/task-queue.js';
import { seed } from './seed.js';

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
   * Suspends running chat responses, which the next platform can resume. Their streams end within seconds, so that they
   * do not delay a shutdown that waits for open requests. Releases running jobs for other platforms. Never rejects.
   */
  drain(): Promise<void>;
  /** Stops everything that the platform has started. Call `drain` and wait for open requests to end first. */
  close(): Promise<void>;
}

/**
 * Starts a platform: opens the database, adds initial data, loads the semantic model and serves the APIs.
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

/**
 * Maximum number of statements that all engines in this process run together. Each occupies one of the 4 threads of
 * Node's thread pool, and one thread must stay free for all other work.
 */
const inProcessStatements = 3;

async function start(settings: Settings, cleanUp: CleanupStack): Promise<Platform> {
  const { dataDirectory } = settings;
  if (dataDirectory !== undefined) await createDataDirectory(dataDirectory);
  const adminKey = await findAdminKey(settings, cleanUp);
  const keys = await openKeys(settings);
  const metrics = settings.metrics ? (await import('./metrics.js')).createMetrics() : null;
  const opening = openStore(settings, { adminKey, ...keys }, cleanUp);
  const { queueLimit = 1000 } = settings.limits;
  const queue = new TaskQueue({ concurrency: inProcessStatements, queueLimit });
  const variables = async () => openVariables(settings, keys, await opening, cleanUp);
  const [store, folder] = await Promise.allSettled([
    opening,
    openData(settings, { metrics, variables, queue }, cleanUp),
  ]);
  // Waits for both, so that nothing is pending when the cleanup of a failed start runs.
  if (folder.status === 'rejected') throw folder.reason;
  if (store.status === 'rejected') throw store.reason;
  const database = store.value;
  const usage = settings.usageAnalytics ? await openUsage(database, settings.report, cleanUp) : null;
  await removeAbandonedKeys();
  const directory = deploymentsDirectory(settings);
  if (directory !== null) await repairDeployments(settings, database.db, new Repositories(directory));
  const repositories = modelRepositories(settings, keys, database, cleanUp);
  const log = await openDeploymentLog(settings, database.db, cleanUp);
  const onModel = (event: ModelEvent) => log.add(modelLine(event));
  const options = { folder: folder.value, repositories, queue, onProblem: settings.report, onModel };
  const data = new DeploymentData(options);
  cleanUp.add(() => data.close());
  const chat = await openChat(settings, database, keys, data, cleanUp);
  const charts = new ChartCompiler();
  cleanUp.add(() => charts.close());
  const mcp = settings.mcp ? (await import('./mcp/mcp-routes.js')).mcpRoutes : null;
  const parts = { folder: folder.value, data, chat, charts, metrics, mcp, usage };
  const { app, routeDeps } = await assemble(settings, keys, database, parts);
  const own = { data, chat, metrics, repositories: directory === null ? null : new Repositories(directory) };
  const applyContent = createContentApplier(routeDeps);
  const jobs = await openJobs(settings, keys.sealedSecrets, database, { ...own, applyContent, log }, cleanUp);
  const ops = createOpsApp(
    () => database.isReady(),
    metrics ? async () => metrics.render(data.state(), await deadLetters(database.db)) : undefined,
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

/** Creates the services whose keys derive from the current and previous secret keys. */
interface Keys {
  readonly tokens: Tokens;
  readonly sealedSecrets: SealedSecrets;
}

/** The database and its connection. */
type Store = Database & { readonly connection: pg.PoolConfig };

async function openKeys({ secretKey, previousSecretKeys = [], dataDirectory }: Settings): Promise<Keys> {
  const previous = readPreviousSecrets(previousSecretKeys);
  const secrets = await openSecrets(secretKey, dataDirectory);
  return { tokens: createTokens(secrets, previous), sealedSecrets: createSealedSecrets(secrets, previous) };
}

async function openStore(
  settings: Settings,
  { adminKey: { key }, sealedSecrets }: { readonly adminKey: AdminKey; readonly sealedSecrets: SealedSecrets },
  cleanUp: CleanupStack,
): Promise<Store> {
  const connection = await findPostgres(settings, cleanUp);
  const database = await openDatabase(connection);
  cleanUp.add(() => database.close());
  await seed(database.db, { adminKeyHash: hashApiKey(key), groups: settings.groups ?? [] });
  await resealEnvironmentTokens(database.db, sealedSecrets);
  await resealVariables(database.db, sealedSecrets);
  await resealSigningKeys(database.db, sealedSecrets);
  await resealIntegrations(database.db, sealedSecrets);
  await resealUserTokens(database.db, sealedSecrets);
  await resealInstallations(database.db, sealedSecrets);
  await resealWebhookSecrets(database.db, sealedSecrets);
  return { ...database, connection };
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
  { report, publicUrl, oauth }: Settings,
  { sealedSecrets }: Keys,
  database: Database,
  cleanUp: CleanupStack,
): Promise<VariableSource> {
  const { db } = database;
  const readIssued = createTokenReader(db, sealedSecrets, publicUrl.origin);
  const readReceived = createUserTokenReader(db, { secrets: sealedSecrets, options: oauth });
  const readers = {
    readVariables: () => servedVariables(db, sealedSecrets),
    readTokens: async () => [...(await readIssued()), ...(await readReceived())],
  };
  const source = await openVariableSource(database, readers, error => report(describeFailure(error)));
  cleanUp.add(() => source.close());
  return source;
}

async function openData(
  settings: Settings,
  {
    metrics,
    variables,
    queue,
  }: {
    readonly metrics: Metrics | null;
    readonly variables: () => Promise<VariableSource>;
    readonly queue: TaskQueue;
  },
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
    queue,
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

/** Repairs the folders of all deployments after a crash, and reports an unsuitable git. */
async function repairDeployments({ report }: Settings, db: Db, repositories: Repositories): Promise<void> {
  const problem = (await repositories.ids()).length === 0 ? null : await findGitProblem();
  if (problem !== null) report(problem);
  const onFailure = (error: unknown) => report(describeFailure(error));
  await repositories.repair(async id => (await findDeployment(db, id)) !== null, onFailure);
  await repairUploads(db, repositories, onFailure);
  await repairWrites(db, repositories, onFailure);
}

/** Returns the repositories of the deployments that have one; `null` without a data folder. */
function modelRepositories(
  settings: Settings,
  { sealedSecrets }: Keys,
  database: Database,
  cleanUp: CleanupStack,
): ModelRepositories | null {
  const directory = deploymentsDirectory(settings);
  if (directory === null) return null;
  const variables = openDeploymentVariables(database, id => modelVariables(database.db, sealedSecrets, id));
  cleanUp.add(() => variables.close());
  const repositories = new Repositories(directory);
  const { queryTimeoutMs, memoryLimit = '1GB' } = settings.limits;
  return {
    find: target => repositories.find(target),
    variablesOf: deploymentId => variables.of(deploymentId),
    openEngine: deploymentId =>
      openEngine(
        { kind: 'files', directory: repositories.sourcesOf(deploymentId) },
        {
          queryTimeoutMs,
          memoryLimit,
          workDirectory: repositories.importsOf(deploymentId),
          keepsRemovedTables: false,
          onProblem: settings.report,
        },
      ),
  };
}

function deploymentsDirectory({ dataDirectory }: Settings): string | null {
  return dataDirectory === undefined ? null : join(dataDirectory, 'deployments');
}

async function openChat(
  settings: Settings,
  { db }: Database,
  { sealedSecrets }: Keys,
  data: DeploymentData,
  cleanUp: CleanupStack,
): Promise<ChatApi> {
  if (!data.hasModels) return noChatApi;
  const { llm = null, report } = settings;
  const onFailure = (error: unknown) => report(describeFailure(error));
  const deps = { db, secrets: sealedSecrets, oauth: settings.oauth, origin: settings.publicUrl.origin };
  const openRemoteTools = createRemoteTools({ options: settings.agentTools, ...remoteToolHooks(deps), onFailure });
  const chat = await openChatApi({ db, data, llm, openRemoteTools, onFailure });
  cleanUp.add(() => chat.close());
  return chat;
}

/**
 * Returns the number of deliveries that failed permanently; `null` if the database does not respond, so that the other
 * metrics stay available.
 */
async function deadLetters(db: Db): Promise<number | null> {
  // `/readyz` reports a database that does not respond.
  return countDeadLetters(db).catch(() => null);
}

interface Parts {
  /** The Data API of the folder deployment. */
  readonly folder: DataApi;
  readonly data: DeploymentData;
  readonly chat: ChatApi;
  readonly charts: ChartCompiler;
  readonly metrics: Metrics | null;
  readonly mcp: typeof mcpRoutes | null;
  readonly usage: Usage | null;
}

interface Assembly {
  readonly app: Hono<RequestIdEnv>;
  readonly routeDeps: RouteDeps;
}

async function assemble(settings: Settings, keys: Keys, database: Database, parts: Parts): Promise<Assembly> {
  const { db } = database;
  const { tokens, sealedSecrets } = keys;
  const { folder, data, chat, metrics, mcp, usage } = parts;
  const { allowOrigins, dataApiPath, publicUrl, report } = settings;
  const issuerTokens = settings.tokenIssuer && createIssuerTokens(settings.tokenIssuer);
  const deps = { db, tokens, ...(issuerTokens && { issuerTokens }) };
  const limits = applyRateLimits(db, createAuthenticate(deps), settings.rateLimit);
  const { authenticate, limitProblems, countRequest, countKeyRequest } = limits;
  const scim = { db, authenticate, countRequest: countKeyRequest };
  const onFailure = (error: unknown, requestId: string) => report(`${requestId} ${describeFailure(error)}`);
  const dataHooks: DataApiHooks = {
    authenticate: createAuthenticateData({ db, tokens }),
    onFailure,
    onQuery(event, caller) {
      metrics?.onQuery(event);
      settings.onQuery?.(event);
      // Do not record requests without a valid token, because any client could fill the database with them.
      if (caller !== null) usage?.record(event, caller);
    },
  };
  const authentication = { authenticate, authenticateScim: createAuthenticateScim(scim) };
  const routeDeps = routeDepsOf(settings, keys, database, parts, { ...authentication, onFailure });
  const app = createApp({
    publicUrl,
    allowOrigins,
    dataApiPath,
    ...authentication,
    ...(limitProblems && { limitProblems }),
    platformRoutes: platformRoutes(routeDeps),
    oauthCallback: oauthCallback({ db, sealedSecrets, oauth: settings.oauth, countRequest, onFailure }),
    oidcRoutes:
      settings.oidc &&
      oidcRoutes({ db, settings: settings.oidc, sealedSecrets, origin: publicUrl.origin, countRequest, onFailure }),
    dataRoutes: folder.routes(dataHooks),
    deploymentDataRoutes: await data.routes(dataHooks),
    usageRoutes: usage?.routes({ authenticate: createAuthenticateUsage({ db, tokens }), onFailure }),
    chatRoutes: chat.routes({ authenticate: createAuthenticateChat(deps), onFailure }),
    mailPages: unsubscribePages({ db, sealedSecrets }),
    consoleRoutes:
      settings.console === false
        ? null
        : consoleRoutes({ publicUrl, dataApiPath, hasModel: folder !== noDataApi, isReady: () => database.isReady() }),
    mcpRoutes: mcp?.({
      db,
      data,
      authenticate: createAuthenticateMcp(deps, authenticate),
      countRequest,
      origins: [publicUrl.origin, ...allowOrigins],
      onFailure,
    }),
    onFailure,
  });
  return { app, routeDeps };
}

/** Returns the dependencies of the routes of the Platform API. */
function routeDepsOf(
  settings: Settings,
  { tokens, sealedSecrets }: Keys,
  { db }: Database,
  { data, charts, usage }: Parts,
  authentication: Pick<RouteDeps, 'authenticate' | 'authenticateScim' | 'onFailure'>,
): RouteDeps {
  const { channels, dataApiPath, publicUrl } = settings;
  return {
    db,
    tokens,
    ...authentication,
    publicUrl: publicUrl.origin,
    dataApiPath,
    sealedSecrets,
    channels: { hasSlack: channels.slackToken !== undefined, webhookHosts: channels.webhook?.hosts ?? [] },
    compileChart: (spec, columns) => charts.compile(spec, columns),
    deploymentsDirectory: deploymentsDirectory(settings),
    checkModel: (deploymentId, files) => data.check(deploymentId, files),
    generateModel: (deploymentId, options) => data.generate(deploymentId, options),
    refreshTables: deploymentId => data.refresh(deploymentId),
    forgetDeployment: deploymentId => data.forget(deploymentId),
    convertSql: (text, deploymentId) => data.convert(text, deploymentId),
    publicModel: deploymentId => data.publicModel(deploymentId),
    dataOf: (context, target) => data.dataOf(context, target),
    hasUsageAnalytics: usage !== null,
    signInProvider: settings.oidc?.name ?? null,
    oauth: settings.oauth,
    gitHosts: settings.gitHosts,
    agentTools: settings.agentTools,
  };
}
