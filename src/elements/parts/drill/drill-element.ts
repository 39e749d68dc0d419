import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { LoadController, loadedValue } from '../../../controllers/load-controller.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import { chunkProblem, type Problem } from '../../../controllers/problem.js';
import { ReportController } from '../../../controllers/report/report-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { Pick } from '../../../report/marks/mark.js';
import type { ReportData } from '../../../report/query/report-data.js';
import type { ReportRequest } from '../../../report/query/report-request.js';
import { dashboardTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { copyRows, downloadCsv, type ExportSource } from '../menu/export-data.js';
import { notice, problemNotice } from '../notice.js';
import { noticeStyles } from '../notice.styles.js';
import { skeleton, skeletonStyles } from '../skeleton.js';
import { loadPart, renderPart } from '../tile/tile-body.js';
import { type DrillSubject, dispatchCopyEvent, type TileContext } from '../tile/tile-host.js';
import { controls } from '../tokens.styles.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { drillStyles } from './drill.styles.js';
import { drillMessages } from './drill-messages.js';
import { type DrillStep, dispatchDrillEvent, drillStep } from './drill-step.js';

const drillCatalog = defineCatalog(drillMessages, dashboardTranslations('drill'));

const noOrigins: readonly string[] = [];
const maxSteps = 20;

/**
 * Shows the rows behind a mark as a table, in a modal dialog. The viewer can drill further into its numbers and go back
 * step by step.
 *
 * @summary The rows behind a mark of a tile.
 * @tagname pa-drill
 * @csspart dialog - The dialog.
 * @csspart dialog-title - The heading.
 * @csspart button - A button.
 * @csspart table - The table of rows.
 * @csspart notice - Message shown instead of the table.
 * @csspart skeleton - The placeholder while rows load.
 */
export class PaDrill extends LitElement {
  static override styles = [controls, noticeStyles, skeletonStyles, visuallyHiddenStyles, drillStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, drillCatalog, () => this.#outer.value.locale);
  readonly #report = new ReportController(this, {
    source: () => this.context?.source ?? null,
    request: () => this.steps.at(-1)?.request ?? null,
  });
  /** Counts the rows of a truncated result. If that fails, their number stays unknown. */
  readonly #total = new LoadController<ReportRequest, number | null>(this, {
    source: () => this.context?.source ?? null,
    key: () => (loadedValue(this.#report.state)?.rowSet.truncated ? (this.steps.at(-1)?.request ?? null) : null),
    load: countRows,
  });

  /** The tile that contains the mark. */
  @property({ attribute: false }) context: TileContext | null = null;
  /** Content of the dialog. */
  @property({ attribute: false }) subject: DrillSubject | null = null;
  /** Called when the dialog is closed. */
  @property({ attribute: false }) onClose: () => void = () => {};

  /** The path from the tile to the current rows. */
  @state() private steps: readonly DrillStep[] = [];
  @state() private isRendered = false;
  @state() private problem: Problem | null = null;
  @state() private announcement = '';

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('subject') || !this.context || this.subject?.type !== 'rows') return;
    const { request, data, snapshot } = this.context;
    const ground = request && data && { request, rowSet: data.rowSet, snapshot };
    const step = ground && drillStep(ground, this.subject.mark, this.#outer.value.locale);
    this.steps = step ? [step] : [];
  }

  protected override firstUpdated(): void {
    loadPart('table').catch(() => {
      this.problem = chunkProblem();
    });
    const dialog = this.renderRoot.querySelector('dialog');
    dialog?.showModal();
    this.#focusTitle();
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    const { subject } = this;
    const title = subject?.type === 'dashboard' ? subject.label : this.steps.at(-1)?.title;
    return html`<dialog part="dialog" aria-labelledby="title" @close=${this.#handleClose} @keydown=${this.#handleKey}>
      <div class="head">
        <div class="title">
          ${this.#renderPath()}
          <div id="title" part="dialog-title" role="heading" aria-level=${this.#level} tabindex="-1">
            ${title || messages.rowsBehind}
          </div>
          ${this.#renderCount()}
        </div>
        <div class="actions">
          ${this.#renderExports()}
          <button part="button" type="button" @click=${this.#close}>${messages.close}</button>
        </div>
      </div>
      <div class="body" aria-busy=${this.#isLoading ? 'true' : nothing}>${this.#renderBody()}</div>
      <div class="unseen" role="status">${this.#isLoading ? messages.loading : this.announcement}</div>
    </dialog>`;
  }

  #renderPath(): unknown {
    const above = this.steps.slice(0, -1);
    if (above.length === 0) return nothing;
    return html`<nav aria-label=${this.#locale.value.messages.path}>
      <ol>
        ${above.map(
          ({ title }, index) =>
            html`<li>
              <button part="button" type="button" @click=${() => this.#goBack(index)}>
                ${title || this.#locale.value.messages.rowsBehind}
              </button>
            </li>`,
        )}
      </ol>
    </nav>`;
  }

  #renderCount(): unknown {
    const rowSet = loadedValue(this.#report.state)?.rowSet;
    if (!rowSet) return nothing;
    const { locale, messages } = this.#locale.value;
    const { length } = rowSet.rows;
    const { format } = new Intl.NumberFormat(locale);
    const total = loadedValue(this.#total.state) ?? 0;
    if (!rowSet.truncated) return html`<p>${messages.rowCount(length)}</p>`;
    return html`<p>
      ${total > length ? this.#outer.value.messages.firstRowsOf(format(length), format(total)) : messages.firstRows(format(length))}
    </p>`;
  }

  /** Renders the buttons that export rows, unless downloads are restricted. */
  #renderExports(): unknown {
    const rows = loadedValue(this.#report.state)?.rowSet.rows.length ?? 0;
    if (rows === 0 || this.context?.host.restricted !== false) return nothing;
    const { messages } = this.#locale.value;
    return html`<button part="button" type="button" @click=${this.#handleDownload}>${messages.downloadCsv}</button>
      <button part="button" type="button" @click=${this.#handleCopy}>${messages.copy}</button>`;
  }

  #renderBody(): unknown {
    const { messages } = this.#locale.value;
    if (this.subject?.type === 'dashboard') return message(notice(messages.cannotOpen(this.subject.label)));
    const { state } = this.#report;
    const problem = this.problem ?? (state.status === 'failed' ? state.problem : null);
    if (problem) return message(problemNotice(problem, this.#outer.value.messages, this.#handleRetry));
    const data = loadedValue(state);
    if (data?.rowSet.rows.length === 0) return message(notice(messages.empty));
    return html`${this.isRendered ? nothing : skeleton('rows')} ${data ? this.#renderTable(data) : nothing}`;
  }

  #renderTable(data: ReportData): unknown {
    const step = this.steps.at(-1);
    if (!step) return nothing;
    return renderPart('table', {
      content: { type: 'report', snapshot: step.snapshot },
      data,
      label: step.title,
      level: this.#level + 1,
      selected: [],
      restricted: this.context?.host.restricted !== false,
      imageOrigins: this.context?.host.imageOrigins ?? noOrigins,
      onRendered: this.#handleDrawn,
      onFailed: this.#handleFailed,
      onDownsampled: () => {},
      onPick: this.#handlePick,
      onBrush: null,
      onCopy: this.#handleCopyCells,
    });
  }

  readonly #handleCopyCells = (rows: number): boolean => this.context !== null && dispatchCopyEvent(this.context, rows);

  /** Drills further into a number of the table. */
  readonly #handlePick = ({ mark }: Pick): void => {
    const { context } = this;
    const [step, data] = [this.steps.at(-1), loadedValue(this.#report.state)];
    if (!context || !step || !data || this.steps.length >= maxSteps) return;
    const ground = { request: data.request ?? step.request, rowSet: data.rowSet, snapshot: null };
    const next = drillStep(ground, mark, this.#outer.value.locale);
    if (next && dispatchDrillEvent(context, mark, next)) this.#go([...this.steps, next]);
  };

  #goBack(index: number): void {
    this.#go(this.steps.slice(0, index + 1));
  }

  /** Shows other steps. Moves the focus to the heading, because the clicked button may have been removed. */
  #go(steps: readonly DrillStep[]): void {
    this.steps = steps;
    this.isRendered = false;
    this.problem = null;
    void this.updateComplete.then(() => this.#focusTitle());
  }

  readonly #handleDrawn = (): void => {
    this.isRendered = true;
  };

  readonly #handleFailed = (problem: Problem): void => {
    this.problem = problem;
  };

  readonly #handleRetry = (): void => {
    this.problem = null;
    this.#focusTitle();
    loadPart('table').catch(() => this.#handleFailed(chunkProblem()));
    void this.#report.reload();
  };

  readonly #handleDownload = (): void => {
    const source = this.#exportSource();
    if (source) downloadCsv(source);
  };

  readonly #handleCopy = async (): Promise<void> => {
    const source = this.#exportSource();
    const result = source && (await copyRows(source));
    const { copied, copyFailed } = this.#locale.value.messages;
    if (result && result !== 'prevented') this.announcement = result === 'done' ? copied : copyFailed;
  };

  #exportSource(): ExportSource | null {
    const rowSet = loadedValue(this.#report.state)?.rowSet;
    return this.context && rowSet ? { ...this.context, title: this.steps.at(-1)?.title ?? '', rowSet } : null;
  }

  /** Keeps key events in the dialog, so that Escape closes only the dialog. */
  #handleKey(event: KeyboardEvent): void {
    event.stopPropagation();
  }

  readonly #close = (): void => {
    this.renderRoot.querySelector('dialog')?.close();
  };

  readonly #handleClose = (): void => this.onClose();

  #focusTitle(): void {
    this.renderRoot.querySelector<HTMLElement>('#title')?.focus();
  }

  /** Level of the heading: one below that of the tile, because the dialog is inside the tile. */
  get #level(): number {
    return Math.min(6, (this.context?.level ?? 1) + 1);
  }

  get #isLoading(): boolean {
    return this.#report.state.status === 'loading';
  }
}

async function countRows(source: SessionSource, request: ReportRequest, signal: AbortSignal): Promise<number | null> {
  if (request.kind === 'sql') return null;
  const { total } = await source.load({ ...request.query, limit: 1, total: true }, { signal });
  return total ?? null;
}

function message(content: TemplateResult): TemplateResult {
  return html`<div class="message">${content}</div>`;
}

register('pa-drill', PaDrill);

declare global {
  interface HTMLElementTagNameMap {
    'pa-drill': PaDrill;
  }
}
