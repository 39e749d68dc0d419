import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { AppContext, AppStopReason } from '../../../contract/app-bridge.js';
import type { Dashboard, ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { AppBridge, findFrameUrl } from '../../../controllers/dashboard/app-bridge.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import { reportSourceOf } from '../../../controllers/report/report-source.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { loadReport } from '../../../report/query/load-report.js';
import { isSameRequest, type ReportRequest } from '../../../report/query/report-request.js';
import { defineCatalog, viewerTranslations } from '../../messages/define-catalog.js';
import type { Notice } from '../../messages/message-format.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { chartStyles, probeColors } from '../../parts/chart/chart.styles.js';
import { readTheme } from '../../parts/chart/read-theme.js';
import { notice } from '../../parts/notice.js';
import { noticeStyles } from '../../parts/notice.styles.js';
import { register } from '../../register.js';
import { appMessages } from './app-messages.js';

const appCatalog = defineCatalog(appMessages, viewerTranslations('app'));

/** Time limit for the frame to start the app, in ms. */
const startTimeoutMs = 15_000;

/** Requests of the reports of a dashboard with the filters of its viewer, by `reportId`. */
export type AppRequests = ReadonlyMap<number, ReportRequest | null>;

/** Reason why the app is not shown. */
type AppFailure =
  | { readonly type: 'blocked' | 'silent' }
  | { readonly type: 'stopped'; readonly reason: AppStopReason };

/**
 * Shows a dashboard of kind APP in a frame of the platform with an opaque origin. Through messages, the app can load
 * only the reports of the dashboard.
 *
 * @summary The app of a dashboard, inside `<pa-dashboard>`.
 * @tagname pa-app
 * @csspart app - The frame of the app.
 * @csspart notice - Message shown instead of the app.
 */
export class PaApp extends LitElement {
  static override styles = [
    noticeStyles,
    chartStyles,
    css`
      .frame {
        display: block;
        inline-size: 100%;
        block-size: var(--_app-height, var(--pa-app-height, 600px));
        border: 0;
      }
      .panel {
        padding: 32px 16px;
        border: var(--_tile-border);
        border-radius: var(--_radius);
        background: var(--_surface);
      }
    `,
  ];

  readonly #page = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, appCatalog, () => this.#page.value.locale);

  @property({ attribute: false }) dashboard: Dashboard | null = null;
  /** The session; `null` until the filters are known. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Requests of the reports. When they change, the app is notified that rows may have changed. */
  @property({
    attribute: false,
    hasChanged: (next: AppRequests, last: AppRequests | undefined) => !isSameRequests(next, last),
  })
  requests: AppRequests = new Map();
  /** Name of the app. */
  @property({ attribute: false }) label = '';

  /** URL of the frame; `null` until it is known. */
  @state() private url: string | null = null;
  @state() private failure: AppFailure | null = null;
  /** Number of starts. Each start needs a new frame. */
  @state() private starts = 0;

  #bridge: AppBridge | null = null;
  #isStarting: ReturnType<typeof setTimeout> | null = null;
  #revision = 0;
  /** The context of the last message, serialized. */
  #sent = '';

  override connectedCallback(): void {
    super.connectedCallback();
    this.ownerDocument.addEventListener('securitypolicyviolation', this.#handleViolation);
    this.#restart();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ownerDocument.removeEventListener('securitypolicyviolation', this.#handleViolation);
    this.#end();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('dashboard') || changed.has('source')) this.#restart();
    if (changed.has('requests')) this.#revision += 1;
  }

  protected override updated(): void {
    if (this.#bridge) this.#update();
  }

  override render(): TemplateResult {
    return html`<div class="probe" aria-hidden="true" @transitionend=${this.#handleRestyle}>
        ${Array.from({ length: probeColors }, () => html`<i></i>`)}
      </div>
      ${this.failure ? this.#renderFailure(this.failure) : this.#renderFrame()}`;
  }

  #renderFrame(): unknown {
    if (this.url === null) return nothing;
    return keyed(
      this.starts,
      html`<iframe
        part="app"
        class="frame"
        sandbox="allow-scripts"
        referrerpolicy="no-referrer"
        title=${this.label}
        src=${this.url}
        @load=${this.#handleLoad}
      ></iframe>`,
    );
  }

  #renderFailure(failure: AppFailure): TemplateResult {
    const action = { label: this.#locale.value.messages.restart, run: () => this.#restart() };
    return html`<div class="panel" role="alert">${notice(this.#noticeOf(failure), action)}</div>`;
  }

  #noticeOf(failure: AppFailure): Notice {
    const { messages } = this.#locale.value;
    if (failure.type === 'stopped') return messages.stopped[failure.reason];
    if (failure.type === 'silent') return messages.silent(this.ownerDocument.defaultView?.origin ?? '');
    return messages.blocked(this.url ?? '');
  }

  #end(): void {
    this.#bridge?.close();
    this.#bridge = null;
    if (this.#isStarting !== null) clearTimeout(this.#isStarting);
    this.#isStarting = null;
  }

  /** Starts the app in a new frame. */
  #restart(): void {
    this.#end();
    this.failure = null;
    this.url = null;
    this.starts += 1;
    this.style.removeProperty('--_app-height');
    if (!this.source || !this.isConnected) return;
    this.#isStarting = setTimeout(() => this.#fail({ type: 'silent' }), startTimeoutMs);
    void this.#findUrl();
  }

  async #findUrl(): Promise<void> {
    const { source } = this;
    try {
      const url = source && (await findFrameUrl(source));
      if (source === this.source) this.url = url;
    } catch {
      // The session has ended, and the enclosing element shows the reason.
      this.url = null;
    }
  }

  #fail(failure: AppFailure): void {
    this.#end();
    this.failure = failure;
  }

  readonly #handleLoad = ({ target }: Event): void => {
    const { dashboard, source } = this;
    const frame = target instanceof HTMLIFrameElement ? target.contentWindow : null;
    if (!frame || !dashboard || !source || this.#bridge) return;
    const context = this.#context();
    this.#sent = JSON.stringify(context);
    this.#bridge = new AppBridge(frame, context, {
      dashboard,
      load: (snapshot, signal) => this.#load(source, snapshot, signal),
      onReady: () => {
        if (this.#isStarting !== null) clearTimeout(this.#isStarting);
        this.#isStarting = null;
      },
      onHeight: height => this.style.setProperty('--_app-height', `${height}px`),
      onStop: reason => this.#fail({ type: 'stopped', reason }),
    });
  };

  async #load(source: SessionSource, { reportId }: ReportSnapshot, signal: AbortSignal): Promise<RowSet> {
    const request = this.requests.get(reportId);
    if (!request) return { columns: [], rows: [], truncated: false, lastRefreshTime: null };
    return (await loadReport(reportSourceOf(source, signal), request)).rowSet;
  }

  #update(): void {
    const context = this.#context();
    const text = JSON.stringify(context);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#bridge?.update(context);
  }

  #context(): AppContext {
    const probe = this.renderRoot.querySelector('.probe') ?? this;
    return {
      locale: this.#page.value.locale,
      direction: getComputedStyle(this).direction === 'rtl' ? 'rtl' : 'ltr',
      theme: readTheme(probe),
      revision: this.#revision,
    };
  }

  /** Sends the changed colors to the app. */
  readonly #handleRestyle = (): void => this.#update();

  readonly #handleViolation = ({ disposition, effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    if (disposition === 'report' || effectiveDirective !== 'frame-src' || this.url === null) return;
    const isOurs = URL.canParse(blockedURI) && new URL(blockedURI).origin === new URL(this.url).origin;
    if (isOurs) this.#fail({ type: 'blocked' });
  };
}

function isSameRequests(a: AppRequests, b: AppRequests | undefined): boolean {
  return a.size === b?.size && [...a].every(([report, request]) => isSameRequest(request, b.get(report) ?? null));
}

register('pa-app', PaApp);

declare global {
  interface HTMLElementTagNameMap {
    'pa-app': PaApp;
  }
}
