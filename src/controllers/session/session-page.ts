import type { DialectName } from '../../client/dialect.js';
import { createSessionSource, type SessionSource } from '../../client/session/session-source.js';

/** Settings of a session, from attributes and properties. */
export interface SessionSettings {
  /** URL on the host's server that creates a session (POST, returns `{sessionId}`). */
  readonly sessionUrl?: string | null | undefined;
  /** Function that returns a session id, used instead of `sessionUrl`. */
  readonly session?: (() => Promise<string>) | null | undefined;
  /** Base URL of the platform. */
  readonly baseUrl?: string | null | undefined;
  /**
   * Path of the Data API on the deployment's host. Defaults to the path of the dialect, or `/data-api` if no dialect is
   * set.
   */
  readonly dataApiPath?: string | null | undefined;
  /** Dialect of the service. Defaults to the contract's own names. */
  readonly dialect?: DialectName | null | undefined;
}

/** Whether the settings contain a session source. */
export function namesSession(settings: SessionSettings): boolean {
  return Boolean(settings.sessionUrl || settings.session);
}

/** Whether two settings describe the same session. */
export function sameSettings(a: SessionSettings, b: SessionSettings): boolean {
  return (
    (a.session ?? null) === (b.session ?? null) &&
    (a.sessionUrl || '') === (b.sessionUrl || '') &&
    (a.baseUrl || '') === (b.baseUrl || '') &&
    (a.dataApiPath || '') === (b.dataApiPath || '') &&
    (a.dialect || '') === (b.dialect || '')
  );
}

/** Copies the settings from an element. */
export function copySettings(settings: SessionSettings): SessionSettings {
  const { sessionUrl, session, baseUrl, dataApiPath, dialect } = settings;
  return { sessionUrl, session, baseUrl, dataApiPath, dialect };
}

/**
 * Creates the session that the settings describe. URLs are resolved against the page. `aiUrl` is the Chat API for the
 * page's chats; it does not affect the identity of the session.
 */
function openSession(settings: SessionSettings, baseUri: string, aiUrl: string | null): SessionSource {
  const { sessionUrl, session, baseUrl, dataApiPath, dialect } = settings;
  return createSessionSource({
    baseUrl: baseUrl ? absolute(baseUrl, baseUri) : '',
    ...(dataApiPath && typeof dataApiPath === 'string' ? { dataApiPath } : {}),
    ...(sessionUrl ? { sessionUrl: absolute(sessionUrl, baseUri) } : {}),
    ...(session ? { session } : {}),
    ...(dialect ? { dialect } : {}),
    ...(aiUrl ? { aiUrl: absolute(aiUrl, baseUri) } : {}),
  });
}

/** Returns an empty string for values that are not strings, so that the session reports a missing URL. */
function absolute(address: unknown, baseUri: string): string {
  if (typeof address !== 'string') return '';
  return URL.canParse(address, baseUri) ? new URL(address, baseUri).href : address;
}

interface SharedSession {
  readonly settings: SessionSettings;
  readonly source: SessionSource;
  users: number;
}

/** A preloaded session that no element uses yet. */
interface WarmSession {
  readonly settings: SessionSettings;
  readonly aiUrl: string | null;
  readonly source: SessionSource;
  readonly expiry: ReturnType<typeof setTimeout>;
}

/** Options for preloading a session. */
export interface WarmOptions {
  /** URL of the Chat API, if the future `<pa-session>` sets one. */
  readonly aiUrl?: string | null | undefined;
  /** Ends the session if no element uses it yet, for example when the user signs out. */
  readonly signal?: AbortSignal | undefined;
  /** How long the unused session is retained, in ms. */
  readonly retainMs?: number | undefined;
}

/** Default time for which an unused session is retained, in ms. */
const maxWarmMs = 60_000;

/**
 * The sessions of one page. Wakes and suspends them on page events, retains preloaded sessions for future elements, and
 * shares sessions between elements with the same settings.
 */
export class SessionPage {
  readonly #document: Document;
  readonly #sources = new Set<SessionSource>();
  readonly #shared: SharedSession[] = [];
  readonly #warm: WarmSession[] = [];

  constructor(document: Document) {
    this.#document = document;
  }

  /** Number of open sessions. */
  get size(): number {
    return this.#sources.size;
  }

  /**
   * Opens and starts a session before its element exists. The first element with the same settings uses it. If there is
   * none within `retainMs` ms, or `signal` is aborted before, the session ends. Never rejects: the element retries.
   */
  async warm(
    settings: SessionSettings,
    { aiUrl = null, signal, retainMs = maxWarmMs }: WarmOptions = {},
  ): Promise<void> {
    if (signal?.aborted) return;
    const shared = this.#shared.find(entry => sameSettings(entry.settings, settings));
    if (shared) return shared.source.start();
    const source = this.open(settings, aiUrl);
    const cool = (): void => this.#cool(entry => entry.source === source);
    this.#warm.push({ settings: copySettings(settings), aiUrl, source, expiry: setTimeout(cool, retainMs) });
    signal?.addEventListener('abort', cool, { once: true });
    return source.start();
  }

  /** Ends preloaded sessions that are not used, because they belong to a user who signs out. */
  cool(): void {
    this.#cool(() => true);
  }

  /** Returns the preloaded session for the settings, or opens a new one. Call `close` to end it. */
  open(settings: SessionSettings, aiUrl: string | null = null): SessionSource {
    const isThis = (entry: WarmSession): boolean => entry.aiUrl === aiUrl && sameSettings(entry.settings, settings);
    const source = this.#takeWarm(isThis) ?? openSession(settings, this.#document.baseURI, aiUrl);
    if (this.#sources.size === 0) this.#listen();
    this.#sources.add(source);
    return source;
  }

  /** Ends a session that was opened with `open`. */
  close(source: SessionSource): void {
    if (this.#sources.delete(source) && this.#sources.size === 0) this.#unlisten();
    source.dispose();
  }

  /** Returns the shared session for the settings. Each caller must call `release`. */
  acquire(settings: SessionSettings): SessionSource {
    const known = this.#shared.find(entry => sameSettings(entry.settings, settings));
    if (known) {
      known.users += 1;
      return known.source;
    }
    const source = this.open(settings);
    this.#shared.push({ settings: copySettings(settings), source, users: 1 });
    return source;
  }

  /** Releases a session that was returned by `acquire`; the last release ends it. */
  release(source: SessionSource): void {
    const index = this.#shared.findIndex(entry => entry.source === source);
    const entry = this.#shared[index];
    if (!entry) return;
    entry.users -= 1;
    if (entry.users > 0) return;
    this.#shared.splice(index, 1);
    this.close(source);
  }

  #cool(isOne: (entry: WarmSession) => boolean): void {
    for (let source = this.#takeWarm(isOne); source; source = this.#takeWarm(isOne)) this.close(source);
  }

  #takeWarm(isOne: (entry: WarmSession) => boolean): SessionSource | null {
    const index = this.#warm.findIndex(isOne);
    const [entry] = index < 0 ? [] : this.#warm.splice(index, 1);
    if (!entry) return null;
    clearTimeout(entry.expiry);
    return entry.source;
  }

  readonly #wake = (): void => {
    if (this.#document.visibilityState === 'hidden') return;
    for (const source of this.#sources) source.wake();
  };

  readonly #hide = (event: PageTransitionEvent): void => {
    if (!event.persisted) return;
    for (const source of this.#sources) source.suspend();
  };

  readonly #show = (event: PageTransitionEvent): void => {
    if (!event.persisted) return;
    for (const source of this.#sources) {
      // Some browsers restore a page from the cache without announcing it on `pagehide`.
      source.suspend();
      void source.resume();
    }
  };

  #listen(): void {
    const window = this.#document.defaultView;
    this.#document.addEventListener('visibilitychange', this.#wake);
    window?.addEventListener('online', this.#wake);
    window?.addEventListener('pagehide', this.#hide);
    window?.addEventListener('pageshow', this.#show);
  }

  #unlisten(): void {
    const window = this.#document.defaultView;
    this.#document.removeEventListener('visibilitychange', this.#wake);
    window?.removeEventListener('online', this.#wake);
    window?.removeEventListener('pagehide', this.#hide);
    window?.removeEventListener('pageshow', this.#show);
  }
}

const pages = new WeakMap<Document, SessionPage>();

/** Returns the sessions of a document; created once per document. */
export function sessionPageOf(document: Document): SessionPage {
  const known = pages.get(document);
  if (known) return known;
  const page = new SessionPage(document);
  pages.set(document, page);
  return page;
}
