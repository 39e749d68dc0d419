import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { tokens } from '../../elements/parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../../elements/parts/visually-hidden.styles.js';
import { formStyles } from '../form.styles.js';
import { peopleStyles } from './people.styles.js';
import { type PeopleMessages, peopleMessages } from './people-messages.js';
import type { ListPage, Row, RowAction } from './people-pages.js';
import { problemText } from './sign-in-element.js';

const pageSize = 50;
const searchDelayMs = 250;

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

  #search = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('page');
    if (!changed.has('page') || this.page === null) return;
    if (before?.id !== this.page.id) {
      this.#search = '';
      this.rows = [];
    }
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.rows = [];
  }

  override render(): TemplateResult {
    const { messages, page, rows } = this;
    if (!page) return html``;
    return html`<div class="tools">
        ${page.searchLabel === null ? nothing : this.#renderSearch(page.searchLabel)}
        ${page.create ? this.#renderCreate(page.create.label) : nothing}
      </div>
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

  #renderCreate(label: string): TemplateResult {
    return html`<form @submit=${this.#handleCreate}>
      <div class="field">
        <label for="name">${label}</label>
        <input id="name" required maxlength="100" autocomplete="off" />
      </div>
      <button>${this.messages.create}</button>
    </form>`;
  }

  #renderRow({ name, cells, actions }: Row): TemplateResult {
    return html`<tr>
      ${cells.map(cell => html`<td><bdi>${cell}</bdi></td>`)}
      <td class="actions">
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
    try {
      const wanted = {
        first: pageSize,
        ...(after !== null && { after }),
        ...(this.#search && { search: this.#search }),
      };
      const { items, pageInfo } = await page.load(wanted, request.signal);
      if (request.signal.aborted) return;
      this.rows = after === null ? items : [...this.rows, ...items];
      this.next = pageInfo?.hasNextPage ? (pageInfo.endCursor ?? null) : null;
    } catch (error) {
      if (request.signal.aborted) return;
      this.problem = problemText(error, this.messages);
    }
    this.isLoading = false;
  }

  async #run(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      await this.#load();
    } catch (error) {
      this.problem = problemText(error, this.messages);
    }
  }

  readonly #handleSearch = (event: InputEvent & { readonly target: HTMLInputElement }): void => {
    this.#search = event.target.value.trim();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(), searchDelayMs);
  };

  readonly #handleMore = (): void => void this.#load({ after: this.next });

  readonly #handleCreate = async (event: Event): Promise<void> => {
    event.preventDefault();
    const field = this.renderRoot.querySelector<HTMLInputElement>('#name');
    const name = field?.value.trim() ?? '';
    if (!field || name === '') return;
    await this.#run(async () => {
      await this.page?.create?.run(name);
      field.value = '';
    });
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
