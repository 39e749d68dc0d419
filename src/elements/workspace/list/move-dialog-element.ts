import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { FolderChoice, WorkspaceItem } from '../../../controllers/creator/workspace-service.js';
import { icon } from '../../creator/creator-icons.js';
import { dialogStyles } from '../../creator/dialog.styles.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import type { WorkspaceMessages } from './workspace-messages.js';

const moveStyles = css`
  ul {
    margin: 8px 0 0;
    padding: 4px;
    border: 1px solid var(--_line);
    border-radius: var(--_control-radius);
    min-block-size: 120px;
    max-block-size: 280px;
    overflow: auto;
    list-style: none;
  }
  li button,
  nav button {
    display: flex;
    gap: 8px;
    align-items: center;
    inline-size: 100%;
    border-color: transparent;
    background: none;
    font-weight: 400;
    text-align: start;
    overflow-wrap: anywhere;
  }
  li button span:not(.chevron) {
    flex: 1;
    line-height: 1.4;
  }
  nav {
    display: flex;
    flex-wrap: wrap;
    gap: 2px;
    align-items: center;
  }
  nav button {
    inline-size: auto;
    min-block-size: 28px;
    padding: 0 6px;
    color: var(--_accent);
  }
  nav strong {
    padding: 0 6px;
    font: 600 13px/28px var(--_font);
  }
  svg {
    flex: none;
    color: var(--_muted);
  }
  .chevron {
    display: inline-flex;
  }
  :dir(rtl) .chevron svg {
    transform: scaleX(-1);
  }
  .none {
    margin: 0;
    padding: 8px;
    color: var(--_muted);
    font-size: 13px;
  }
`;

/**
 * A dialog that chooses the folder into which an item is moved.
 *
 * @summary The dialog that moves an item.
 * @tagname pa-move-dialog
 */
class PaMoveDialog extends LitElement {
  static override styles = [controls, dialogStyles, moveStyles];

  /** The item to move. */
  @property({ attribute: false }) item: WorkspaceItem | null = null;
  @property({ attribute: false }) messages: WorkspaceMessages | null = null;
  /** Loads the folders in a folder; `null` if that fails. */
  @property({ attribute: false }) load: (parentId: number | null) => Promise<readonly FolderChoice[] | null> =
    async () => [];
  /** Called with the folder, or with `null` for the root. */
  @property({ attribute: false }) onMove: (folderId: number | null) => void = () => {};
  /** Called when the dialog closes. */
  @property({ attribute: false }) onClose: () => void = () => {};

  /** Path from the root to the folder that is shown. */
  @state() private path: readonly FolderChoice[] = [];
  /** The folders; `null` while they load. */
  @state() private folders: readonly FolderChoice[] | null = null;

  protected override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('item')) void this.#show([]);
  }

  override render(): TemplateResult | typeof nothing {
    const { item, messages, path, folders } = this;
    if (!item || !messages) return nothing;
    const folderId = path.at(-1)?.id ?? null;
    return html`<dialog aria-labelledby="title" @close=${this.onClose}>
      <h2 id="title">${messages.moveTitle(item.name)}</h2>
      <nav aria-label=${messages.path}>
        ${[null, ...path].map((folder, index) =>
          index === path.length
            ? html`<strong>${folder?.name ?? messages.own}</strong>`
            : html`<button type="button" @click=${() => this.#show(path.slice(0, index))}>
                  ${folder?.name ?? messages.own}
                </button>
                <span class="chevron">${icon('chevron')}</span>`,
        )}
      </nav>
      <ul aria-busy=${folders === null ? 'true' : 'false'}>
        ${this.#renderFolders(folders ?? [], item)}
        ${folders?.length === 0 ? html`<li class="none">${messages.noFolders}</li>` : nothing}
      </ul>
      <div class="buttons">
        <button type="button" @click=${this.#handleCancel}>${messages.cancel}</button>
        <button
          type="button"
          class="primary"
          ?disabled=${folderId === item.folderId}
          @click=${() => this.onMove(folderId)}
        >
          ${messages.moveHere}
        </button>
      </div>
    </dialog>`;
  }

  #renderFolders(folders: readonly FolderChoice[], item: WorkspaceItem): unknown {
    const allowed = folders.filter(({ id }) => item.type !== 'FOLDER' || id !== item.id);
    return allowed.map(
      folder => html`<li>
        <button type="button" @click=${() => this.#show([...this.path, folder])}>
          ${icon('folder')} <span dir="auto">${folder.name}</span> <span class="chevron">${icon('chevron')}</span>
        </button>
      </li>`,
    );
  }

  async #show(path: readonly FolderChoice[]): Promise<void> {
    this.path = path;
    this.folders = null;
    const folders = await this.load(path.at(-1)?.id ?? null);
    if (path === this.path) this.folders = folders ?? [];
  }

  readonly #handleCancel = (): void => this.renderRoot.querySelector('dialog')?.close();
}

register('pa-move-dialog', PaMoveDialog);

declare global {
  interface HTMLElementTagNameMap {
    'pa-move-dialog': PaMoveDialog;
  }
}
