import './edit-grid-element.js';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Dashboard, DashboardConfig, DashboardWidget, ReportSnapshot } from '../../../contract/dashboards.js';
import type { Creator } from '../../../controllers/creator/creator.js';
import type { EditorRestrictions, EditorTool } from '../../../controllers/creator/editor-restrictions.js';
import { UnsavedDrafts } from '../../../controllers/creator/unsaved-draft.js';
import { WorkbookController } from '../../../controllers/creator/workbook-controller.js';
import type { NewReport } from '../../../controllers/creator/workbook-service.js';
import { LocaleController } from '../../../controllers/locale-controller.js';
import { chunkProblem, type Problem, toProblem } from '../../../controllers/problem.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { DashboardTemplate } from '../../../report/explore/templates.js';
import { isContainer } from '../../../report/layout/edit-containers.js';
import { removeControl } from '../../../report/layout/edit-controls.js';
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
import { putChart, titled } from './chart-tile.js';
import { renderConflict } from './conflict-dialog.js';
import { differenceStyles } from './difference.styles.js';
import { editorStyles } from './editor.styles.js';
import { controlTitle, renderEditorControls } from './editor-controls.js';
import type { EditorDialog } from './editor-dialog-element.js';
import { renderTools } from './editor-tools.js';
import { type PreviewWidth, previewWidths } from './preview-width.js';
import { renderSaveState } from './save-state.js';

/** View that the editor shows instead of the board: the chart of a tile, or a new one. */
interface Exploring {
  readonly report: ReportSnapshot | null;
  /** Id of the tile; `null` for a new one. */
  readonly widgetId: string | null;
}

const loadDialog = async (kind: EditorDialog['kind']): Promise<void> => {
  const { loadPart } = await import('./editor-dialog-element.js');
  await loadPart(kind);
};
const loadExplore = (): Promise<unknown> => import('../explore/explore-element.js');
/** Loads the code for charts before the user presses the button. The press reports a failure. */
const preloadExplore = (): void => void loadExplore().catch(() => {});

const isVisible = (element: Element): boolean => element.getClientRects().length > 0;

/**
 * The editor of a workbook: its bar, the board, and the dialogs for publishing and conflicts.
 *
 * @summary The editor inside `<pa-workbook>`.
 * @tagname pa-workbook-editor
 */
export class PaWorkbookEditor extends LitElement {
  static override styles = [
    controls,
    noticeStyles,
    skeletonStyles,
    dialogStyles,
    visuallyHiddenStyles,
    editorStyles,
    differenceStyles,
  ];

  readonly #locale = new LocaleController(this, workbookCatalog, () => this.locale);
  readonly #workbook = new WorkbookController(this, {
    source: () => this.source,
    creator: () => this.creator,
    workbookId: () => this.workbookId,
    drafts: () => this.drafts,
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
  /** Drafts that could not be stored. They outlive this element. */
  @property({ attribute: false }) drafts = new UnsavedDrafts();
  /** Called when a version was published. */
  @property({ attribute: false }) onPublish: (dashboard: Dashboard) => void = () => {};
  @property({ attribute: false }) onProblem: (problem: Problem) => void = () => {};

  /** Whether the focus was inside the board before the update. */
  #isBoardFocused = false;

  /** Whether the code for templates was requested. */
  #hasTemplates = false;

  @state() private exploring: Exploring | null = null;
  @state() private dialog: EditorDialog | null = null;
  @state() private preview: PreviewWidth = 'desktop';
  @state() private announcement = '';
  /** Reason why the last action failed. */
  @state() private problem: Problem | null = null;

  constructor() {
    super();
    // The tiles use the messages of a dashboard.
    new LocaleController(this, pageCatalog, () => this.locale);
  }

  protected override willUpdate(): void {
    // Load the templates only for an empty dashboard, because other dashboards do not show them.
    if (this.#isEmpty && !this.#hasTemplates) {
      this.#hasTemplates = true;
      // If loading fails, the empty dashboard offers no templates.
      retryLoad(() => import('../templates/templates-element.js')).catch(() => {});
    }
    this.#isBoardFocused = this.shadowRoot?.activeElement?.localName === 'pa-edit-grid';
  }

  protected override updated(changed: PropertyValues & Map<string, unknown>): void {
    // Without tiles, the board is not rendered and has lost the focus.
    if (this.#isBoardFocused && !this.shadowRoot?.activeElement) this.#focusTools();
    const conflict = this.renderRoot.querySelector('dialog');
    if (conflict && !conflict.open) {
      conflict.showModal();
      // Focus the first button, which keeps both versions.
      conflict.querySelector<HTMLElement>('.buttons button')?.focus();
    }
    if (changed.has('exploring')) this.renderRoot.querySelector('pa-explore')?.scrollIntoView({ block: 'nearest' });
  }

  get #isEmpty(): boolean {
    return this.#workbook.state.status === 'ready' && (this.#workbook.config.widgets ?? []).length === 0;
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
      ${this.#renderDialog()} ${renderConflict(this.#workbook, messages)}`;
  }

  #renderBar(): TemplateResult {
    const { messages } = this.#locale.value;
    const { name, canUndo, canRedo } = this.#workbook;
    return html`<div class="bar">
      <div class="head">
        <div class="title">${heading(this.headingLevel, nothing, name)}</div>
        ${renderSaveState(this.#workbook, messages)}
      </div>
      ${renderTools({
        messages,
        preview: this.preview,
        canUndo,
        canRedo,
        offers: tool => this.#offers(tool),
        onUndo: () => this.#workbook.undo(),
        onRedo: () => this.#workbook.redo(),
        onVersions: () => void this.#open({ kind: 'versions' }),
        onSettings: () => void this.#open({ kind: 'settings' }),
        onPreview: this.#handlePreview,
        onAddControl: () => void this.#open({ kind: 'control' }),
        onAddContainer: () => void this.#open({ kind: 'container' }),
        onAddText: () => void this.#open({ kind: 'text' }),
        onAddChart: this.#handleAddChart,
        onNearChart: preloadExplore,
        onPublish: () => void this.#open({ kind: 'publish' }),
      })}
    </div>`;
  }

  #offers(tool: EditorTool): boolean {
    if (tool === 'settings' && this.source?.settings?.showDashboardSettings === false) return false;
    return !this.restrictions.hiddenTools?.includes(tool);
  }

  #renderControls(): TemplateResult | typeof nothing {
    return renderEditorControls(this.#workbook.config, this.#locale.value.messages, {
      onEdit: widgetId => void this.#open({ kind: 'control', widgetId }),
      onRemove: widget => this.#removeControl(widget),
    });
  }

  #renderDialog(): TemplateResult | typeof nothing {
    if (!this.dialog) return nothing;
    const { messages, locale } = this.#locale.value;
    return html`<pa-editor-dialog
      .dialog=${this.dialog}
      .workbook=${this.#workbook}
      .source=${this.source}
      .messages=${messages}
      .locale=${locale}
      .restricted=${this.restricted}
      .states=${this.renderRoot.querySelector('pa-edit-grid')?.controlStates ?? []}
      .onDone=${this.#handleDone}
      .onPublish=${this.onPublish}
      .onProblem=${this.#handleProblem}
      .onClose=${this.#handleDialogClosed}
    ></pa-editor-dialog>`;
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
      return html`<div class="panel empty">
        ${notice(messages.emptyBoard, add)}
        <pa-templates
          .source=${this.source}
          .messages=${messages}
          .restrictions=${this.restrictions}
          .onChoose=${this.#handleTemplate}
        ></pa-templates>
      </div>`;
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

  readonly #handleChange = (config: DashboardConfig): void => {
    this.problem = null;
    this.#workbook.change(config);
  };

  readonly #handleEdit = (widget: DashboardWidget): void => {
    const { id, type, config } = widget;
    this.problem = null;
    if (isContainer(widget)) void this.#open({ kind: 'container', widgetId: id });
    if (type === 'TEXT') void this.#open({ kind: 'text', widgetId: id });
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

  readonly #handlePreview = (width: PreviewWidth): void => {
    this.preview = width;
  };

  async #open(dialog: EditorDialog): Promise<void> {
    if (await this.#load(() => loadDialog(dialog.kind))) this.dialog = dialog;
  }

  /** Announces what a dialog has done. */
  readonly #handleDone = (announcement: string): void => {
    this.announcement = announcement;
  };

  readonly #handleProblem = (problem: Problem): void => {
    this.problem = problem;
    this.onProblem(problem);
  };

  /** Returns the focus to where it was before the dialog. */
  readonly #handleDialogClosed = async (): Promise<void> => {
    const { kind, widgetId = null } = this.dialog ?? {};
    this.dialog = null;
    await this.updateComplete;
    const tool = { versions: 'history', settings: 'sliders' }[String(kind)];
    const place = tool ? `[data-tool="${tool}"]` : `[data-control="${CSS.escape(widgetId ?? '')}"]`;
    const found = this.renderRoot.querySelector<HTMLElement>(place);
    if (found && isVisible(found)) found.focus();
    // In a narrow editor, the menu opened the dialog.
    else if (tool) this.renderRoot.querySelector<HTMLElement>('.tools pa-action-menu')?.focus();
    // The browser returns the focus to the button that opened the dialog.
    else if (kind !== 'publish') await this.#focusTile(widgetId);
  };

  /** Adds the charts of a template, as one step that can be undone. */
  readonly #handleTemplate = async (template: DashboardTemplate): Promise<void> => {
    this.problem = null;
    try {
      await this.#workbook.addTemplate(template);
      void this.updateComplete.then(() => this.#focusTools());
    } catch (error) {
      this.problem = toProblem(error);
      this.onProblem(this.problem);
    }
  };

  #removeControl(widget: DashboardWidget): void {
    this.announcement = this.#locale.value.messages.removed(controlTitle(widget));
    this.#workbook.change(removeControl(this.#workbook.config, widget.id));
    void this.updateComplete.then(() => this.#focusTools());
  }

  /** Stores a changed chart as a new report, so that undo and conflict resolution of the draft include it. */
  readonly #handleSaveChart = async (report: NewReport): Promise<void> => {
    const target = this.exploring;
    try {
      const { reportId } = await this.#workbook.createReport(report);
      const stored = { reportId, title: report.title, meta: report.meta };
      const put = putChart(this.#workbook.config, target?.widgetId ?? null, stored);
      this.#workbook.change(put.config);
      this.#leaveExplore(put.id);
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

  #focusTools(): void {
    const tools = this.renderRoot.querySelectorAll<HTMLElement>('.tools button:not(:disabled)');
    [...tools].find(isVisible)?.focus();
  }

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    if (event.shiftKey) this.#workbook.redo();
    else this.#workbook.undo();
  };
}

register('pa-workbook-editor', PaWorkbookEditor);

declare global {
  interface HTMLElementTagNameMap {
    'pa-workbook-editor': PaWorkbookEditor;
  }
}
