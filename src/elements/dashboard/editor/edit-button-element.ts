import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Creator } from '../../../controllers/creator/creator.js';
import { EditAccessController } from '../../../controllers/creator/edit-access-controller.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { drawIcon } from '../../chat/icons.js';
import { creatorCatalog } from '../../creator/creator-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { retryLoad } from '../../parts/retry-load.js';
import { controls } from '../../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../../parts/visually-hidden.styles.js';
import { register } from '../../register.js';

const pencil =
  'M21.2 6.8a1 1 0 0 0-4-4L3.8 16.2a2 2 0 0 0-.5.8L2 21.4a.5.5 0 0 0 .6.6l4.4-1.3a2 2 0 0 0 .8-.5zM15 5l4 4';

/**
 * The button that edits a dashboard. It is shown only if the user can read the versions of the workbook, which the
 * platform allows to editors. Loads the code of the editor when it is pressed.
 *
 * @summary The button that edits a dashboard.
 * @tagname pa-edit-button
 * @csspart edit-button - The button that edits the dashboard.
 */
export class PaEditButton extends LitElement {
  static override styles = [
    controls,
    visuallyHiddenStyles,
    css`
      button {
        display: inline-flex;
        gap: 6px;
        align-items: center;
      }
    `,
  ];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, creatorCatalog, () => this.#outer.value.locale);
  readonly #access = new EditAccessController(this, {
    source: () => this.source,
    creator: () => this.creator,
    workbookId: () => this.workbookId,
  });

  @property({ attribute: false }) source: SessionSource | null = null;
  @property({ attribute: false }) creator: Creator | null = null;
  @property({ attribute: false }) workbookId = 0;
  /** Called when the editor is loaded. */
  @property({ attribute: false }) onEdit: () => void = () => {};

  @state() private isLoading = false;
  @state() private hasFailed = false;

  override render(): TemplateResult | typeof nothing {
    if (!this.#access.isAllowed) return nothing;
    const { messages } = this.#locale.value;
    return html`<button
        part="edit-button"
        type="button"
        aria-disabled=${this.isLoading ? 'true' : nothing}
        @click=${this.#handleEdit}
      >
        ${drawIcon(pencil)} ${messages.edit}
      </button>
      <span class="unseen" role="alert">${this.hasFailed ? messages.notLoaded.join('. ') : nothing}</span>`;
  }

  readonly #handleEdit = async (): Promise<void> => {
    if (this.isLoading) return;
    this.isLoading = true;
    this.hasFailed = false;
    try {
      await retryLoad(() => import('./dashboard-editor-element.js'));
      this.onEdit();
    } catch {
      // Show the failure. The viewer can press the button again.
      this.hasFailed = true;
    }
    this.isLoading = false;
  };
}

register('pa-edit-button', PaEditButton);

declare global {
  interface HTMLElementTagNameMap {
    'pa-edit-button': PaEditButton;
  }
}
