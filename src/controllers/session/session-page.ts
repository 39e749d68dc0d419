import type { DialectName } from '../../client/dialect.js';
import { createSessionSource, type SessionSource } from '../../client/session/session-source.js';

/** What a session is made of, as it stands in attributes and properties. */
export interface SessionSettings {
  /** Address on the host's own server that mints a session (POST, answers `{sessionId}`). */
  readonly sessionUrl?: string | null | undefined;
  /** In its place, a function that returns a session id. */
  readonly session?: (() => Promise<string>) | null | undefined;
  /** Address of the platform. */
  readonly baseUrl?: string | null | undefined;
  /** Path of the Data API below the deployment's address, `/data-api` by default, or what the dialect says. */
  readonly dataApiPath?: string | null | undefined;
  /** The words of the service, where they are not the contract's. */
  readonly dialect?: DialectName | null | undefined;
}

/** Whether the settings name where a session comes from. */
export function namesSession(settings: SessionSettings): boolean {
  return Boolean(settings.sessionUrl || settings.session);
}

/** Whether two settings lead to the same session. */
export function sameSettings(a: SessionSettings, b: SessionSettings): boolean {
  return (
    (a.session ?? null) === (b.session ?? null) &&
    (a.sessionUrl || '') === (b.sessionUrl || '') &&
    (a.baseUrl || '') === (b.baseUrl || '') &&
    (a.dataApiPath || '') === (b.dataApiPath || '') &&
    (a.dialect || '') === (b.dialect || '')
  );
}

/** A copy of the settings, apart from the element that they were read off. */
export function copySettings(settings: SessionSettings): SessionSettings {
  const { sessionUrl, session, baseUrl, dataApiPath, dialect } = settings;
  return { sessionUrl, session, baseUrl, dataApiPath, dialect };
}

/**
 * Makes the session that the settings describe; addresses are read as links of the page are. `aiUrl` is where the chats of the page
 * find the Chat API: it has no part in what session it is.
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

/** What is no text is no address: the session says that it lacks one. */
function absolute(address: unknown, baseUri: string): string {
  if (typeof address !== 'string') return '';
  return URL.canParse(address, baseUri) ? new URL(address, baseUri).href : address;
}

interface SharedSession {
  readonly settings: SessionSettings;
  readonly source: SessionSource;
  users: number;
}

/** A session that waits for the first element that names it. */
interface WarmSession {
  readonly settings: SessionSettings;
  readonly aiUrl: string | null;
  readonly source: SessionSource;
  readonly expiry: ReturnType<typeof setTimeout>;
}

/** How a session is warmed. */
export interface WarmOptions {
  /** Address of the Chat API, where the `<pa-session>` to come names one. */
  readonly aiUrl?: string | null | undefined;
  /** Ends the session where nobody has taken it yet, as when the user signs out. */
  readonly signal?: AbortSignal | undefined;
  /** Longest that it is kept, in ms. */
  readonly kept?: number | undefined;
}

/** Longest that a session is kept for elements that are still to come, in ms. */
const maxWarmMs = 60_000;

/**
 * The sessions of one page: wakes them, and blanks them around the back/forward cache, for as long as there are any; keeps those that
 * were warmed for elements to come; and lets elements that name the same session by themselves share it.
 */
export class SessionPage {
  readonly #document: Document;
  readonly #sources = new Set<SessionSource>();
  readonly #shared: SharedSession[] = [];
  readonly #warm: WarmSession[] = [];

  constructor(document: Document) {
    this.#document = document;
  }

  /** Sessions on the page. */
  get size(): number {
    return this.#sources.size;
  }

  /**
   * Opens and starts a session before there is an element for it. The first that names the same one takes it; where none comes within
   * `kept` ms, or before `signal` is aborted, it ends. Never rejects: whoever takes it tries again.
   */
  async warm(settings: SessionSettings, { aiUrl = null, signal, kept = maxWarmMs }: WarmOptions = {}): Promise<void> {
    if (signal?.aborted) return;
    const shared = this.#shared.find(entry => sameSettings(entry.settings, settings));
    if (shared) return shared.source.start();
    const source = this.open(settings, aiUrl);
    const cool = (): void => this.#cool(entry => entry.source === source);
    this.#warm.push({ settings: copySettings(settings), aiUrl, source, expiry: setTimeout(cool, kept) });
    signal?.addEventListener('abort', cool, { once: true });
    return source.start();
  }

  /** Ends what was warmed and not taken: it was warmed in the name of who signs out now. */
  cool(): void {
    this.#cool(() => true);
  }

  /** The session that was warmed for the settings, or a new one; awake until `close`. */
  open(settings: SessionSettings, aiUrl: string | null = null): SessionSource {
    const isThis = (entry: WarmSession): boolean => entry.aiUrl === aiUrl && sameSettings(entry.settings, settings);
    const source = this.#takeWarm(isThis) ?? openSession(settings, this.#document.baseURI, aiUrl);
    if (this.#sources.size === 0) this.#listen();
    this.#sources.add(source);
    return source;
  }

  /** The mirror of `open`: ends the session. */
  close(source: SessionSource): void {
    if (this.#sources.delete(source) && this.#sources.size === 0) this.#unlisten();
    source.dispose();
  }

  /** The session that the settings describe, shared by all that ask for the same one, until each has called `release`. */
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

  /** The mirror of `acquire`: the last one to leave ends the session. */
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
      // A browser that keeps a page without having said so on `pagehide` must not show it either.
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

/** The sessions of the page that an element stands on. It lives as long as its document does. */
export function sessionPageOf(document: Document): SessionPage {
  const known = pages.get(document);
  if (known) return known;
  const page = new SessionPage(document);
  pages.set(document, page);
  return page;
}
