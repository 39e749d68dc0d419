import type { AppConfig } from '../../contract/app-config.js';
import type { Dashboard } from '../../contract/dashboards.js';
import type { EmbedSessionSettings, EmbedTokenTheme } from '../../contract/embed.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { Dialect, DialectName } from '../dialect.js';
import {
  isTransient,
  PaAbortError,
  PaAuthenticationError,
  PaConnectionError,
  PaError,
  PaErrorCode,
} from '../errors.js';
import type { PlatformConnection } from '../http/connection.js';
import { untilAborted } from '../http/fetch.js';
import type { EmbedToken } from './embed-token.js';
import type { IdentityScope } from './identity-scope.js';
import { RenewalSchedule } from './renewal-schedule.js';
import { type MintOptions, type MintResult, mintToken } from './session-mint.js';
import { type DashboardOptions, type SessionEvent, type SessionSource, SessionStatus } from './session-status.js';

export * from './session-status.js';

/** Options of a session: its source (`sessionUrl` or `session`) and its services. */
export interface SessionSourceOptions {
  /** Base URL of the platform: HTTPS, except for loopback hosts. */
  readonly baseUrl: string;
  /**
   * Path of the Data API on the deployment's host. Defaults to the path of the dialect, or `/data-api` if no dialect is
   * set.
   */
  readonly dataApiPath?: string;
  /** URL on the host's server that creates a session. Called with POST; returns `{sessionId}`. */
  readonly sessionUrl?: string;
  /** Function that returns a session id, used instead of `sessionUrl`. */
  readonly session?: () => Promise<string>;
  /** Base URL of the Chat API for the chats of the page. Defaults to the platform's. */
  readonly aiUrl?: string;
  /** Custom `fetch`. Defaults to the global one. */
  readonly fetch?: typeof fetch;
  /** Dialect of the service. Defaults to the contract's own names. A dialect given by name is lazy-loaded. */
  readonly dialect?: Dialect | DialectName;
}

/** Creates the session of a page. No request is sent before `start()` or the first call. */
export function createSessionSource(options: SessionSourceOptions): SessionSource {
  return new Session(options);
}

interface Flight {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** The current token and its scope. */
interface Live {
  readonly token: EmbedToken;
  readonly scope: IdentityScope;
}

class Session implements SessionSource {
  readonly #aiUrl: string | null;
  readonly #options: MintOptions;
  readonly #dataApiPath: string | undefined;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #schedule = new RenewalSchedule({ renew: () => this.#renewEarly(), expire: () => this.#expire() });
  #status: SessionStatus = SessionStatus.idle;
  #error: PaError | null = null;
  #token: EmbedToken | null = null;
  #dialect: Dialect | undefined;
  #scope: IdentityScope | null = null;
  /** The mint and exchange in progress; there is at most one. */
  #flight: Flight | null = null;
  /** Callbacks that are waiting for the status to change. */
  readonly #waiting: (() => void)[] = [];
  /** The token whose expiry was last announced. */
  #expiring: EmbedToken | null = null;
  #suspensions = 0;
  #disposed = false;

  constructor({ dataApiPath, aiUrl, ...options }: SessionSourceOptions) {
    this.#aiUrl = aiUrl ?? null;
    this.#options = options;
    this.#dataApiPath = dataApiPath;
  }

  get aiUrl(): string | null {
    return this.#aiUrl;
  }

  get status(): SessionStatus {
    return this.#status;
  }

  get error(): PaError | null {
    return this.#error;
  }

  get identity(): string | null {
    return this.#scope?.identity ?? null;
  }

  get settings(): EmbedSessionSettings | null {
    return this.#token?.settings ?? null;
  }

  get embedTheme(): EmbedTokenTheme | null {
    return this.#token?.embedTheme ?? null;
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    const entry = (event: SessionEvent): void => listener(event);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  start(): Promise<void> {
    if (this.#disposed || this.#status === SessionStatus.ready) return Promise.resolve();
    if (this.#status === SessionStatus.idle || this.#isOver()) {
      this.#error = null;
      this.#setStatus(SessionStatus.starting);
    }
    return this.#obtain();
  }

  getDashboard(publicId: string, options: DashboardOptions = {}): Promise<Dashboard> {
    return this.#inScope(options.signal, scope => scope.getDashboard(publicId, options));
  }

  meta({ signal }: { signal?: AbortSignal } = {}): Promise<MetaResponse> {
    return this.#inScope(signal, scope => scope.meta(signal));
  }

  appConfig({ signal }: { signal?: AbortSignal } = {}): Promise<AppConfig | null> {
    const config: Promise<AppConfig | null> = this.#inScope(signal, scope => scope.appConfig(signal));
    return config.catch((error: unknown) => {
      if (error instanceof PaAbortError) throw error;
      return null;
    });
  }

  load(query: Query, { signal }: { signal?: AbortSignal } = {}): Promise<RowSet> {
    return this.#inScope(signal, scope => scope.load(query, signal));
  }

  sql(text: string, { signal }: { signal?: AbortSignal } = {}): Promise<RowSet> {
    return this.#inScope(signal, scope => scope.sql(text, signal));
  }

  async authorize<T>(call: (connection: PlatformConnection) => Promise<T>): Promise<T> {
    const { baseUrl, fetch } = this.#options;
    const { token } = await this.#live();
    // Disable retries here, because the session and its elements retry themselves.
    const connection = { baseUrl, fetch, dialect: this.#dialect, retries: 0 };
    try {
      return await call({ ...connection, token: token.jwt });
    } catch (error) {
      if (!(error instanceof PaAuthenticationError)) throw error;
      const next = await this.#afterRefusal(token);
      // A request of one user must not be repeated for another user.
      if (next.identity !== token.identity) throw new PaAbortError();
      return call({ ...connection, token: next.jwt });
    }
  }

  wake(): void {
    this.#schedule.resetRetries();
    if (this.#status === SessionStatus.ready && this.#schedule.isDue) this.#renewEarly();
    else if (this.#status === SessionStatus.expired || this.#status === SessionStatus.suspended) void this.#obtain();
    else if (this.#status === SessionStatus.failed && isTransient(this.#error)) void this.start();
    this.#emit({ type: 'wake' });
  }

  suspend(): void {
    if (this.#status === SessionStatus.idle || this.#status === SessionStatus.suspended || this.#isOver()) return;
    this.#suspensions += 1;
    this.#cancel();
    this.#setStatus(SessionStatus.suspended);
  }

  resume(): Promise<void> {
    return this.#status === SessionStatus.suspended ? this.#obtain() : Promise.resolve();
  }

  end(): void {
    if (this.#status === SessionStatus.ended) return;
    this.#cancel();
    this.#token = null;
    this.#expiring = null;
    this.#error = null;
    this.#status = SessionStatus.ended;
    this.#changeScope(null);
    this.#emit({ type: 'status', status: SessionStatus.ended });
  }

  dispose(): void {
    this.#disposed = true;
    this.#listeners.clear();
    this.end();
  }

  /** Gets a new token, with a single flight. The promise never rejects. */
  #obtain(): Promise<void> {
    if (this.#flight) return this.#flight.done;
    const controller = new AbortController();
    const settle = (act: () => void): void => {
      if (controller.signal.aborted) return;
      this.#flight = null;
      act();
    };
    const done = mintToken(this.#options, controller.signal).then(
      minted => settle(() => this.#accept(minted)),
      error => settle(() => this.#refuse(error)),
    );
    this.#flight = { controller, done };
    return done;
  }

  #accept({ token, services, dialect }: MintResult): void {
    const before = this.#status;
    this.#token = token;
    this.#dialect = dialect;
    this.#error = null;
    this.#schedule.begin(token.lifetimeMs);
    this.#status = SessionStatus.ready;
    if (this.identity !== token.identity) this.#changeScope(this.#openScope(token, services));
    if (before !== SessionStatus.ready) this.#emit({ type: 'status', status: SessionStatus.ready });
  }

  #refuse(reason: unknown): void {
    const error =
      reason instanceof PaError
        ? reason
        : new PaError(PaErrorCode.serverFailed, 'Could not create the session. Reload the page.');
    const isTemporary = isTransient(error);
    this.#error = error;
    if (this.#status === SessionStatus.starting) {
      this.#setStatus(SessionStatus.failed);
    } else if (isTemporary) {
      // The failure may be temporary, so keep the current content and retry.
      this.#schedule.retry();
      return;
    } else if (this.#status === SessionStatus.suspended) {
      this.#token = null;
      this.#status = SessionStatus.failed;
      this.#changeScope(null);
      this.#emit({ type: 'status', status: SessionStatus.failed });
    }
    this.#emit({ type: 'error', error });
  }

  #openScope({ identity, deploymentId }: EmbedToken, { openScope }: MintResult['services']): IdentityScope {
    return openScope({
      identity,
      deploymentId,
      dataApiPath: this.#dataApiPath ?? this.#dialect?.dataApiPath ?? '/data-api',
      fetch: this.#options.fetch,
      dialect: this.#dialect,
      authorize: call => this.authorize(call),
    });
  }

  /** Replaces the scope when the identity changes or ends, and disposes of the previous one. */
  #changeScope(scope: IdentityScope | null): void {
    const last = this.#scope;
    this.#scope = scope;
    last?.dispose();
    scope?.warm();
    if (last) this.#emit({ type: 'identity', identity: this.identity });
  }

  async #inScope<T>(signal: AbortSignal | undefined, work: (scope: IdentityScope) => Promise<T>): Promise<T> {
    const { scope } = await this.#live(signal);
    const suspensions = this.#suspensions;
    try {
      return await work(scope);
    } catch (error) {
      // Repeat the request, because a page in the back/forward cache loses its connections.
      if (!(error instanceof PaConnectionError) || suspensions === this.#suspensions) throw error;
      return work((await this.#live(signal)).scope);
    }
  }

  /** Returns the token that replaced the rejected one, or obtains a new token. */
  async #afterRefusal(refused: EmbedToken): Promise<EmbedToken> {
    if (this.#token === refused) {
      await this.#obtain();
      if (this.#token === refused && this.#error) {
        this.#expire();
        throw this.#error;
      }
    }
    return (await this.#live()).token;
  }

  /** Waits for a valid token; rejects if the session cannot provide one. */
  async #live(signal?: AbortSignal): Promise<Live> {
    const token = this.#token;
    const scope = this.#scope;
    if (this.#status === SessionStatus.ready && token && scope) return { token, scope };
    if (this.#isOver()) throw this.#error ?? new PaError(PaErrorCode.sessionEnded, 'The session has ended.');
    if (this.#status === SessionStatus.suspended) await untilAborted(this.#statusChange(), signal);
    else await untilAborted(this.start(), signal);
    if (this.#status === SessionStatus.expired && this.#error) throw this.#error;
    return this.#live(signal);
  }

  #statusChange(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve);
    });
  }

  #renewEarly(): void {
    if (this.#status === SessionStatus.ready && this.#expiring !== this.#token) {
      this.#expiring = this.#token;
      this.#emit({ type: 'expiring' });
    }
    void this.#obtain();
  }

  #expire(): void {
    if (this.#status === SessionStatus.ready) this.#setStatus(SessionStatus.expired);
  }

  /** Aborts the flight and stops the timers. */
  #cancel(): void {
    this.#flight?.controller.abort();
    this.#flight = null;
    this.#schedule.clear();
  }

  /** Whether only `start()` can begin a new session. */
  #isOver(): boolean {
    return this.#status === SessionStatus.failed || this.#status === SessionStatus.ended;
  }

  #setStatus(status: SessionStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#emit({ type: 'status', status });
  }

  #emit(event: SessionEvent): void {
    if (event.type === 'status') for (const proceed of this.#waiting.splice(0)) proceed();
    for (const listener of [...this.#listeners]) listener(event);
  }
}
