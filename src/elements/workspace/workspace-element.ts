import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type PaOpenDetail, PaOpenEvent } from '../../controllers/creator/creator-events.js';
import type { EditorRestrictions } from '../../controllers/creator/editor-restrictions.js';
import { UnsavedDrafts } from '../../controllers/creator/unsaved-draft.js';
import { creatorStyles } from '../creator/creator.styles.js';
import { CreatorElement, type CreatorView } from '../creator/creator-element.js';
import { noticeStyles } from '../parts/notice.styles.js';
import { skeletonStyles } from '../parts/skeleton.js';
import { controls, tokens } from '../parts/tokens.styles.js';

/**
 * Lists the user's folders and dashboards, and those that are shared with the user's tenant. Users can create, rename,
 * move, copy and delete them. Requires a session with creator mode (`creatorMode` in the grant).
 *
 * A dashboard opens in place. To show it elsewhere, cancel `pa-open`.
 *
 * @summary Lists the dashboards that a user builds.
 * @tagname pa-workspace
 *
 * @fires {PaOpenEvent} pa-open - The user opens a dashboard; cancelable.
 * @fires {PaPublishEvent} pa-publish - The user has published the dashboard that is open.
 * @fires {PaErrorEvent} pa-error - A request failed. The element also shows it.
 * @fires {PaSessionReadyEvent} pa-session-ready - The element's own session is ready.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The element's own session is about to expire and is being
 * renewed.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The element's own session expired or was rejected.
 *
 * @csspart title - The heading.
 * @csspart list - The list of folders and dashboards.
 * @csspart item - A folder or dashboard in the list.
 * @csspart notice - Message shown instead of the content.
 * @csspart button - A button.
 * @csspart skeleton - The placeholder while content loads.
 */
export class PaWorkspace extends CreatorElement {
  static override styles = [tokens, controls, noticeStyles, skeletonStyles, creatorStyles];

  /** Level of the heading, 1 to 5. */
  @property({ attribute: 'heading-level', type: Number }) headingLevel = 2;

  /** Limits what the editor offers, as for `<pa-workbook>`. */
  @property({ attribute: false }) restrictions: EditorRestrictions = {};

  /** The dashboard that is shown instead of the list. */
  @state() private opened: PaOpenDetail | null = null;

  /** Drafts that could not be stored. They are stored here, because the editor is removed when the session ends. */
  readonly #drafts = new UnsavedDrafts();

  /** The dashboard in the slot shows it. */
  protected override get isSessionShown(): boolean {
    return this.opened !== null;
  }

  protected override loadView(): Promise<unknown> {
    return import('./list/workspace-list-element.js');
  }

  protected override renderView({ source, creator, locale }: CreatorView): TemplateResult {
    return html`<pa-workspace-list
      exportparts="title, list, item, notice, button, skeleton"
      .source=${source}
      .creator=${creator}
      .locale=${locale}
      .account=${this.accountController.config}
      .headingLevel=${this.headingLevel}
      .opened=${this.opened}
      .onOpen=${this.#handleOpen}
      .onClose=${this.#handleClose}
      .onProblem=${this.handleProblem}
    >
      ${this.opened ? this.#renderOpened(this.opened) : nothing}
    </pa-workspace-list>`;
  }

  #renderOpened({ mode, workbookId, publicId }: PaOpenDetail): TemplateResult {
    if (mode === 'edit') {
      return html`<pa-workbook
        .workbookId=${workbookId}
        .session=${this.session}
        .sessionUrl=${this.sessionUrl}
        .baseUrl=${this.baseUrl}
        .dataApiPath=${this.dataApiPath}
        .dialect=${this.dialect}
        .locale=${this.locale}
        .timezone=${this.timezone}
        .theme=${this.theme}
        .headingLevel=${this.headingLevel}
        .restrictions=${this.restrictions}
        .drafts=${this.#drafts}
      ></pa-workbook>`;
    }
    return html`<pa-dashboard
      .publicId=${publicId ?? ''}
      .session=${this.session}
      .sessionUrl=${this.sessionUrl}
      .baseUrl=${this.baseUrl}
      .dataApiPath=${this.dataApiPath}
      .dialect=${this.dialect}
      .locale=${this.locale}
      .timezone=${this.timezone}
      .theme=${this.theme}
      .headingLevel=${this.headingLevel}
    ></pa-dashboard>`;
  }

  readonly #handleOpen = async (detail: PaOpenDetail): Promise<void> => {
    if (!this.dispatchEvent(new PaOpenEvent(detail))) return;
    await (detail.mode === 'edit' ? import('../workbook/pa-workbook.js') : import('../dashboard/pa-dashboard.js'));
    this.opened = detail;
  };

  readonly #handleClose = (): void => {
    this.opened = null;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-workspace': PaWorkspace;
  }
}
