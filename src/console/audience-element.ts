import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { UserAttribute } from '../contract/user-attributes.js';
import { type Audience, anyone, readAudience } from './audience.js';
import { audienceStyles } from './audience.styles.js';
import { formStyles } from './form.styles.js';

/**
 * Form for the viewer on whose behalf queries run: security context, groups and user attributes, as in the grant of an
 * embed session.
 *
 * @summary The "View as" form of the playground.
 * @tagname pa-console-audience
 */
export class PaConsoleAudience extends LitElement {
  static override styles = [formStyles, audienceStyles];

  /** The current audience. */
  @property({ attribute: false }) audience: Audience = anyone;
  /** User attributes of the account. */
  @property({ attribute: false }) userAttributes: readonly UserAttribute[] = [];
  /** Whether the form is expanded. */
  @property({ type: Boolean }) open = false;
  /** Called with a valid audience when the viewer applies the form. */
  @property({ attribute: false }) onApply: (audience: Audience) => void = () => {};

  /** Invalid field and how to fix it. */
  @state() private invalid: { readonly field: string; readonly problem: string } | null = null;

  override render(): TemplateResult {
    return html`<details ?open=${this.open}>
      <summary><span class="label">View as</span> <code>${this.#summary()}</code></summary>
      <form @submit=${this.#handleSubmit}>
        <p class="hint">
          Queries run in an embed session with these values, as your back end would create it. Access policies of the
          model decide which members and rows it sees.
        </p>
        ${this.#renderField(
          'securityContext',
          'Security context (JSON)',
          html`<textarea
            id="securityContext"
            rows="2"
            spellcheck="false"
            placeholder='{"tenant": "acme"}'
            aria-invalid=${this.#isInvalid('securityContext')}
            aria-describedby="problem"
          ></textarea>`,
        )}
        ${this.#renderField(
          'groups',
          'Groups, separated by commas',
          html`<input id="groups" spellcheck="false" autocomplete="off" />`,
        )}
        ${this.userAttributes.map(({ name, displayName, type }) =>
          this.#renderField(
            `attribute-${name}`,
            `${displayName || name} (user attribute, ${type.replace('_array', ' list')})`,
            html`<input
              id=${`attribute-${name}`}
              data-attribute=${name}
              spellcheck="false"
              autocomplete="off"
              aria-invalid=${this.#isInvalid(name)}
              aria-describedby="problem"
            />`,
          ),
        )}
        <p class="error" role="alert" id="problem">${this.invalid?.problem ?? ''}</p>
        <div class="buttons">
          <button id="apply">Apply</button>
          <button type="button" class="text-button" @click=${this.#handleReset}>Clear</button>
        </div>
      </form>
    </details>`;
  }

  #renderField(id: string, label: string, field: TemplateResult): TemplateResult {
    return html`<div class="field"><label for=${id}>${label}</label>${field}</div>`;
  }

  #summary(): string {
    const { securityContext, groups, userAttributes } = this.audience;
    const parts = [
      Object.keys(securityContext).length > 0 ? JSON.stringify(securityContext) : '',
      ...groups,
      ...userAttributes.map(({ name, value }) => `${name}: ${String(value)}`),
    ].filter(Boolean);
    return parts.join(', ') || 'no context';
  }

  #isInvalid(field: string): 'true' | 'false' | typeof nothing {
    return this.invalid?.field === field ? 'true' : nothing;
  }

  readonly #handleSubmit = (event: Event): void => {
    event.preventDefault();
    const inputs = [...this.renderRoot.querySelectorAll<HTMLInputElement>('[data-attribute]')];
    const read = readAudience(
      {
        securityContext: this.#valueOf('securityContext'),
        groups: this.#valueOf('groups'),
        attributes: new Map(inputs.map(input => [input.dataset.attribute ?? '', input.value])),
      },
      this.userAttributes,
    );
    this.invalid = 'problem' in read ? read : null;
    if ('audience' in read) this.onApply(read.audience);
    else {
      const id = read.field === 'securityContext' ? read.field : `attribute-${read.field}`;
      this.renderRoot.querySelector<HTMLElement>(`#${id}`)?.focus();
    }
  };

  readonly #handleReset = (): void => {
    for (const field of this.renderRoot.querySelectorAll<HTMLInputElement>('input, textarea')) field.value = '';
    this.invalid = null;
    this.onApply(anyone);
  };

  #valueOf(id: string): string {
    return this.renderRoot.querySelector<HTMLInputElement>(`#${id}`)?.value ?? '';
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-console-audience': PaConsoleAudience;
  }
}
