import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import { tokens } from '../../elements/parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../../elements/parts/visually-hidden.styles.js';
import { formStyles } from '../form.styles.js';
import type { CreateForm, FormField, ListPage, Row, RowAction } from './list-page.js';
import { peopleStyles } from './people.styles.js';
import { type PeopleMessages, peopleMessages } from './people-messages.js';
import { problemText } from './sign-in-element.js';

const pageSize = 50;
const searchDelayMs = 250;

/** Reads the values of a form. Spaces at the ends are ignored, except in passwords. */
function readForm(form: HTMLFormElement, { fields }: CreateForm): Readonly<Record<string, string>> {
  const data = new FormData(form);
  const entries = fields.map(({ name, type }) => {
    const value = String(data.get(name) ?? '');
    return [name, type === 'password' ? value : value.trim()] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * A list of the console: search, pages, actions of the rows, and a form that creates an item.
 *
 * @summary A paged list.
 * @tagname pa-people-list
 */
export class PaPeopleList extends LitElement {
  static override styles = [tokens, formStyles, visuallyHiddenStyles, peopleStyles];

  @property({ attribute: false }) page: ListPage | null = null;
  @property({ attribute: false }) messages: PeopleMessages = peopleMessages;

  @state() private rows: readonly Row[] = [];
  /** Cursor of the next page; `null` if there is none. */
  @state() private next: string | null = null;
  @state() private isLoading = false;
  @state() private problem = '';
  /** Action that waits for its confirmation. */
  @state() private pending: RowAction | null = null;
  /** Secret of a new item, which is shown once. */
  @state() private secret = '';
  @state() private isCreating = false;
  /** Options of the lists in the form, by field. */
  @state() private options: Readonly<Record<string, readonly { value: string; label: string }[]>> = {};

  #search = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('page');
    if (!changed.has('page') || this.page === null) return;
    if (before?.id !== this.page.id) {
      this.#search = '';
      this.rows = [];
      this.secret = '';
      this.isCreating = false;
      this.options = {};
      void this.#loadOptions();
    }
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.rows = [];
    this.secret = '';
  }

  override render(): TemplateResult {
    const { messages, page, rows } = this;
    if (!page) return html``;
    return html`<div class="tools">
        ${page.searchLabel === null ? nothing : this.#renderSearch(page.searchLabel)}
        </div>
      ${page.create ? keyed(page.id, this.#renderCreate(page.create)) : nothing} ${this.secret ? this.#renderSecret() : nothing}
      <p class="error" role="alert">
        ${this.problem}
        ${
          this.problem && rows.length === 0
            ? html`<button type="button" @click=${() => void this.#load()}>${messages.retry}</button>`
            : nothing
        }
      </p>
      <div class="scroll" tabindex="0" role="region" aria-label=${page.title}>
        <table aria-busy=${this.isLoading ? 'true' : 'false'}>
          <thead>
            <tr>
              ${page.columns.map(column => html`<th scope="col">${column}</th>`)}
              <th scope="col"><span class="unseen">${messages.actions}</span></th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              rows,
              ({ id }) => id,
              row => this.#renderRow(row),
            )}
          </tbody>
        </table>
      </div>
      <p class="muted" role="status">${this.#status()}</p>
      ${
        this.next === null
          ? nothing
          : html`<button type="button" id="more" ?disabled=${this.isLoading} @click=${this.#handleMore}>
              ${messages.more}
            </button>`
      }
      ${this.#renderDialog()}`;
  }

  #renderSearch(label: string): TemplateResult {
    return html`<div class="field">
      <label for="search">${label}</label>
      <input
        id="search"
        type="search"
        maxlength="100"
        autocomplete="off"
        spellcheck="false"
        .value=${this.#search}
        @input=${this.#handleSearch}
      />
    </div>`;
  }

  #renderCreate({ label, button, fields }: CreateForm): TemplateResult {
    return html`<form aria-label=${label} @submit=${this.#handleCreate}>
      <h2>${label}</h2>
      ${fields.map(field => this.#renderField(field))}
      <button ?disabled=${this.isCreating}>${button}</button>
    </form>`;
  }

  #renderField({ name, label, type = 'text', minLength, options, isOptional = false }: FormField): TemplateResult {
    const text = isOptional ? `${label} (${this.messages.optional})` : label;
    return html`<div class="field">
      <label for=${`field-${name}`}>${text}</label>
      ${
        options
          ? html`<select id=${`field-${name}`} name=${name}>
              ${this.options[name]?.map(option => html`<option value=${option.value}>${option.label}</option>`)}
            </select>`
          : html`<input
              id=${`field-${name}`}
              name=${name}
              type=${type}
              ?required=${!isOptional}
              maxlength=${type === 'date' ? nothing : 1000}
              minlength=${minLength ?? nothing}
              autocomplete=${type === 'password' ? 'new-password' : 'off'}
              spellcheck="false"
            />`
      }
    </div>`;
  }

  #renderSecret(): TemplateResult {
    const { messages, secret } = this;
    return html`<div class="panel secret" role="status">
      <p>${messages.shownOnce}</p>
      <code>${secret}</code>
      <div class="buttons">
        <button type="button" @click=${this.#handleCopy}>${messages.copy}</button>
        <button
          type="button"
          @click=${() => {
            this.secret = '';
          }}
        >
          ${messages.close}
        </button>
      </div>
    </div>`;
  }

  #renderRow({ name, cells, links = [], actions }: Row): TemplateResult {
    return html`<tr>
      ${cells.map(cell => html`<td><bdi>${cell}</bdi></td>`)}
      <td class="actions">
        ${links.map(({ label, href }) => html`<a href=${href} aria-label=${`${label}: ${name}`}>${label}</a> `)}
        ${actions.map(
          action =>
            html`<button
              type="button"
              class="text-button"
              aria-label=${`${action.label}: ${name}`}
              @click=${() => this.#handleAction(action)}
            >
              ${action.label}
            </button>`,
        )}
      </td>
    </tr>`;
  }

  #renderDialog(): TemplateResult {
    const { pending, messages } = this;
    return html`<dialog aria-labelledby="question" @close=${this.#handleClose}>
      <p id="question">${pending?.question}</p>
      <div class="buttons">
        <button type="button" autofocus @click=${this.#handleCancel}>${messages.cancel}</button>
        <button type="button" class="danger" @click=${this.#handleConfirm}>${pending?.label}</button>
      </div>
    </dialog>`;
  }

  #status(): string {
    if (this.isLoading) return this.messages.loading;
    return this.rows.length === 0 && this.problem === '' ? this.messages.noItems : '';
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  /** Loads the first page, or the next one. A newer request aborts an older one, whose rows never appear. */
  async #load({ after = null }: { readonly after?: string | null } = {}): Promise<void> {
    const { page } = this;
    if (!page) return;
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    this.isLoading = true;
    this.problem = '';
    if (after === null) this.next = null;
    const search = this.#search.trim();
    try {
      const requested = {
        first: pageSize,
        ...(after !== null && { after }),
        ...(search && { search }),
      };
      const { items, pageInfo } = await page.load(requested, request.signal);
      if (request.signal.aborted) return;
      this.rows = after === null ? items : [...this.rows, ...items];
      this.next = pageInfo?.hasNextPage ? (pageInfo.endCursor ?? null) : null;
    } catch (error) {
      if (request.signal.aborted) return;
      if (after === null) this.rows = [];
      this.problem = problemText(error, this.messages);
    }
    this.isLoading = false;
  }

  /** Loads the lists of the form. A list that does not load stays empty, and the problem is shown. */
  async #loadOptions(): Promise<void> {
    const { page } = this;
    for (const { name, options } of page?.create?.fields ?? []) {
      if (!options) continue;
      try {
        const loaded = await options();
        if (page !== this.page) return;
        this.options = { ...this.options, [name]: loaded };
      } catch (error) {
        if (page === this.page) this.problem = problemText(error, this.messages);
      }
    }
  }

  /** Runs an action and loads the list again. Returns whether the action succeeded. */
  async #run(work: () => Promise<unknown>): Promise<boolean> {
    const { page } = this;
    try {
      await work();
      if (page === this.page) await this.#load();
      return true;
    } catch (error) {
      if (page === this.page) this.problem = problemText(error, this.messages);
      return false;
    }
  }

  readonly #handleSearch = (event: InputEvent & { readonly target: HTMLInputElement }): void => {
    this.#search = event.target.value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(), searchDelayMs);
  };

  readonly #handleMore = (): void => void this.#load({ after: this.next });

  readonly #handleCreate = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    const { page } = this;
    const form = event.currentTarget;
    if (this.isCreating || !page?.create) return;
    const values = readForm(form, page.create);
    this.isCreating = true;
    const isCreated = await this.#run(async () => {
      const created = await page.create?.run(values);
      // The viewer may be on another page by now.
      if (page === this.page) this.secret = created?.secret ?? '';
    });
    if (page !== this.page) return;
    if (isCreated) form.reset();
    this.isCreating = false;
  };

  readonly #handleCopy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(this.secret);
    } catch (error) {
      this.problem = problemText(error, this.messages);
    }
  };

  #handleAction(action: RowAction): void {
    if (action.question === null) return void this.#run(() => action.run());
    this.pending = action;
    this.#dialog?.showModal();
  }

  readonly #handleCancel = (): void => this.#dialog?.close();

  readonly #handleConfirm = (): void => {
    const { pending } = this;
    this.#dialog?.close();
    if (pending) void this.#run(() => pending.run());
  };

  readonly #handleClose = (): void => {
    this.pending = null;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-people-list': PaPeopleList;
  }
}
