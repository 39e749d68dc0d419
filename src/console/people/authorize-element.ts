import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { initiateOAuthFlow } from '../../client/operations/oauth.js';
import { tokens } from '../../elements/parts/tokens.styles.js';
import { formStyles } from '../form.styles.js';
import { peopleStyles } from './people.styles.js';
import type { Call } from './people-api.js';
import { type PeopleMessages, peopleMessages } from './people-messages.js';
import { problemText } from './sign-in-element.js';

/** Results in the address to which a service sends the browser back. */
const outcomes: Readonly<Record<string, keyof PeopleMessages>> = {
  connected: 'serviceConnected',
  denied: 'serviceDenied',
  expired: 'serviceExpired',
  failed: 'serviceFailed',
};

const storageKey = 'pa-authorize';

/** The authorization that the address of the page names. */
export interface Authorization {
  /** The integration to authorize; `null` after the service has redirected back to the page. */
  readonly integrationId: number | null;
  readonly outcome: keyof PeopleMessages | null;
}

/**
 * Reads `?authorize=ID` or `?oauth=OUTCOME` of the address, or the id that `keepAuthorization` stored, and removes it.
 */
export function takeAuthorization(): Authorization | null {
  const parameters = new URLSearchParams(location.search);
  const outcome = outcomes[parameters.get('oauth') ?? ''] ?? null;
  const id = parameters.get('authorize') ?? (outcome === null ? sessionStorage.getItem(storageKey) : null);
  if (parameters.has('authorize') || parameters.has('oauth')) {
    history.replaceState(null, '', location.pathname + location.hash);
  }
  sessionStorage.removeItem(storageKey);
  if (id !== null && /^[1-9]\d{0,14}$/.test(id)) return { integrationId: Number(id), outcome: null };
  return outcome === null ? null : { integrationId: null, outcome };
}

/** Stores an id while the user signs in, because a provider sends the browser back to an address without parameters. */
export function keepAuthorization({ integrationId }: Authorization): void {
  if (integrationId !== null) sessionStorage.setItem(storageKey, String(integrationId));
}

/**
 * Offers to authorize a service (an OAuth integration), and shows the result. The authorization starts only with
 * the button, so that a link alone does not start one.
 *
 * @summary Authorizes a service.
 * @tagname pa-people-authorize
 */
export class PaPeopleAuthorize extends LitElement {
  static override styles = [
    tokens,
    formStyles,
    peopleStyles,
    css`
      .panel > p {
        margin-block: 12px 16px;
      }
    `,
  ];

  @property({ attribute: false }) call: Call | null = null;
  @property({ attribute: false }) authorization: Authorization | null = null;
  @property({ attribute: false }) messages: PeopleMessages = peopleMessages;

  @state() private isBusy = false;
  @state() private problem = '';

  override render(): TemplateResult {
    const { messages, problem, authorization } = this;
    const outcome = authorization?.outcome ?? null;
    return html`<section class="panel sign-in">
      <h1>${messages.authorizeService}</h1>
      ${
        outcome === null
          ? html`<p>${messages.authorizeHint}</p>
              <button type="button" class="primary" ?disabled=${this.isBusy} @click=${() => void this.#continue()}>
                ${messages.authorizeContinue}
              </button>`
          : html`<p role="status">${messages[outcome]}</p>`
      }
      ${problem ? html`<p class="error" role="alert">${problem}</p>` : nothing}
    </section>`;
  }

  async #continue(): Promise<void> {
    const { call, authorization } = this;
    const integrationId = authorization?.integrationId ?? null;
    if (!call || integrationId === null) return;
    this.isBusy = true;
    this.problem = '';
    try {
      const { authorizationUrl } = await call(connection => initiateOAuthFlow(connection, integrationId));
      location.assign(authorizationUrl);
    } catch (error) {
      this.problem = problemText(error, this.messages);
      this.isBusy = false;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-people-authorize': PaPeopleAuthorize;
  }
}
