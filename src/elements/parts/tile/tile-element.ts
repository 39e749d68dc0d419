import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { LocaleConsumer } from '../../../controllers/locale-controller.js';
import { type Problem, toProblem } from '../../../controllers/problem.js';
import { ReportController } from '../../../controllers/report-controller.js';
import type { SessionSource } from '../../../controllers/session-context.js';
import { SlowController } from '../../../controllers/slow-controller.js';
import type { Choice, IgnoredChoice } from '../../../report/controls.js';
import type { Mark, Pick } from '../../../report/mark.js';
import { type ReportRequest, sameRequest } from '../../../report/query.js';
import type { ReportData } from '../../../report/report-data.js';
import { catalog } from '../../messages/catalog.js';
import { heading } from '../heading.js';
import '../hint/pa-hint.js';
import { notice, problemNotice } from '../notice.js';
import { noticeStyles } from '../notice.styles.js';
import { type SkeletonShape, skeleton, skeletonStyles } from '../skeleton.js';
import { controls } from '../tokens.styles.js';
import { loadPart, loadWait, type PartInput, renderPart } from './parts.js';
import { tileStyles } from './tile.styles.js';
import { type PartKind, requestOf, type TileContent, type TileView, tileView } from './tile-view.js';

const shapes: Readonly<Record<PartKind, SkeletonShape>> = { vega: 'bars', table: 'rows', kpi: 'figure', text: 'lines' };

const noMarks: readonly Mark[] = [];

/** Parts of a tile that a host may style, for `exportparts` of the elements around it. */
export const tileParts =
  'tile, header, heading, body, mark, notice, wait, button, skeleton, chart, tooltip, table, figure, figure-label, text';

/**
 * One report or text in its frame: queries and draws once it is wanted, shows its own failure with a retry, and tells the
 * element around it by a callback.
 *
 * @summary The frame of one report or text, inside a dashboard or report.
 * @tagname pa-tile
 * @csspart tile - The frame.
 * @csspart header - Heading and marks.
 * @csspart heading - The heading.
 * @csspart body - Everything below the heading.
 */
export class PaTile extends LitElement {
  static override styles = [controls, noticeStyles, skeletonStyles, tileStyles];

  readonly #locale = new LocaleConsumer(this, catalog);
  readonly #report = new ReportController(this, {
    source: () => this.source,
    request: () => (this.wanted ? this.#request : null),
  });
  readonly #slow = new SlowController(this, () => this.#report.runningSince);

  /** What the tile holds; another object is another tile. */
  @property({ attribute: false }) content: TileContent = { type: 'report', snapshot: null };
  /** What is chosen by the controls of the dashboard. */
  @property({ attribute: false }) choices: readonly Choice[] = [];
  /** The session that its rows are loaded with. */
  @property({ attribute: false }) source: SessionSource | null = null;
  /** Name of the tile, and its heading where it holds a report. */
  @property() heading = '';
  /** Level of the heading. */
  @property({ type: Number }) level = 3;
  /** Keeps the heading for assistive technology alone. */
  @property({ type: Boolean }) bare = false;
  /** Near enough, focused or asked for: until then the tile neither queries nor draws. */
  @property({ type: Boolean }) wanted = false;
  /** Called whenever the tile comes to rest: with null when it shows what it holds or was stopped, with the problem when it can't. */
  @property({ attribute: false }) onSettle: (problem: Problem | null) => void = () => {};

  @state() private drawn = false;
  @state() private problem: Problem | null = null;

  #request: ReportRequest | null = null;
  /** Controls that don't reach the report, and why. */
  #ignored: readonly IgnoredChoice[] = [];
  #reason: string | null = null;
  #loadedPart: PartKind | null = null;
  #told: Problem | null | undefined;
  #settle: () => void = () => {};
  #settled = this.#unsettled();

  /** Resolves when the tile, once wanted, has come to rest: drawn, empty, stopped or failed. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // A tile that is only moved is connected again before this runs.
    queueMicrotask(() => {
      if (!this.isConnected) this.#settle();
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('content') || changed.has('choices')) this.#ask(requestOf(this.content, this.choices));
    if (!changed.has('content')) return;
    this.drawn = false;
    this.problem = null;
    this.#told = undefined;
    this.#settle();
    this.#settled = this.#unsettled();
  }

  protected override updated(): void {
    const view = this.#view;
    if (view.status === 'loading' || view.status === 'shown') this.#load(view.part);
    // Without it the tile waits all the same, in silence.
    if (this.#slow.slowSince !== null) loadWait().catch(() => {});
    if (view.status === 'failed') this.#rest(view.problem);
    else if (view.status === 'shown' ? this.drawn : view.status === 'notice' || view.status === 'stopped') {
      this.#rest(null);
    }
  }

  /** Queries and draws again what is shown. */
  async reload(): Promise<void> {
    if (this.#view.status !== 'shown') this.drawn = false;
    this.problem = null;
    this.#told = undefined;
    await this.#report.reload();
  }

  override render(): TemplateResult {
    const view = this.#view;
    const isText = this.content.type === 'text';
    return html`<article
      part="tile"
      class=${isText ? 'text' : ''}
      aria-label=${isText ? this.heading : nothing}
      aria-labelledby=${isText ? nothing : 'heading'}
      tabindex=${this.wanted ? '-1' : '0'}
      @focusin=${this.#handleFocus}
    >
      ${isText ? nothing : this.#renderHeader(view)}
      <div
        part="body"
        class=${view.status === 'shown' && view.stale ? 'body stale' : 'body'}
        aria-busy=${view.status === 'loading' ? 'true' : nothing}
      >
        ${this.#renderBody(view)}
      </div>
      ${this.#renderWait(view)}
    </article>`;
  }

  #renderHeader(view: TileView): TemplateResult {
    const { locale, messages } = this.#locale.value;
    const rows = view.status === 'shown' && view.data?.rowSet.truncated ? view.data.rowSet.rows.length : null;
    const count = rows === null ? '' : new Intl.NumberFormat(locale).format(rows);
    return html`<header part="header" class=${this.bare ? 'bare' : ''} title=${this.heading}>
      ${heading(this.level, 'heading', this.heading)} ${this.#renderIgnored()}
      ${
        rows === null
          ? nothing
          : html`<pa-hint
              exportparts="mark"
              .label=${messages.firstRows(count)}
              .explanation=${messages.firstRowsHint(count)}
            ></pa-hint>`
      }
    </header>`;
  }

  /** A mark that says which controls don't reach the report. */
  #renderIgnored(): unknown {
    const { locale, messages } = this.#locale.value;
    if (this.#ignored.length === 0) return nothing;
    const names = new Intl.ListFormat(locale).format(this.#ignored.map(({ title }) => title));
    return html`<pa-hint
      exportparts="mark"
      .label=${messages.ignoresControls}
      .explanation=${messages.ignoresControlsHint(names, this.#reason)}
    ></pa-hint>`;
  }

  #renderBody(view: TileView): unknown {
    const { messages } = this.#locale.value;
    switch (view.status) {
      case 'waiting':
        return nothing;
      case 'loading':
        return this.#renderPart(view.part, null);
      case 'shown':
        return this.#renderPart(view.part, view.data);
      case 'notice':
        return html`<div class="message">${notice(messages[view.notice])}</div>`;
      case 'stopped':
        return html`<div class="message">
          ${notice(messages.stopped, { label: messages.retry, run: this.#handleRetry })}
        </div>`;
      case 'failed':
        return html`<div class="message">${problemNotice(view.problem, messages, this.#handleRetry)}</div>`;
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
    return html`${this.drawn ? nothing : skeleton(shapes[part])} ${renderPart(part, this.#partInput(data))}`;
  }

  #partInput(data: ReportData | null): PartInput {
    const { content, heading, level } = this;
    return {
      content,
      data,
      label: heading,
      level,
      selected: noMarks,
      onDrawn: this.#handleDrawn,
      onFailed: this.#handleFailed,
      onPick: this.#handlePick,
    };
  }

  readonly #handleDrawn = (): void => {
    this.drawn = true;
  };

  readonly #handleFailed = (problem: Problem): void => {
    this.problem = problem;
  };

  readonly #handlePick = (_pick: Pick): void => {};

  readonly #handleRetry = (): void => {
    this.#keepFocus();
    void this.reload();
  };

  readonly #handleCancel = (): void => {
    this.#keepFocus();
    this.#report.stop();
  };

  /** A button goes away with the message it stands in: the focus stays in the tile. */
  #keepFocus(): void {
    this.renderRoot.querySelector('article')?.focus();
  }

  #handleFocus(): void {
    this.wanted = true;
  }

  get #view(): TileView {
    if (!this.wanted) return { status: 'waiting' };
    if (this.problem) return { status: 'failed', problem: this.problem };
    return tileView(this.content, this.#request, this.#report.state);
  }

  /** What asks for the same rows is the same to whoever loads them. */
  #ask(request: ReportRequest | null): void {
    this.#ignored = request?.ignored ?? [];
    this.#reason = request?.kind === 'sql' ? request.reason : null;
    if (!sameRequest(this.#request, request)) this.#request = request;
  }

  #load(part: PartKind): void {
    if (part === this.#loadedPart) return;
    this.#loadedPart = part;
    loadPart(part).catch(() => {
      this.#loadedPart = null;
      this.problem = toProblem(null);
    });
  }

  #rest(problem: Problem | null): void {
    this.#settle();
    if (problem === this.#told) return;
    this.#told = problem;
    this.onSettle(problem);
  }

  #unsettled(): Promise<void> {
    return new Promise(resolve => {
      this.#settle = resolve;
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile': PaTile;
  }
}
