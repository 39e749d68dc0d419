import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { toProblem } from '../controllers/problem.js';
import { tokens } from '../elements/parts/tokens.styles.js';
import { consoleStyles } from './console.styles.js';
import { formStyles } from './form.styles.js';
import { type PlaygroundApi, signIn } from './playground-api.js';

const embed = `<script type="module" src="/pa-embed/pa-embed.js"></script>
<pa-dashboard
  public-id="PUBLIC_ID"
  session-url="/api/embed-session"
  base-url="BASE_URL"
></pa-dashboard>`;

const mint = `import { embedSessionHandler, toNodeHandler } from 'pa-embed/node';
const mint = embedSessionHandler({
  baseUrl: 'BASE_URL',
  apiKey: process.env.PA_ADMIN_KEY,
  grantFor: request => ({ deploymentId: 1, externalId: 'user-17', securityContext: { tenant: 'acme' } }),
});
app.post('/api/embed-session', toNodeHandler(mint));`;

/** Pages of the documentation, which the platform serves from `docs/` of the package. */
const documentation: readonly (readonly [file: string, title: string, content: string])[] = [
  ['getting-started', 'Getting started', 'a dashboard from your own data'],
  ['model', 'Model', 'cubes, views and access policies'],
  ['elements', 'Elements', 'dashboards, reports and the chat in your page'],
  ['data-api', 'Data API', 'queries over HTTP'],
  ['platform-api', 'Platform API', 'sessions, content, keys'],
  ['cli', 'CLI and configuration', 'run the platform; dashboards as code'],
];

/**
 * The page that the platform serves at `/`. It describes the platform, and opens the playground when the viewer enters
 * an admin API key. The key stays in memory until the viewer signs out or leaves the page.
 *
 * @summary The console page of the platform.
 * @tagname pa-console
 */
export class PaConsole extends LitElement {
  static override styles = [tokens, formStyles, consoleStyles];

  /** Version of the platform. */
  @property() version = '';
  /** Base path of the Data API. */
  @property({ attribute: 'data-api-path' }) dataApiPath = '/data-api';
  /** Whether the platform has a model: `loaded` or `none`. */
  @property() model: 'loaded' | 'none' = 'loaded';
  /** Whether the database responded when the page was requested: `ready` or `unavailable`. */
  @property() health: 'ready' | 'unavailable' = 'ready';

  @state() private api: PlaygroundApi | null = null;
  @state() private isSigningIn = false;
  @state() private problem = '';

  /** Number of times that the viewer has signed out or left the page. */
  #signOuts = 0;

  readonly #handleLeave = (): void => this.#signOut();

  override connectedCallback(): void {
    super.connectedCallback();
    // A page that is restored from the back/forward cache must not have the key.
    window.addEventListener('pagehide', this.#handleLeave);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('pagehide', this.#handleLeave);
  }

  override render(): TemplateResult {
    return html`<header>
        <div class="bar">
          <span class="logo" aria-hidden="true"><i></i><i></i><i></i></span>
          <span class="name">pa-embed platform</span>
          <span class="version">${this.version}</span>
          <span class=${`status ${this.health}`} role="status">${this.#status()}</span>
          ${
            this.api
              ? html`<button type="button" id="sign-out" @click=${this.#handleSignOut}>Sign out</button>`
              : nothing
          }
        </div>
      </header>
      <main>
        ${
          this.api
            ? html`<h1 class="unseen">Playground</h1>
              <pa-console-playground .api=${this.api} .address=${this.#address}></pa-console-playground>`
            : this.#renderIntroduction()
        }
      </main>`;
  }

  #renderIntroduction(): TemplateResult {
    return html`<section class="intro">
        <h1>Analytics inside your product</h1>
        <p>
          This is the API of an embedded analytics platform. It serves dashboards, reports and an analyst chat to the
          pages of your product, as custom elements without an iframe, and enforces the rights of each viewer on every row.
        </p>
      </section>
      <div class="columns">
        ${this.#renderSignIn()}
        <section class="panel">
          <h2>Documentation</h2>
          <ul>
            ${documentation.map(
              ([file, title, content]) =>
                html`<li>
                  <a href="/console/docs/${file}.md">${title}</a>
                  <span class="muted">${content}</span>
                </li>`,
            )}
          </ul>
          <p class="hint">The pages are Markdown files of the package, in <code>node_modules/pa-embed/docs</code>.</p>
        </section>
      </div>
      <section class="panel embed">
        <h2>Embed a dashboard</h2>
        <p class="muted">In your page:</p>
        <pre tabindex="0" aria-label="HTML of your page">${this.#withAddress(embed)}</pre>
        <p class="muted">In your back end, which keeps the key:</p>
        <pre tabindex="0" aria-label="Code of your back end">${this.#withAddress(mint)}</pre>
      </section>`;
  }

  #renderSignIn(): TemplateResult {
    return html`<section class="panel">
      <h2>Playground</h2>
      <p class="muted">
        Build a query against the model, see its rows, chart and SQL, run it as a tenant, and copy it as code.
      </p>
      <form @submit=${this.#handleSubmit}>
        <div class="field">
          <label for="key">Admin API key</label>
          <input
            id="key"
            type="password"
            autocomplete="off"
            spellcheck="false"
            required
            aria-describedby="key-hint"
            aria-invalid=${this.problem ? 'true' : 'false'}
          />
        </div>
        <button class="primary" ?disabled=${this.isSigningIn}>
          ${this.isSigningIn ? 'Checking the key …' : 'Open the playground'}
        </button>
      </form>
      <p class="error" role="alert">${this.problem}</p>
      <p class="hint" id="key-hint">
        The key is in the file <code>admin-key</code> of the folder that <code>--data</code> names, or in
        <code>PA_ADMIN_KEY</code>. <code>pa-platform key add</code> creates further keys. This page keeps it in
        memory only, until you sign out or leave.
      </p>
    </section>`;
  }

  #status(): string {
    if (this.health !== 'ready') return 'The database does not respond';
    return this.model === 'loaded' ? 'Ready' : 'Ready, without a model';
  }

  get #address(): { readonly baseUrl: string; readonly dataApiPath: string } {
    return { baseUrl: location.origin, dataApiPath: this.dataApiPath };
  }

  #withAddress(text: string): string {
    return text.replaceAll('BASE_URL', this.#address.baseUrl);
  }

  readonly #handleSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const field = this.renderRoot.querySelector<HTMLInputElement>('#key');
    const key = field?.value.trim() ?? '';
    if (key === '' || this.isSigningIn) return;
    this.isSigningIn = true;
    this.problem = '';
    const signOuts = this.#signOuts;
    try {
      const api = await signIn(this.#address, key);
      // The viewer may have left the page in the meantime.
      if (this.isConnected && signOuts === this.#signOuts) this.api = api;
    } catch (error) {
      this.problem = signInProblem(error);
      field?.focus();
      field?.select();
    }
    this.isSigningIn = false;
  };

  readonly #handleSignOut = async (): Promise<void> => {
    this.#signOut();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('#key')?.focus();
  };

  #signOut(): void {
    this.#signOuts += 1;
    this.api = null;
    this.problem = '';
    const field = this.renderRoot.querySelector<HTMLInputElement>('#key');
    if (field) field.value = '';
  }
}

/** Returns why a key was not accepted, and what to do. */
function signInProblem(error: unknown): string {
  const { kind, status, message } = toProblem(error);
  if (status === 401) return 'The platform rejected this key. Check that it is complete and has not expired.';
  if (status === 403) return 'This key does not belong to an admin. Enter an admin API key.';
  if (status === 429) return 'Too many attempts. Wait a minute, and try again.';
  if (kind === 'unreachable' || kind === 'offline') return 'The platform does not respond. Check that it is running.';
  return message || 'Could not sign in. Reload the page, and try again.';
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-console': PaConsole;
  }
}
