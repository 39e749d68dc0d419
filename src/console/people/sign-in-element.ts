import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { toProblem } from '../../controllers/problem.js';
import { tokens } from '../../elements/parts/tokens.styles.js';
import { formStyles } from '../form.styles.js';
import { peopleStyles } from './people.styles.js';
import type { PeopleApi, SignInOptions } from './people-api.js';
import { type PeopleMessages, peopleMessages, withName } from './people-messages.js';

/**
 * The sign-in form of the console: the OpenID provider, and email and password.
 *
 * @summary Signs a person in.
 * @tagname pa-people-sign-in
 * @fires pa-people-signed-in - Fired after the session has started.
 */
export class PaPeopleSignIn extends LitElement {
  static override styles = [tokens, formStyles, peopleStyles];

  @property({ attribute: false }) api: PeopleApi | null = null;
  @property({ attribute: false }) options: SignInOptions | null = null;
  @property({ attribute: false }) messages: PeopleMessages = peopleMessages;
  /** Reason why the sign-in with the provider failed; empty if it did not. */
  @property({ attribute: false }) failure = '';

  @state() private isBusy = false;
  @state() private problem = '';

  override render(): TemplateResult {
    const { messages, options } = this;
    const provider = options?.provider;
    const problem = this.problem || this.failure;
    return html`<section class="panel sign-in">
      <h1>${messages.signIn}</h1>
      <p class="muted">${messages.signInHint}</p>
      ${
        provider
          ? html`<a class="button primary" href=${provider.path}>${withName(messages.signInWith, provider.name)}</a>
              <p class="muted">
                ${options.singleSignOnOnly ? withName(messages.onlyProvider, provider.name) : messages.or}
              </p>`
          : nothing
      }
      <form @submit=${this.#handleSubmit}>
        <div class="field">
          <label for="email">${messages.email}</label>
          <input id="email" type="email" autocomplete="username" required maxlength="320" dir="ltr" />
        </div>
        <div class="field">
          <label for="password">${messages.password}</label>
          <input
            id="password"
            type="password"
            autocomplete="current-password"
            required
            maxlength="1000"
            dir="ltr"
            aria-invalid=${this.problem ? 'true' : 'false'}
          />
        </div>
        <button class=${provider ? '' : 'primary'} ?disabled=${this.isBusy}>
          ${this.isBusy ? messages.loading : messages.signIn}
        </button>
      </form>
      <p class="error" role="alert">${problem}</p>
    </section>`;
  }

  #field(id: string): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>(`#${id}`);
  }

  readonly #handleSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const [email, password] = [this.#field('email'), this.#field('password')];
    if (!email || !password || this.isBusy) return;
    this.isBusy = true;
    this.problem = '';
    try {
      await this.api?.signIn(email.value, password.value);
      password.value = '';
      this.dispatchEvent(new CustomEvent('pa-people-signed-in'));
    } catch (error) {
      this.problem = problemText(error, this.messages);
      password.focus();
      password.select();
    }
    this.isBusy = false;
  };
}

/** Returns why a request failed, in the language of the page. */
export function problemText(error: unknown, messages: PeopleMessages): string {
  const { kind, status, message } = toProblem(error);
  if (status === 401) return messages.wrongPassword;
  if (status === 429) return messages.tooManyAttempts;
  if (kind === 'unreachable' || kind === 'offline') return messages.unreachable;
  return message || messages.failed;
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-people-sign-in': PaPeopleSignIn;
  }
}
