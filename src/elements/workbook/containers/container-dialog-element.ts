import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ContainerContent, ContainerItem } from '../../../report/layout/edit-containers.js';
import { type CreatorIcon, icon } from '../../creator/creator-icons.js';
import { dialogFormStyles, dialogStyles } from '../../creator/dialog.styles.js';
import { controls } from '../../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../../parts/visually-hidden.styles.js';
import { register } from '../../register.js';
import { type WorkbookMessages, workbookMessages } from '../workbook-messages.js';

const layouts = ['tabs', 'stack', 'grid'] as const;

/** An empty container. */
const emptyContainer: ContainerContent = { title: '', layout: 'tabs', children: [] };

const containerDialogStyles = css`
  dialog {
    inline-size: min(560px, calc(100vw - 32px));
  }
  ol {
    display: flex;
    flex-direction: column;
    gap: 4px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    gap: 4px;
    align-items: center;
    padding-inline-start: 10px;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
  }
  li .name {
    flex: 1 1 120px;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-size: 13px;
  }
  li input {
    flex: 1 1 120px;
    min-block-size: 28px;
  }
  li button {
    display: inline-flex;
    flex: none;
    align-items: center;
    justify-content: center;
    inline-size: 32px;
    padding: 0;
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .hint {
    margin: 0;
    color: var(--_muted);
    font-size: 13px;
  }
  /* On phones, the title of a tab is on a separate line. */
  @media (width < 480px) {
    li {
      flex-wrap: wrap;
      padding-block-end: 4px;
    }
    li .name {
      flex: 1 1 calc(100% - 144px);
    }
    li input {
      order: 1;
      flex: 1 1 100%;
      margin-inline-end: 10px;
    }
  }
`;

/**
 * The dialog that adds or changes a container: its title, its layout, and its tiles in their order.
 *
 * @summary The dialog for a container in the editor.
 * @tagname pa-container-dialog
 */
class PaContainerDialog extends LitElement {
  static override styles = [controls, dialogStyles, dialogFormStyles, visuallyHiddenStyles, containerDialogStyles];

  @property({ attribute: false }) messages: WorkbookMessages = workbookMessages;
  /** The container to change; `null` for a new one. */
  @property({ attribute: false }) content: ContainerContent | null = null;
  /** Titles of the tiles that can be in the container, by id. */
  @property({ attribute: false }) tiles: ReadonlyMap<string, string> = new Map();
  @property({ attribute: false }) onSave: (content: ContainerContent) => void = () => {};
  @property({ attribute: false }) onClose: () => void = () => {};

  @state() private chosen: ContainerContent = emptyContainer;
  @state() private announcement = '';

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('content')) this.chosen = this.content ?? emptyContainer;
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  override render(): TemplateResult {
    const { messages, chosen } = this;
    return html`<dialog aria-labelledby="dialog-title" @close=${() => this.onClose()}>
      <form method="dialog" @submit=${() => this.onSave(this.chosen)}>
        <h2 id="dialog-title">${this.content ? messages.editContainer : messages.addContainer}</h2>
        <label class="field">
          ${messages.controlTitle}
          <input name="title" maxlength="255" dir="auto" autocomplete="off" .value=${chosen.title} @input=${this.#handleTitle} />
        </label>
        <label class="field">
          ${messages.containerLayout}
          <select name="layout" @change=${this.#handleLayout}>
            ${layouts.map(
              layout =>
                html`<option value=${layout} .selected=${layout === chosen.layout}>${messages.containerLayouts[layout]}</option>`,
            )}
          </select>
        </label>
        ${this.#renderTiles()}
        <p class="unseen" role="status">${this.announcement}</p>
        <div class="buttons">
          <button type="button" @click=${this.#handleClose}>${messages.cancel}</button>
          <button type="submit" class="primary">${messages.save}</button>
        </div>
      </form>
    </dialog>`;
  }

  #renderTiles(): TemplateResult {
    const { messages, chosen, tiles } = this;
    const inside = new Set(chosen.children.map(({ id }) => id));
    const others = [...tiles].filter(([id]) => !inside.has(id));
    return html`<div class="field">
        <span id="tiles">${messages.board}</span>
        <ol aria-labelledby="tiles">
          ${repeat(
            chosen.children,
            ({ id }) => id,
            (child, index) => this.#renderTile(child, index),
          )}
        </ol>
      </div>
      ${chosen.children.length === 0 && others.length === 0 ? html`<p class="hint">${messages.containerNoTiles}</p>` : nothing}
      ${
        others.length > 0
          ? html`<label class="field">
              ${messages.containerAdd}
              <select name="add" @change=${this.#handleAdd}>
                <option value=""></option>
                ${others.map(([id, title]) => html`<option value=${id}>${title}</option>`)}
              </select>
            </label>`
          : nothing
      }`;
  }

  #renderTile(child: ContainerItem, index: number): TemplateResult {
    const { messages, chosen } = this;
    const name = this.tiles.get(child.id) ?? child.id;
    const button = (
      label: string,
      shape: CreatorIcon,
      run: () => void,
      state: 'enabled' | 'disabled',
    ): TemplateResult =>
      html`<button
        type="button"
        data-action=${shape}
        aria-label=${`${label}: ${name}`}
        title=${label}
        ?disabled=${state === 'disabled'}
        @click=${run}
      >
        ${icon(shape)}
      </button>`;
    return html`<li data-id=${child.id}>
      <span class="name" dir="auto">${name}</span>
      ${
        chosen.layout === 'tabs'
          ? html`<input
              maxlength="255"
              dir="auto"
              autocomplete="off"
              aria-label=${messages.tabTitle(name)}
              placeholder=${messages.tabTitlePlaceholder}
              .value=${child.title}
              @input=${(event: Event) => this.#handleTabTitle(event, child.id)}
            />`
          : nothing
      }
      ${button(messages.earlier, 'up', () => this.#move(index, -1), index === 0 ? 'disabled' : 'enabled')}
      ${button(messages.later, 'down', () => this.#move(index, 1), index === chosen.children.length - 1 ? 'disabled' : 'enabled')}
      ${button(messages.remove, 'cross', () => this.#remove(child.id), 'enabled')}
    </li>`;
  }

  #change(changes: Partial<ContainerContent>): void {
    this.chosen = { ...this.chosen, ...changes };
  }

  #move(index: number, step: 1 | -1): void {
    const children = [...this.chosen.children];
    const [child] = children.splice(index, 1);
    if (!child) return;
    children.splice(index + step, 0, child);
    this.#change({ children });
    this.announcement = this.messages.movedTo(this.tiles.get(child.id) ?? child.id, index + step + 1);
    void this.#focusAfterMove(child.id, step);
  }

  /** The pressed button may be disabled now; then the opposite button gets the focus. */
  async #focusAfterMove(id: string, step: 1 | -1): Promise<void> {
    await this.updateComplete;
    const row = this.renderRoot.querySelector(`[data-id="${CSS.escape(id)}"]`);
    const [same, opposite] = step === 1 ? ['down', 'up'] : ['up', 'down'];
    const button = row?.querySelector<HTMLElement>(`[data-action="${same}"]:not(:disabled)`);
    (button ?? row?.querySelector<HTMLElement>(`[data-action="${opposite}"]`))?.focus();
  }

  #remove(id: string): void {
    this.#change({ children: this.chosen.children.filter(child => child.id !== id) });
    this.announcement = this.messages.removed(this.tiles.get(id) ?? id);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[name="add"]')?.focus());
  }

  readonly #handleTitle = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.#change({ title: target.value });
  };

  readonly #handleLayout = ({ target }: Event): void => {
    const value = target instanceof HTMLSelectElement ? target.value : '';
    this.#change({ layout: layouts.find(layout => layout === value) ?? 'tabs' });
  };

  readonly #handleAdd = ({ target }: Event): void => {
    if (!(target instanceof HTMLSelectElement) || !target.value) return;
    this.#change({ children: [...this.chosen.children, { id: target.value, title: '' }] });
    target.value = '';
  };

  #handleTabTitle({ target }: Event, id: string): void {
    if (!(target instanceof HTMLInputElement)) return;
    const title = target.value;
    this.#change({ children: this.chosen.children.map(child => (child.id === id ? { ...child, title } : child)) });
  }

  readonly #handleClose = (): void => this.renderRoot.querySelector('dialog')?.close();
}

register('pa-container-dialog', PaContainerDialog);

declare global {
  interface HTMLElementTagNameMap {
    'pa-container-dialog': PaContainerDialog;
  }
}
