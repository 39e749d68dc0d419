import type { AppConfig } from '../../contract/app-config.js';
import type { Dashboard } from '../../contract/dashboards.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import { load } from '../data/load.js';
import type { Dialect } from '../dialect.js';
import { PaAuthenticationError } from '../errors.js';
import type { DataConnection, PlatformConnection } from '../http/connection.js';
import { createDeploymentToken, getDeployment } from '../operations/deployments.js';
import { getDashboard } from '../operations/embed.js';
import { canonicalJson } from './embed-token.js';
import { CachedCall, PreflightGate, SingleFlight } from './single-flight.js';

/** Dashboards that one identity keeps at most. */
const maxDashboards = 20;
/** How long a dashboard is taken as it was read. */
const dashboardAgeMs = 60_000;
/** How long the model and the account's configuration are. */
const metaAgeMs = 300_000;
/** Longest that a page may wait for the account's configuration, without which it draws as well. */
const appConfigTimeoutMs = 3_000;

/** What a scope needs of its session. */
export interface ScopeOptions {
  readonly identity: string;
  readonly deploymentId: number;
  readonly dataApiPath: string;
  readonly fetch: typeof fetch | undefined;
  readonly dialect: Dialect | undefined;
  /** Calls the Platform API with the token in force, and once more with a new session where that one is refused. */
  readonly authorize: <T>(call: (connection: PlatformConnection) => Promise<T>) => Promise<T>;
}

interface CachedDashboard {
  readonly dashboard: Dashboard;
  readonly readAt: number;
}

/**
 * Everything that is fetched and kept in the name of one identity: deployment, data token, dashboards, requests in flight.
 * Another identity gets another scope; `dispose` aborts and forgets all of this one.
 */
export class IdentityScope {
  readonly identity: string;
  readonly #options: ScopeOptions;
  readonly #life = new AbortController();
  readonly #headStart = new PreflightGate();
  readonly #dashboardCalls = new SingleFlight<Dashboard>();
  readonly #loads = new SingleFlight<RowSet>();
  readonly #dashboards = new Map<string, CachedDashboard>();
  readonly #meta = new CachedCall<MetaResponse>(metaAgeMs, shared => this.#fetchMeta(this.#both(shared)));
  readonly #appConfig = new CachedCall<AppConfig>(metaAgeMs, shared => this.#fetchAppConfig(this.#both(shared)));
  #dataUrl: Promise<string> | null = null;
  #dataToken: Promise<string> | null = null;
  /** The data token that requests are sent with. */
  #issued: string | null = null;

  constructor(options: ScopeOptions) {
    this.identity = options.identity;
    this.#options = options;
  }

  /** Fetches what every query needs, so that it is there, or on its way, when the first one comes. */
  warm(): void {
    // A failure is told to the query that needs them, and fetched again by it.
    this.#readDataUrl().catch(() => {});
    this.#readDataToken().catch(() => {});
  }

  /** Aborts what is in flight and forgets what is kept. */
  dispose(): void {
    this.#life.abort();
    this.#dashboards.clear();
    this.#meta.clear();
    this.#appConfig.clear();
    this.#dataUrl = null;
    this.#dataToken = null;
    this.#issued = null;
  }

  /** A published dashboard, kept for a minute. */
  async getDashboard(publicId: string, signal: AbortSignal | undefined): Promise<Dashboard> {
    const kept = this.#dashboards.get(publicId);
    if (kept && Date.now() - kept.readAt < dashboardAgeMs) return kept.dashboard;
    return this.#dashboardCalls.run(publicId, signal, async shared => {
      const dashboard = await this.#options.authorize(connection =>
        getDashboard(connection, publicId, { signal: this.#both(shared) }),
      );
      this.#keep(publicId, dashboard);
      return dashboard;
    });
  }

  /** Rows of a query. */
  load(query: Query, signal: AbortSignal | undefined): Promise<RowSet> {
    return this.#loads.run(canonicalJson(query), signal, shared =>
      this.#ask(connection => load(connection, query, { signal: this.#both(shared) })),
    );
  }

  /** Rows of semantic SQL. What reads them is a chunk of its own, for pages that have such a report. */
  sql(text: string, signal: AbortSignal | undefined): Promise<RowSet> {
    return this.#loads.run(canonicalJson(text), signal, async shared => {
      const { sql } = await import('../data/sql.js');
      return this.#ask(connection => sql(connection, text, { signal: this.#both(shared) }));
    });
  }

  /** The model, as far as this identity may see it: kept for five minutes. */
  meta(signal: AbortSignal | undefined): Promise<MetaResponse> {
    return this.#meta.get(signal);
  }

  /** The account's configuration: kept for five minutes. */
  appConfig(signal: AbortSignal | undefined): Promise<AppConfig> {
    return this.#appConfig.get(signal);
  }

  // What reads these is a chunk of its own each, as for SQL.
  async #fetchMeta(signal: AbortSignal): Promise<MetaResponse> {
    const { meta } = await import('../data/meta.js');
    return this.#ask(connection => meta(connection, { signal }));
  }

  async #fetchAppConfig(signal: AbortSignal): Promise<AppConfig> {
    const { getAppConfig } = await import('../operations/app-config.js');
    return this.#options.authorize(connection => getAppConfig(connection, { signal, timeoutMs: appConfigTimeoutMs }));
  }

  /** Asks the Data API with the token in force, and once more with a new one where that is refused. */
  async #ask<T>(call: (connection: DataConnection) => Promise<T>): Promise<T> {
    const [baseUrl, token] = await Promise.all([this.#readDataUrl(), this.#readDataToken()]);
    const { fetch, dialect } = this.#options;
    const attempt = (jwt: string): Promise<T> => call({ baseUrl, token: jwt, fetch, dialect });
    try {
      return await this.#headStart.run(() => attempt(token));
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
    const signal = this.#life.signal;
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
    const signal = this.#life.signal;
    const token = await authorize(connection => createDeploymentToken(connection, deploymentId, {}, { signal }));
    this.#issued = token;
    return token;
  }

  /** A token other than the refused one: of all requests that it was refused to, the first one fetches it. */
  #replaceDataToken(refused: string): Promise<string> {
    if (this.#issued === refused) {
      this.#issued = null;
      this.#dataToken = null;
    }
    return this.#readDataToken();
  }

  #keep(publicId: string, dashboard: Dashboard): void {
    if (this.#life.signal.aborted) return;
    this.#dashboards.delete(publicId);
    this.#dashboards.set(publicId, { dashboard, readAt: Date.now() });
    const [oldest] = this.#dashboards.keys();
    if (this.#dashboards.size > maxDashboards && oldest !== undefined) this.#dashboards.delete(oldest);
  }

  #both(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([this.#life.signal, signal]);
  }
}
