import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { CommentContext } from '../../../contract/control-values.js';
import type { DashboardComment, DashboardCommentThread, MentionableUser } from '../../../contract/embed-comments.js';
import {
  type CommentsController,
  type CommentsView,
  commentsOf,
} from '../../../controllers/comments/comments-controller.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { drawIcon } from '../../chat/icons.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { notice, problemNotice } from '../notice.js';
import { noticeStyles } from '../notice.styles.js';
import { skeleton, skeletonStyles } from '../skeleton.js';
import { controls } from '../tokens.styles.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import './comment-composer-element.js';
import './comment-thread-element.js';
import { register } from '../../register.js';
import type { PaCommentComposer } from './comment-composer-element.js';
import { panelStyles } from './comment-panel.styles.js';
import { type CommentedDashboard, contextFor, findTile, newThread, type PlacedTiles } from './commented-dashboard.js';
import { commentsCatalog } from './comments-catalog.js';
import type { CommentsMessages } from './comments-messages.js';
import { linkParameters } from './link-parameters.js';

const cross = 'M18 6 6 18M6 6l12 12';
const filters = ['open', 'resolved'] as const;

/**
 * The panel with the threads of a dashboard, at the end of the window. The page behind it stays usable. Escape closes
 * it.
 *
 * @summary The comments of a dashboard.
 * @tagname pa-comment-panel
 * @csspart comments - The panel.
 * @csspart comment - A comment.
 */
export class PaCommentPanel extends LitElement {
  static override styles = [controls, noticeStyles, skeletonStyles, visuallyHiddenStyles, panelStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleConsumer(this, commentsCatalog);

  @property({ attribute: false }) comments: CommentsController | null = null;
  @property({ attribute: false }) view: CommentsView | null = null;
  @property({ attribute: false }) dashboard: CommentedDashboard | null = null;
  /** The tiles of the dashboard, including those in tabs that are not open. */
  @property({ attribute: false }) tiles: PlacedTiles | null = null;
  /** The tile that the next thread refers to; `null` for the whole dashboard. */
  @property({ attribute: false }) widgetId: string | null = null;
  /** Id of the comment to focus. */
  @property({ attribute: false }) linkedId: number | null = null;
  /** Removes the tile from the next thread. */
  @property({ attribute: false }) onDetach: () => void = () => {};
  /** Shows the dashboard as the author of a comment saw it. */
  @property({ attribute: false }) onShow: (context: CommentContext) => void = () => {};
  @property({ attribute: false }) onClose: () => void = () => {};
  @property({ attribute: false }) onAnnounce: (text: string) => void = () => {};

  /** Whether the panel is at the start of the window, because it covered the tile of a comment at the end. */
  @state() private isAtStart = false;

  #problemText = '';
  /** The tile whose first thread the list is to show when the threads are loaded. */
  #threadsOf: string | null = null;

  /** Moves the panel to the side of the window where it covers less of an element. */
  avoid(element: HTMLElement): void {
    if (!this.#panel) return;
    const { left, right } = element.getBoundingClientRect();
    const [width, end] = [this.#panel.offsetWidth, document.documentElement.clientWidth];
    const coveredRight = Math.min(right, end) - Math.max(left, end - width);
    const coveredLeft = Math.min(right, width) - Math.max(left, 0);
    const isRtl = getComputedStyle(this.#panel).direction === 'rtl';
    if (Math.max(0, coveredRight) === Math.max(0, coveredLeft)) return;
    this.isAtStart = isRtl ? coveredRight < coveredLeft : coveredLeft < coveredRight;
  }

  protected override firstUpdated(_changed: PropertyValues<this>): void {
    this.#panel?.showPopover();
    if (this.linkedId !== null) return;
    if (this.widgetId === null) this.#panel?.focus();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('widgetId') && this.widgetId !== null) {
      this.#threadsOf = this.widgetId;
      void this.#focusComposer();
    }
    if (this.#threadsOf !== null && this.view?.threads) this.#showThreadsOf(this.#threadsOf);
  }

  /** Scrolls the list to the newest thread of a tile. */
  #showThreadsOf(widgetId: string): void {
    this.#threadsOf = null;
    const threads = [...this.renderRoot.querySelectorAll('pa-comment-thread')];
    const first = threads.find(({ thread }) => thread?.root.context?.widgetId === widgetId);
    first?.scrollIntoView({ block: 'nearest' });
  }

  override render(): TemplateResult {
    const { messages, locale } = this.#locale.value;
    return html`<section
      part="comments"
      class=${this.isAtStart ? 'start' : ''}
      popover="manual"
      role="dialog"
      aria-labelledby="title"
      lang=${locale}
      tabindex="-1"
      @keydown=${this.#handleKey}
    >
      <header>
        <h2 id="title">${messages.comments}</h2>
        <select aria-label=${messages.show} @change=${this.#handleFilter}>
          ${filters.map(
            filter =>
              html`<option value=${filter} ?selected=${filter === this.view?.filter}>${messages[filter]}</option>`,
          )}
        </select>
        <button type="button" class="icon" aria-label=${messages.close} title=${messages.close} @click=${this.onClose}>
          ${drawIcon(cross)}
        </button>
      </header>
      <div class="list" tabindex="-1">${this.#renderList(messages)}</div>
      ${this.#renderComposer(messages)}
    </section>`;
  }

  #renderList(messages: CommentsMessages): unknown {
    const { view } = this;
    if (view?.problem) {
      return problemNotice(view.problem, this.#outer.value.messages, () => void this.comments?.refresh());
    }
    if (!view?.threads) return html`<div class="delayed">${skeleton('rows')}</div>`;
    if (view.threads.length === 0) return notice(view.filter === 'open' ? messages.emptyOpen : messages.emptyResolved);
    const names = namesOf(view);
    return html`${repeat(
      view.threads,
      ({ root }) => root.id,
      thread => this.#renderThread(thread, view, names),
    )}
    ${
      view.hasMore
        ? html`<button type="button" class="further" @click=${() => void this.comments?.more()}>${messages.more}</button>`
        : nothing
    }`;
  }

  #renderThread(
    thread: DashboardCommentThread,
    view: CommentsView,
    names: ReadonlyMap<string, string>,
  ): TemplateResult {
    const widgetId = thread.root.context?.widgetId;
    const isLinked = commentsOf(thread).some(({ id }) => id === this.linkedId);
    return html`<pa-comment-thread
      exportparts="comment"
      .thread=${thread}
      .comments=${this.comments}
      .names=${names}
      .tileTitle=${widgetId ? (findTile(this.tiles, widgetId)?.title ?? null) : null}
      .readUpTo=${view.readUpTo}
      .linkedId=${isLinked ? this.linkedId : null}
      .onShow=${this.onShow}
      .onCopyLink=${this.#handleCopyLink}
      .onAnnounce=${this.onAnnounce}
      .onGone=${this.#handleGone}
    ></pa-comment-thread>`;
  }

  #renderComposer(messages: CommentsMessages): TemplateResult {
    const title = this.widgetId ? (findTile(this.tiles, this.widgetId)?.title ?? null) : null;
    return html`<footer>
      ${
        title === null
          ? nothing
          : html`<button
              type="button"
              class="context"
              aria-label=${messages.detach(title)}
              title=${messages.detach(title)}
              @click=${this.#handleDetach}
            >
              <span dir="auto">${title}</span>${drawIcon(cross)}
            </button>`
      }
      ${this.#problemText ? html`<p class="reason" role="alert">${this.#problemText}</p>` : nothing}
      <pa-comment-composer
        .label=${title === null ? messages.write : messages.writeAbout(title)}
        .submitLabel=${messages.send}
        .hasHint=${true}
        .drafts=${this.comments?.drafts ?? null}
        .draftName=${newThread}
        .widgetId=${this.widgetId}
        .users=${(search: string): Promise<readonly MentionableUser[]> =>
          this.comments?.users(search) ?? Promise.resolve([])}
        .onSubmit=${this.#handleWrite}
      ></pa-comment-composer>
    </footer>`;
  }

  readonly #handleWrite = async (body: string): Promise<boolean> => {
    const { comments, dashboard } = this;
    if (!comments || !dashboard) return false;
    const { messages } = this.#locale.value;
    if (this.view?.filter === 'resolved') comments.open('open');
    const problem = await comments.write({ body, parentId: null, context: contextFor(dashboard, this.widgetId) });
    this.#problemText = problem ? messages.notSaved : '';
    this.requestUpdate();
    if (problem) return false;
    this.onAnnounce(messages.sent);
    if (this.widgetId !== null) this.onDetach();
    this.#list?.scrollTo({ top: 0 });
    return true;
  };

  readonly #handleDetach = (): void => {
    this.onDetach();
    void this.#focusComposer();
  };

  readonly #handleFilter = ({ target }: Event): void => {
    const chosen = filters.find(filter => target instanceof HTMLSelectElement && filter === target.value);
    if (chosen) this.comments?.open(chosen);
  };

  readonly #handleCopyLink = async (commentId: number): Promise<void> => {
    const { messages } = this.#locale.value;
    const url = new URL(location.href);
    url.searchParams.set(linkParameters.comment, String(commentId));
    if (this.dashboard) url.searchParams.set(linkParameters.dashboard, this.dashboard.publicId);
    try {
      await navigator.clipboard.writeText(url.href);
      this.onAnnounce(messages.linkCopied);
    } catch {
      // The browser denies access to the clipboard.
      this.onAnnounce(messages.copyFailed);
    }
  };

  readonly #handleGone = (): void => this.#list?.focus();

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    this.onClose();
  };

  async #focusComposer(): Promise<void> {
    await this.updateComplete;
    const composer: PaCommentComposer | null = this.renderRoot.querySelector('footer pa-comment-composer');
    await composer?.updateComplete;
    composer?.focus();
  }

  get #panel(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('section');
  }

  get #list(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.list');
  }
}

/** Returns the display names of the authors and the mentioned users, by external id. */
function namesOf({ threads, mentioned }: CommentsView): ReadonlyMap<string, string> {
  const authors = (threads ?? []).flatMap(commentsOf).flatMap(({ author }) => author ?? []);
  return new Map([...mentioned, ...authors.map(toName)]);
}

function toName({ username, firstName }: NonNullable<DashboardComment['author']>): [string, string] {
  return [username, firstName || username];
}

register('pa-comment-panel', PaCommentPanel);

declare global {
  interface HTMLElementTagNameMap {
    'pa-comment-panel': PaCommentPanel;
  }
}
