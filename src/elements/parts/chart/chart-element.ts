import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import { LocaleConsumer, LocaleController } from '../../../controllers/locale-controller.js';
import type { Problem } from '../../../controllers/problem.js';
import {
  type ActiveMark,
  ChartController,
  type ChartFacts,
  type ChartTheme,
  type ChartTooltip,
  type RenderedRows,
  type Step,
} from '../../../controllers/report/chart-controller.js';
import { type Mark, maxSelectedMarks, type Pick } from '../../../report/marks/mark.js';
import { dashboardTranslations, defineCatalog } from '../../messages/define-catalog.js';
import { pageCatalog } from '../../messages/page-catalog.js';
import { register } from '../../register.js';
import { type Anchor, closePopover, openPopoverAt } from '../popover.js';
import { tooltip, tooltipStyles } from '../tooltip.js';
import { visuallyHiddenStyles } from '../visually-hidden.styles.js';
import { BrushController, scaleOf } from './brush-controller.js';
import { chartStyles, probeColors } from './chart.styles.js';
import { type ChartMessages, chartMessages, describeChart, describeMark } from './chart-messages.js';
import { readTheme } from './read-theme.js';

const chartCatalog = defineCatalog(chartMessages, dashboardTranslations('chart'));

/** Effect of each navigation key on the active mark. */
const steps: Readonly<Record<string, Step>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
};

/**
 * A chart that fills its tile. The renderer is lazy-loaded when the element is connected; its colors follow the page.
 * Arrow keys move between marks, and each mark is announced.
 *
 * @summary The chart of a report, inside a tile.
 * @tagname pa-tile-chart
 * @csspart chart - The chart.
 * @csspart tooltip - The tooltip.
 * @csspart active-mark - The ring around the mark with the keyboard focus.
 * @csspart brush - The selection rectangle.
 */
export class PaTileChart extends LitElement {
  static override styles = [tooltipStyles, visuallyHiddenStyles, chartStyles];

  readonly #outer = new LocaleConsumer(this, pageCatalog);
  readonly #locale = new LocaleController(this, chartCatalog, () => this.#outer.value.locale);
  readonly #chart = new ChartController(this, {
    container: () => this.renderRoot.querySelector('.chart'),
    theme: () => this.#readTheme(),
    onRendered: renderedRows => this.#handleRendered(renderedRows),
    onFailed: problem => this.onFailed(problem),
    onTooltip: tooltip => {
      this.tooltip = tooltip;
    },
    onPick: pick => this.onPick(pick),
    onOver: isOver => this.#container?.classList.toggle('pointing', isOver === 'mark'),
  });
  readonly #brush = new BrushController(this, {
    container: () => this.#container,
    shape: () => (this.onBrush ? this.#chart.brush : null),
    onBrush: (box, how) => this.#choose(box, how),
  });

  /** The published report. */
  @property({ attribute: false }) snapshot: ReportSnapshot | null = null;
  /** Rows of the report; `null` while loading. */
  @property({ attribute: false }) rowSet: RowSet | null = null;
  /** Accessible name of the chart. */
  @property({ attribute: false }) label = '';
  /** Marks that keep their color while all other marks fade. Empty if nothing is selected. */
  @property({ attribute: false }) selected: readonly Mark[] = [];
  /** Whether marks can be picked with the pointer or Enter. */
  @property({ type: Boolean }) pickable = false;
  /** Called after the chart was rendered. */
  @property({ attribute: false }) onRendered: () => void = () => {};
  /** Called if the chart cannot be rendered. */
  @property({ attribute: false }) onFailed: (problem: Problem) => void = () => {};

  /** Called after each rendering, with the rows that the chart shows; `null` if it shows all rows. */
  @property({ attribute: false }) onDownsampled: (renderedRows: RenderedRows | null) => void = () => {};
  /** Called when the viewer picks a mark. */
  @property({ attribute: false }) onPick: (pick: Pick) => void = () => {};

  /** Called when a brush selects several marks; `null` if the brush is disabled. */
  @property({ attribute: false }) onBrush: ((marks: readonly Mark[], how: 'add' | 'replace') => void) | null = null;

  @state() private tooltip: ChartTooltip | null = null;
  @state() private active: ActiveMark | null = null;

  #words: { readonly messages: ChartMessages; readonly describe: (facts: ChartFacts) => string } | null = null;

  /** Returns the chart as a standalone SVG file without external references. */
  async toSvg(): Promise<string> {
    return this.#chart.toSvg();
  }

  /** Returns the chart as a PNG file; `null` if it is not rendered. */
  toPng(): Promise<Blob | null> {
    return this.#chart.toPng();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('selected')) this.#chart.select(this.selected);
    this.#draw();
    this.#placeTooltip();
    this.#place('.ring', this.active ? [this.active.box] : []);
    this.#place('.brush', this.#brushes);
    this.#place('.point', this.#points);
  }

  override render(): TemplateResult {
    const { messages } = this.#locale.value;
    return html`<div class="probe" aria-hidden="true" @transitionend=${this.#handleRestyle}>
        ${Array.from({ length: probeColors }, () => html`<i></i>`)}
      </div>
      <div
        part="chart"
        class=${this.onBrush ? 'chart brushable' : 'chart'}
        role="application"
        tabindex="0"
        aria-label=${this.label}
        aria-roledescription=${messages.chart}
        aria-describedby="keys"
        @keydown=${this.#handleKey}
        @contextmenu=${this.#handleMenu}
        @blur=${this.#handleBlur}
        @pointerdown=${this.#brush.handleDown}
        @pointermove=${this.#brush.handleMove}
        @pointerup=${this.#brush.handleUp}
        @pointercancel=${this.#brush.handleCancel}
        @lostpointercapture=${this.#brush.handleCancel}
        @click=${this.#brush.click}
      ></div>
      ${this.#brushes.map(() => html`<div part="brush" class="brush"></div>`)}
      ${this.#points.map(() => html`<div class="point"></div>`)}
      <div part="active-mark" class="ring" ?hidden=${!this.active}></div>
      <p id="keys" class="unseen" hidden>${messages.keys}</p>
      <p class="unseen" role="status">${this.active ? describeMark(this.active, messages) : nothing}</p>
      ${tooltip(this.#tooltip)}`;
  }

  /**
   * The brush in progress, or the selected spans of a line chart, because fading cannot show a selection within a line.
   */
  get #brushes(): readonly Anchor[] {
    const { box } = this.#brush;
    return box ? [box] : this.#chart.spans;
  }

  /** The current tooltip; none while a brush is drawn. */
  get #tooltip(): ChartTooltip | null {
    return this.#brush.box ? null : this.tooltip;
  }

  /**
   * The point that the tooltip describes, as a box without size. A highlight is needed because the pointer rarely hits
   * a thin line.
   */
  get #points(): readonly Anchor[] {
    const point = this.#tooltip?.point;
    const origin = point && this.#container?.getBoundingClientRect();
    if (!point || !origin) return [];
    return [pointAnchor({ x: point.x - origin.left, y: point.y - origin.top })];
  }

  get #container(): HTMLElement | null {
    return this.renderRoot.querySelector('.chart');
  }

  #draw(): void {
    const { snapshot, rowSet, label } = this;
    const { locale, messages } = this.#locale.value;
    if (!snapshot || !rowSet) return;
    if (this.#words?.messages !== messages) {
      this.#words = { messages, describe: facts => describeChart(facts, messages) };
    }
    const marks = this.pickable ? 'pickable' : 'still';
    void this.#chart.draw({
      snapshot,
      rowSet,
      label,
      locale,
      describe: this.#words.describe,
      more: messages.more,
      marks,
    });
  }

  #placeTooltip(): void {
    const popover = this.renderRoot.querySelector<HTMLElement>('[popover]');
    if (!popover) return;
    if (this.#tooltip) openPopoverAt(popover, pointAnchor(this.#tooltip));
    else closePopover(popover);
  }

  /** Positions overlay elements. */
  #place(selector: string, boxes: readonly Anchor[]): void {
    const container = this.#container;
    if (!container || boxes.length === 0) return;
    const scale = scaleOf(container);
    for (const [index, frame] of this.renderRoot.querySelectorAll<HTMLElement>(selector).entries()) {
      const { left, top, right, bottom } = boxes[index] ?? new DOMRect();
      const places = { left, top, width: right - left, height: bottom - top };
      for (const [name, value] of Object.entries(places)) frame.style.setProperty(name, `${value / scale}px`);
    }
  }

  #choose(box: Anchor, how: 'add' | 'replace'): void {
    const marks = this.#chart.marksIn(box);
    this.tooltip = null;
    if (marks.length <= maxSelectedMarks) this.onBrush?.(marks, how);
    else
      this.tooltip = {
        title: this.#locale.value.messages.tooMany(marks.length, maxSelectedMarks),
        rows: [],
        x: box.right,
        y: box.bottom,
        point: null,
      };
  }

  #readTheme(): ChartTheme {
    return readTheme(this.renderRoot.querySelector('.probe') ?? this);
  }

  #leaveMark(): void {
    this.#chart.leave();
    this.active = null;
  }

  /** Called when the colors of the probe change, because the page has another color scheme or other tokens. */
  #handleRestyle(): void {
    this.#leaveMark();
    this.#chart.restyle();
  }

  #handleRendered(renderedRows: RenderedRows | null): void {
    this.#leaveMark();
    // The selected marks have moved.
    if (this.selected.length > 0) this.requestUpdate();
    this.onDownsampled(renderedRows);
    this.onRendered();
  }

  #handleKey(event: KeyboardEvent): void {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (this.#brush.handleKey(event)) {
      event.stopPropagation();
      return;
    }
    const step = altKey || ctrlKey || metaKey ? undefined : steps[key];
    if (step) {
      this.tooltip = null;
      this.active = this.#chart.move(step);
      event.preventDefault();
      return;
    }
    if (!this.active) return;
    if (key === 'Escape') {
      this.#leaveMark();
      event.stopPropagation();
    } else if (key === 'Enter' || key === ' ') {
      this.#chart.pickActive({ intent: 'choose', extend: ctrlKey || metaKey || shiftKey });
      event.preventDefault();
    } else if (key === 'F10' && shiftKey) {
      this.#chart.pickActive({ intent: 'menu', extend: false });
      event.preventDefault();
    }
  }

  /**
   * Ignores the context menu event that the browser sends when the menu key is released, because the menu of the mark
   * is already open.
   */
  #handleMenu(event: MouseEvent): void {
    const byPointer = event instanceof PointerEvent && event.pointerType !== '';
    if (!byPointer && this.active && !event.defaultPrevented) {
      event.preventDefault();
      this.#chart.pickActive({ intent: 'menu', extend: false });
    }
  }

  #handleBlur(): void {
    this.#leaveMark();
  }
}

function pointAnchor({ x, y }: { readonly x: number; readonly y: number }): Anchor {
  return { left: x, right: x, top: y, bottom: y };
}

register('pa-tile-chart', PaTileChart);

declare global {
  interface HTMLElementTagNameMap {
    'pa-tile-chart': PaTileChart;
  }
}
