import '../../workbook/editor/workbook-editor-element.js';
import { css, html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { Dashboard } from '../../../contract/dashboards.js';
import type { Creator } from '../../../controllers/creator/creator.js';
import { PaPublishEvent } from '../../../controllers/creator/creator-events.js';
import type { EditorRestrictions } from '../../../controllers/creator/editor-restrictions.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { PaErrorEvent } from '../../../controllers/session/session-events.js';
import { creatorCatalog } from '../../creator/creator-catalog.js';
import { icon } from '../../creator/creator-icons.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';

/**
 * The editor instead of a dashboard, with a button that returns to the dashboard.
 *
 * @summary The editor inside `<pa-dashboard editable>`.
 * @tagname pa-dashboard-editor
 */
export class PaDashboardEditor extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: block;
      }
      .done {
        display: inline-flex;
        gap: 6px;
        align-items: center;
        padding-inline: 6px 10px;
        border-color: transparent;
        background: none;
        color: var(--_muted);
      }
      .done:dir(rtl) svg {
        transform: scaleX(-1);
      }
    `,
  ];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, creatorCatalog, () => this.#outer.value.locale);

  @property({ attribute: false }) source: SessionSource | null = null;
  @property({ attribute: false }) creator: Creator | null = null;
  @property({ attribute: false }) workbookId = 0;
  @property({ attribute: false }) headingLevel = 2;
  /** Whether downloading and copying rows is disabled. */
  @property({ attribute: false }) restricted = true;
  /** Restrictions that the page sets for the editor. */
  @property({ attribute: false }) restrictions: EditorRestrictions = {};
  /** The dashboard element, which dispatches the events. */
  @property({ attribute: false }) dashboard: EventTarget | null = null;
  /** Called when the user returns to the dashboard. */
  @property({ attribute: false }) onDone: () => void = () => {};

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('.done')?.focus();
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    return html`<button type="button" part="button" class="done" @click=${() => this.onDone()}>
        ${icon('back')} ${messages.done}
      </button>
      <pa-workbook-editor
        exportparts="notice, button, skeleton"
        .source=${this.source}
        .creator=${this.creator}
        .locale=${this.#outer.value.locale}
        .workbookId=${this.workbookId}
        .headingLevel=${this.headingLevel}
        .restricted=${this.restricted}
        .restrictions=${this.restrictions}
        .onPublish=${this.#handlePublish}
        .onProblem=${(problem: ConstructorParameters<typeof PaErrorEvent>[0]) =>
          this.dashboard?.dispatchEvent(new PaErrorEvent(problem))}
      ></pa-workbook-editor>`;
  }

  readonly #handlePublish = ({ workbookId, publicId, versionNumber }: Dashboard): void => {
    this.dashboard?.dispatchEvent(new PaPublishEvent({ workbookId, publicId, versionNumber }));
  };
}

register('pa-dashboard-editor', PaDashboardEditor);

declare global {
  interface HTMLElementTagNameMap {
    'pa-dashboard-editor': PaDashboardEditor;
  }
}
