import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatThread } from '../../../contract/chat.js';
import type { ChatService } from '../../../controllers/chat/chat-result.js';
import { ThreadListController } from '../../../controllers/chat/thread-list-controller.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { chatTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { icon } from '../part-icons.js';
import { textButtonStyles } from '../text-button.styles.js';
import { threadsStyles } from './threads.styles.js';
import { threadsMessages } from './threads-messages.js';

const threadsCatalog = defineCatalog(threadsMessages, chatTranslations('threads'));

/** A thread that is being renamed, or about to be deleted. */
type Editing = { readonly id: string; readonly what: 'title' | 'removal' } | null;

/**
 * Lists the viewer's conversations; opens, renames and deletes them. Hidden if the service does not store
 * conversations.
 *
 * @summary The list of conversations, inside a chat.
 * @tagname pa-chat-threads
 * @csspart thread - One conversation.
 */
export class PaChatThreads extends LitElement {
  static override styles = [controls, textButtonStyles, threadsStyles];

  readonly #locale = new LocaleController(this, threadsCatalog, () => this.locale);
  readonly #list = new ThreadListController(this, { service: () => this.service, revision: () => this.revision });

  /** The service that stores the conversations. */
  @property({ attribute: false }) service: ChatService | null = null;
  /** Id of the open conversation; `null` for a new one. */
  @property({ attribute: false }) current: string | null = null;
  /** A different number reloads the list, which may have changed. */
  @property({ attribute: false }) revision = 0;
  /** Language of the chat, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  /** Called with the id of the conversation to open. */
  @property({ attribute: false }) onOpen: (id: string) => void = () => {};
  /** Called when the user starts a new conversation. */
  @property({ attribute: false }) onNew: () => void = () => {};
  /** Called with the id of a conversation that was deleted. */
  @property({ attribute: false }) onRemoved: (id: string) => void = () => {};

  @state() private editing: Editing = null;

  protected override updated(changed: PropertyValues): void {
    this.toggleAttribute('hidden', this.#list.status === 'unavailable');
    if (changed.has('editing') && this.editing) {
      const field = this.renderRoot.querySelector<HTMLElement>('.edit input, .edit button');
      field?.focus();
      if (field instanceof HTMLInputElement) field.select();
    }
  }

  override render(): TemplateResult | typeof nothing {
    const { messages } = this.#locale.value;
    if (this.#list.status === 'unavailable') return nothing;
    return html`<nav aria-label=${messages.threads} aria-busy=${this.#list.status === 'loading' ? 'true' : nothing}>
      <button type="button" part="button" class="new" @click=${this.#handleNew}>${icon('plus')} ${messages.newThread}</button>
      ${this.#renderList()}
      <p role="status" class="error">${this.#list.failedAction ? messages.actionFailed : nothing}</p>
    </nav>`;
  }

  #renderList(): unknown {
    const { messages } = this.#locale.value;
    const { status, threads, hasMore } = this.#list;
    if (status === 'failed' && threads.length === 0) {
      return html`<p class="note">${messages.threadsFailed}</p>
        <button type="button" part="button" class="quiet" @click=${this.#handleRetry}>${messages.retry}</button>`;
    }
    if (status === 'ready' && threads.length === 0) return html`<p class="note">${messages.noThreads}</p>`;
    return html`<ul>
        ${repeat(
          threads,
          ({ id }) => id,
          thread => html`<li class=${thread.id === this.current ? 'current' : ''}>${this.#renderThread(thread)}</li>`,
        )}
      </ul>
      ${
        hasMore
          ? html`<button type="button" part="button" class="quiet" @click=${this.#handleMore}>${messages.moreThreads}</button>`
          : nothing
      }`;
  }

  #renderThread(thread: ChatThread): TemplateResult {
    if (this.editing?.id !== thread.id) return this.#renderRow(thread);
    return this.editing.what === 'title' ? this.#renderTitleEditor(thread) : this.#renderRemoval(thread);
  }

  #renderRow({ id, title, updatedAt, isStreaming }: ChatThread): TemplateResult {
    const { messages } = this.#locale.value;
    return html`<button
        type="button"
        part="thread"
        class="open"
        title=${title}
        aria-current=${id === this.current ? 'true' : nothing}
        @click=${() => this.onOpen(id)}
      >
        <span class="title" dir="auto">${title}</span>
        <span class="time">${isStreaming ? messages.answering : this.#day(updatedAt)}</span>
      </button>
      <span class="actions">
        ${this.#renderAction('pencil', messages.rename(title), { id, what: 'title' })}
        ${this.#renderAction('trash', messages.remove(title), { id, what: 'removal' })}
      </span>`;
  }

  #renderAction(name: 'pencil' | 'trash', label: string, editing: Editing): TemplateResult {
    return html`<button
      type="button"
      class="quiet"
      aria-label=${label}
      title=${label}
      @click=${() => {
        this.editing = editing;
      }}
    >
      ${icon(name)}
    </button>`;
  }

  #renderTitleEditor({ id, title }: ChatThread): TemplateResult {
    const { messages } = this.#locale.value;
    return html`<form class="edit" @submit=${(event: SubmitEvent) => void this.#handleRename(event, id)} @keydown=${this.#handleKey}>
      <input name="title" maxlength="120" required dir="auto" aria-label=${messages.newTitle} .value=${title} />
      <button type="submit" part="button">${messages.save}</button>
    </form>`;
  }

  #renderRemoval({ id, title }: ChatThread): TemplateResult {
    const { messages } = this.#locale.value;
    return html`<div class="edit" role="group" aria-label=${messages.remove(title)} @keydown=${this.#handleKey}>
      <span>${messages.confirmRemove}</span>
      <button type="button" part="button" @click=${this.#handleKeep}>${messages.keep}</button>
      <button type="button" part="button" class="danger" @click=${() => void this.#handleRemove(id)}>
        ${messages.removeNow}
      </button>
    </div>`;
  }

  #day(iso: string): string {
    const date = new Date(iso);
    if (Number.isNaN(date.getTime())) return '';
    const isToday = date.toDateString() === new Date().toDateString();
    const { locale } = this.#locale.value;
    return isToday
      ? date.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
      : date.toLocaleDateString(locale, { day: 'numeric', month: 'short' });
  }

  readonly #handleNew = (): void => this.onNew();

  readonly #handleRetry = (): void => void this.#list.reload();

  readonly #handleMore = (): void => void this.#list.more();

  readonly #handleKeep = (): void => this.#endEditing();

  #handleKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    // Prevents the enclosing panel from closing too.
    event.stopPropagation();
    this.#endEditing();
  }

  async #handleRename(event: SubmitEvent, id: string): Promise<void> {
    event.preventDefault();
    const title = this.renderRoot.querySelector<HTMLInputElement>('.edit input')?.value.trim();
    this.#endEditing();
    if (title) await this.#list.rename(id, title);
  }

  async #handleRemove(id: string): Promise<void> {
    const index = this.#list.threads.findIndex(thread => thread.id === id);
    this.#endEditing();
    if (!(await this.#list.remove(id))) return;
    await this.updateComplete;
    // The focused row was removed; restore focus unless the user has moved it.
    if (document.activeElement === document.body) this.#focusRow(index);
    this.onRemoved(id);
  }

  /** Closes the editor and returns focus to its row. */
  #endEditing(): void {
    const index = this.#list.threads.findIndex(({ id }) => id === this.editing?.id);
    this.editing = null;
    void this.updateComplete.then(() => this.#focusRow(index));
  }

  /** Focuses the thread at `index`, or the last one, or the "new" button. */
  #focusRow(index: number): void {
    const rows = [...this.renderRoot.querySelectorAll<HTMLElement>('.open')];
    const row = rows[index] ?? rows.at(-1) ?? this.renderRoot.querySelector<HTMLElement>('.new');
    row?.focus();
  }
}

register('pa-chat-threads', PaChatThreads);

declare global {
  interface HTMLElementTagNameMap {
    'pa-chat-threads': PaChatThreads;
  }
}
