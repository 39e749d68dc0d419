import { html, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { Dashboard } from '../../contract/dashboards.js';
import { PaPublishEvent } from '../../controllers/creator/creator-events.js';
import type { EditorRestrictions } from '../../controllers/creator/editor-restrictions.js';
import { UnsavedDrafts } from '../../controllers/creator/unsaved-draft.js';
import { creatorStyles } from '../creator/creator.styles.js';
import { CreatorElement, type CreatorView } from '../creator/creator-element.js';
import { noticeStyles } from '../parts/notice.styles.js';
import { skeletonStyles } from '../parts/skeleton.js';
import { controls, tokens } from '../parts/tokens.styles.js';

/**
 * Editor for the dashboard of a workbook: users explore data, create charts, arrange tiles and publish. The draft is
 * stored after every change, and every change can be undone. Requires a session with creator mode (`creatorMode` in the
 * grant) whose user owns the workbook.
 *
 * @summary Edits a dashboard.
 * @tagname pa-workbook
 *
 * @fires {PaPublishEvent} pa-publish - The user has published the dashboard.
 * @fires {PaErrorEvent} pa-error - A request failed. The element also shows it.
 * @fires {PaSessionReadyEvent} pa-session-ready - The element's own session is ready.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The element's own session is about to expire and is being
 * renewed.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The element's own session expired or was rejected.
 *
 * @csspart notice - Message shown instead of the content.
 * @csspart button - A button.
 * @csspart skeleton - The placeholder while content loads.
 *
 * @cssproperty --pa-editor-bar - Background of the bar, which stays at the top while the page scrolls.
 */
export class PaWorkbook extends CreatorElement {
  static override styles = [tokens, controls, noticeStyles, skeletonStyles, creatorStyles];

  /** Number of the workbook, as in `detail.workbookId` of `pa-open`. */
  @property({ attribute: 'workbook-id', type: Number }) workbookId = 0;
  /** Level of the heading, 1 to 5. */
  @property({ attribute: 'heading-level', type: Number }) headingLevel = 2;
  /** Hides all downloads and copies, even if the session allows them. */
  @property({ attribute: 'restrict-download', type: Boolean }) restrictDownload = false;

  /**
   * Limits the visualizations, members and tools that the editor offers. Affects only the interface and does not
   * protect data.
   */
  @property({ attribute: false }) restrictions: EditorRestrictions = {};
  /** @internal Drafts that could not be stored, for example because the session ended. */
  @property({ attribute: false }) drafts = new UnsavedDrafts();

  protected override loadView(): Promise<unknown> {
    return import('./editor/workbook-editor-element.js');
  }

  protected override renderView({ source, creator, locale }: CreatorView): TemplateResult {
    const isRestricted = this.accountController.config?.restrictDataDownload !== false;
    return html`<pa-workbook-editor
      exportparts="notice, button, skeleton"
      .source=${source}
      .creator=${creator}
      .locale=${locale}
      .workbookId=${this.workbookId}
      .headingLevel=${this.headingLevel}
      .restricted=${this.restrictDownload || isRestricted}
      .restrictions=${this.restrictions}
      .drafts=${this.drafts}
      .onPublish=${this.#handlePublish}
      .onProblem=${this.handleProblem}
    ></pa-workbook-editor>`;
  }

  readonly #handlePublish = ({ workbookId, publicId, versionNumber }: Dashboard): void => {
    this.dispatchEvent(new PaPublishEvent({ workbookId, publicId, versionNumber }));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-workbook': PaWorkbook;
  }
}
