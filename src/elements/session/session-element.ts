import { css, html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { PreferencesProvider } from '../../controllers/session/preferences-controller.js';
import { SessionProvider } from '../../controllers/session/session-provider.js';

/** The element has no box. Its children are laid out as if they were outside of it. */
const sessionStyles = css`
  :host {
    display: contents;
  }

  :host([hidden]) {
    display: none;
  }
`;

/**
 * @summary Provides one embed session to every pa- element inside it. Put it around the elements that show one user's
 * data. It requests a session from the page's own server, exchanges it once, renews it before it expires, and blanks
 * these elements when the session ends or cannot be confirmed. It renders nothing itself.
 *
 * @tagname pa-session
 *
 * @slot - The elements that use the session.
 *
 * @fires {PaSessionReadyEvent} pa-session-ready - The session is ready.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The session is about to expire and is being renewed; the
 * elements keep their content.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The session expired or was rejected, and no new one exists yet.
 * @fires {PaErrorEvent} pa-error - The session could not be created or renewed; `detail` gives the reason.
 */
export class PaSession extends LitElement {
  static override styles = sessionStyles;

  readonly #session = new SessionProvider(this);

  /**
   * URL of the host's endpoint that creates a session. It receives a POST request and returns `{"sessionId": "…"}`.
   */
  @property({ attribute: 'session-url' })
  sessionUrl: string | null = null;

  /** Function that returns a session id, instead of `session-url`; called again for every renewal. */
  @property({ attribute: false })
  session: (() => Promise<string>) | null = null;

  /** URL of the platform; must be HTTPS except on loopback. */
  @property({ attribute: 'base-url' })
  baseUrl: string | null = null;

  /** Path of the Data API below the deployment's URL. Default: `/data-api`, or the dialect's path. */
  @property({ attribute: 'data-api-path' })
  dataApiPath: string | null = null;

  /** Dialect of the service's API: `neutral` (default), or `cube` for the cloud service, which uses other names. */
  @property()
  dialect: 'neutral' | 'cube' | null = null;

  /** URL of the Chat API for the chats inside. Default: that of the platform. */
  @property({ attribute: 'ai-url' })
  aiUrl: string | null = null;

  /**
   * Language of the elements inside (BCP 47). Takes precedence over the session setting; an element's own `locale`
   * takes precedence over this.
   */
  @property()
  locale: string | null = null;

  /**
   * Time zone of the elements inside (IANA). Takes precedence over the session setting; an element's own `timezone`
   * takes precedence over this.
   */
  @property()
  timezone: string | null = null;

  constructor() {
    super();
    new PreferencesProvider(this);
  }

  /**
   * Starts a session after `end()`, or retries after a failure. The session starts automatically once it is configured,
   * so most pages never call this. Never rejects: events report the outcome.
   */
  start(): Promise<void> {
    return this.#session.start();
  }

  /**
   * Ends the session, as on sign-out: aborts all requests, discards the token and data, and blanks the elements inside
   * until `start()`.
   */
  end(): void {
    this.#session.end();
  }

  override render(): TemplateResult {
    return html`<slot></slot>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-session': PaSession;
  }
}
