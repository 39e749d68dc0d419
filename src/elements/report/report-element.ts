import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import { DashboardController } from '../../controllers/dashboard-controller.js';
import { loadedValue } from '../../controllers/load-controller.js';
import { LocaleController } from '../../controllers/locale-controller.js';
import { NearController } from '../../controllers/near-controller.js';
import { PreferencesController } from '../../controllers/preferences-controller.js';
import type { Problem } from '../../controllers/problem.js';
import { SessionController } from '../../controllers/session-controller.js';
import { PaErrorEvent } from '../../controllers/session-events.js';
import type { Choice } from '../../report/controls.js';
import { findSnapshot, snapshotTitle } from '../dashboard/widgets.js';
import { catalog } from '../messages/catalog.js';
import { problemNotice } from '../parts/notice.js';
import { noticeStyles } from '../parts/notice.styles.js';
import { isBlank, sessionNotice } from '../parts/session-notice.js';
import { skeleton, skeletonStyles } from '../parts/skeleton.js';
import { bringTiles } from '../parts/tile/bring-tiles.js';
import '../parts/tile/pa-tile.js';
import { type PaTile, tileParts } from '../parts/tile/tile-element.js';
import type { TileContent } from '../parts/tile/tile-view.js';
import { controls, tokens } from '../parts/tokens.styles.js';
import { reportStyles } from './report.styles.js';

/**
 * One report of a published dashboard, or the one in its `snapshot` property. Its session comes from the nearest
 * `<pa-session>`, or from its own `session-url` (or `session`) and `base-url`.
 *
 * @summary Draws one report.
 * @tagname pa-report
 *
 * @fires {PaErrorEvent} pa-error - The report could not be loaded or drawn.
 * @fires {PaSessionReadyEvent} pa-session-ready - The element's own session is ready.
 * @fires {PaSessionExpiringEvent} pa-session-expiring - The element's own session nears its end and is being renewed.
 * @fires {PaSessionExpiredEvent} pa-session-expired - The element's own session ran out or was refused.
 *
 * @csspart tile - The frame.
 * @csspart header - Heading and marks.
 * @csspart heading - The heading.
 * @csspart body - Everything below the heading.
 * @csspart mark - A mark beside the heading.
 * @csspart notice - A message in the place of content.
 * @csspart wait - What stands over a tile whose query takes long.
 * @csspart button - A button of a message.
 * @csspart skeleton - What stands in the place of content on its way.
 * @csspart chart - A chart.
 * @csspart tooltip - The tooltip of a chart.
 * @csspart table - A table.
 * @csspart figure - The figure of a KPI.
 * @csspart figure-label - What the figure counts.
 *
 * @cssproperty --pa-report-height - Height of a report that its host gives none (360px). Colours and type as `<pa-dashboard>`.
 */
export class PaReport extends LitElement {
  static override styles = [tokens, controls, noticeStyles, skeletonStyles, reportStyles];

  readonly #session = new SessionController(this);
  readonly #preferences = new PreferencesController(this, {
    own: () => ({ locale: this.locale, timezone: this.timezone }),
    source: () => this.#session.source,
  });
  readonly #dashboard = new DashboardController(this, {
    source: () => this.#session.source,
    publicId: () => (this.snapshot ? '' : this.dashboard),
    onProblem: problem => this.#handleProblem(problem),
  });
  readonly #locale = new LocaleController(this, catalog, () => this.#preferences.locale);
  readonly #near = new NearController<PaTile>(this, (onScreen, nextToIt) => void bringTiles(onScreen, nextToIt));

  /** Public id of the dashboard that the report was published with. */
  @property() dashboard = '';
  /** Number or public id of the report. */
  @property() report = '';
  /** In the place of `dashboard` and `report`: the report itself, as published. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Where the host's own server mints a session, where no `<pa-session>` stands around the element. */
  @property({ attribute: 'session-url' }) sessionUrl: string | null = null;
  /** In the place of `session-url`: a function that returns a session id. */
  @property({ attribute: false }) session: (() => Promise<string>) | null = null;
  /** Address of the platform, beside `session-url` or `session`. */
  @property({ attribute: 'base-url' }) baseUrl: string | null = null;
  /** Path of the Data API below the deployment's address (`/data-api`). */
  @property({ attribute: 'data-api-path' }) dataApiPath: string | null = null;
  /** Words of the service: `neutral`, or `cube` for the public service of that name. */
  @property() dialect: 'neutral' | 'cube' | null = null;
  /** Language (BCP 47): before that of the `<pa-session>` around, the session's setting and the nearest `lang`. */
  @property() locale: string | null = null;
  /** IANA time zone that its query reads and groups dates in: before that of the `<pa-session>` around, the session's setting and the report's. */
  @property() timezone: string | null = null;
  /** Level of the report's heading, 1 to 6. */
  @property({ attribute: 'heading-level', type: Number }) headingLevel = 3;

  #content: TileContent | null = null;
  #choices: readonly Choice[] = [];

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#updateChoices();
    const dashboard = loadedValue(this.#dashboard.state);
    const found = this.snapshot ?? (dashboard ? findSnapshot(dashboard, this.report) : undefined);
    if (found === undefined) this.#content = null;
    else if (!this.#content || changed.has('report') || found !== snapshotOf(this.#content)) {
      this.#content = { type: 'report', snapshot: found };
    }
  }

  #updateChoices(): void {
    const { timezone } = this.#preferences;
    const next: readonly Choice[] = timezone === null ? [] : [{ kind: 'timezone', value: timezone }];
    // A tile asks again for another list.
    if (JSON.stringify(next) !== JSON.stringify(this.#choices)) this.#choices = next;
  }

  protected override updated(): void {
    const tile = this.#tile;
    this.#near.watch(tile && !tile.wanted ? [tile] : []);
  }

  /** Queries and draws the report even if it is far away; resolves when it has come to rest: drawn, empty, stopped or failed. */
  async loadAll(): Promise<void> {
    if (!this.snapshot) await this.#dashboard.settled();
    await this.updateComplete;
    const tile = this.#tile;
    if (!tile) return;
    tile.wanted = true;
    await tile.settled;
  }

  /** Queries again; what is there stays until the new rows come. */
  async refresh(): Promise<void> {
    await this.#tile?.reload();
  }

  override render(): TemplateResult {
    const source = this.#session.source;
    return html`<div class=${isBlank(source) ? 'frame blank' : 'frame'} dir=${this.#locale.dir ?? nothing}>
      ${this.#renderContent()}
    </div>`;
  }

  #renderContent(): unknown {
    const { messages } = this.#locale.value;
    const session = sessionNotice(this.#session.source, messages);
    if (this.#content) {
      return html`${session ? html`<div class="panel banner">${session}</div>` : nothing} ${this.#renderTile(this.#content)}`;
    }
    if (session) return html`<div class="panel">${session}</div>`;
    const { state } = this.#dashboard;
    if (state.status !== 'failed') return html`<div class="panel delayed">${skeleton('bars')}</div>`;
    return html`<div class="panel">
      ${problemNotice(state.problem, messages, () => void this.#dashboard.reload())}
    </div>`;
  }

  #renderTile(content: TileContent): TemplateResult {
    return html`<pa-tile
      exportparts=${tileParts}
      .content=${content}
      .choices=${this.#choices}
      .source=${this.#session.source}
      .heading=${snapshotTitle(snapshotOf(content)) || this.#locale.value.messages.report}
      .level=${this.headingLevel}
      .onSettle=${this.#handleSettle}
    ></pa-tile>`;
  }

  readonly #handleSettle = (problem: Problem | null): void => {
    if (problem) this.dispatchEvent(new PaErrorEvent(problem));
  };

  /** A session that can't be had has told so itself. */
  #handleProblem(problem: Problem): void {
    if (!sessionNotice(this.#session.source, this.#locale.value.messages)) this.#handleSettle(problem);
  }

  get #tile(): PaTile | null {
    return this.renderRoot.querySelector('pa-tile');
  }
}

function snapshotOf(content: TileContent): ReportSnapshot | null {
  return content.type === 'report' ? content.snapshot : null;
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-report': PaReport;
  }
}
