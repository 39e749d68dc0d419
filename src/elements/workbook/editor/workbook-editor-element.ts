import './edit-grid-element.js';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Dashboard, DashboardConfig, DashboardWidget, ReportSnapshot } from '../../../contract/dashboards.js';
import type { Creator } from '../../../controllers/creator/creator.js';
import type { EditorRestrictions, EditorTool } from '../../../controllers/creator/editor-restrictions.js';
import { WorkbookController } from '../../../controllers/creator/workbook-controller.js';
import type { NewReport } from '../../../controllers/creator/workbook-service.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { chunkProblem, type Problem, toProblem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { addTile, changeTile } from '../../../report/layout/edit-board.js';
import { addControl, changeControl, type NewControl, removeControl } from '../../../report/layout/edit-controls.js';
import { widgetMarkdown } from '../../../report/layout/tile-title.js';
import { type CreatorIcon, icon } from '../../creator/creator-icons.js';
import { dialogStyles } from '../../creator/dialog.styles.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { heading } from '../../parts/heading.js';
import { notice, problemDetails } from '../../parts/notice.js';
import { noticeStyles } from '../../parts/notice.styles.js';
import { retryLoad } from '../../parts/retry-load.js';
import { skeleton, skeletonStyles } from '../../parts/skeleton.js';
import { controls } from '../../parts/tokens.styles.js';
import { visuallyHiddenStyles } from '../../parts/visually-hidden.styles.js';
import { register } from '../../register.js';
import { workbookCatalog } from '../workbook-catalog.js';
import { editorStyles } from './editor.styles.js';
import { controlTitle, renderEditorControls } from './editor-controls.js';
import { renderPublishDialog, renderTextDialog, type TextEditing } from './editor-dialogs.js';
import { type PreviewWidth, previewWidths, renderPreviewChoice } from './preview-width.js';
import { renderConflict, renderSaveState } from './save-state.js';

/** View that the editor shows instead of the board: the chart of a tile, or a new one. */
interface Exploring {
  readonly report: ReportSnapshot | null;
  /** Id of the tile; `null` for a new one. */
  readonly widgetId: string | null;
}

const loadExplore = (): Promise<unknown> => import('../explore/explore-element.js');
/** Loads the code for charts before the user presses the button. The press reports a failure. */
const preloadExplore = (): void => void loadExplore().catch(() => {});

const chartSize = { w: 6, h: 8 } as const;
const figureSize = { w: 3, h: 4 } as const;
const textSize = { w: 12, h: 3 } as const;

/**
 * The editor of a workbook: its bar, the board, and the dialogs for publishing and conflicts.
 *
 * @summary The editor inside `<pa-workbook>`.
 * @tagname pa-workbook-editor
 */
export class PaWorkbookEditor extends LitElement {
  static override styles = [controls, noticeStyles, skeletonStyles, dialogStyles, visuallyHiddenStyles, editorStyles];

  readonly #locale = new LocaleController(this, workbookCatalog, () => this.locale);
  readonly #workbook = new WorkbookController(this, {
    source: () => this.source,
    creator: () => this.creator,
    workbookId: () => this.workbookId,
    onProblem: problem => this.onProblem(problem),
  });

  @property({ attribute: false }) source: SessionSource | null = null;
  @property({ attribute: false }) creator: Creator | null = null;
  /** Language of the editor, as a BCP 47 tag. */
  @property({ attribute: false }) locale: string | null = null;
  @property({ attribute: false }) workbookId = 0;
  @property({ attribute: false }) headingLevel = 2;
  /** Whether downloading and copying rows is disabled. */
  @property({ attribute: false }) restricted = true;
  /** Restrictions that the page sets for the editor. */
  @property({ attribute: false }) restrictions: EditorRestrictions = {};
  /** Called when a version was published. */
  @property({ attribute: false }) onPublish: (dashboard: Dashboard) => void = () => {};
  @property({ attribute: false }) onProblem: (problem: Problem) => void = () => {};

  /** Whether the focus was inside the board before the update. */
  #isBoardFocused = false;

  @state() private exploring: Exploring | null = null;
  /** The text tile in the dialog. */
  @state() private texting: TextEditing | null = null;
  @state() private isPublishing = false;
  /** The control in the dialog; `widgetId: null` for a new one. */
  @state() private controlling: { readonly widgetId: string | null } | null = null;
  @state() private preview: PreviewWidth = 'desktop';
  /** Whether the dialog with the versions is shown. */
  @state() private hasVersions = false;
  @state() private announcement = '';
  /** Reason why the last action failed. */
  @state() private problem: Problem | null = null;

  constructor() {
    super();
    // The tiles use the messages of a dashboard.
    new LocaleController(this, pageCatalog, () => this.locale);
  }

  protected override willUpdate(): void {
    this.#isBoardFocused = this.shadowRoot?.activeElement?.localName === 'pa-edit-grid';
  }

  protected override updated(changed: PropertyValues & Map<string, unknown>): void {
    // Without tiles, the board is not rendered and has lost the focus.
    if (this.#isBoardFocused && !this.shadowRoot?.activeElement) this.#focusTools();
    for (const dialog of this.renderRoot.querySelectorAll('dialog')) if (!dialog.open) dialog.showModal();
    if (changed.has('exploring')) this.renderRoot.querySelector('pa-explore')?.scrollIntoView({ block: 'nearest' });
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    const { state } = this.#workbook;
    if (state.status === 'failed') {
      const retry = { label: messages.retry, run: () => void this.#workbook.reload() };
      const details = problemDetails(state.problem, messages);
      return html`<div class="panel">${notice(messages.failed[state.problem.kind], retry, details)}</div>`;
    }
    if (state.status !== 'ready') return html`<div class="panel loading">${skeleton('rows')}</div>`;
    if (this.exploring) return this.#renderExplore(this.exploring);
    return html`<div @keydown=${this.#handleKey}>${this.#renderBar()} ${this.#renderProblem()} ${this.#renderBoard()}</div>
      <p class="unseen" role="status">${this.announcement}</p>
      ${this.#renderDialogs()} ${renderConflict(this.#workbook, messages)}`;
  }

  #renderBar(): TemplateResult {
    const { messages } = this.#locale.value;
    const { name, canUndo, canRedo } = this.#workbook;
    return html`<div class="bar">
      <div class="head">
        <div class="title">${heading(this.headingLevel, nothing, name)}</div>
        ${renderSaveState(this.#workbook, messages)}
      </div>
      <div class="tools">
        ${this.#renderTool('undo', messages.undo, () => this.#workbook.undo(), { disabled: !canUndo })}
        ${this.#renderTool('redo', messages.redo, () => this.#workbook.redo(), { disabled: !canRedo })}
        ${
          this.#offers('versions')
            ? this.#renderTool('history', messages.versions, () => void this.#handleVersions(), { disabled: false })
            : nothing
        }
        ${renderPreviewChoice(this.preview, messages, this.#handlePreview)}
        ${
          this.#offers('controls')
            ? html`<button type="button" part="button" @click=${() => void this.#editControl(null)}>
          ${icon('filter')} ${messages.addControl}
        </button>`
            : nothing
        }
        ${this.#offers('text') ? html`<button type="button" part="button" @click=${this.#handleAddText}>${icon('text')} ${messages.addText}</button>` : nothing}
        <button
          type="button"
          part="button"
          @pointerenter=${preloadExplore}
          @focus=${preloadExplore}
          @click=${this.#handleAddChart}
        >${icon('plus')} ${messages.addChart}</button>
        <button type="button" part="button" class="primary" @click=${this.#handlePublishing}>${messages.publish}</button>
      </div>
    </div>`;
  }

  #offers(tool: EditorTool): boolean {
    return !this.restrictions.hiddenTools?.includes(tool);
  }

  #renderControls(): TemplateResult | typeof nothing {
    return renderEditorControls(this.#workbook.config, this.#locale.value.messages, {
      onEdit: id => void this.#editControl(id),
      onRemove: widget => this.#removeControl(widget),
    });
  }

  #renderDialogs(): TemplateResult {
    const { messages } = this.#locale.value;
    const text = { onSubmit: this.#handleText, onClose: this.#handleTextClosed };
    const publish = { onSubmit: this.#handlePublish, onClose: this.#handlePublishClosed, canShare: this.#canShare };
    return html`${this.texting ? renderTextDialog(this.texting, messages, text) : nothing}
    ${this.#renderControlDialog()}
    ${this.isPublishing ? renderPublishDialog(this.#workbook, messages, publish) : nothing}
    ${this.#renderVersions()}`;
  }

  #renderControlDialog(): TemplateResult | typeof nothing {
    const { controlling } = this;
    if (!controlling) return nothing;
    const { config } = this.#workbook;
    return html`<pa-control-dialog
      .source=${this.source}
      .messages=${this.#locale.value.messages}
      .widget=${config.widgets?.find(({ id }) => id === controlling.widgetId) ?? null}
      .states=${this.renderRoot.querySelector('pa-edit-grid')?.controlStates ?? []}
      .onSave=${this.#handleControl}
      .onClose=${this.#handleControlClosed}
    ></pa-control-dialog>`;
  }

  #renderTool(name: CreatorIcon, label: string, run: () => void, { disabled }: { readonly disabled: boolean }) {
    return html`<button type="button" class="tool" data-tool=${name} aria-label=${label} title=${label} ?disabled=${disabled} @click=${run}>
      ${icon(name)}
    </button>`;
  }

  #renderProblem(): TemplateResult | typeof nothing {
    if (!this.problem) return nothing;
    const { messages } = this.#locale.value;
    const [title, hint] = messages.failed[this.problem.kind];
    return html`<p class="problem" role="alert">${title}. ${this.problem.message || hint}</p>`;
  }

  #renderBoard(): TemplateResult {
    const { messages } = this.#locale.value;
    const { config, reports } = this.#workbook;
    const previewWidth = previewWidths[this.preview];
    if ((config.widgets ?? []).length === 0) {
      const add = { label: messages.addChart, run: this.#handleAddChart };
      return html`<div class="panel empty">${notice(messages.emptyBoard, add)}</div>`;
    }
    return html`${previewWidth === null ? this.#renderControls() : nothing}<pa-edit-grid
      class=${this.preview}
      .isPreview=${previewWidth !== null}
      .previewWidth=${previewWidth}
      .config=${config}
      .reports=${reports}
      .source=${this.source}
      .messages=${messages}
      .restricted=${this.restricted}
      .onChange=${this.#handleChange}
      .onEdit=${this.#handleEdit}
    ></pa-edit-grid>`;
  }

  #renderExplore({ report }: Exploring): TemplateResult {
    return html`${this.#renderProblem()}<pa-explore
        .source=${this.source}
        .locale=${this.locale}
        .report=${report}
        .restricted=${this.restricted}
        .restrictions=${this.restrictions}
        .onSave=${this.#handleSaveChart}
        .onCancel=${this.#handleLeaveExplore}
        .onProblem=${this.onProblem}
      ></pa-explore>`;
  }

  /** Whether the session may change who sees the dashboard. */
  get #canShare(): boolean {
    return this.source?.settings?.showWorkbookShare !== false;
  }

  #renderVersions(): TemplateResult | typeof nothing {
    if (!this.hasVersions) return nothing;
    const { messages, locale } = this.#locale.value;
    return html`<pa-versions
      .workbook=${this.#workbook}
      .source=${this.source}
      .messages=${messages}
      .locale=${locale}
      .restricted=${this.restricted}
      .onRestored=${(versionNumber: number) => {
        this.announcement = messages.restored(versionNumber);
      }}
      .onClose=${this.#handleVersionsClosed}
      .onProblem=${this.onProblem}
    ></pa-versions>`;
  }

  readonly #handleChange = (config: DashboardConfig): void => {
    this.problem = null;
    this.#workbook.change(config);
  };

  readonly #handleEdit = ({ id, type, config }: DashboardWidget): void => {
    this.problem = null;
    if (type === 'TEXT') this.texting = { widgetId: id, markdown: widgetMarkdown(config) };
    const report = this.#workbook.reports.get(Number(config?.reportId));
    if (type === 'CHART' && report?.meta?.jsonQuery)
      void this.#explore({ report: titled(report, config), widgetId: id });
  };

  readonly #handleAddChart = (): void => void this.#explore({ report: null, widgetId: null });

  async #explore(exploring: Exploring): Promise<void> {
    if (await this.#load(loadExplore)) this.exploring = exploring;
  }

  /** Loads the code of a part of the editor. Shows the failure if it cannot be loaded. The user can then try again. */
  async #load(load: () => Promise<unknown>): Promise<boolean> {
    this.problem = null;
    try {
      await retryLoad(load);
      return true;
    } catch {
      // Shown to the user.
      this.problem = chunkProblem();
      return false;
    }
  }

  readonly #handleAddText = (): void => {
    this.texting = { widgetId: null, markdown: this.#locale.value.messages.textSample };
  };

  readonly #handlePreview = (width: PreviewWidth): void => {
    this.preview = width;
  };

  async #editControl(widgetId: string | null): Promise<void> {
    if (await this.#load(() => import('../controls/control-dialog-element.js'))) this.controlling = { widgetId };
  }

  #removeControl(widget: DashboardWidget): void {
    this.announcement = this.#locale.value.messages.removed(controlTitle(widget));
    this.#workbook.change(removeControl(this.#workbook.config, widget.id));
    void this.updateComplete.then(() => this.#focusTools());
  }

  readonly #handleControl = (control: NewControl): void => {
    const { config } = this.#workbook;
    const id = this.controlling?.widgetId;
    this.#workbook.change(id ? changeControl(config, id, control) : addControl(config, control));
  };

  readonly #handleControlClosed = (): void => {
    const id = this.controlling?.widgetId;
    this.controlling = null;
    void this.updateComplete.then(() => {
      const control = id && this.renderRoot.querySelector<HTMLElement>(`[data-control="${CSS.escape(id)}"]`);
      if (control) control.focus();
      else this.#focusTools();
    });
  };

  /** Stores a changed chart as a new report, so that undo and conflict resolution of the draft include it. */
  readonly #handleSaveChart = async (report: NewReport): Promise<void> => {
    const target = this.exploring;
    try {
      const { reportId } = await this.#workbook.createReport(report);
      const { config } = this.#workbook;
      if (target?.widgetId) {
        this.#workbook.change(changeTile(config, target.widgetId, { reportId, title: report.title }));
        this.#leaveExplore(target.widgetId);
      } else {
        const size = report.meta.kind === 'kpi' ? figureSize : chartSize;
        const added = addTile(config, { type: 'CHART', config: { reportId }, ...size });
        this.#workbook.change(added.config);
        this.#leaveExplore(added.id);
      }
    } catch (error) {
      this.problem = toProblem(error);
      this.onProblem(this.problem);
    }
  };

  readonly #handleLeaveExplore = (): void => this.#leaveExplore(this.exploring?.widgetId ?? null);

  #leaveExplore(focus: string | null): void {
    this.exploring = null;
    void this.#focusTile(focus);
  }

  async #focusTile(id: string | null): Promise<void> {
    await this.updateComplete;
    const grid = this.renderRoot.querySelector('pa-edit-grid');
    await grid?.updateComplete;
    if (grid && id) grid.focusTile(id);
    else this.#focusTools();
  }

  #toolOf(name: CreatorIcon): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`[data-tool="${name}"]`);
  }

  #focusTools(): void {
    this.renderRoot.querySelector<HTMLElement>('.tools button:not(:disabled)')?.focus();
  }

  readonly #handleText = ({ target }: SubmitEvent): void => {
    if (!(target instanceof HTMLFormElement)) return;
    const markdown = String(new FormData(target).get('markdown')).trim();
    const widgetId = this.texting?.widgetId;
    const { config } = this.#workbook;
    if (widgetId) this.#workbook.change(changeTile(config, widgetId, { markdown }));
    else this.#workbook.change(addTile(config, { type: 'TEXT', config: { markdown }, ...textSize }).config);
  };

  readonly #handleTextClosed = (): void => {
    const focus = this.texting?.widgetId ?? null;
    this.texting = null;
    void this.#focusTile(focus);
  };

  readonly #handleVersions = async (): Promise<void> => {
    if (await this.#load(() => import('../versions/versions-element.js'))) this.hasVersions = true;
  };

  readonly #handleVersionsClosed = (): void => {
    this.hasVersions = false;
    void this.updateComplete.then(() => this.#toolOf('history')?.focus());
  };

  readonly #handlePublishing = (): void => {
    this.problem = null;
    this.isPublishing = true;
  };

  readonly #handlePublish = async ({ target }: SubmitEvent): Promise<void> => {
    if (!(target instanceof HTMLFormElement)) return;
    const { messages } = this.#locale.value;
    const isChosen = new FormData(target).get('shared') === 'on';
    const isShared = this.#canShare ? isChosen : this.#workbook.isShared;
    this.announcement = '';
    try {
      const published = await this.#workbook.publish({ isShared });
      if (!published) return;
      this.announcement = messages.publishedNow;
      this.onPublish(published);
    } catch (error) {
      this.problem = toProblem(error);
      this.onProblem(this.problem);
    }
  };

  readonly #handlePublishClosed = (): void => {
    this.isPublishing = false;
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    if (event.shiftKey) this.#workbook.redo();
    else this.#workbook.undo();
  };
}

/** Returns the report with the title of its tile. */
function titled(report: ReportSnapshot, config: DashboardWidget['config']): ReportSnapshot {
  return typeof config?.title === 'string' && config.title ? { ...report, title: config.title } : report;
}

register('pa-workbook-editor', PaWorkbookEditor);

declare global {
  interface HTMLElementTagNameMap {
    'pa-workbook-editor': PaWorkbookEditor;
  }
}
