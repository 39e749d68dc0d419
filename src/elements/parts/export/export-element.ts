import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ExportFailure } from '../../../contract/dashboard-exports.js';
import { PaDownloadEvent } from '../../../controllers/dashboard/dashboard-events.js';
import {
  ExportController,
  type ExportJob,
  type ExportStart,
  exportFromHost,
} from '../../../controllers/exports/export-controller.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import type { Problem } from '../../../controllers/problem.js';
import { fileName } from '../../../report/format/file-name.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { focusByKey } from '../focus-by-key.js';
import { menuStyles } from '../menu/menu.styles.js';
import { menuCatalog } from '../menu/menu-catalog.js';
import type { MenuMessages } from '../menu/menu-messages.js';
import { placeMenu } from '../menu/menu-position.js';
import { nextItem } from '../menu/next-item.js';
import { problemDetails } from '../notice.js';
import { retryLoad } from '../retry-load.js';
import { saveFile } from '../save-file.js';
import { controls } from '../tokens.styles.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { exportStyles } from './export.styles.js';
import { type ExportRequest, type ExportTarget, exportBody } from './export-target.js';

const items = ['downloadPng', 'downloadPdf', 'downloadXlsx', 'copyImage'] as const;
/** Items that the page can export without the host's server. */
const pageItems: (typeof items)[number][] = items.filter(item => item !== 'downloadPdf');
const formats = { downloadPng: 'png', downloadPdf: 'pdf', downloadXlsx: 'xlsx', copyImage: 'png' } as const;

/** Returns the translated reason of a failed export; `null` if its code has none. */
function exportFailure({ kind, status, code }: Problem, messages: MenuMessages): string | null {
  if (kind === 'denied') return messages.exportDenied;
  if (status === 429) return messages.exportBusy;
  return messages.exportFailures[code as ExportFailure] ?? null;
}

/** Creates a file on the host's server or in the page. */
async function makeFile(
  target: ExportTarget,
  request: ExportRequest,
  options: Parameters<ExportStart['make']>[0],
): Promise<Blob> {
  const { url } = target;
  if (url !== null) return exportFromHost({ url, body: exportBody(target, request), ...options });
  const page = target.page();
  const { format } = request;
  if (!page || (format !== 'png' && format !== 'xlsx')) throw new TypeError(`This page cannot create ${format} files.`);
  const { dashboardFile } = await retryLoad(() => import('../image/dashboard-file.js'));
  options.signal.throwIfAborted();
  return dashboardFile(page, { ...options, format, shown: target });
}

/**
 * The menu that exports a dashboard, and the list of running exports with their progress. A failed export stays in the
 * list with its reason.
 *
 * @summary The exports of a dashboard or report.
 * @tagname pa-export
 * @csspart export-button - The button that opens the menu.
 * @csspart menu - The menu.
 * @csspart menu-item - A menu item.
 * @csspart exports - The list of running and failed exports.
 */
export class PaExport extends LitElement {
  static override styles = [controls, visuallyHiddenStyles, menuStyles, exportStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, menuCatalog, () => this.#outer.value.locale);
  readonly #exports = new ExportController(this);

  /** The content to export; `null` if nothing can be exported. */
  @property({ attribute: false }) target: ExportTarget | null = null;
  /** Whether to show the menu of a dashboard. */
  @property({ type: Boolean }) menu = false;

  @state() private opened = false;
  @state() private announcement = '';

  protected override updated(_changed: PropertyValues<this>): void {
    const list = this.renderRoot.querySelector<HTMLElement>('.jobs');
    const isOpen = list?.matches(':popover-open') ?? false;
    if (list && isOpen !== this.#exports.jobs.length > 0) list.togglePopover();
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    return html`${this.menu && this.target ? this.#renderMenu(messages) : nothing}
      <div part="exports" class="jobs" popover="manual" role="group" aria-label=${messages.exports}>
        ${this.#exports.jobs.map(job => this.#renderJob(job, messages))}
      </div>
      <div class="unseen" role="status">${this.announcement}</div>`;
  }

  /** Starts an export unless a listener cancels `pa-download`. Call it during a click, so that images can be copied. */
  async start(request: ExportRequest): Promise<void> {
    const { target } = this;
    if (!target) return;
    const { format, use, widgetId, report, title, rows } = request;
    const name = use === 'copy' ? '' : `${fileName(title, 'dashboard')}.${format}`;
    const detail = { widgetId, report, format: use === 'copy' ? use : format, fileName: name, rows };
    if (!target.fire(new PaDownloadEvent(detail))) return;
    this.announcement = this.#locale.value.messages.exporting(title, format.toUpperCase());
    const file = this.#exports.run({ title, format, make: options => makeFile(target, request, options) });
    if (use === 'copy') {
      await this.#copy(file);
      return;
    }
    const content = await file;
    if (!content) return;
    saveFile(name, content);
    this.announcement = this.#locale.value.messages.exported(title);
  }

  /**
   * Copies an image that is still being created, because browsers require that writing to the clipboard starts during
   * the click.
   */
  async #copy(file: Promise<Blob | null>): Promise<void> {
    const png = file.then(content => content ?? Promise.reject(new Error('The image could not be created.')));
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
      this.announcement = this.#locale.value.messages.imageCopied;
    } catch {
      // If the export failed, the list shows the reason.
      if (await file) this.announcement = this.#locale.value.messages.copyFailed;
    }
  }

  #renderMenu(messages: MenuMessages): TemplateResult {
    return html`<button
        part="export-button"
        class="open"
        type="button"
        aria-haspopup="menu"
        aria-expanded=${this.opened ? 'true' : 'false'}
        popovertarget="menu"
      >
        ${messages.export}
      </button>
      <div
        id="menu"
        part="menu"
        popover="auto"
        role="menu"
        aria-label=${messages.export}
        @keydown=${this.#handleKey}
        @toggle=${this.#handleToggle}
      >
        ${(this.target?.url ? items : pageItems).map(
          item => html`<button
            part="menu-item"
            type="button"
            role="menuitem"
            tabindex="-1"
            @click=${() => this.#choose(item)}
          >
            ${messages[item]}
          </button>`,
        )}
      </div>`;
  }

  #renderJob({ id, title, format, progress, problem }: ExportJob, messages: MenuMessages): TemplateResult {
    const name = messages.exporting(title, format.toUpperCase());
    const end = () => this.#exports.end(id);
    if (!problem) {
      return html`<div class="job">
        <p aria-hidden="true">${name}</p>
        <button type="button" aria-label=${`${messages.cancel}: ${name}`} @click=${end}>${messages.cancel}</button>
        <progress max="1" .value=${progress} aria-label=${name}></progress>
      </div>`;
    }
    const reason = exportFailure(problem, messages);
    return html`<div class="job">
      <p>${name}</p>
      <button type="button" aria-label=${`${messages.dismiss}: ${name}`} @click=${end}>${messages.dismiss}</button>
      <p class="reason" role="alert">${reason ?? this.#reasonOf(problem, messages)}</p>
      ${problemDetails(reason === null ? problem : { ...problem, message: '' }, this.#outer.value.messages)}
    </div>`;
  }

  #reasonOf({ kind }: Problem, messages: MenuMessages): string {
    if (kind === 'failed' || kind === 'rejected') return messages.exportFailed;
    return this.#outer.value.messages.problems[kind][0];
  }

  #choose(item: (typeof items)[number]): void {
    const title = this.target?.title ?? '';
    const use = item === 'copyImage' ? 'copy' : 'download';
    this.#menu?.hidePopover();
    void this.start({ format: formats[item], use, widgetId: null, report: null, title, rows: 0 });
  }

  readonly #handleToggle = ({ newState }: ToggleEvent): void => {
    this.opened = newState === 'open';
    const button = this.renderRoot.querySelector('.open');
    if (!this.opened || !this.#menu || !button) return;
    placeMenu(this.#menu, button.getBoundingClientRect(), 'end');
    this.#items[0]?.focus();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') this.#menu?.hidePopover();
    const labels = this.#items.map(item => item.textContent ?? '');
    const next = nextItem(
      event,
      labels,
      this.#items.findIndex(item => item.matches(':focus')),
    );
    if (next === null) return;
    event.preventDefault();
    focusByKey(this.#items[next]);
  };

  get #menu(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('#menu');
  }

  get #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }
}

register('pa-export', PaExport);

declare global {
  interface HTMLElementTagNameMap {
    'pa-export': PaExport;
  }
}
