import { css, html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { PreferencesProvider } from '../../controllers/session/preferences-controller.js';
import { SessionProvider } from '../../controllers/session/session-provider.js';

/** A session has no box of its own: what is inside is laid out as if it stood there alone. */
const sessionStyles = css`
  :host {
    display: contents;
  }

  :host([hidden]) {
    display: none;
  }
`;

/**
 * @summary Gives one embed session to every pa- element below it.
 *
 * Put it around the elements that show one user's data. It asks the page's own server for a session, exchanges it once, renews it
 * before its end, and blanks everything below when it is ended or can't be confirmed. It draws nothing itself.
 *
 * @tagname pa-session
 *
 * @slot - The elements that use the session.
 *
 * @fires {PaSessionReadyEvent} pa-session-ready - There is a session.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The session nears its end and is being renewed; nothing on the screen changes.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The session ran out or was refused, and there is no new one yet.
 * @fires {PaErrorEvent} pa-error - The session could not be had or renewed; `detail` says why.
 */
export class PaSession extends LitElement {
  static override styles = sessionStyles;

  readonly #session = new SessionProvider(this);

  /** Address on the page's own server that mints a session: it is sent a POST and answers `{"sessionId": "…"}`. */
  @property({ attribute: 'session-url' })
  sessionUrl: string | null = null;

  /** In place of `session-url`, a function that returns a session id; it is called again for every renewal. */
  @property({ attribute: false })
  session: (() => Promise<string>) | null = null;

  /** Address of the platform, HTTPS unless on loopback. */
  @property({ attribute: 'base-url' })
  baseUrl: string | null = null;

  /** Path of the Data API below the deployment's address, `/data-api` where neither it nor the dialect says another. */
  @property({ attribute: 'data-api-path' })
  dataApiPath: string | null = null;

  /** Words of the service: `neutral` where it is not set, or `cube` for the public service of that name. */
  @property()
  dialect: 'neutral' | 'cube' | null = null;

  /** Address of the Chat API. */
  @property({ attribute: 'ai-url' })
  aiUrl: string | null = null;

  /** Language of the elements below (BCP 47), in the place of the session's setting; an element's own comes first. */
  @property()
  locale: string | null = null;

  /** Time zone of the elements below (IANA), in the place of the session's setting; an element's own comes first. */
  @property()
  timezone: string | null = null;

  constructor() {
    super();
    new PreferencesProvider(this);
  }

  /**
   * Starts a session: after `end()`, or to try again after a failure. A session starts by itself once it is named, so most pages
   * never call this. Never rejects: the events tell how it went.
   */
  start(): Promise<void> {
    return this.#session.start();
  }

  /**
   * Ends the session, as on sign-out: aborts every request, forgets token and data, and blanks the elements below until `start()`.
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
