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
import { applicableMarks, emptySelection, type MarkSelection } from './mark-selection.js';
import { tileStyles } from './tile.styles.js';
import { type PartInput, renderPart } from './tile-body.js';
import { activeFilters, loadHint, type MarkSample, type TileBadge, tileBadges, tileHeader } from './tile-header.js';
import { drawingIn, noHost, subjectOf, type TileActions, type TileContext, type TileHost } from './tile-host.js';
import { PartLoader, SettleTracker, TileClock } from './tile-lifecycle.js';
import { loadWait, TileOverlays } from './tile-overlays.js';
import { skeletonShape } from './tile-parts.js';
import {
  givenData,
  type PartKind,
  publishedPart,
  requestOf,
  sameContent,
  type TileContent,
  type TileView,
  tableOf,
  tileMessage,
  tileView,
} from './tile-view.js';

/** When rows from before are dimmed and get the marks of what is to come, in ms: what comes sooner takes their place at once. */
const dimAfterMs = 300;

/**
 * One report or text in its frame: queries and draws once it is wanted, shows its own failure with a retry, and tells the
 * element around it by a callback.
 *
 * @summary The frame of one report or text, inside a dashboard or report.
 * @tagname pa-tile
 * @csspart tile - The frame.
 * @csspart header - Heading and marks.
 * @csspart heading - The heading.
 * @csspart menu-button - The button of the tile's menu.
 * @csspart body - Everything below the heading.
 */
export class PaTile extends LitElement {
  static override styles = [controls, noticeStyles, skeletonStyles, tileStyles];

  readonly #locale = new LocaleConsumer(this, pageCatalog);
  readonly #report = new ReportController(this, {
    source: () => this.source,
    request: () => (this.wanted && !this.rows ? this.#request : null),
  });
  readonly #slow = new SlowLoadController(this, () => this.#report.runningSince);
  readonly #late = new SlowLoadController(this, () => this.#report.runningSince, dimAfterMs);
  readonly #tools = new TileOverlays(this, () => this.#context());
  readonly #clock = new TileClock();
  readonly #loader = new PartLoader(() => {
    this.problem = chunkProblem();
  });
  readonly #rest = new SettleTracker(problem => this.onSettle(problem));

  /** What the tile holds; another report, or another text, is another tile. */
  @property({ attribute: false }) content: TileContent = { type: 'report', snapshot: null };
  /** Rows that are drawn as they are, without a query. */
  @property({ attribute: false }) rows: RowSet | null = null;
  /** What is chosen by the controls of the dashboard. */
  @property({ attribute: false }) choices: readonly Choice[] = [];
  /** The session that its rows are loaded with. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** What the element around it settles for all its tiles. */
  @property({ attribute: false }) host: TileHost = noHost;
  /** Id of its widget. */
  @property({ attribute: false }) widgetId: string | null = null;
  /** Marks of its own that filter the other tiles. */
  @property({ attribute: false }) chosen: MarkSelection = emptySelection;
  /** Whether choosing a mark filters other tiles: true at once, null by the menu of the mark, false never. */
  @property({ attribute: false }) crossFilter: boolean | null = null;
  /** Name of the tile, and its heading where it holds a report. */
  @property() heading = '';
  /** Level of the heading. */
  @property({ type: Number }) level = 3;
  /** Keeps the heading for assistive technology alone. */
  @property({ type: Boolean }) bare = false;
  /** The element around it explains why it failed: the tile says no more than that it was not loaded. */
  @property({ type: Boolean }) quiet = false;
  /** Near enough, focused or asked for: until then the tile neither queries nor draws. */
  @property({ type: Boolean }) wanted = false;
  /** Called whenever the tile comes to rest: with null when it shows what it holds or was stopped, with the problem when it can't. */
  @property({ attribute: false }) onSettle: (problem: Problem | null) => void = () => {};
  /** Called after a figure was drawn. */
  @property({ attribute: false }) onFigure: () => void = () => {};

  @state() private drawn = false;
  @state() private problem: Problem | null = null;
  @state() private thinned: MarkSample | null = null;

  #request: ReportRequest | null = null;
  /** The same request as what is chosen now says it: what doesn't reach the rows may be another. */
  #latest: ReportRequest | null = null;
  /** Marks that stand in the header, and those of what is to come. */
  #marks: readonly TileBadge[] = [];
  #latestMarks: readonly TileBadge[] = [];
  #given: ReportData | null = null;

  /** Resolves when the tile, once wanted, has come to rest: drawn, empty, stopped or failed. */
  get settled(): Promise<void> {
    return this.#rest.settled;
  }

  /** How it came to rest; null while it has not. */
  get rest(): 'shown' | 'failed' | null {
    return this.#rest.state;
  }

  /** What the size of its figure depends on; null where it shows none. */
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
    // A tile that is only moved is connected again before this runs.
    queueMicrotask(() => {
      if (!this.isConnected) this.#rest.release();
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // A message stands there: the next rows are awaited as the first were.
    if (this.drawn && !('part' in this.#view)) this.drawn = false;
    if (changed.has('content') || changed.has('choices'))
      this.#ask(requestOf(this.content, this.choices, this.host.requests() ?? snapshotRequest));
    if (changed.has('rows')) {
      this.#given = this.rows && givenData(this.rows);
      this.problem = null;
    }
    if (changed.has('wanted') && this.wanted) this.#clock.ask();
    // In another language the dashboard tells anew what its tiles hold: what was drawn of it stays.
    if (!changed.has('content') || sameContent(changed.get('content'), this.content)) return;
    this.drawn = false;
    this.problem = null;
    this.thinned = null;
    this.#tools.reset();
    this.#rest.begin();
  }

  protected override updated(): void {
    const view = this.#view;
    this.#clock.follow(this.#report.runningSince, this.#report.state.status === 'ready');
    if (view.status === 'notice') this.#tellTiming();
    if (view.status === 'loading' || view.status === 'shown') this.#loader.want(view.part);
    // Without it the tile waits all the same, in silence.
    if (this.#slow.slowSince !== null) loadWait().catch(() => {});
    if (this.#latestMarks.length > 0) loadHint().catch(() => {});
    if (view.status === 'failed') this.#rest.come(view.problem);
    else if (
      view.status === 'shown' ? this.drawn && !view.stale : view.status === 'notice' || view.status === 'stopped'
    ) {
      this.#rest.come(null);
    }
  }

  /** Queries and draws again what is shown. */
  async reload(): Promise<void> {
    if (this.#view.status !== 'shown') this.drawn = false;
    this.problem = null;
    this.#rest.again();
    this.#clock.ask();
    if (this.rows) this.requestUpdate();
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
        tabindex=${this.wanted ? '-1' : '0'}
        @focusin=${this.#handleFocus}
        @keydown=${this.#handleKey}
      >
        ${isText ? nothing : this.#renderHeader(view, isStale && !isLate)}
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

  /** @param keepsMarks - whether the marks still say what the rows are that stand there. */
  #renderHeader(view: TileView, keepsMarks: boolean): TemplateResult {
    const { locale, messages } = this.#locale.value;
    const { choices, heading: title, level, bare } = this;
    const thinned = this.#tools.asTable ? null : this.thinned;
    const stale = view.status === 'shown' && this.#report.state.status === 'stopped';
    this.#latestMarks = tileBadges({ view, request: this.#latest, choices, thinned, stale }, messages, locale);
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

  /** Stands over what is there: the skeleton, or rows from before. */
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

  /** The part is there before its rows are, so that what it needs is loaded meanwhile. */
  #renderPart(part: PartKind, data: ReportData | null): TemplateResult {
    return html`${this.drawn ? nothing : skeleton(skeletonShape(part, this.content))} ${renderPart(part, this.#partInput(data))}`;
  }

  #partInput(data: ReportData | null): PartInput {
    const { content, heading, level, host, widgetId, crossFilter } = this;
    // By a frame several are chosen at once, which only marks that filter at once can follow.
    const canBrush = crossFilter === true && host.choose !== null && widgetId !== null;
    return {
      content: this.#tools.asTable ? tableOf(content) : content,
      data,
      label: heading,
      level,
      selected: applicableMarks(this.#requestOf(data), this.chosen),
      restricted: host.restricted,
      imageOrigins: host.imageOrigins,
      onDrawn: this.#handleDrawn,
      onFailed: this.#handleFailed,
      onThinned: this.#handleThinned,
      onPick: this.#tools.pick,
      onBrush: canBrush ? this.#tools.brush : null,
      onCopy: this.#tools.copy,
    };
  }

  readonly #handleDrawn = (): void => {
    this.drawn = true;
    this.#tellTiming();
    if (this.figure) this.onFigure();
  };

  readonly #handleFailed = (problem: Problem): void => {
    this.problem = problem;
  };

  readonly #handleThinned = (thinned: MarkSample | null): void => {
    this.thinned = thinned;
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

  /** A button goes away with the message it stands in: the focus stays in the tile. */
  #keepFocus(): void {
    this.renderRoot.querySelector('article')?.focus();
  }

  #handleFocus(): void {
    this.wanted = true;
  }

  /** Escape gives the other tiles back what the marks of this one keep from them. */
  #handleKey({ key, defaultPrevented }: KeyboardEvent): void {
    if (key === 'Escape' && !defaultPrevented && this.chosen.marks.length > 0) this.#tools.unselect();
  }

  get #view(): TileView {
    if (!this.wanted) return { status: 'waiting' };
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

  /** What these rows were asked by; null where they were given. */
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

  #tellTiming(): void {
    const timing = this.#clock.draw();
    if (!timing) return;
    const { widgetId, snapshot, data } = this.#context();
    const rows = data?.rowSet.rows.length ?? 0;
    this.host.fire(new PaTimingEvent({ ...subjectOf({ widgetId, snapshot }), ...timing, rows }));
  }

  /** What asks for the same rows is the same to whoever loads them. */
  #ask(request: ReportRequest | null): void {
    this.#latest = request;
    if (isSameRequest(this.#request, request)) return;
    this.#request = request;
    // Other rows may well be drawn.
    this.problem = null;
    if (this.wanted) this.#clock.ask();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile': PaTile;
  }
}
