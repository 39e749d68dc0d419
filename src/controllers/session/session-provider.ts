import { ContextProvider } from '@lit/context';
import type { ReactiveController } from 'lit';
import type { SessionSource } from '../../client/session/session-source.js';
import { sessionContext } from './session-context.js';
import type { SessionHost } from './session-controller.js';
import { dispatchReadiness, dispatchSessionEvent } from './session-events.js';
import {
  copySettings,
  namesSession,
  type SessionPage,
  type SessionSettings,
  sameSettings,
  sessionPageOf,
} from './session-page.js';

/** An open session with its settings and page. */
interface OpenSession {
  readonly source: SessionSource;
  readonly settings: SessionSettings;
  readonly aiUrl: string | null;
  readonly page: SessionPage;
}

/** An element that provides a session, and the URL of the Chat API, to the elements inside it. */
type ProviderHost = SessionHost & { readonly aiUrl: string | null };

/**
 * Opens and starts the session of an element's attributes and properties, fires its events on the element, and provides
 * it to the elements inside. Moving the element changes nothing; removing it from the document ends the session.
 */
export class SessionProvider implements ReactiveController {
  readonly #host: ProviderHost;
  readonly #provider: ContextProvider<typeof sessionContext, SessionHost>;
  #open: OpenSession | null = null;
  /** Whether `end()` was called, and `start()` has not been called since. */
  #ended = false;
  #leaving: ReturnType<typeof setTimeout> | null = null;

  constructor(host: ProviderHost) {
    this.#host = host;
    this.#provider = new ContextProvider(host, { context: sessionContext, initialValue: null });
    host.addController(this);
  }

  /** The session; `null` if the element has no session source. */
  get source(): SessionSource | null {
    return this.#open?.source ?? null;
  }

  /** Starts the session, or restarts it after `end()`. Never rejects; see the session's status for the outcome. */
  async start(): Promise<void> {
    this.#ended = false;
    await this.#host.updateComplete;
    await this.source?.start();
  }

  /** Ends the session until `start()`, and preloaded sessions that are not used. */
  end(): void {
    this.#ended = true;
    this.source?.end();
    sessionPageOf(this.#host.ownerDocument).cool();
  }

  hostConnected(): void {
    if (this.#leaving !== null) clearTimeout(this.#leaving);
    this.#leaving = null;
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#leaving ??= setTimeout(() => {
      this.#leaving = null;
      this.#replace(null);
    });
  }

  hostUpdate(): void {
    if (!this.#host.isConnected) return;
    if (!namesSession(this.#host)) this.#replace(null);
    else if (!this.#isOpen()) this.#replace(copySettings(this.#host));
  }

  #isOpen(): boolean {
    const open = this.#open;
    return open !== null && sameSettings(open.settings, this.#host) && open.aiUrl === this.#host.aiUrl;
  }

  #replace(settings: SessionSettings | null): void {
    const last = this.#open;
    if (!last && !settings) return;
    this.#open = settings ? this.#openBy(settings) : null;
    this.#provider.setValue(this.source);
    last?.page.close(last.source);
    if (this.#ended) this.source?.end();
    else void this.source?.start();
  }

  #openBy(settings: SessionSettings): OpenSession {
    const { ownerDocument, aiUrl } = this.#host;
    const page = sessionPageOf(ownerDocument);
    const source = page.open(settings, aiUrl);
    source.subscribe(event => dispatchSessionEvent(this.#host, event));
    dispatchReadiness(this.#host, source);
    return { source, settings, aiUrl, page };
  }
}
