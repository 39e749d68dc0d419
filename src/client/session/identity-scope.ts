import type { AppConfig } from '../../contract/app-config.js';
import type { Dashboard } from '../../contract/dashboards.js';
import { load as loadOperation } from '../../contract/data.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import { loadWith } from '../data/load.js';
import { LoadBatcher } from '../data/load-batcher.js';
import type { Dialect } from '../dialect.js';
import { PaAuthenticationError } from '../errors.js';
import type { DataConnection, PlatformConnection } from '../http/connection.js';
import { send } from '../http/request.js';
import { createDeploymentToken, getDeployment } from '../operations/deployments.js';
import { getDashboard } from '../operations/embed.js';
import { canonicalJson } from './embed-token.js';
import type { DashboardOptions } from './session-status.js';
import { CachedCall, PreflightGate, SingleFlight } from './single-flight.js';

/** Maximum number of cached dashboards per identity. */
const maxDashboards = 20;
/** How long a dashboard is cached, in ms. */
const dashboardAgeMs = 60_000;
/** How long the model and the account's configuration are cached, in ms. */
const metaAgeMs = 300_000;
/** Time limit for the account's configuration, in ms. Pages also render without it. */
const appConfigTimeoutMs = 3_000;

/** Session data that a scope needs. */
export interface ScopeOptions {
  readonly identity: string;
  readonly deploymentId: number;
  readonly dataApiPath: string;
  readonly fetch: typeof fetch | undefined;
  readonly dialect: Dialect | undefined;
  /** Calls the Platform API with the current token. If the token is rejected, calls it once more with a new session. */
  readonly authorize: <T>(call: (connection: PlatformConnection) => Promise<T>) => Promise<T>;
}

interface CachedDashboard {
  readonly dashboard: Dashboard;
  readonly readAt: number;
}

/**
 * Holds everything that is fetched and cached for one identity: deployment, data token, dashboards, requests in flight.
 * Every identity gets a new scope; `dispose` aborts all requests and clears the caches.
 */
export class IdentityScope {
  readonly identity: string;
  readonly #options: ScopeOptions;
  readonly #lifetime = new AbortController();
  readonly #preflightGate = new PreflightGate();
  readonly #batcher = new LoadBatcher(input => this.#preflightGate.run(() => send(loadOperation, input)));
  readonly #dashboardCalls = new SingleFlight<Dashboard>();
  readonly #loads = new SingleFlight<RowSet>();
  readonly #dashboards = new Map<string, CachedDashboard>();
  readonly #meta = new CachedCall<MetaResponse>(metaAgeMs, shared => this.#fetchMeta(this.#withLifetime(shared)));
  readonly #appConfig = new CachedCall<AppConfig>(metaAgeMs, shared =>
    this.#fetchAppConfig(this.#withLifetime(shared)),
  );
  #dataUrl: Promise<string> | null = null;
  #dataToken: Promise<string> | null = null;
  /** The data token that requests are sent with. */
  #issuedToken: string | null = null;

  constructor(options: ScopeOptions) {
    this.identity = options.identity;
    this.#options = options;
  }

  /** Prefetches what every query needs, so that it is available, or already requested, when the first query starts. */
  warm(): void {
    // Failures are ignored here: the query that needs the value fetches it again and reports the error.
    void Promise.allSettled([this.#readDataUrl(), this.#readDataToken()]);
  }

  /** Aborts requests in flight and clears the caches. */
  dispose(): void {
    this.#lifetime.abort();
    this.#dashboards.clear();
    this.#meta.clear();
    this.#appConfig.clear();
    this.#dataUrl = null;
    this.#dataToken = null;
    this.#issuedToken = null;
  }

  /** Returns a published dashboard, cached for a minute unless `isFresh` is set. */
  async getDashboard(publicId: string, { signal, isFresh }: DashboardOptions): Promise<Dashboard> {
    const cached = this.#dashboards.get(publicId);
    if (cached && !isFresh && Date.now() - cached.readAt < dashboardAgeMs) return cached.dashboard;
    return this.#dashboardCalls.run(publicId, signal, async shared => {
      const dashboard = await this.#options.authorize(connection =>
        getDashboard(connection, publicId, { signal: this.#withLifetime(shared) }),
      );
      this.#cacheDashboard(publicId, dashboard);
      return dashboard;
    });
  }

  /** Returns the rows of a query. Queries that start in the same task are sent in one request. */
  load(query: Query, signal: AbortSignal | undefined): Promise<RowSet> {
    return this.#loads.run(canonicalJson(query), signal, shared =>
      this.#withDataToken(connection =>
        loadWith(this.#batcher, connection, query, { signal: this.#withLifetime(shared) }),
      ),
    );
  }

  /** Runs a semantic SQL statement and returns its rows. The code is lazy-loaded, because few pages need it. */
  sql(text: string, signal: AbortSignal | undefined): Promise<RowSet> {
    return this.#loads.run(canonicalJson(text), signal, async shared => {
      const { sql } = await import('../data/sql.js');
      return this.#callDataApi(connection => sql(connection, text, { signal: this.#withLifetime(shared) }));
    });
  }

  /** Returns the part of the model that this identity can see, cached for five minutes. */
  meta(signal: AbortSignal | undefined): Promise<MetaResponse> {
    return this.#meta.get(signal);
  }

  /** Returns the account's configuration, cached for five minutes. */
  appConfig(signal: AbortSignal | undefined): Promise<AppConfig> {
    return this.#appConfig.get(signal);
  }

  // Lazy-loaded, because few pages need it.
  async #fetchMeta(signal: AbortSignal): Promise<MetaResponse> {
    const { meta } = await import('../data/meta.js');
    return this.#callDataApi(connection => meta(connection, { signal }));
  }

  async #fetchAppConfig(signal: AbortSignal): Promise<AppConfig> {
    const { getAppConfig } = await import('../operations/app-config.js');
    return this.#options.authorize(connection => getAppConfig(connection, { signal, timeoutMs: appConfigTimeoutMs }));
  }

  /** Calls the Data API like `#withDataToken`, after the first request has been answered. */
  #callDataApi<T>(call: (connection: DataConnection) => Promise<T>): Promise<T> {
    return this.#withDataToken(connection => this.#preflightGate.run(() => call(connection)));
  }

  /** Calls the Data API with the current token. If the token is rejected, calls it once more with a new one. */
  async #withDataToken<T>(call: (connection: DataConnection) => Promise<T>): Promise<T> {
    const [baseUrl, token] = await Promise.all([this.#readDataUrl(), this.#readDataToken()]);
    const { fetch, dialect } = this.#options;
    const attempt = (jwt: string): Promise<T> => call({ baseUrl, token: jwt, fetch, dialect });
    try {
      return await attempt(token);
    } catch (error) {
      if (!(error instanceof PaAuthenticationError)) throw error;
      return attempt(await this.#replaceDataToken(token));
    }
  }

  #readDataUrl(): Promise<string> {
    this.#dataUrl ??= this.#fetchDataUrl().catch(error => {
      this.#dataUrl = null;
      throw error;
    });
    return this.#dataUrl;
  }

  async #fetchDataUrl(): Promise<string> {
    const { deploymentId, dataApiPath, authorize } = this.#options;
    const signal = this.#lifetime.signal;
    const { deploymentUrl } = await authorize(connection => getDeployment(connection, deploymentId, { signal }));
    return `${deploymentUrl.replace(/\/+$/, '')}/${dataApiPath.replace(/^\/+/, '')}`;
  }

  #readDataToken(): Promise<string> {
    this.#dataToken ??= this.#fetchDataToken().catch(error => {
      this.#dataToken = null;
      throw error;
    });
    return this.#dataToken;
  }

  async #fetchDataToken(): Promise<string> {
    const { deploymentId, authorize } = this.#options;
    const signal = this.#lifetime.signal;
    const token = await authorize(connection => createDeploymentToken(connection, deploymentId, {}, { signal }));
    this.#issuedToken = token;
    return token;
  }

  /**
   * Replaces a rejected token. If several requests were rejected with the same token, only the first one fetches a new
   * token.
   */
  #replaceDataToken(refused: string): Promise<string> {
    if (this.#issuedToken === refused) {
      this.#issuedToken = null;
      this.#dataToken = null;
    }
    return this.#readDataToken();
  }

  #cacheDashboard(publicId: string, dashboard: Dashboard): void {
    if (this.#lifetime.signal.aborted) return;
    this.#dashboards.delete(publicId);
    this.#dashboards.set(publicId, { dashboard, readAt: Date.now() });
    const [oldest] = this.#dashboards.keys();
    if (this.#dashboards.size > maxDashboards && oldest !== undefined) this.#dashboards.delete(oldest);
  }

  #withLifetime(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([this.#lifetime.signal, signal]);
  }
}
