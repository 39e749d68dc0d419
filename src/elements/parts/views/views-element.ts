import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { DashboardView } from '../../../contract/dashboard-views.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import type { Problem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { type LoadedViews, ViewsController } from '../../../controllers/views/views-controller.js';
import type { DashboardState } from '../../../report/controls/dashboard-state.js';
import { drawIcon } from '../../chat/icons.js';
import { defineCatalog, viewerTranslations } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import {
  type CommentedDashboard,
  controlValuesOf,
  hasControlValues,
  setControlValues,
} from '../comments/commented-dashboard.js';
import { placeMenu } from '../menu/menu-position.js';
import { problemNotice } from '../notice.js';
import { noticeStyles } from '../notice.styles.js';
import { controls } from '../tokens.styles.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { viewsStyles } from './views.styles.js';
import { type ViewsMessages, viewsMessages } from './views-messages.js';

const viewsCatalog = defineCatalog(viewsMessages, viewerTranslations('views'));

/** Paths of Lucide icons (ISC license). */
const icons = {
  bookmark: 'm19 21-7-4-7 4V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2z',
  pencil: 'M21.2 6.8a1 1 0 0 0-4-4L3.8 16.2a2 2 0 0 0-.5.8L2 21.4a.5.5 0 0 0 .6.6l4.4-1.3a2 2 0 0 0 .8-.5zM15 5l4 4',
  share:
    'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M5 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0M22 21v-2a4 4 0 0 0-3-3.9M16 3.1a4 4 0 0 1 0 7.8',
  star: 'm12 2 3.1 6.3 6.9 1-5 4.9 1.2 6.8L12 17.8 5.8 21 7 14.2l-5-4.9 6.9-1z',
  trash: 'M3 6h18M19 6v14c0 1-1 2-2 2H7c-1 0-2-1-2-2V6M8 6V4c0-1 1-2 2-2h4c1 0 2 1 2 2v2M10 11v6M14 11v6',
  update:
    'M15.2 3a2 2 0 0 1 1.4.6l3.8 3.8a2 2 0 0 1 .6 1.4V19a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM17 21v-7a1 1 0 0 0-1-1H8a1 1 0 0 0-1 1v7M7 3v4a1 1 0 0 0 1 1h7',
} as const;

/**
 * The button and panel with the saved views of a dashboard: named control values of the viewer, and those that users of
 * the tenant share. Opens the viewer's default view with the dashboard, unless it has control values already.
 *
 * @summary The saved views of a dashboard.
 * @tagname pa-views
 * @csspart views-button - The button that opens the saved views.
 * @csspart views - The panel with the saved views.
 */
export class PaViews extends LitElement {
  static override styles = [controls, noticeStyles, visuallyHiddenStyles, viewsStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, viewsCatalog, () => this.#outer.value.locale);
  readonly #views = new ViewsController(this, { source: () => this.source, publicId: () => this.publicId });

  @property({ attribute: false }) source: SessionSource | null = null;
  /** Public id of the dashboard. */
  @property({ attribute: false }) publicId = '';
  /** The element that shows the dashboard. */
  @property({ attribute: false }) dashboard: CommentedDashboard | null = null;

  /** Called when the default view was applied, or when there is none, or when the views cannot be loaded. */
  @property({ attribute: false }) onOpened: () => void = () => {};

  /** The viewer's control values, which determine the current view. */
  @property({ attribute: false }) values: DashboardState | null = null;

  @state() private opened = false;
  @state() private announcement = '';
  @state() private failure = '';
  /** The view whose name the field changes; `null` saves a new one. */
  @state() private renaming: DashboardView | null = null;
  @state() private isBusy = false;
  /** The last deleted view, which can be restored; `null` if there is none. */
  @state() private deleted: { readonly view: DashboardView; readonly isDefault: boolean } | null = null;

  /** The dashboard whose default view was opened. */
  #openedFor: string | null = null;

  protected override updated(_changed: PropertyValues<this>): void {
    const { loaded, state: loading } = this.#views;
    if (loading.status === 'failed') this.onOpened();
    if (!loaded || this.#openedFor === this.publicId) return;
    this.#openedFor = this.publicId;
    const view = loaded.items.find(({ id }) => id === loaded.defaultViewId);
    if (view && this.dashboard && !hasControlValues(this.dashboard)) setControlValues(this.dashboard, view.state);
    this.onOpened();
  }

  override render(): TemplateResult | typeof nothing {
    const { loaded } = this.#views;
    if (!loaded) return nothing;
    const { messages } = this.#locale.value;
    const current = this.#currentOf(loaded);
    return html`<button
        part="views-button"
        class="toggle"
        type="button"
        aria-haspopup="dialog"
        aria-expanded=${this.opened ? 'true' : 'false'}
        title=${current ? messages.current(current.name) : nothing}
        popovertarget="panel"
      >
        ${drawIcon(icons.bookmark)}<span dir="auto">${current?.name ?? messages.views}</span>
      </button>
      <div
        id="panel"
        part="views"
        popover="auto"
        role="dialog"
        aria-label=${messages.views}
        tabindex="-1"
        @toggle=${this.#handleToggle}
      >
        ${this.opened ? this.#renderPanel(loaded, current, messages) : nothing}
      </div>
      <div class="unseen" role="status">${this.announcement}</div>`;
  }

  #renderPanel(loaded: LoadedViews, current: DashboardView | null, messages: ViewsMessages): TemplateResult {
    const own = loaded.items.filter(({ isOwn }) => isOwn);
    const shared = loaded.items.filter(({ isOwn }) => !isOwn);
    const row = (view: DashboardView) => this.#renderView(view, { loaded, current, messages });
    return html`${own.length + shared.length === 0 ? html`<p class="hint">${messages.empty}</p>` : nothing}
      ${own.length > 0 ? this.#renderGroup('own', messages.own, own, row) : nothing}
      ${shared.length > 0 ? this.#renderGroup('shared', messages.shared, shared, row) : nothing}
      ${this.deleted ? this.#renderDeleted(this.deleted.view, messages) : nothing}
      ${this.#renderProblem()}
      ${this.failure ? html`<p class="reason" role="alert">${this.failure}</p>` : nothing}
      ${this.#renderForm(messages)}`;
  }

  #renderDeleted({ name }: DashboardView, messages: ViewsMessages): TemplateResult {
    return html`<p class="deleted">
      <span dir="auto">${messages.deleted(name)}</span>
      <button type="button" class="undo" @click=${this.#handleUndo}>${messages.undo}</button>
    </p>`;
  }

  /** Shows that the list may be outdated. */
  #renderProblem(): TemplateResult | typeof nothing {
    const { state: loading } = this.#views;
    if (loading.status !== 'failed') return nothing;
    return problemNotice(loading.problem, this.#outer.value.messages, () => void this.#views.reload());
  }

  #renderGroup(
    id: string,
    title: string,
    views: readonly DashboardView[],
    row: (view: DashboardView) => TemplateResult,
  ): TemplateResult {
    return html`<h3 id=${id}>${title}</h3>
      <ul aria-labelledby=${id}>
        ${repeat(views, view => view.id, row)}
      </ul>`;
  }

  #renderView(
    view: DashboardView,
    {
      loaded,
      current,
      messages,
    }: {
      readonly loaded: LoadedViews;
      readonly current: DashboardView | null;
      readonly messages: ViewsMessages;
    },
  ): TemplateResult {
    const { id, name, isOwn, isShared, author } = view;
    const isDefault = id === loaded.defaultViewId;
    const star = isDefault ? messages.clearDefault(name) : messages.makeDefault(name);
    const people = isShared ? messages.unshare(name) : messages.share(name);
    return html`<li>
      <button type="button" class="name" aria-current=${view === current ? 'true' : nothing} @click=${() => this.#apply(view)}>
        <span dir="auto">${name}</span>
        ${isOwn ? nothing : html`<small dir="auto">${messages.byAuthor(author?.firstName || author?.username || '')}</small>`}
      </button>
      ${this.#renderIcon('star', star, () => this.#views.setDefault(isDefault ? null : id), isDefault ? 'on' : '')}
      ${
        isOwn
          ? html`${this.#renderIcon('share', people, () => this.#views.change(id, { isShared: !isShared }), isShared ? 'on' : '')}
            ${this.#renderIcon('update', messages.update(name), () => this.#update(view))}
            ${this.#renderIcon('pencil', messages.rename(name), () => this.#rename(view))}
            ${this.#renderIcon('trash', messages.remove(name), () => this.#remove(view, { isDefault }))}`
          : nothing
      }
    </li>`;
  }

  #renderIcon(
    name: keyof typeof icons,
    label: string,
    run: () => Promise<Problem | null>,
    style: 'on' | '' = '',
  ): TemplateResult {
    return html`<button
      type="button"
      class=${`icon ${style}`}
      aria-label=${label}
      title=${label}
      @click=${() => void this.#run(run)}
    >
      ${drawIcon(icons[name])}
    </button>`;
  }

  #renderForm(messages: ViewsMessages): TemplateResult {
    return html`<form @submit=${this.#handleSubmit}>
      <label for="name" class="unseen">${messages.name}</label>
      <input id="name" required maxlength="100" autocomplete="off" dir="auto" placeholder=${messages.name} />
      <div class="row">
        ${
          this.renaming ? html`<button type="button" @click=${this.#handleCancel}>${messages.cancel}</button>` : nothing
        }
        <button type="submit" class="primary" ?disabled=${this.isBusy}>
          ${this.renaming ? messages.renameNow : messages.save}
        </button>
      </div>
    </form>`;
  }

  /** Returns the view with the current control values. */
  #currentOf({ items }: LoadedViews): DashboardView | null {
    if (!this.values) return null;
    const values = JSON.stringify(ordered(this.values));
    return items.find(({ state: saved }) => JSON.stringify(ordered(saved)) === values) ?? null;
  }

  #apply(view: DashboardView): void {
    if (!this.dashboard) return;
    setControlValues(this.dashboard, view.state);
    this.#panel?.hidePopover();
    this.announcement = this.#locale.value.messages.applied(view.name);
  }

  async #update({ id, name }: DashboardView): Promise<Problem | null> {
    if (!this.dashboard) return null;
    const problem = await this.#views.change(id, { state: controlValuesOf(this.dashboard) });
    if (!problem) this.announcement = this.#locale.value.messages.updated(name);
    return problem;
  }

  async #rename(view: DashboardView): Promise<null> {
    this.renaming = view;
    await this.updateComplete;
    const input = this.#input;
    if (input) input.value = view.name;
    input?.select();
    return null;
  }

  async #remove(view: DashboardView, options: { readonly isDefault: boolean }): Promise<Problem | null> {
    const { id, name } = view;
    const problem = await this.#views.remove(id);
    if (problem) return problem;
    if (this.renaming?.id === id) this.renaming = null;
    this.deleted = { view, ...options };
    this.announcement = this.#locale.value.messages.deleted(name);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('.undo')?.focus();
    return null;
  }

  readonly #handleUndo = async (): Promise<void> => {
    const { deleted } = this;
    if (!deleted || this.isBusy) return;
    this.isBusy = true;
    const isDone = await this.#run(() => this.#views.restore(deleted.view, deleted));
    this.isBusy = false;
    if (!isDone) return;
    this.deleted = null;
    this.announcement = this.#locale.value.messages.restored(deleted.view.name);
    this.#panel?.focus();
  };

  readonly #handleSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const [input, dashboard, renaming] = [this.#input, this.dashboard, this.renaming];
    const name = input?.value.trim();
    if (!input || !dashboard || !name || this.isBusy) return;
    this.isBusy = true;
    const isDone = await this.#run(() =>
      renaming ? this.#views.change(renaming.id, { name }) : this.#views.save(name, controlValuesOf(dashboard)),
    );
    this.isBusy = false;
    if (!isDone) return;
    this.announcement = this.#locale.value.messages.saved(name);
    this.renaming = null;
    input.value = '';
  };

  readonly #handleCancel = (): void => {
    this.renaming = null;
    const input = this.#input;
    if (input) input.value = '';
    input?.focus();
  };

  /** Runs an action and shows why it failed. */
  async #run(action: () => Promise<Problem | null>): Promise<boolean> {
    const { messages } = this.#locale.value;
    this.failure = '';
    const problem = await action();
    if (problem) this.failure = problem.status === 409 ? messages.tooMany : messages.notSaved;
    return problem === null;
  }

  readonly #handleToggle = async ({ newState }: ToggleEvent): Promise<void> => {
    this.opened = newState === 'open';
    this.renaming = null;
    this.failure = '';
    if (!this.opened) this.deleted = null;
    const [panel, button] = [this.#panel, this.renderRoot.querySelector('.toggle')];
    if (!this.opened || !panel || !button) return;
    await this.updateComplete;
    placeMenu(panel, button.getBoundingClientRect(), 'end');
    panel.focus();
  };

  get #panel(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('#panel');
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector('input');
  }
}

/** Returns the control values with their groups in the order of `controlValuesOf`. */
function ordered({ filters, timeGrains, members }: Partial<DashboardState>): Partial<DashboardState> {
  return { filters: filters ?? {}, timeGrains: timeGrains ?? {}, members: members ?? {} };
}

register('pa-views', PaViews);

declare global {
  interface HTMLElementTagNameMap {
    'pa-views': PaViews;
  }
}
