import './comment-composer-element.js';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { CommentContext } from '../../../contract/control-values.js';
import type { DashboardComment, DashboardCommentThread } from '../../../contract/embed-comments.js';
import { type CommentsController, commentsOf } from '../../../controllers/comments/comments-controller.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import type { Problem } from '../../../controllers/problem.js';
import { commentParts } from '../../../report/comments/comment-text.js';
import { drawIcon } from '../../chat/icons.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { controls } from '../tokens.styles.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { threadStyles } from './comment-panel.styles.js';
import { commentsCatalog } from './comments-catalog.js';
import type { CommentsMessages } from './comments-messages.js';

/** Number of replies that are shown at once; earlier ones are shown on request. */
const maxRecentReplies = 3;
const target = 'M12 2v4M12 18v4M2 12h4M18 12h4M5 12a7 7 0 1 0 14 0a7 7 0 1 0-14 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0';

/** Action of the user on a comment of the thread. */
type Editing = { readonly id: number; readonly mode: 'edit' | 'remove' | 'reply' } | null;

/**
 * A thread of comments. Renders all user content as plain text.
 *
 * @summary A thread of comments.
 * @tagname pa-comment-thread
 * @csspart comment - A comment.
 */
class PaCommentThread extends LitElement {
  static override styles = [controls, visuallyHiddenStyles, threadStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleConsumer(this, commentsCatalog);

  @property({ attribute: false }) thread: DashboardCommentThread | null = null;
  @property({ attribute: false }) comments: CommentsController | null = null;
  /** Display names of the authors and mentioned users, by external id. */
  @property({ attribute: false }) names: ReadonlyMap<string, string> = new Map();
  /** Heading of the thread's tile; `null` if the dashboard does not show it. */
  @property({ attribute: false }) tileTitle: string | null = null;
  /** Comments of other users after this id are new. */
  @property({ attribute: false }) readUpTo = 0;
  /** Id of the comment to focus. */
  @property({ attribute: false }) linkedId: number | null = null;
  @property({ attribute: false }) onShow: (context: CommentContext) => void = () => {};
  @property({ attribute: false }) onCopyLink: (commentId: number) => void = () => {};
  @property({ attribute: false }) onAnnounce: (text: string) => void = () => {};
  /** Called when the comment with focus disappears. */
  @property({ attribute: false }) onGone: () => void = () => {};

  @state() private editing: Editing = null;
  @state() private isExpanded = false;
  @state() private problem: Problem | null = null;

  /** Whether the user opened the form. If not, it is shown because it has a draft. */
  #isRequested = false;

  protected override willUpdate(): void {
    if (this.hasUpdated || !this.thread || !this.comments) return;
    const { drafts } = this.comments;
    const edited = commentsOf(this.thread).find(({ id, isOwn }) => isOwn && drafts.read(`edit-${id}`));
    if (edited) this.editing = { id: edited.id, mode: 'edit' };
    else if (drafts.read(`reply-${this.thread.root.id}`)) this.editing = { id: this.thread.root.id, mode: 'reply' };
  }

  protected override updated(changed: PropertyValues<this> & Map<string, unknown>): void {
    if (changed.has('linkedId') && this.linkedId !== null) this.#focusComment(this.linkedId);
    if (changed.has('editing') && this.editing?.mode === 'remove') {
      this.renderRoot.querySelector<HTMLElement>('.confirm button')?.focus();
    }
  }

  override render(): TemplateResult | typeof nothing {
    const { thread } = this;
    if (!thread) return nothing;
    const { root, replies } = thread;
    const hidden = this.isExpanded || this.#hasShownReply ? 0 : this.#earlierReplies(replies);
    const { messages } = this.#locale.value;
    const isReplying = this.editing?.mode === 'reply';
    return html`<div class="thread">
      ${this.#renderContext(root, messages)} ${this.#renderComment(root, messages)}
      <div class="replies">
        ${
          hidden > 0
            ? html`<button type="button" class="link" @click=${this.#handleExpand}>${messages.earlierReplies(hidden)}</button>`
            : nothing
        }
        ${repeat(
          replies.slice(hidden),
          ({ id }) => id,
          reply => this.#renderComment(reply, messages),
        )}
        ${isReplying ? this.#renderReply(root, messages) : nothing}
      </div>
      ${this.problem ? html`<p class="reason" role="alert">${this.#reasonOf(this.problem, messages)}</p>` : nothing}
      ${this.editing?.id === root.id ? nothing : this.#renderThreadActions(thread, messages)}
    </div>`;
  }

  #renderContext({ context }: DashboardComment, messages: CommentsMessages): TemplateResult | typeof nothing {
    if (!context || (!context.widgetId && !context.state)) return nothing;
    if (context.widgetId && this.tileTitle === null) return html`<p class="gone">${messages.tileGone}</p>`;
    const label = this.tileTitle === null ? messages.showState : messages.showTile(this.tileTitle);
    return html`<button
      type="button"
      class="context"
      aria-label=${label}
      title=${label}
      @click=${() => this.onShow(context)}
    >
      ${drawIcon(target)}<span dir="auto">${this.tileTitle ?? messages.showState}</span>
    </button>`;
  }

  #renderComment(comment: DashboardComment, messages: CommentsMessages): TemplateResult {
    const { id, removedAt, isOwn, editedAt, createdAt } = comment;
    if (removedAt) return html`<p class="gone">${messages.removed}</p>`;
    const isNew = !isOwn && id > this.readUpTo;
    return html`<article part="comment" id=${`comment-${id}`} tabindex="-1" aria-label=${this.#nameOf(comment, messages)}>
      <header>
        <bdi class="name">${this.#nameOf(comment, messages)}</bdi>
        ${isNew ? html`<span class="new">${messages.isNew}</span>` : nothing}
        <time datetime=${createdAt}>${this.#moment(createdAt)}</time>
        ${editedAt ? html`<span class="edited">${messages.edited}</span>` : nothing}
      </header>
      ${this.editing?.mode === 'edit' && this.editing.id === id ? this.#renderEdit(comment, messages) : this.#renderBody(comment)}
      ${isOwn && !this.#isAlone(comment) ? this.#renderActions(comment, messages) : nothing}
      ${this.#renderConfirm(comment, messages)}
    </article>`;
  }

  #renderBody({ body }: DashboardComment): TemplateResult {
    return html`<p class="body" dir="auto">${commentParts(body).map(part =>
      part.type === 'text'
        ? part.text
        : html`<bdi class="mention">@${this.names.get(part.username) ?? part.username}</bdi>`,
    )}</p>`;
  }

  #renderActions(comment: DashboardComment, messages: CommentsMessages): TemplateResult | typeof nothing {
    return this.editing?.id === comment.id
      ? nothing
      : html`<div class="actions">${this.#renderOwnActions(comment, messages)}</div>`;
  }

  #renderOwnActions({ id }: DashboardComment, messages: CommentsMessages): TemplateResult {
    return html`<button type="button" class="link" data-action="edit" @click=${() => this.#edit({ id, mode: 'edit' })}>
        ${messages.edit}
      </button>
      <button type="button" class="link" data-action="remove" @click=${() => this.#edit({ id, mode: 'remove' })}>
        ${messages.remove}
      </button>`;
  }

  /** Whether a comment is the only one of its thread. If so, its actions are shown with those of the thread. */
  #isAlone({ id }: DashboardComment): boolean {
    return this.thread?.root.id === id && this.thread.replies.length === 0;
  }

  #renderConfirm({ id }: DashboardComment, messages: CommentsMessages): TemplateResult | typeof nothing {
    if (this.editing?.mode !== 'remove' || this.editing.id !== id) return nothing;
    const { root, replies } = this.thread ?? { root: null, replies: [] };
    const hasReplies = root?.id === id && replies.some(({ removedAt }) => !removedAt);
    return html`<div class="confirm" role="group" aria-labelledby="question" @keydown=${this.#handleConfirmKey}>
      <p id="question">${hasReplies ? messages.confirmRemoveThread : messages.confirmRemove}</p>
      <button type="button" @click=${() => void this.#remove(id)}>${messages.remove}</button>
      <button type="button" @click=${() => this.#stopEditing(id)}>${messages.cancel}</button>
    </div>`;
  }

  #renderEdit({ id, body }: DashboardComment, messages: CommentsMessages): TemplateResult {
    return html`<pa-comment-composer
      .label=${messages.editComment}
      .submitLabel=${messages.save}
      .body=${body}
      .names=${this.names}
      .takesFocus=${this.#isRequested}
      .drafts=${this.comments?.drafts ?? null}
      .draftName=${`edit-${id}`}
      .users=${this.#users}
      .onSubmit=${(text: string) => this.#save(id, text)}
      .onCancel=${() => this.#stopEditing(id)}
    ></pa-comment-composer>`;
  }

  #renderReply(root: DashboardComment, messages: CommentsMessages): TemplateResult {
    return html`<pa-comment-composer
      .label=${messages.replyTo(this.#nameOf(root, messages))}
      .submitLabel=${messages.reply}
      .names=${this.names}
      .takesFocus=${this.#isRequested}
      .drafts=${this.comments?.drafts ?? null}
      .draftName=${`reply-${root.id}`}
      .users=${this.#users}
      .onSubmit=${(text: string) => this.#reply(root.id, text)}
      .onCancel=${() => this.#stopEditing(root.id)}
    ></pa-comment-composer>`;
  }

  #renderThreadActions({ root, resolvedAt }: DashboardCommentThread, messages: CommentsMessages): TemplateResult {
    const { id } = root;
    return html`<div class="actions">
      ${
        root.removedAt
          ? nothing
          : html`<button type="button" class="link strong" data-action="reply" @click=${() => this.#edit({ id, mode: 'reply' })}>
              ${messages.reply}
            </button>`
      }
      ${
        root.isOwn
          ? html`<button type="button" class="link" @click=${() => void this.#resolve(id, { isResolved: !resolvedAt })}>
              ${resolvedAt ? messages.reopen : messages.resolve}
            </button>`
          : nothing
      }
      <button type="button" class="link" @click=${() => this.onCopyLink(id)}>${messages.copyLink}</button>
      ${root.isOwn && this.#isAlone(root) ? this.#renderOwnActions(root, messages) : nothing}
    </div>`;
  }

  async #save(id: number, body: string): Promise<boolean> {
    if (!(await this.#run(comments => comments.edit(id, body), this.#locale.value.messages.saved))) return false;
    this.#stopEditing(id);
    return true;
  }

  async #reply(parentId: number, body: string): Promise<boolean> {
    const { sent } = this.#locale.value.messages;
    if (!(await this.#run(comments => comments.write({ body, parentId, context: null }), sent))) return false;
    this.#stopEditing(parentId);
    return true;
  }

  async #remove(id: number): Promise<void> {
    const { deleted } = this.#locale.value.messages;
    const isDone = await this.#run(comments => comments.remove(id), deleted);
    this.editing = null;
    if (isDone) this.onGone();
  }

  async #resolve(id: number, options: { readonly isResolved: boolean }): Promise<void> {
    const { resolvedNow, reopenedNow } = this.#locale.value.messages;
    const text = options.isResolved ? resolvedNow : reopenedNow;
    if (await this.#run(comments => comments.setResolved(id, options), text)) this.onGone();
  }

  /** Runs an action and announces its success. Returns `false` if it failed. */
  async #run(action: (comments: CommentsController) => Promise<Problem | null>, text: string): Promise<boolean> {
    const { comments } = this;
    if (!comments) return false;
    this.problem = await action(comments);
    if (this.problem === null) this.onAnnounce(text);
    return this.problem === null;
  }

  #edit(editing: Editing): void {
    this.problem = null;
    this.#isRequested = true;
    this.editing = editing;
  }

  /** Closes a form, and moves the focus to the button that opened it. */
  #stopEditing(id: number): void {
    const mode = this.editing?.mode;
    this.editing = null;
    void this.updateComplete.then(() => {
      const isReply = this.thread?.replies.some(reply => reply.id === id);
      const scope = isReply ? this.renderRoot.querySelector(`#comment-${id}`) : this.renderRoot;
      scope?.querySelector<HTMLElement>(`[data-action="${mode}"]`)?.focus();
    });
  }

  readonly #handleConfirmKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.editing) return;
    event.preventDefault();
    event.stopPropagation();
    this.#stopEditing(this.editing.id);
  };

  readonly #handleExpand = (): void => {
    const first = this.thread?.replies[0]?.id;
    this.isExpanded = true;
    // The button disappears, so move the focus.
    if (first !== undefined) void this.updateComplete.then(() => this.#focusComment(first));
  };

  readonly #users = (search: string) => this.comments?.users(search) ?? Promise.resolve([]);

  get #hasShownReply(): boolean {
    const editedId = this.editing?.mode === 'edit' ? this.editing.id : null;
    return this.thread?.replies.some(({ id }) => id === this.linkedId || id === editedId) ?? false;
  }

  /** Returns the number of replies that are hidden until requested. New replies are never hidden. */
  #earlierReplies(replies: readonly DashboardComment[]): number {
    const firstNew = replies.findIndex(({ id, isOwn }) => !isOwn && id > this.readUpTo);
    const earlier = Math.max(0, replies.length - maxRecentReplies);
    return firstNew < 0 ? earlier : Math.min(earlier, firstNew);
  }

  #focusComment(id: number): void {
    const comment = this.renderRoot.querySelector<HTMLElement>(`#comment-${id}`);
    comment?.focus();
    comment?.scrollIntoView({ block: 'nearest' });
  }

  #nameOf({ isOwn, author, userId }: DashboardComment, { you, unknownUser }: CommentsMessages): string {
    if (isOwn) return you;
    return author?.firstName || author?.username || `${unknownUser}${userId ? ` ${userId}` : ''}`;
  }

  #reasonOf({ kind }: Problem, { notSaved }: CommentsMessages): string {
    const isOwnFault = kind === 'denied' || kind === 'missing' || kind === 'rejected' || kind === 'failed';
    return isOwnFault ? notSaved : this.#outer.value.messages.problems[kind].join('. ');
  }

  #moment(at: string): string {
    const date = new Date(at);
    if (Number.isNaN(date.getTime())) return '';
    return new Intl.DateTimeFormat(this.#locale.value.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
  }
}

register('pa-comment-thread', PaCommentThread);

declare global {
  interface HTMLElementTagNameMap {
    'pa-comment-thread': PaCommentThread;
  }
}
