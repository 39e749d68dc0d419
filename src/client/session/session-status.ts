import type { AppConfig } from '../../contract/app-config.js';
import type { Dashboard } from '../../contract/dashboards.js';
import type { EmbedSessionSettings, EmbedTokenTheme } from '../../contract/embed.js';
import type { MetaResponse } from '../../contract/meta.js';
import type { Query } from '../../contract/query.js';
import type { RowSet } from '../../contract/row-set.js';
import type { PaError } from '../errors.js';
import type { PlatformConnection } from '../http/connection.js';

/** Where a session stands. */
export const SessionStatus = {
  /** Not started yet. */
  idle: 'idle',
  /** The first token is on its way. */
  starting: 'starting',
  /** There is a token; renewals don't leave this status. */
  ready: 'ready',
  /** The page went into the back/forward cache: nothing may show until a new session proves the identity. */
  suspended: 'suspended',
  /** The token ran out or was refused, and there is no new one yet. */
  expired: 'expired',
  /** No session could be had. */
  failed: 'failed',
  /** The host ended it; only `start()` begins again. */
  ended: 'ended',
} as const;
/** Where a session stands. */
export type SessionStatus = (typeof SessionStatus)[keyof typeof SessionStatus];

/** What a session tells its subscribers. No event holds a token. */
export type SessionEvent =
  | { readonly type: 'status'; readonly status: SessionStatus }
  /** The token nears its end and is being renewed. */
  | { readonly type: 'expiring' }
  /** The tab came to the foreground or the network is back: what failed for want of it may be tried again. */
  | { readonly type: 'wake' }
  /** The identity is another one, or gone: whatever was shown must not stay. The first identity comes with status `ready`. */
  | { readonly type: 'identity'; readonly identity: string | null }
  /** The session could not be had or renewed. */
  | { readonly type: 'error'; readonly error: PaError };

/** The session of a page: one identity, its token, and what was fetched in its name. */
export interface SessionSource {
  readonly status: SessionStatus;
  /** Why there is no session, or no new one; null while all is well. */
  readonly error: PaError | null;
  /** Canonical JSON of the token's payload without `iat`, `nbf`, `exp`, `jti`, `sid`; null before the first token and after the end. */
  readonly identity: string | null;
  /** Settings that the session carries; null while there is none. */
  readonly settings: EmbedSessionSettings | null;
  /** Look that the session carries (`embedTheme` of its grant); null while there is none. */
  readonly embedTheme: EmbedTokenTheme | null;
  /** Address of the Chat API, where the session names one. */
  readonly aiUrl?: string | null;
  /** Calls `listener` with every event of the session. Returns how to stop. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /** Gets a session unless there is one or one is on its way. Never rejects: `status` and `error` tell how it went. */
  start(): Promise<void>;
  /** A published dashboard; identical calls share one request. Rejects with PaError. */
  getDashboard(publicId: string, options: { signal?: AbortSignal }): Promise<Dashboard>;
  /** The model, as far as the session may see it; kept for five minutes, and one request for all who ask. Rejects with PaError. */
  meta(options: { signal?: AbortSignal }): Promise<MetaResponse>;
  /**
   * The account's configuration, kept as the model is; null where it can't be had within a few seconds: nothing depends on it. Rejects
   * with PaAbortError alone.
   */
  appConfig(options: { signal?: AbortSignal }): Promise<AppConfig | null>;
  /** Rows of a query; identical calls in flight share one request. Rejects with PaError. */
  load(query: Query, options: { signal?: AbortSignal }): Promise<RowSet>;
  /** Rows of semantic SQL, as `load`. */
  sql(text: string, options: { signal?: AbortSignal }): Promise<RowSet>;
  /**
   * Calls the services with the token in force, and once more with a new session where that one is refused. For other APIs that take
   * the session's token; it must not leave `call`. Rejects with PaAbortError where the new session is another identity's.
   */
  authorize<T>(call: (connection: PlatformConnection) => Promise<T>): Promise<T>;
  /** The tab came to the foreground or the network is back: tells its subscribers, and renews a token that is near or past its end. */
  wake(): void;
  /** The page goes into the back/forward cache. */
  suspend(): void;
  /** The page came back: confirms the identity with a newly minted session. Never rejects. */
  resume(): Promise<void>;
  /** Calls everything off and forgets token, identity and caches; `start()` begins again. */
  end(): void;
  /** `end()` for good and in silence: no event, and `start()` does nothing. */
  dispose(): void;
}
