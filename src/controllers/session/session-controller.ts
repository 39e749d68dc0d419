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

/** An element that draws in the name of a session. */
export type SessionHost = ReactiveControllerHost & HTMLElement & SessionSettings;

/** A session that the element named itself. */
interface OwnSession {
  readonly settings: SessionSettings;
  readonly page: SessionPage;
}

/**
 * Gives an element its session: that of the nearest `<pa-session>` around it, else its own from `session-url` (or `session`) and
 * `base-url`, shared with every element of the page that names the same. An own session is started here, and its events are
 * fired on the element.
 *
 * Leaving the document and coming back within one task, as when an element is moved, changes nothing.
 */
export class SessionController implements ReactiveController {
  readonly #host: SessionHost;
  readonly #consumer: ContextConsumer<typeof sessionContext, SessionHost>;
  #source: SessionSource | null = null;
  /** Null while the session comes from around. */
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

  /** The element's session; null while there is none to be had. */
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

  /** Settles where the session comes from before every update, when attributes and properties are all there. */
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
   * A `<pa-session>` around the element that is not defined yet gives its session once it is. Settled on connecting: by the first
   * update the tag may be defined, and the request for its session gone by unheard.
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
