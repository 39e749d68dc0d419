import type { AppConfig } from '../../contract/app-config.js';
import type { Dashboard } from '../../contract/dashboards.js';
import type { EmbedSessionSettings, EmbedTokenTheme } from '../../contract/embed.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { PaError } from '../errors.js';
import type { PlatformConnection } from '../http/connection.js';

/** Status of a session. */
export const SessionStatus = {
  /** Not started yet. */
  idle: 'idle',
  /** The first token has been requested. */
  starting: 'starting',
  /** A token is available. The status stays `ready` during renewals. */
  ready: 'ready',
  /** The page is in the back/forward cache. Its content stays hidden until a new session confirms the identity. */
  suspended: 'suspended',
  /** The token expired or was rejected, and there is no new one yet. */
  expired: 'expired',
  /** The session could not be obtained. */
  failed: 'failed',
  /** The host ended the session; only `start()` begins a new one. */
  ended: 'ended',
} as const;
/** Status of a session. */
export type SessionStatus = (typeof SessionStatus)[keyof typeof SessionStatus];

/** Events of a session. No event contains a token. */
export type SessionEvent =
  | { readonly type: 'status'; readonly status: SessionStatus }
  /** The token expires soon and is being renewed. */
  | { readonly type: 'expiring' }
  /** The tab came to the foreground or the network is back: failed requests may be retried. */
  | { readonly type: 'wake' }
  /**
   * The identity changed or ended: content of the previous identity must be removed. The first identity is announced by
   * status `ready`.
   */
  | { readonly type: 'identity'; readonly identity: string | null }
  /** The session could not be obtained or renewed. */
  | { readonly type: 'error'; readonly error: PaError };

/** Options of reading a dashboard. */
export interface DashboardOptions {
  readonly signal?: AbortSignal;
  /** Whether to bypass the cache, for example because the dashboard was just published. */
  readonly isFresh?: boolean;
}

/** The session of a page: one identity, its token, and its cached responses. */
export interface SessionSource {
  readonly status: SessionStatus;
  /** Reason why the session could not be obtained or renewed; `null` if there is no error. */
  readonly error: PaError | null;
  /**
   * Canonical JSON of the token's payload without `iat`, `nbf`, `exp`, `jti` and `sid`; `null` before the first token
   * and after the end.
   */
  readonly identity: string | null;
  /** Settings in the session's token; `null` without a token. */
  readonly settings: EmbedSessionSettings | null;
  /** Theme in the session's token (`embedTheme` of its grant); `null` if it has none. */
  readonly embedTheme: EmbedTokenTheme | null;
  /** Base URL of the Chat API, if the session sets one. */
  readonly aiUrl?: string | null;
  /** Calls `listener` for every event of the session. Returns a function that unsubscribes it. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /**
   * Obtains a session unless one is available or already being obtained. Never rejects; see `status` and `error` for
   * the outcome.
   */
  start(): Promise<void>;
  /** Returns a published dashboard. Concurrent identical calls share one request. Rejects with PaError. */
  getDashboard(publicId: string, options: DashboardOptions): Promise<Dashboard>;
  /**
   * Returns the part of the model that the session can see. Cached for five minutes; concurrent calls share one
   * request. Rejects with PaError.
   */
  meta(options?: { signal?: AbortSignal }): Promise<MetaResponse>;
  /**
   * Returns the account's configuration, cached for five minutes; `null` if it cannot be loaded within a few seconds,
   * because it is optional. Rejects only with PaAbortError.
   */
  appConfig(options: { signal?: AbortSignal }): Promise<AppConfig | null>;
  /** Returns the rows of a query. Concurrent identical calls share one request. Rejects with PaError. */
  load(query: Query, options?: { signal?: AbortSignal }): Promise<RowSet>;
  /** Returns the rows of semantic SQL. Otherwise works like `load`. */
  sql(text: string, options?: { signal?: AbortSignal }): Promise<RowSet>;
  /**
   * Calls a service with the current token. If the token is rejected, calls it once more with a new session. For other
   * APIs that accept the session's token; the token must not leave `call`. Rejects with PaAbortError if the new session
   * has another identity.
   */
  authorize<T>(call: (connection: PlatformConnection) => Promise<T>): Promise<T>;
  /**
   * Call when the tab comes to the foreground or the network is back: notifies the subscribers, and renews a token that
   * is about to expire or has expired.
   */
  wake(): void;
  /** Call when the page enters the back/forward cache. */
  suspend(): void;
  /** Call when the page leaves the back/forward cache: confirms the identity with a new session. Never rejects. */
  resume(): Promise<void>;
  /** Aborts all requests and clears token, identity and caches. `start()` begins a new session. */
  end(): void;
  /** Ends the session permanently without events; `start()` then has no effect. */
  dispose(): void;
}
