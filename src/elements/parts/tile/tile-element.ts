import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { RowSet } from '../../../contract/row-set.js';
import { PaTimingEvent } from '../../../controllers/dashboard/dashboard-events.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { chunkProblem, type Problem } from '../../../controllers/problem.js';
import { ReportController } from '../../../controllers/report/report-controller.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import { SlowLoadController } from '../../../controllers/slow-load-controller.js';
import type { Choice, FilterChoice } from '../../../report/controls/controls.js';
import type { ReportData } from '../../../report/query/report-data.js';
import { isSameRequest, type ReportRequest, snapshotRequest } from '../../../report/query/report-request.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import type { FigureFacts } from '../kpi/kpi-element.js';
import { noticeStyles } from '../notice.styles.js';
import { skeleton, skeletonStyles } from '../skeleton.js';
import { controls } from '../tokens.styles.js';
import { firstUpdates } from './first-updates.js';
import { applicableMarks, emptySelection, type MarkSelection } from './mark-selection.js';
import { tileStyles } from './tile.styles.js';
import { type PartInput, renderPart } from './tile-body.js';
import { activeFilters, loadHint, type MarkSample, type TileBadge, tileBadges, tileHeader } from './tile-header.js';
import { drawingIn, noHost, subjectOf, type TileActions, type TileContext, type TileHost } from './tile-host.js';
import { markStaleAfterMs, PartLoader, SettleTracker, TileClock } from './tile-lifecycle.js';
import { loadWait, TileOverlays } from './tile-overlays.js';
import { skeletonShape } from './tile-parts.js';
import {
  givenData,
  type PartKind,
  publishedPart,
  requestOf,
  retryAnswer,
  sameContent,
  type TileContent,
  type TileView,
  tableOf,
  tileMessage,
  tileView,
} from './tile-view.js';

/**
 * The frame of one report or text. Queries and renders once `isRequested` is set, shows its own errors with a retry
 * button, and notifies the enclosing element with callbacks.
 *
 * @summary The frame of one report or text, inside a dashboard or report.
 * @tagname pa-tile
 * @csspart tile - The frame.
 * @csspart header - Heading and indicators.
 * @csspart heading - The heading.
 * @csspart menu-button - The menu button.
 * @csspart body - The content below the heading.
 */
export class PaTile extends LitElement {
  static override styles = [controls, noticeStyles, skeletonStyles, tileStyles];

  readonly #locale = new LocaleConsumer(this, pageCatalog);
  readonly #report = new ReportController(this, {
    source: () => this.source,
    request: () => (this.isRequested && !this.rows ? this.#request : null),
  });
  readonly #slow = new SlowLoadController(this, () => this.#report.runningSince);
  readonly #late = new SlowLoadController(this, () => this.#report.runningSince, markStaleAfterMs);
  readonly #tools = new TileOverlays(this, () => this.#context());
  readonly #clock = new TileClock();
  readonly #loader = new PartLoader(() => {
    this.problem = chunkProblem();
  });
  readonly #settling = new SettleTracker(problem => this.onSettle(problem));

  /** Content of the tile; the tile resets if another report or text is set. */
  @property({ attribute: false }) content: TileContent = { type: 'report', snapshot: null };
  /** Rows to render as they are, without a query. */
  @property({ attribute: false }) rows: RowSet | null = null;
  /** Filters and selections of the dashboard controls. */
  @property({ attribute: false }) choices: readonly Choice[] = [];
  /** The session for its queries. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Settings and callbacks shared by all tiles of the enclosing element. */
  @property({ attribute: false }) host: TileHost = noHost;
  /** Id of the widget. */
  @property({ attribute: false }) widgetId: string | null = null;
  /** Marks of this tile that filter other tiles. */
  @property({ attribute: false }) chosen: MarkSelection = emptySelection;
  /**
   * Whether selecting a mark filters other tiles: `true` on selection, `null` only with the menu of the mark, `false`
   * never.
   */
  @property({ attribute: false }) crossFilter: boolean | null = null;
  /** Name of the tile, and its heading if it contains a report. */
  @property() heading = '';
  /** Level of the heading. */
  @property({ type: Number }) level = 3;
  /** Shows the heading only to assistive technology. */
  @property({ type: Boolean }) bare = false;
  /** Whether the enclosing element explains the failure; the tile then only states that it was not loaded. */
  @property({ type: Boolean }) quiet = false;
  /**
   * Whether the tile is near the viewport, focused or explicitly requested; until then it neither queries nor renders.
   */
  @property({ type: Boolean }) isRequested = false;
  /**
   * Called each time the tile settles: with `null` if it shows its content or was stopped, with the problem if it
   * failed.
   */
  @property({ attribute: false }) onSettle: (problem: Problem | null) => void = () => {};
  /** Called after a KPI figure was rendered. */
  @property({ attribute: false }) onFigure: () => void = () => {};

  @state() private isRendered = false;
  @state() private problem: Problem | null = null;
  @state() private markSample: MarkSample | null = null;

  #request: ReportRequest | null = null;
  /** The request for the current filters. It can differ from `#request` in filters that do not affect the rows. */
  #latest: ReportRequest | null = null;
  /** Indicators in the header, and the indicators of the pending request. */
  #marks: readonly TileBadge[] = [];
  #latestMarks: readonly TileBadge[] = [];
  #given: ReportData | null = null;
  /** The rows of the last update, and whether the body has yet to render them. */
  #rowSet: RowSet | null = null;
  #isDrawing = false;

  /** Resolves when the tile is rendered, empty, stopped or failed. Stays pending until `isRequested` is set. */
  get settled(): Promise<void> {
    return this.#settling.settled;
  }

  /** Outcome of the last load; `null` while the tile loads. */
  get outcome(): 'shown' | 'failed' | null {
    return this.#settling.state;
  }

  /** Size inputs of the KPI figure; `null` if the tile shows none. */
  get figure(): FigureFacts | null {
    return this.renderRoot.querySelector('pa-tile-kpi')?.figure ?? null;
  }

  /** Height of its visible heading with margins, px. Reads layout. */
  get headingHeight(): number {
    const heading = this.bare ? null : this.renderRoot.querySelector<HTMLElement>('#heading');
    return heading ? heading.offsetHeight + 2 : 0;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // If the tile was only moved, it is reconnected before this runs.
    queueMicrotask(() => {
      if (!this.isConnected) this.#settling.release();
    });
  }

  override requestUpdate(...args: Parameters<LitElement['requestUpdate']>): void {
    super.requestUpdate(...args);
    if (args[0] === 'isRequested' && !this.hasUpdated) firstUpdates.schedule();
  }

  /** Delays the first update, so that a dashboard and its tiles do not render in one task. */
  protected override scheduleUpdate(): Promise<unknown> | undefined {
    const run = (): undefined => void super.scheduleUpdate();
    return this.hasUpdated ? run() : firstUpdates.add({ run, isUrgent: () => this.isRequested });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // The tile shows a message, so it shows a skeleton while the next rows load.
    if (this.isRendered && !('part' in this.#view)) this.isRendered = false;
    if (changed.has('content') || changed.has('choices'))
      this.#setRequest(requestOf(this.content, this.choices, this.host.requests() ?? snapshotRequest));
    if (changed.has('rows')) {
      this.#given = this.rows && givenData(this.rows);
      this.problem = null;
    }
    if (changed.has('isRequested') && this.isRequested) this.#clock.start();
    // A change of language sets an equal content; keep the rendered one.
    if (!changed.has('content') || sameContent(changed.get('content'), this.content)) return;
    this.isRendered = false;
    this.problem = null;
    this.markSample = null;
    this.#tools.reset();
    // Keep the promise that callers got before the first update.
    if (this.hasUpdated) this.#settling.reset();
  }

  protected override updated(): void {
    const view = this.#view;
    this.#clock.follow(this.#report.runningSince, { isReady: this.#report.state.status === 'ready' });
    if (view.status === 'notice') this.#dispatchTiming();
    if (view.status === 'loading' || view.status === 'shown') this.#loader.load(view.part);
    // If the overlay cannot be loaded, the tile waits without it.
    if (this.#slow.slowSince !== null) loadWait().catch(() => {});
    // If the element for indicators cannot be loaded, the tile shows none.
    if (this.#latestMarks.length > 0) loadHint().catch(() => {});
    this.#settle(view);
  }

  /** Queries and renders the content; resolves when the tile has settled with its newest filters. */
  async load(): Promise<void> {
    this.isRequested = true;
    await this.updateComplete;
    await this.settled;
  }

  /** Queries and renders the content again. */
  async reload(): Promise<void> {
    if (this.#view.status !== 'shown') this.isRendered = false;
    this.problem = null;
    this.#settling.restart();
    this.#clock.start();
    if (this.content.type === 'answer') await retryAnswer(this.content);
    else if (this.rows) this.requestUpdate();
    else await this.#report.reload();
  }

  override render(): TemplateResult {
    const view = this.#view;
    const isText = this.content.type === 'text';
    const isStale = view.status === 'shown' && view.stale;
    const isLate = this.#late.slowSince !== null;
    return html`<article
        part="tile"
        class=${isText ? 'text' : ''}
        aria-label=${isText ? this.heading : nothing}
        aria-labelledby=${isText ? nothing : 'heading'}
        tabindex=${this.isRequested ? '-1' : '0'}
        @focusin=${this.#handleFocus}
        @keydown=${this.#handleKey}
      >
        ${isText ? nothing : this.#renderHeader(view, { keepsMarks: isStale && !isLate })}
        <div
          part="body"
          class=${isStale && isLate ? 'body stale' : 'body'}
          aria-busy=${view.status === 'loading' ? 'true' : nothing}
        >
          ${this.#renderBody(view)}
        </div>
        ${this.#renderWait(view)} ${this.#tools.render()}
      </article>`;
  }

  /** @param keepsMarks - whether to keep the indicators of the rows that are still shown. */
  #renderHeader(view: TileView, { keepsMarks }: { readonly keepsMarks: boolean }): TemplateResult {
    const { locale, messages } = this.#locale.value;
    const { choices, heading: title, level, bare } = this;
    const markSample = this.#tools.asTable ? null : this.markSample;
    const stale = view.status === 'shown' && this.#report.state.status === 'stopped';
    this.#latestMarks = tileBadges({ view, request: this.#latest, choices, markSample, stale }, messages, locale);
    if (!keepsMarks) this.#marks = this.#latestMarks;
    return tileHeader({
      title,
      level,
      bare,
      marks: this.#marks,
      menu: {
        label: messages.tileMenu(title),
        open: this.#tools.isOpen,
        onPress: this.#tools.press,
        onClick: this.#tools.toggle,
      },
    });
  }

  #renderBody(view: TileView): unknown {
    switch (view.status) {
      case 'waiting':
        return nothing;
      case 'loading':
        return this.#renderPart(view.part, null);
      case 'shown':
        return this.#renderPart(view.part, view.data);
      default:
        return tileMessage(view, {
          ...this.#locale.value,
          quiet: this.quiet,
          filters: activeFilters(this.#latest, this.choices),
          onRetry: this.#handleRetry,
          canClear: this.host.canClear,
          onClear: this.#handleClear,
        });
    }
  }

  /** Renders the overlay above the skeleton or the previous rows. */
  #renderWait(view: TileView): unknown {
    const since = this.#slow.slowSince;
    const isStopped = this.#report.state.status === 'stopped';
    if (view.status === 'failed' || view.status === 'stopped' || (since === null && !isStopped)) return nothing;
    return html`<pa-tile-wait
      exportparts="wait, button"
      .label=${this.heading}
      .since=${since}
      .onCancel=${this.#handleCancel}
      .onRetry=${this.#handleRetry}
    ></pa-tile-wait>`;
  }

  /** Renders the body, even before its rows arrive, so that its code loads in parallel. */
  #renderPart(part: PartKind, data: ReportData | null): TemplateResult {
    return html`${this.isRendered ? nothing : skeleton(skeletonShape(part, this.content))} ${renderPart(part, this.#partInput(data))}`;
  }

  #partInput(data: ReportData | null): PartInput {
    if (data && data.rowSet !== this.#rowSet) {
      this.#rowSet = data.rowSet;
      this.#isDrawing = true;
    }
    const { content, heading, level, host, widgetId, crossFilter } = this;
    // A brush selects several marks at once, which requires filtering on selection.
    const canBrush = crossFilter === true && host.choose !== null && widgetId !== null;
    return {
      content: this.#tools.asTable ? tableOf(content) : content,
      data,
      label: heading,
      level,
      selected: applicableMarks(this.#requestOf(data), this.chosen),
      restricted: host.restricted,
      imageOrigins: host.imageOrigins,
      onRendered: this.#handleDrawn,
      onFailed: this.#handleFailed,
      onDownsampled: this.#handleDownsampled,
      onPick: this.#tools.pick,
      onBrush: canBrush ? this.#tools.brush : null,
      onCopy: this.#tools.copy,
    };
  }

  /** Settles if the view is final and rendered. */
  #settle(view: TileView): void {
    if (view.status === 'failed') this.#settling.settle(view.problem);
    else if (view.status === 'shown') {
      if (this.isRendered && !view.stale && !this.#isDrawing) this.#settling.settle(null);
    } else if (view.status === 'notice' || view.status === 'stopped') this.#settling.settle(null);
  }

  readonly #handleDrawn = (): void => {
    // The first render of the content changes `isRendered`, which updates the tile. The tile settles with that update.
    const wasRendered = this.isRendered;
    this.isRendered = true;
    this.#isDrawing = false;
    if (wasRendered) this.#settle(this.#view);
    this.#dispatchTiming();
    if (this.figure) this.onFigure();
  };

  readonly #handleFailed = (problem: Problem): void => {
    this.problem = problem;
  };

  readonly #handleDownsampled = (markSample: MarkSample | null): void => {
    this.markSample = markSample;
  };

  readonly #handleRetry = (): void => {
    this.#keepFocus();
    void this.reload();
  };

  readonly #handleCancel = (): void => {
    this.#keepFocus();
    this.#report.stop();
  };

  readonly #handleClear = (filters: readonly FilterChoice[]): void => {
    this.#keepFocus();
    this.host.clear(filters);
  };

  /** Moves the focus to the tile, because the clicked button disappears with its message. */
  #keepFocus(): void {
    this.renderRoot.querySelector('article')?.focus();
  }

  #handleFocus(): void {
    this.isRequested = true;
  }

  /** Clears the selection of this tile on Escape. */
  #handleKey({ key, defaultPrevented }: KeyboardEvent): void {
    if (key === 'Escape' && !defaultPrevented && this.chosen.marks.length > 0) this.#tools.unselect();
  }

  get #view(): TileView {
    if (!this.isRequested) return { status: 'waiting' };
    if (this.problem) return { status: 'failed', problem: this.problem };
    const view = tileView(this.content, this.#request, this.#report.state, this.#given);
    return 'part' in view && this.#tools.asTable ? { ...view, part: 'table' } : view;
  }

  #context(): TileContext {
    const { host, source, widgetId, heading, level, content, crossFilter } = this;
    const view = this.#view;
    const data = view.status === 'shown' ? view.data : null;
    const request = this.#requestOf(data);
    return {
      host,
      source,
      widgetId,
      heading,
      level,
      snapshot: content.type === 'report' ? content.snapshot : null,
      request,
      data,
      part: publishedPart(content),
      asTable: this.#tools.asTable,
      crossFilter,
      selected: applicableMarks(request, this.chosen),
      tools: this.#actions,
    };
  }

  /** Returns the request of the rows; `null` if the rows were set by the host. */
  #requestOf(data: ReportData | null): ReportRequest | null {
    return this.rows ? null : (data?.request ?? this.#request);
  }

  readonly #actions: TileActions = {
    frame: () => this.renderRoot.querySelector<HTMLElement>('article'),
    drawing: () => drawingIn(this.renderRoot),
    reload: this.#handleRetry,
    show: as => this.#tools.show(as),
    open: subject => this.#tools.drill(subject),
  };

  #dispatchTiming(): void {
    const timing = this.#clock.draw();
    if (!timing) return;
    const { widgetId, snapshot, data } = this.#context();
    const rows = data?.rowSet.rows.length ?? 0;
    this.host.fire(new PaTimingEvent({ ...subjectOf({ widgetId, snapshot }), ...timing, rows }));
  }

  /** Sets the request. An equal request does not reload the rows. */
  #setRequest(request: ReportRequest | null): void {
    this.#latest = request;
    if (isSameRequest(this.#request, request)) return;
    this.#request = request;
    // The new rows may render without an error.
    this.problem = null;
    if (!this.isRequested) return;
    this.#clock.start();
    if (!this.rows) this.#settling.restart();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile': PaTile;
  }
}
