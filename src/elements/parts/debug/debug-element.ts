import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { closestAcross } from '../../../controllers/closest.js';
import type { PaTimingDetail, PaTimingEvent } from '../../../controllers/dashboard-events.js';
import type { SessionSource } from '../../../controllers/session-context.js';
import type { PaErrorDetail, PaErrorEvent } from '../../../controllers/session-events.js';
import { type Finding, findings, type Violation } from './findings.js';

/** Most of each that is remembered. */
const most = 50;

/**
 * What keeps an element from working, in words for whoever builds the page, and what each tile took. It speaks English.
 *
 * @summary The notes of an element's `debug` attribute.
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

  /** The element that is looked at. */
  @property({ attribute: false }) of: HTMLElement | null = null;
  /** Its session. */
  @property({ attribute: false }) source: SessionSource | null = null;

  @state() private violations: readonly Violation[] = [];
  @state() private errors: readonly PaErrorDetail[] = [];
  @state() private timings: ReadonlyMap<string, PaTimingDetail> = new Map();

  #watched: HTMLElement | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.ownerDocument.addEventListener('securitypolicyviolation', this.#handleViolation);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ownerDocument.removeEventListener('securitypolicyviolation', this.#handleViolation);
    this.#watch(null);
  }

  protected override willUpdate(): void {
    this.#watch(this.isConnected ? this.of : null);
  }

  override render(): TemplateResult {
    const found = findings({
      session: this.#session,
      origin: this.ownerDocument.location.origin,
      violations: this.violations,
      errors: this.errors,
      width: this.of?.getBoundingClientRect().width ?? 0,
    });
    const said =
      found.length === 0 ? `nothing wrong so far; the session is ${this.source?.status}` : `${found.length} found`;
    return html`<details open>
      <summary>pa-embed debug: ${said}</summary>
      ${found.length > 0 ? html`<ul>${found.map(renderFinding)}</ul>` : nothing} ${this.#renderTimings()}
    </details>`;
  }

  #renderTimings(): TemplateResult | typeof nothing {
    if (this.timings.size === 0) return nothing;
    const heads = ['Tile', 'queue, ms', 'query, ms', 'draw, ms', 'rows'];
    return html`<table>
      <thead>
        <tr>
          ${heads.map(head => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${[...this.timings].map(
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
    return this.of && closestAcross(this.of, 'pa-session:not(:defined)') ? 'undefined-tag' : null;
  }

  #watch(element: HTMLElement | null): void {
    if (element === this.#watched) return;
    this.#watched?.removeEventListener('pa-error', this.#handleError);
    this.#watched?.removeEventListener('pa-timing', this.#handleTiming);
    this.#watched = element;
    element?.addEventListener('pa-error', this.#handleError);
    element?.addEventListener('pa-timing', this.#handleTiming);
  }

  readonly #handleError = ({ detail }: PaErrorEvent): void => {
    this.errors = [...this.errors, detail].slice(-most);
  };

  readonly #handleTiming = ({ detail }: PaTimingEvent): void => {
    const name = detail.widgetId ?? detail.report ?? 'report';
    this.timings = new Map([...this.timings, [name, detail] as const].slice(-most));
  };

  readonly #handleViolation = (event: SecurityPolicyViolationEvent): void => {
    const blocked = URL.canParse(event.blockedURI) ? new URL(event.blockedURI).origin : event.blockedURI;
    this.violations = [...this.violations, { directive: event.effectiveDirective, blocked }].slice(-most);
  };
}

function renderFinding({ what, advice }: Finding): TemplateResult {
  return html`<li>${what}${advice ? html`<br />${advice}` : nothing}</li>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-debug': PaDebug;
  }
}
