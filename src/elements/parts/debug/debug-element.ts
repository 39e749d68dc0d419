import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { closestAcross } from '../../../controllers/closest.js';
import type { DebugLog } from '../../../controllers/dashboard/debug-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { PaErrorEvent } from '../../../controllers/session/session-events.js';
import { register } from '../../register.js';
import { chartFindings, type Finding, findings } from './findings.js';

/** Events after which charts may show other rows. */
const renderEvents = ['pa-load', 'pa-timing'];

/**
 * Lists the problems that keep an element from working, for developers of the page, and the timing of each tile.
 * English only.
 *
 * @summary The output of an element's `debug` attribute.
 * @tagname pa-debug
 */
export class PaDebug extends LitElement {
  static override styles = css`
    :host {
      display: block;
      margin-block-start: 16px;
      padding: 12px 16px;
      border: 1px dashed var(--_control);
      border-radius: var(--_radius);
      background: var(--_surface);
      color: var(--_text);
      font: 400 13px/1.5 var(--_font);
    }
    ul {
      margin: 8px 0;
      padding-inline-start: 20px;
    }
    table {
      border-spacing: 0;
      font-variant-numeric: tabular-nums;
    }
    th,
    td {
      padding: 2px 12px 2px 0;
      text-align: start;
      font-weight: 400;
    }
    thead th {
      color: var(--_muted);
    }
  `;

  /** The inspected element. */
  @property({ attribute: false }) of: HTMLElement | null = null;
  /** Events and errors recorded for the element. */
  @property({ attribute: false }) log: DebugLog | null = null;
  /** The session of the element. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Whether `export-url` is set, but downloads are restricted. */
  @property({ attribute: false }) exportsRestricted = false;

  @state() private charts: readonly Finding[] = [];

  #unsubscribe: (() => void) | null = null;
  #watched: HTMLElement | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listen();
    this.#watchCharts(this.of);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#watchCharts(null);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('of') && this.isConnected) this.#watchCharts(this.of);
    if (changed.has('source') && this.isConnected) this.#listen();
  }

  /**
   * Subscribes to the session, because errors of an enclosing `<pa-session>` are dispatched on it and do not reach this
   * element.
   */
  #listen(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = this.source?.subscribe(() => this.requestUpdate()) ?? null;
  }

  /** Checks the charts of an element now, and after each render. */
  #watchCharts(element: HTMLElement | null): void {
    for (const event of renderEvents) {
      this.#watched?.removeEventListener(event, this.#checkCharts);
      element?.addEventListener(event, this.#checkCharts);
    }
    this.#watched = element;
    if (element) this.#checkCharts();
  }

  readonly #checkCharts = (): void => {
    const element = this.#watched;
    if (!element) return;
    void chartFindings(element).then(found => {
      if (element === this.#watched) this.charts = found;
    });
  };

  override render(): TemplateResult {
    const known = findings({
      session: this.#session,
      sessionError: this.source?.error ? new PaErrorEvent(this.source.error).detail : null,
      origin: this.ownerDocument.location.origin,
      violations: this.log?.violations ?? [],
      errors: this.log?.errors ?? [],
      width: this.of?.getBoundingClientRect().width ?? 0,
      areExportsRestricted: this.exportsRestricted,
    });
    const found = [...known, ...this.charts];
    const summary =
      found.length === 0
        ? `no problems found; session status: ${this.source?.status ?? 'none'}`
        : `problems found: ${found.length}`;
    return html`<details open>
      <summary>pa-embed debug: ${summary}</summary>
      ${found.length > 0 ? html`<ul>${found.map(renderFinding)}</ul>` : nothing} ${this.#renderTimings()}
    </details>`;
  }

  #renderTimings(): TemplateResult | typeof nothing {
    const timings = this.log?.timings;
    if (!timings?.size) return nothing;
    const heads = ['Tile', 'queue, ms', 'query, ms', 'draw, ms', 'rows'];
    return html`<table>
      <thead>
        <tr>
          ${heads.map(head => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${[...timings].map(
          ([name, { queue, query, draw, rows }]) => html`<tr>
            <th scope="row">${name}</th>
            ${[queue, query, draw, rows].map(figure => html`<td>${Math.round(figure)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  get #session(): string | null {
    if (this.source) return this.source.status;
    const around = this.of && closestAcross(this.of, 'pa-session');
    if (!around) return null;
    return around.matches(':defined') ? 'unnamed' : 'undefined-tag';
  }
}

function renderFinding({ what, advice }: Finding): TemplateResult {
  return html`<li>${what}${advice ? html`<br />${advice}` : nothing}</li>`;
}

register('pa-debug', PaDebug);

declare global {
  interface HTMLElementTagNameMap {
    'pa-debug': PaDebug;
  }
}
