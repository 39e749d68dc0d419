import '../../creator/menu/action-menu-element.js';
import './move-dialog-element.js';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { AppConfig } from '../../../contract/app-config.js';
import type { Creator } from '../../../controllers/creator/creator.js';
import type { PaOpenDetail } from '../../../controllers/creator/creator-events.js';
import { WorkspaceController } from '../../../controllers/creator/workspace-controller.js';
import type { WorkspaceItem, WorkspaceOrder, WorkspaceScope } from '../../../controllers/creator/workspace-service.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import type { Problem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { icon } from '../../creator/creator-icons.js';
import { dialogStyles } from '../../creator/dialog.styles.js';
import { creatorTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { heading } from '../../parts/heading.js';
import { notice, problemDetails } from '../../parts/notice.js';
import { noticeStyles } from '../../parts/notice.styles.js';
import { skeleton, skeletonStyles } from '../../parts/skeleton.js';
import { controls } from '../../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../../parts/visually-hidden.styles.js';
import { register } from '../../register.js';
import { openLinkedDashboard } from './linked-dashboard.js';
import { renderItem } from './workspace-item.js';
import { workspaceListStyles } from './workspace-list.styles.js';
import { workspaceMessages } from './workspace-messages.js';

/** Message catalog of the workspace. */
const workspaceCatalog = defineCatalog(workspaceMessages, creatorTranslations('workspace'));

/** A dialog with a field for a name. */
interface NameDialog {
  readonly title: string;
  readonly value: string;
  readonly submit: string;
  readonly run: (name: string) => void;
}

/** A folder on the path to the current one. */
interface Step {
  readonly id: number;
  readonly name: string;
}

const orders: readonly WorkspaceOrder[] = ['name', 'updated', 'viewed'];
const scopes: readonly WorkspaceScope[] = ['own', 'shared'];
const searchDelayMs = 250;

/**
 * The list of a workspace, with the dashboard that is open in its slot.
 *
 * @summary The list inside a workspace.
 * @tagname pa-workspace-list
 * @slot - The dashboard that is open.
 * @csspart title - The heading.
 * @csspart list - The list.
 * @csspart item - An item.
 */
export class PaWorkspaceList extends LitElement {
  static override styles = [
    controls,
    noticeStyles,
    skeletonStyles,
    visuallyHiddenStyles,
    dialogStyles,
    workspaceListStyles,
  ];

  readonly #locale = new LocaleController(this, workspaceCatalog, () => this.locale);
  readonly #workspace = new WorkspaceController(this, {
    source: () => this.source,
    creator: () => this.creator,
    onProblem: problem => this.onProblem(problem),
  });

  @property({ attribute: false }) source: SessionSource | null = null;
  @property({ attribute: false }) creator: Creator | null = null;
  /** Language of the workspace, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  /** The account's configuration, for the title. */
  @property({ attribute: false }) account: AppConfig | null = null;
  @property({ attribute: false }) headingLevel = 2;
  /** The dashboard in the slot; `null` shows the list. */
  @property({ attribute: false }) opened: PaOpenDetail | null = null;
  /** Called when the user opens a dashboard. */
  @property({ attribute: false }) onOpen: (detail: PaOpenDetail) => void = () => {};
  /** Called when the user returns to the list. */
  @property({ attribute: false }) onClose: () => void = () => {};
  /** Called for every request that failed. */
  @property({ attribute: false }) onProblem: (problem: Problem) => void = () => {};

  @state() private path: readonly Step[] = [];
  @state() private naming: NameDialog | null = null;
  @state() private moving: WorkspaceItem | null = null;
  @state() private announcement = '';

  #searchTimer: ReturnType<typeof setTimeout> | undefined;
  /** The element to which focus returns after an item was closed, moved or removed. */
  #focusAfter: string | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#searchTimer);
  }

  protected override firstUpdated(): void {
    if (!this.opened) void openLinkedDashboard(this.source, detail => this.onOpen(detail));
  }

  protected override updated(changed: PropertyValues<this> & Map<string, unknown>): void {
    if (changed.has('naming') && this.naming) {
      this.renderRoot.querySelector<HTMLDialogElement>('dialog.name')?.showModal();
      this.renderRoot.querySelector<HTMLInputElement>('dialog.name input')?.select();
    }
    if (changed.has('opened') && this.opened) this.renderRoot.querySelector<HTMLElement>('.back')?.focus();
    if (changed.has('opened') && !this.opened && changed.get('opened')) {
      void this.#workspace.reload();
      this.#focusAfter = String(changed.get('opened')?.workbookId);
    }
    if (this.#focusAfter !== null && !this.opened) this.#restoreFocus(this.#focusAfter);
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    if (this.opened) {
      return html`<div class="bar">
          <button type="button" part="button" class="quiet back" @click=${this.onClose}>
            ${icon('back')} ${messages.back}
          </button>
        </div>
        <slot></slot>`;
    }
    return html`${this.#renderHead()} ${this.#renderTools()} ${this.#renderPath()} ${this.#renderProblem()}
    ${this.#renderList()}
      <p class="unseen" role="status">${this.announcement}</p>
      ${this.#renderUndo()} ${this.#renderNaming()} ${this.#renderMoving()}`;
  }

  #renderHead(): TemplateResult {
    const { messages } = this.#locale.value;
    return html`<div class="head">
      <div class="title" part="title">${this.#title ? heading(this.headingLevel, nothing, this.#title) : nothing}</div>
      <div class="segments" role="group" aria-label=${messages.items}>
        ${scopes.map(
          scope => html`<button
            type="button"
            aria-pressed=${scope === this.#workspace.view.scope ? 'true' : 'false'}
            @click=${() => this.#showScope(scope)}
          >
            ${messages[scope]}
          </button>`,
        )}
      </div>
    </div>`;
  }

  /** The title that the account sets for the language, or the default one; empty if the account hides it. */
  get #title(): string {
    const { showWorkspaceTitle, workspaceTitle, localizedTitles } = this.account?.creatorMode ?? {};
    if (showWorkspaceTitle === false) return '';
    const { locale, messages } = this.#locale.value;
    const language = locale.split('-', 1)[0];
    const localized = localizedTitles?.find(title => title.locale === locale || title.locale === language);
    return localized?.value || workspaceTitle || messages.workspace;
  }

  #renderTools(): TemplateResult {
    const { messages } = this.#locale.value;
    const { scope, search, order, favorites } = this.#workspace.view;
    const label = scope === 'own' ? messages.searchOwn : messages.searchShared;
    return html`<div class="tools">
      <div class="search">
        ${icon('search')}
        <input
          type="search"
          aria-label=${label}
          placeholder=${messages.search}
          .value=${search}
          @input=${this.#handleSearch}
        />
      </div>
      <button
        type="button"
        part="button"
        class="wide favorites"
        aria-pressed=${favorites ? 'true' : 'false'}
        @click=${this.#handleFavorites}
      >
        ${icon('star')} ${messages.favorites}
      </button>
      <label class="order">
        <span>${messages.order}</span>
        <select @change=${this.#handleOrder}>
          ${orders.map(each => html`<option value=${each} ?selected=${each === order}>${messages.orders[each]}</option>`)}
        </select>
      </label>
      ${
        scope === 'own'
          ? html`<button type="button" part="button" class="wide" @click=${this.#handleNewFolder}>
                ${icon('folder')} ${messages.newFolder}
              </button>
              <button type="button" part="button" class="primary wide" @click=${this.#handleNew}>
                ${icon('plus')} ${messages.newDashboard}
              </button>`
          : nothing
      }
    </div>`;
  }

  #renderPath(): TemplateResult | typeof nothing {
    if (this.path.length === 0) return nothing;
    const { messages } = this.#locale.value;
    const { scope } = this.#workspace.view;
    return html`<nav aria-label=${messages.path}>
      ${[null, ...this.path].map((step, index) => {
        const name = step?.name ?? messages[scope];
        return index === this.path.length
          ? html`<strong aria-current="page" dir="auto">${name}</strong>`
          : html`<button type="button" class="link" dir="auto" @click=${() => this.#goTo(this.path.slice(0, index))}>
                ${name}
              </button>
              <span class="chevron">${icon('chevron')}</span>`;
      })}
    </nav>`;
  }

  #renderProblem(): TemplateResult {
    const { messages } = this.#locale.value;
    const { problem } = this.#workspace;
    const [title, hint] = problem ? messages.failed[problem.kind] : [];
    return html`<p class="problem" role="alert">${problem ? html`<strong>${title}.</strong> ${hint}` : nothing}</p>`;
  }

  #renderList(): TemplateResult {
    const { locale, messages } = this.#locale.value;
    const { items, state: listed, listProblem, hasMore, view } = this.#workspace;
    if (listProblem) {
      const retry = { label: messages.retry, run: () => void this.#workspace.reload() };
      return this.#renderPanel(notice(messages.failed[listProblem.kind], retry, problemDetails(listProblem, messages)));
    }
    if (!items) return html`<div class="panel loading">${skeleton('rows')}</div>`;
    if (items.length === 0) return this.#renderEmpty();
    const context = {
      messages,
      locale,
      view,
      onOpen: this.#open,
      onDuplicate: (item: WorkspaceItem) => void this.#workspace.duplicate(item),
      onRename: this.#rename,
      onMove: (item: WorkspaceItem) => {
        this.moving = item;
      },
      onRemove: this.#remove,
      onFavorite: this.#mark,
    };
    return html`<ul part="list" class=${listed === 'loading' ? 'stale' : ''} aria-label=${messages.items}>
        ${repeat(
          items,
          ({ type, id }) => `${type} ${id}`,
          item => renderItem(item, context),
        )}
      </ul>
      <p class="unseen" role="status">${view.search ? messages.found(items.length) : nothing}</p>
      ${
        hasMore
          ? html`<button type="button" part="button" class="more" @click=${this.#handleMore}>${messages.more}</button>`
          : nothing
      }`;
  }

  #renderEmpty(): TemplateResult {
    const { messages } = this.#locale.value;
    const { scope, search, folderId, favorites } = this.#workspace.view;
    if (search) {
      const clear = { label: messages.clearSearch, run: () => this.#workspace.show({ search: '' }) };
      return this.#renderPanel(notice(messages.emptySearch(search), clear));
    }
    if (favorites) return this.#renderPanel(notice(messages.emptyFavorites));
    if (scope === 'shared') return this.#renderPanel(notice(messages.emptyShared));
    const create = { label: messages.newDashboard, run: this.#handleNew };
    return this.#renderPanel(notice(folderId === null ? messages.emptyOwn : messages.emptyFolder, create));
  }

  #renderPanel(content: TemplateResult): TemplateResult {
    return html`<div class="panel">${content}</div>`;
  }

  #renderUndo(): TemplateResult {
    const { messages } = this.#locale.value;
    const { deleted } = this.#workspace;
    const text = deleted?.type === 'FOLDER' ? messages.deletedFolder : messages.deleted;
    return html`<div class="toast" role="status" ?hidden=${!deleted}>
      ${
        deleted
          ? html`<span>${text(deleted.name)}</span>
              <button type="button" class="undo" @click=${() => this.#workspace.undo()}>${messages.undo}</button>`
          : nothing
      }
    </div>`;
  }

  #renderNaming(): TemplateResult | typeof nothing {
    const { naming } = this;
    if (!naming) return nothing;
    const { messages } = this.#locale.value;
    return html`<dialog class="name" aria-labelledby="naming" @close=${this.#handleNamingClosed}>
      <form method="dialog" @submit=${this.#handleName}>
        <h2 id="naming">${naming.title}</h2>
        <label class="field">
          ${messages.name}
          <input name="name" required maxlength="255" dir="auto" autocomplete="off" .value=${naming.value} />
        </label>
        <div class="buttons">
          <button type="button" @click=${this.#handleNamingCancel}>${messages.cancel}</button>
          <button type="submit" class="primary">${naming.submit}</button>
        </div>
      </form>
    </dialog>`;
  }

  #renderMoving(): TemplateResult | typeof nothing {
    const { moving } = this;
    if (!moving) return nothing;
    return html`<pa-move-dialog
      .item=${moving}
      .messages=${this.#locale.value.messages}
      .load=${(parentId: number | null) => this.#workspace.folders(parentId)}
      .onMove=${(folderId: number | null) => {
        this.moving = null;
        void this.#workspace.move(moving, folderId);
      }}
      .onClose=${() => {
        this.moving = null;
        this.#focusAfter = String(moving.id);
      }}
    ></pa-move-dialog>`;
  }

  #showScope(scope: WorkspaceScope): void {
    this.path = [];
    this.#workspace.show({ scope, folderId: null, search: '' });
  }

  #goTo(path: readonly Step[]): void {
    this.path = path;
    this.#workspace.show({ folderId: path.at(-1)?.id ?? null, search: '', favorites: false });
  }

  readonly #open = ({ type, id, name, publicId }: WorkspaceItem): void => {
    if (type === 'FOLDER') {
      this.#goTo([...this.path, { id, name }]);
      return;
    }
    const mode = this.#workspace.view.scope === 'own' ? 'edit' : 'view';
    this.onOpen({ workbookId: id, publicId, name, mode });
  };

  readonly #rename = (item: WorkspaceItem): void => {
    const { messages } = this.#locale.value;
    const run = (name: string): void => void this.#workspace.rename(item, name);
    this.#focusAfter = null;
    this.naming = { title: messages.rename, value: item.name, submit: messages.save, run };
  };

  readonly #remove = (item: WorkspaceItem): void => {
    const items = this.#workspace.items ?? [];
    const index = items.findIndex(({ id, type }) => id === item.id && type === item.type);
    this.#focusAfter = String((items[index + 1] ?? items[index - 1])?.id ?? '');
    this.#workspace.remove(item);
  };

  /** Focuses the item with this id, or the first control. */
  #restoreFocus(id: string): void {
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>('.open')];
    if (items.length === 0 && this.#workspace.items === null) return;
    this.#focusAfter = null;
    const item = items.find(({ dataset }) => dataset.id === id);
    (item ?? this.renderRoot.querySelector<HTMLElement>('.segments button'))?.focus();
  }

  readonly #handleSearch = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const search = target.value.trim();
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(() => this.#workspace.show({ search }), searchDelayMs);
  };

  readonly #mark = async (item: WorkspaceItem): Promise<void> => {
    const { messages } = this.#locale.value;
    const isFavorite = !item.isFavorite;
    await this.#workspace.setFavorite(item, { isFavorite });
    if (this.#workspace.problem) return;
    this.announcement = isFavorite ? messages.addedFavorite(item.name) : messages.removedFavorite(item.name);
  };

  readonly #handleFavorites = (): void => {
    this.path = [];
    this.#workspace.show({ favorites: !this.#workspace.view.favorites, folderId: null });
  };

  readonly #handleOrder = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement)) return;
    const order = orders.find(each => each === target.value);
    if (order) this.#workspace.show({ order });
  };

  readonly #handleMore = (): void => void this.#workspace.more();

  readonly #handleNew = (): void => {
    const { messages } = this.#locale.value;
    const run = async (name: string): Promise<void> => {
      const created = await this.#workspace.createWorkbook(name);
      if (created) this.#open(created);
    };
    this.naming = {
      title: messages.newDashboard,
      value: messages.untitled,
      submit: messages.create,
      run: name => void run(name),
    };
  };

  readonly #handleNewFolder = (): void => {
    const { messages } = this.#locale.value;
    const run = (name: string): void => void this.#workspace.createFolder(name);
    this.naming = { title: messages.newFolder, value: messages.untitledFolder, submit: messages.create, run };
  };

  readonly #handleName = ({ target }: SubmitEvent): void => {
    if (!(target instanceof HTMLFormElement)) return;
    const name = String(new FormData(target).get('name')).trim();
    if (name) this.naming?.run(name);
  };

  readonly #handleNamingCancel = (): void => this.renderRoot.querySelector<HTMLDialogElement>('dialog.name')?.close();

  readonly #handleNamingClosed = (): void => {
    this.naming = null;
  };
}

register('pa-workspace-list', PaWorkspaceList);

declare global {
  interface HTMLElementTagNameMap {
    'pa-workspace-list': PaWorkspaceList;
  }
}
