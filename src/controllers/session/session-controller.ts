import { ContextConsumer } from '@lit/context';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionEvent, SessionSource } from '../../client/session/session-source.js';
import { closestAcross } from '../closest.js';
import { sessionContext } from './session-context.js';
import { dispatchReadiness, dispatchSessionEvent } from './session-events.js';
import {
  copySettings,
  namesSession,
  type SessionPage,
  type SessionSettings,
  sameSettings,
  sessionPageOf,
} from './session-page.js';

/** An element that renders data of a session. */
export type SessionHost = ReactiveControllerHost & HTMLElement & SessionSettings;

/** A session that the element opened itself. */
interface OwnSession {
  readonly settings: SessionSettings;
  readonly page: SessionPage;
}

/**
 * Provides the session of an element: that of the nearest `<pa-session>` around it, else its own from `session-url` (or
 * `session`) and `base-url`. The element's own session is shared with all elements of the page that have the same
 * settings. The controller starts it, and fires its events on the element.
 *
 * Removing the element and inserting it again within one task, as when it is moved, changes nothing.
 */
export class SessionController implements ReactiveController {
  readonly #host: SessionHost;
  readonly #consumer: ContextConsumer<typeof sessionContext, SessionHost>;
  #source: SessionSource | null = null;
  /** `null` if the session comes from a `<pa-session>`. */
  #own: OwnSession | null = null;
  #given: SessionSource | null = null;
  #unsubscribe: (() => void) | null = null;
  #leaving: ReturnType<typeof setTimeout> | null = null;
  #awaiting = false;

  constructor(host: SessionHost) {
    this.#host = host;
    this.#consumer = new ContextConsumer(host, {
      context: sessionContext,
      subscribe: true,
      callback: source => {
        this.#given = source;
      },
    });
    host.addController(this);
  }

  /** The element's session; `null` if there is none. */
  get source(): SessionSource | null {
    return this.#source;
  }

  hostConnected(): void {
    if (this.#leaving !== null) clearTimeout(this.#leaving);
    this.#leaving = null;
    this.#awaitProvider();
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#given = null;
    this.#leaving ??= setTimeout(() => {
      this.#leaving = null;
      this.#take(null, null);
    });
  }

  /** Resolves the session before every update, when attributes and properties are set. */
  hostUpdate(): void {
    if (!this.#host.isConnected) return;
    if (this.#given) this.#take(this.#given, null);
    else if (this.#awaiting || !namesSession(this.#host)) this.#take(null, null);
    else if (!this.#own || !sameSettings(this.#own.settings, this.#host)) this.#takeOwn();
  }

  #takeOwn(): void {
    const own = { settings: copySettings(this.#host), page: sessionPageOf(this.#host.ownerDocument) };
    this.#take(own.page.acquire(own.settings), own);
  }

  #take(source: SessionSource | null, own: OwnSession | null): void {
    if (source === this.#source) return;
    this.#unsubscribe?.();
    const last = { source: this.#source, own: this.#own };
    this.#source = source;
    this.#own = own;
    this.#unsubscribe = source?.subscribe(event => this.#notice(event)) ?? null;
    if (last.source) last.own?.page.release(last.source);
    this.#host.requestUpdate();
    if (!own || !source) return;
    dispatchReadiness(this.#host, source);
    void source.start();
  }

  #notice(event: SessionEvent): void {
    if (this.#own) dispatchSessionEvent(this.#host, event);
    this.#host.requestUpdate();
  }

  /**
   * Waits for a surrounding `<pa-session>` that is not defined yet, and then repeats the context request. Called on
   * connect, because `<pa-session>` may be defined before the first update of the host.
   */
  #awaitProvider(): void {
    if (this.#awaiting || !closestAcross(this.#host, 'pa-session:not(:defined)')) return;
    this.#awaiting = true;
    void customElements.whenDefined('pa-session').then(() => {
      this.#awaiting = false;
      if (!this.#host.isConnected) return;
      if (!this.#given) this.#consumer.hostConnected();
      this.#host.requestUpdate();
    });
  }
}
