import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { CommentContext } from '../../../contract/control-values.js';
import { CommentsController } from '../../../controllers/comments/comments-controller.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { drawIcon } from '../../chat/icons.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { setTileItem } from '../menu/tile-items.js';
import { retryLoad } from '../retry-load.js';
import { controls } from '../tokens.styles.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { bubble } from './bubble.js';
import { type CommentedDashboard, newThread, type PlacedTiles, showContext } from './commented-dashboard.js';
import { commentsStyles } from './comments.styles.js';
import { commentsCatalog } from './comments-catalog.js';
import { readCommentLink } from './link-parameters.js';
import { UnreadTiles } from './unread-tiles.js';

/**
 * The button that opens the comments of a dashboard, with the number of unread ones. It is hidden if the session may
 * not comment. The panel is loaded when it is opened.
 *
 * @summary The comments of a dashboard.
 * @tagname pa-comments
 * @csspart comments-button - The button that opens the comments.
 * @csspart comments - The panel with the comments.
 * @csspart comment - A comment.
 */
export class PaComments extends LitElement {
  static override styles = [controls, visuallyHiddenStyles, commentsStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, commentsCatalog, () => this.#outer.value.locale);
  readonly #comments = new CommentsController(this, {
    source: () => this.source,
    publicId: () => this.publicId,
    onNew: count => this.#announce(this.#locale.value.messages.newComments(count)),
  });

  @property({ attribute: false }) source: SessionSource | null = null;
  /** Public id of the dashboard. */
  @property({ attribute: false }) publicId = '';
  /** The element that shows the dashboard. */
  @property({ attribute: false }) dashboard: CommentedDashboard | null = null;

  /** The tiles of the dashboard, including those in tabs that are not open. */
  @property({ attribute: false }) tiles: PlacedTiles | null = null;

  @state() private announcement = '';
  @state() private isPanelLoaded = false;
  /** The tile that the next thread refers to. */
  @state() private widgetId: string | null = null;
  /** Id of the comment to focus. */
  @state() private linkedId: number | null = null;

  readonly #unreadTiles = new UnreadTiles();
  #isLinkRead = false;
  #itemLabel: string | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#offerItem(null);
    this.#unreadTiles.clear();
  }

  protected override updated(_changed: PropertyValues<this>): void {
    const isAllowed = this.#comments.access === 'allowed';
    this.#offerItem(isAllowed ? this.#locale.value.messages.commentOnTile : null);
    this.#showUnreadTiles();
    if (!isAllowed || this.#isLinkRead) return;
    this.#isLinkRead = true;
    void this.#openLink();
  }

  override render(): TemplateResult | typeof nothing {
    if (this.#comments.access !== 'allowed') return nothing;
    const { messages, locale } = this.#locale.value;
    const { unread } = this.#comments.view;
    const label = unread > 0 ? `${messages.comments}, ${messages.unread(unread)}` : messages.comments;
    return html`<button
        part="comments-button"
        class="toggle"
        type="button"
        title=${messages.comments}
        aria-expanded=${this.#comments.isOpen ? 'true' : 'false'}
        @click=${this.#handleToggle}
      >
        ${drawIcon(bubble)}<span class="unseen">${label}</span>${
          unread > 0
            ? html`<span class="badge" aria-hidden="true">${new Intl.NumberFormat(locale).format(Math.min(unread, 99))}</span>`
            : nothing
        }
      </button>
      ${this.#renderPanel()}
      <div class="unseen" role="status">${this.announcement}</div>`;
  }

  #renderPanel(): TemplateResult | typeof nothing {
    if (!this.#comments.isOpen || !this.isPanelLoaded) return nothing;
    return html`<pa-comment-panel
      exportparts="comments, comment"
      .comments=${this.#comments}
      .view=${this.#comments.view}
      .dashboard=${this.dashboard}
      .tiles=${this.tiles}
      .widgetId=${this.widgetId}
      .linkedId=${this.linkedId}
      .onDetach=${this.#handleDetach}
      .onShow=${this.#handleShow}
      .onClose=${this.#handleClose}
      .onAnnounce=${(text: string) => this.#announce(text)}
    ></pa-comment-panel>`;
  }

  async #open(): Promise<void> {
    this.widgetId ??= this.#comments.drafts.read(newThread)?.widgetId ?? null;
    this.#comments.open();
    await this.#loadPanel();
  }

  async #loadPanel(): Promise<void> {
    try {
      await retryLoad(() => import('./comment-panel-element.js'));
      this.isPanelLoaded = true;
    } catch {
      // The viewer can press the button again.
      this.#comments.close();
      this.#announce(this.#outer.value.messages.problems.unreachable[0]);
    }
  }

  /** Opens the comment in the page's URL. */
  async #openLink(): Promise<void> {
    const link = readCommentLink();
    if (!link || (link.publicId ?? this.publicId) !== this.publicId) return;
    try {
      const thread = await this.#comments.openThread(link.commentId);
      if (!thread) return;
      this.linkedId = link.commentId;
      await this.#loadPanel();
      if (thread.root.context) await this.#showContext(thread.root.context);
    } catch {
      // If the comment cannot be loaded, the dashboard is shown without it.
    }
  }

  /** Shows the dashboard as the author of a comment saw it, with the panel next to the tile. */
  async #showContext(context: CommentContext): Promise<void> {
    const tile = this.dashboard && (await showContext(this.dashboard, context, this.tiles));
    if (tile) this.renderRoot.querySelector('pa-comment-panel')?.avoid(tile);
  }

  #showUnreadTiles(): void {
    const { messages, locale } = this.#locale.value;
    const { unreadTiles } = this.#comments.view;
    if (unreadTiles.size === 0) {
      this.#unreadTiles.clear();
      return;
    }
    const format = new Intl.NumberFormat(locale);
    this.#unreadTiles.show(this.dashboard, ({ widgetId, heading }) => {
      const count = unreadTiles.get(widgetId ?? '') ?? 0;
      if (count === 0) return null;
      const onOpen = () => this.#handleComment({ widgetId });
      return { label: `${heading}, ${messages.unread(count)}`, count: format.format(Math.min(count, 99)), onOpen };
    });
  }

  #offerItem(label: string | null): void {
    if (!this.dashboard || label === this.#itemLabel) return;
    this.#itemLabel = label;
    setTileItem(this.dashboard, 'comment', label === null ? null : { label, run: this.#handleComment });
  }

  /** Clears the region first, so that the same text is announced again. */
  #announce(text: string): void {
    this.announcement = '';
    void this.updateComplete.then(() => {
      this.announcement = text;
    });
  }

  readonly #handleComment = ({ widgetId }: { readonly widgetId: string | null }): void => {
    this.widgetId = widgetId;
    void this.#open();
  };

  readonly #handleToggle = (): void => {
    if (this.#comments.isOpen) this.#handleClose();
    else void this.#open();
  };

  readonly #handleDetach = (): void => {
    this.widgetId = null;
  };

  readonly #handleShow = (context: CommentContext): void => {
    if (!this.dashboard) return;
    // On narrow screens, the panel covers the dashboard.
    if (innerWidth < 600) this.#handleClose();
    void this.#showContext(context);
  };

  readonly #handleClose = (): void => {
    this.#comments.close();
    this.widgetId = null;
    this.linkedId = null;
    this.renderRoot.querySelector<HTMLElement>('.toggle')?.focus();
  };
}

register('pa-comments', PaComments);

declare global {
  interface HTMLElementTagNameMap {
    'pa-comments': PaComments;
  }
}
