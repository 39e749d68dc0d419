import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { User } from '../../contract/users.js';
import { tokens } from '../../elements/parts/tokens.styles.js';
import { consoleStyles } from '../console.styles.js';
import { formStyles } from '../form.styles.js';
import { type Authorization, keepAuthorization, takeAuthorization } from './authorize-element.js';
import { findPage, type ListPage } from './list-page.js';
import { peopleStyles } from './people.styles.js';
import { createPeopleApi, type SignInOptions } from './people-api.js';
import { english, loadLanguage, type PageLanguage, type PeopleMessages, withName } from './people-messages.js';
import { peoplePages } from './people-pages.js';
import { problemText } from './sign-in-element.js';

/** Reasons in the address to which a failed sign-in with the provider returns. */
const failures: Readonly<Record<string, keyof PeopleMessages>> = {
  denied: 'denied',
  expired: 'expired',
  failed: 'failed',
  'unknown-user': 'unknownUser',
};

/**
 * The page that the platform serves at `/console`: sign-in, and lists for administrators. The session is a cookie that
 * scripts cannot read; the token of the page is in memory, and is discarded when the person leaves the page.
 *
 * @summary The pages for administrators.
 * @tagname pa-people
 */
export class PaPeople extends LitElement {
  static override styles = [tokens, formStyles, consoleStyles, peopleStyles];

  @state() private text: PageLanguage = english;
  /** `undefined` while it is not known who is signed in. */
  @state() private user: User | null | undefined;
  @state() private options: SignInOptions | null = null;
  @state() private pages: readonly ListPage[] = [];
  @state() private pageId = '';
  /** The page that the fragment of the address selects. */
  @state() private page: ListPage | null = null;
  /** Name of the item on a detail page. */
  @state() private itemName = '';
  @state() private failure = '';
  /** The service that the user is to authorize, from the address; `null` if none. */
  @state() private authorization: Authorization | null = null;
  @state() private problem = '';

  readonly #api = createPeopleApi(location.origin, () => {
    this.user = null;
  });

  readonly #handleHash = (): void => {
    this.pageId = location.hash.slice(1);
  };

  /** Clears the page, because the back/forward cache must not show the rows of a session that may have ended. */
  readonly #handleHide = (): void => {
    this.#api.forget();
    this.user = undefined;
  };
  readonly #handleShow = (event: PageTransitionEvent): void => {
    if (event.persisted) void this.#start();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('hashchange', this.#handleHash);
    window.addEventListener('pagehide', this.#handleHide);
    window.addEventListener('pageshow', this.#handleShow);
    this.#handleHash();
    void this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('hashchange', this.#handleHash);
    window.removeEventListener('pagehide', this.#handleHide);
    window.removeEventListener('pageshow', this.#handleShow);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('pages') && !changed.has('pageId')) return;
    this.page = findPage(this.pages, this.pageId);
    this.itemName = '';
    void this.#loadName(this.page);
  }

  override render(): TemplateResult {
    const { messages } = this.text;
    return html`<header>
        <div class="bar">
          <span class="logo" aria-hidden="true"><i></i><i></i><i></i></span>
          <span class="name">${messages.title}</span>
          ${this.user ? this.#renderAccount(this.user) : nothing}
        </div>
      </header>
      <main>${this.#renderMain()}</main>`;
  }

  #renderAccount({ email, username }: User): TemplateResult {
    const { messages } = this.text;
    return html`<span class="account">${withName(messages.signedInAs, email || username)}</span>
      <button type="button" id="sign-out" @click=${() => this.#signOut(this.#api.signOut)}>${messages.signOut}</button>
      <button type="button" class="text-button" @click=${() => this.#signOut(this.#api.signOutEverywhere)}>
        ${messages.signOutEverywhere}
      </button>`;
  }

  #renderMain(): TemplateResult {
    const { messages } = this.text;
    if (this.problem) {
      return html`<p class="error" role="alert">
        ${this.problem} <button type="button" @click=${() => void this.#start()}>${messages.retry}</button>
      </p>`;
    }
    if (this.user === undefined) return html`<p class="muted" role="status">${messages.loading}</p>`;
    if (this.user === null) {
      return html`<pa-people-sign-in
        .api=${this.#api}
        .options=${this.options}
        .messages=${messages}
        .failure=${this.failure}
        @pa-people-signed-in=${() => void this.#start()}
      ></pa-people-sign-in>`;
    }
    if (this.authorization) {
      return html`<pa-people-authorize
        .call=${this.#api.call}
        .authorization=${this.authorization}
        .messages=${messages}
      ></pa-people-authorize>`;
    }
    if (!this.user.isAdmin) return html`<p>${messages.notAdmin}</p>`;
    return this.#renderPages();
  }

  #renderPages(): TemplateResult {
    const { messages } = this.text;
    const { page, itemName } = this;
    const section = page?.id.split('/', 1)[0];
    return html`<nav aria-label=${messages.pages}>
        ${this.pages.map(
          ({ id, title }) => html`<a href="#${id}" aria-current=${id === section ? 'page' : 'false'}>${title}</a>`,
        )}
        <a href="/">${messages.playground}</a>
      </nav>
      <h1>${page?.title}${itemName ? html`: <bdi>${itemName}</bdi>` : nothing}</h1>
      <pa-people-list .page=${page ?? null} .messages=${messages}></pa-people-list>`;
  }

  async #open(): Promise<void> {
    this.text = await loadLanguage(navigator.languages);
    const { language, messages } = this.text;
    document.documentElement.lang = language;
    document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
    document.title = messages.title;
    const reason = failures[new URLSearchParams(location.search).get('sign-in') ?? ''];
    if (reason) {
      this.failure = messages[reason];
      history.replaceState(null, '', location.pathname + location.hash);
    }
    this.authorization = takeAuthorization();
    await this.#start();
  }

  async #start(): Promise<void> {
    this.problem = '';
    try {
      this.options = await this.#api.options();
      this.user = this.options.isSignedIn ? await this.#api.me() : null;
      if (this.user) this.failure = '';
      else if (this.authorization) keepAuthorization(this.authorization);
      this.pages = peoplePages(this.#api.call, this.text);
    } catch (error) {
      this.problem = problemText(error, this.text.messages);
    }
  }

  /** Loads the name of the item on a detail page. */
  async #loadName(page: ListPage | null): Promise<void> {
    // Ignore the error, because if the item does not exist, its list also fails and shows the reason.
    const name = await page?.name?.().catch(() => '');
    if (page === this.page) this.itemName = name ?? '';
  }

  async #signOut(end: () => Promise<void>): Promise<void> {
    try {
      await end();
      this.user = null;
    } catch (error) {
      this.problem = problemText(error, this.text.messages);
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-people': PaPeople;
  }
}
