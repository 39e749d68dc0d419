import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { MentionableUser } from '../../../contract/embed-comments.js';
import type { CommentDrafts } from '../../../controllers/comments/comment-drafts.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { commentBody, editableText, type Mention, mentionQuery } from '../../../report/comments/comment-text.js';
import { register } from '../../register.js';
import { controls } from '../tokens.styles.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { composerStyles } from './comment-panel.styles.js';
import { commentsCatalog } from './comments-catalog.js';

/** Maximum length of a comment (`CreateEmbedDashboardCommentBody`). */
const maxBodyLength = 10_000;
const searchDelayMs = 150;

/** The people that the author can mention, for the text before the caret. */
interface Suggestions {
  /** Position of the at sign. */
  readonly start: number;
  readonly users: readonly MentionableUser[];
  readonly active: number;
}

/**
 * The field in which a user writes a comment. Typing `@` suggests users of the tenant: arrow keys select, Enter or Tab
 * inserts, Escape closes the list. Ctrl+Enter sends the comment.
 *
 * @summary The field for a comment.
 * @tagname pa-comment-composer
 */
export class PaCommentComposer extends LitElement {
  static override styles = [controls, visuallyHiddenStyles, composerStyles];

  readonly #locale = new LocaleConsumer(this, commentsCatalog);

  @property({ attribute: false }) label = '';
  @property({ attribute: false }) submitLabel = '';
  /** The stored body; empty for a new comment. */
  @property({ attribute: false }) body = '';
  /** Display names of the users that the stored body mentions, by external id. */
  @property({ attribute: false }) names: ReadonlyMap<string, string> = new Map();
  /** Whether a hint is shown below the field. */
  @property({ attribute: false }) hasHint = false;
  /** Whether the field takes focus when it is first rendered. */
  @property({ attribute: false }) takesFocus = false;
  /** Returns users whose name contains `search`. */
  @property({ attribute: false }) users: (search: string) => Promise<readonly MentionableUser[]> = async () => [];
  /** Stores the comment. Returns `false` on failure; the field then keeps its text. */
  @property({ attribute: false }) onSubmit: (body: string) => Promise<boolean> = async () => true;
  /** Store for unsent text; `null` if it is not stored. */
  @property({ attribute: false }) drafts: CommentDrafts | null = null;
  /** Key of the field in `drafts`. */
  @property({ attribute: false }) draftName = '';
  /** The tile that the comment refers to. */
  @property({ attribute: false }) widgetId: string | null = null;
  /** Closes the field; `null` if it cannot be closed. */
  @property({ attribute: false }) onCancel: (() => void) | null = null;

  @state() private suggestions: Suggestions | null = null;
  @state() private isSending = false;
  @state() private isEmpty = true;

  /** People that were mentioned in the text. */
  #mentions: readonly Mention[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Increases with each search; a response to an earlier search is ignored. */
  #search = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#closeSuggestions();
  }

  /** Focuses the field. */
  override focus(): void {
    this.#input?.focus();
  }

  protected override firstUpdated(_changed: PropertyValues<this>): void {
    const input = this.#input;
    if (!input) return;
    const draft = this.drafts?.read(this.draftName);
    this.#mentions = draft?.mentions ?? [];
    input.value =
      draft?.text ?? editableText(this.body, username => this.#mention(username, this.names.get(username) ?? username));
    this.isEmpty = input.value.trim() === '';
    if (this.takesFocus) input.focus();
  }

  protected override updated(changed: PropertyValues<this> & Map<string, unknown>): void {
    if (changed.has('widgetId') && changed.get('widgetId') !== undefined) this.#keep();
    if (!changed.has('suggestions') || !this.suggestions) return;
    this.renderRoot.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    const { suggestions } = this;
    return html`<form @submit=${this.#handleSubmit} @keydown=${this.#handleKey}>
      <label for="text" class="unseen">${this.label}</label>
      <textarea
        id="text"
        rows="2"
        dir="auto"
        maxlength=${maxBodyLength}
        placeholder=${this.label}
        aria-describedby=${this.hasHint ? 'hint' : nothing}
        aria-autocomplete="list"
        aria-controls=${suggestions ? 'people' : nothing}
        aria-activedescendant=${suggestions ? `person-${suggestions.active}` : nothing}
        @input=${this.#handleInput}
        @blur=${this.#handleBlur}
      ></textarea>
      ${suggestions ? this.#renderSuggestions(suggestions) : nothing}
      <div class="unseen" role="status">${suggestions ? messages.suggested(suggestions.users.length) : ''}</div>
      ${this.hasHint ? html`<p id="hint">${messages.hint}</p>` : nothing}
      <div class="row">
        ${this.onCancel ? html`<button type="button" @click=${this.#handleCancel}>${messages.cancel}</button>` : nothing}
        <button type="submit" class="primary" ?disabled=${this.isSending || this.isEmpty}>${this.submitLabel}</button>
      </div>
    </form>`;
  }

  #renderSuggestions({ users, active }: Suggestions): TemplateResult {
    return html`<ul id="people" role="listbox" aria-label=${this.#locale.value.messages.suggestions}>
      ${users.map(
        (user, index) => html`<li
          id=${`person-${index}`}
          role="option"
          aria-selected=${index === active ? 'true' : 'false'}
          @pointerdown=${(event: Event) => event.preventDefault()}
          @pointerup=${() => this.#insert(user)}
        >
          <bdi>${user.firstName || user.username}</bdi>
          ${user.firstName ? html`<bdi class="more">${user.email || user.username}</bdi>` : nothing}
        </li>`,
      )}
    </ul>`;
  }

  readonly #handleInput = (): void => {
    const input = this.#input;
    if (!input) return;
    this.isEmpty = input.value.trim() === '';
    this.#keep();
    const query = mentionQuery(input.value, input.selectionStart);
    clearTimeout(this.#timer);
    if (!query) {
      this.#closeSuggestions();
      return;
    }
    this.#timer = setTimeout(() => void this.#suggest(query.start, query.search), searchDelayMs);
  };

  async #suggest(start: number, search: string): Promise<void> {
    this.#search += 1;
    const current = this.#search;
    const users = await this.users(search);
    if (current !== this.#search) return;
    this.suggestions = users.length > 0 ? { start, users, active: 0 } : null;
  }

  #closeSuggestions(): void {
    clearTimeout(this.#timer);
    this.#search += 1;
    this.suggestions = null;
  }

  readonly #handleBlur = (): void => this.#closeSuggestions();

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (this.suggestions && this.#handleListKey(event, this.suggestions)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void this.#submit();
    }
    if (event.key === 'Escape' && this.onCancel) {
      event.preventDefault();
      event.stopPropagation();
      this.#handleCancel();
    }
  };

  /** Handles a key of the list of people. Returns `false` for other keys. */
  #handleListKey({ key }: KeyboardEvent, suggestions: Suggestions): boolean {
    const { users, active } = suggestions;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) {
      this.suggestions = { ...suggestions, active: (active + step + users.length) % users.length };
      return true;
    }
    if (key === 'Escape') {
      this.#closeSuggestions();
      return true;
    }
    const user = users[active];
    if ((key !== 'Enter' && key !== 'Tab') || !user) return false;
    this.#insert(user);
    return true;
  }

  #insert({ username, firstName }: MentionableUser): void {
    const [input, suggestions] = [this.#input, this.suggestions];
    if (!input || !suggestions) return;
    const label = this.#mention(username, firstName || username);
    input.setRangeText(`@${label} `, suggestions.start, input.selectionStart, 'end');
    this.#keep();
    this.#closeSuggestions();
    input.focus();
  }

  /** Adds a mentioned user. Returns the user's label, which is unique in this comment. */
  #mention(username: string, name: string): string {
    const isTaken = this.#mentions.some(mention => mention.label === name && mention.username !== username);
    const label = isTaken ? username : name;
    this.#mentions = [...this.#mentions, { label, username }];
    return label;
  }

  /** Stores the text, so that it is not lost when the field is removed. */
  #keep(): void {
    const { value: text = '' } = this.#input ?? {};
    this.drafts?.write(this.draftName, { text, mentions: this.#mentions, widgetId: this.widgetId });
  }

  readonly #handleCancel = (): void => {
    this.drafts?.delete(this.draftName);
    this.onCancel?.();
  };

  readonly #handleSubmit = (event: Event): void => {
    event.preventDefault();
    void this.#submit();
  };

  async #submit(): Promise<void> {
    const input = this.#input;
    const text = input?.value.trim();
    if (!input || !text || this.isSending) return;
    this.isSending = true;
    const isStored = await this.onSubmit(commentBody(text, this.#mentions));
    this.isSending = false;
    if (!isStored) return;
    this.drafts?.delete(this.draftName);
    if (!this.isConnected) return;
    input.value = '';
    this.isEmpty = true;
    this.#mentions = [];
  }

  get #input(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }
}

register('pa-comment-composer', PaCommentComposer);

declare global {
  interface HTMLElementTagNameMap {
    'pa-comment-composer': PaCommentComposer;
  }
}
