import '../editor/edit-grid-element.js';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { DashboardVersion } from '../../../contract/workbooks.js';
import type { WorkbookController } from '../../../controllers/creator/workbook-controller.js';
import type { LoadedVersion } from '../../../controllers/creator/workbook-service.js';
import { type Problem, toProblem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { icon } from '../../creator/creator-icons.js';
import { dialogStyles } from '../../creator/dialog.styles.js';
import { notice, problemDetails } from '../../parts/notice.js';
import { noticeStyles } from '../../parts/notice.styles.js';
import { skeleton, skeletonStyles } from '../../parts/skeleton.js';
import { controls } from '../../parts/tokens.styles.js';
import { register } from '../../register.js';
import { type WorkbookMessages, workbookMessages } from '../workbook-messages.js';
import { versionsStyles } from './versions.styles.js';

/**
 * The dialog with the published versions of a dashboard: shows one with current rows, and restores it as the draft.
 *
 * @summary The versions of a dashboard in the editor.
 * @tagname pa-versions
 */
class PaVersions extends LitElement {
  static override styles = [controls, noticeStyles, skeletonStyles, dialogStyles, versionsStyles];

  @property({ attribute: false }) workbook: WorkbookController | null = null;
  @property({ attribute: false }) source: SessionSource | null = null;
  @property({ attribute: false }) messages: WorkbookMessages = workbookMessages;
  /** Language of dates, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  /** Whether downloading and copying rows is disabled. */
  @property({ attribute: false }) restricted = true;
  /** Called when a version has replaced the draft. */
  @property({ attribute: false }) onRestored: (versionNumber: number) => void = () => {};
  /** Called when the dialog is closed. */
  @property({ attribute: false }) onClose: () => void = () => {};
  @property({ attribute: false }) onProblem: (problem: Problem) => void = () => {};

  @state() private versions: readonly DashboardVersion[] | null = null;
  @state() private selected = 0;
  /** The selected version; `null` while it loads. */
  @state() private shown: LoadedVersion | null = null;
  @state() private isRestoring = false;
  @state() private problem: Problem | null = null;

  protected override firstUpdated(_changed: PropertyValues<this>): void {
    this.renderRoot.querySelector('dialog')?.showModal();
    void this.#load();
  }

  override render(): TemplateResult {
    const { messages } = this;
    return html`<dialog aria-labelledby="title" @close=${() => this.onClose()}>
      <h2 id="title">${messages.versions}</h2>
      ${this.#renderContent()}
      <div class="buttons">
        <button type="button" @click=${this.#handleClose}>${messages.close}</button>
        ${
          this.versions?.length
            ? html`<button
                type="button"
                class="primary"
                ?disabled=${!this.shown || this.isRestoring}
                @click=${this.#handleRestore}
              >
                ${messages.restore}
              </button>`
            : nothing
        }
      </div>
    </dialog>`;
  }

  #renderContent(): TemplateResult {
    const { messages, versions, problem } = this;
    if (problem) {
      const retry = { label: messages.retry, run: () => void this.#retry() };
      return notice(messages.failed[problem.kind], retry, problemDetails(problem, messages));
    }
    if (!versions) return html`<div class="loading">${skeleton('rows')}</div>`;
    if (versions.length === 0) return notice(messages.noVersions);
    return html`<div class="columns">
      <ul aria-label=${messages.versions}>
        ${versions.map(version => this.#renderVersion(version))}
      </ul>
      <section class="preview" tabindex="0" aria-label=${messages.versionPreview(this.selected)}>
        ${this.shown ? this.#renderPreview(this.shown) : html`<div class="loading">${skeleton('rows')}</div>`}
      </section>
    </div>`;
  }

  #renderVersion({ versionNumber, createdAt, isCurrent, widgetCount, publishedBy }: DashboardVersion): TemplateResult {
    const { messages } = this;
    const time = new Date(createdAt).toLocaleString(this.locale ?? undefined, {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    const name = publishedBy?.firstName || publishedBy?.email;
    return html`<li>
      <button
        type="button"
        aria-current=${versionNumber === this.selected ? 'true' : nothing}
        @click=${() => void this.#select(versionNumber)}
      >
        <strong>${messages.version(versionNumber)}</strong>
        ${isCurrent ? html`<span class="current">${icon('check')} ${messages.currentVersion}</span>` : nothing}
        <time datetime=${createdAt}>${time}</time>
        <span class="more">
          ${messages.versionTiles(widgetCount)}${name ? html` · <bdi>${messages.publishedBy(name)}</bdi>` : nothing}
        </span>
      </button>
    </li>`;
  }

  #renderPreview({ config, reports }: LoadedVersion): TemplateResult {
    if ((config.widgets ?? []).length === 0) return notice(this.messages.emptyBoard);
    return html`<pa-edit-grid
      .config=${config}
      .reports=${reports}
      .source=${this.source}
      .messages=${this.messages}
      .restricted=${this.restricted}
      .isPreview=${true}
    ></pa-edit-grid>`;
  }

  async #load(): Promise<void> {
    const versions = await this.#act(workbook => workbook.versions());
    if (!versions) return;
    this.versions = versions;
    const [newest] = versions;
    if (!newest) return;
    await this.#select(versions.find(({ isCurrent }) => !isCurrent)?.versionNumber ?? newest.versionNumber);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[aria-current]')?.focus();
  }

  async #select(versionNumber: number): Promise<void> {
    this.selected = versionNumber;
    this.shown = null;
    const version = await this.#act(workbook => workbook.version(versionNumber));
    if (version && versionNumber === this.selected) this.shown = version;
  }

  #retry(): Promise<void> {
    return this.versions ? this.#select(this.selected) : this.#load();
  }

  async #act<T>(work: (workbook: WorkbookController) => Promise<T>): Promise<T | null> {
    if (!this.workbook) return null;
    this.problem = null;
    try {
      return await work(this.workbook);
    } catch (error) {
      this.problem = toProblem(error);
      this.onProblem(this.problem);
      return null;
    }
  }

  readonly #handleRestore = async (): Promise<void> => {
    const { shown, selected } = this;
    if (!shown || this.isRestoring) return;
    this.isRestoring = true;
    await this.#act(workbook => workbook.restore(shown));
    this.isRestoring = false;
    if (this.problem) return;
    this.onRestored(selected);
    this.#handleClose();
  };

  readonly #handleClose = (): void => this.renderRoot.querySelector('dialog')?.close();
}

register('pa-versions', PaVersions);

declare global {
  interface HTMLElementTagNameMap {
    'pa-versions': PaVersions;
  }
}
