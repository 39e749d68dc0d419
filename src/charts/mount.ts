import type { Column, RowSet } from '../contract/row-set.js';
import type { JsonObject } from '../contract/wire.js';
import type { Mark, Pick } from '../report/marks/mark.js';
import type { Presentation } from '../report/table/table.js';
import { chartFormatter } from './chart-locale.js';
import { placementOf, watchPointer } from './hover.js';
import { type ChartFacts, chartFacts } from './interaction/chart-facts.js';
import { DataMarks, type MarkFact } from './interaction/data-marks.js';
import { type BrushShape, type KeyboardStop, NavigableMarks, type Step } from './interaction/keyboard-navigation.js';
import type { ChartTooltip } from './interaction/tooltip.js';
import { readableTitle } from './spec/prepare.js';
import { legendSpaceOf } from './theme.js';
import { type ChartTheme, createView, type RenderedRows, type VegaChart } from './view.js';

export { ChartError } from './chart-error.js';
export type { ChartFacts, MarkKind } from './interaction/chart-facts.js';
export type { MarkFact } from './interaction/data-marks.js';
export type { BrushShape, Step } from './interaction/keyboard-navigation.js';
export type { ChartTooltip } from './interaction/tooltip.js';
export type { ChartTheme, RenderedRows } from './view.js';

/** Options of `mountChart`. */
export interface MountOptions {
  /** Authored specification, compiled in the page if `vega` is missing. */
  readonly spec?: string | JsonObject | null | undefined;
  /** Compiled specification (`meta.vega` of a snapshot). */
  readonly vega?: JsonObject | null | undefined;
  readonly rowSet: RowSet;
  readonly theme: ChartTheme;
  /** Size of the chart, px; the size of the container by default. */
  readonly size?: { readonly width: number; readonly height: number } | null | undefined;
  /** BCP 47 tag of the viewer. */
  readonly locale: string;
  /** Accessible name of the chart, followed by a description of its content. */
  readonly label: string;
  /** Column formats of the report, for the description. */
  readonly preferences?: Presentation['preferences'];
  /** Formats the description in the language of `locale`. */
  readonly describe: (facts: ChartFacts) => string;
  /** Formats the number of hidden legend entries in the language of `locale`. Vega's own text is English. */
  readonly more?: ((count: number) => string) | undefined;
  /** Called with the tooltip under the pointer, and with `null` when the pointer leaves. */
  readonly onTooltip?: ((tooltip: ChartTooltip | null) => void) | undefined;
  /** Called when a mark is clicked or its context menu is requested. Without it, marks cannot be picked. */
  readonly onPick?: ((pick: Pick) => void) | undefined;
  /** Called when the pointer enters or leaves a mark that can be picked. */
  readonly onOver?: ((isOver: 'mark' | 'nothing') => void) | undefined;
  /** Marks to highlight; all others are faded. If empty, no mark is faded. */
  readonly selected?: readonly Mark[] | undefined;
  /** Aborts mounting. The container then remains empty and the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the chart is rendered for the first time. It is added to the container when the promise resolves. */
  readonly onRendered?: (() => Promise<void>) | undefined;
}

/** The mark with keyboard focus. */
export interface ActiveMark {
  /** Titles and values that the mark shows. */
  readonly facts: readonly MarkFact[];
  /** One-based position among the marks. */
  readonly position: number;
  readonly count: number;
  /** Bounds of the mark, px of the screen relative to the container. */
  readonly box: Pick['anchor'];
}

/** A mounted chart. */
export interface ChartHandle {
  /** Text description of the chart. */
  readonly summary: string;
  /** The part of the rows that the chart shows; `null` if it shows all. */
  readonly renderedRows: RenderedRows | null;
  /** Renders other rows without rebuilding the view. */
  update(rowSet: RowSet): Promise<void>;
  /** Renders the same rows in other colors. */
  setTheme(theme: ChartTheme): Promise<void>;
  /** Renders the chart in another size, px. */
  resize(width: number, height: number): Promise<void>;
  /** Fades all marks except these. If empty, no mark is faded. */
  select(marks: readonly Mark[]): Promise<void>;
  /** Moves keyboard focus to another mark; returns `null` if the chart has no marks. */
  move(step: Step): ActiveMark | null;
  /** Removes keyboard focus from the marks. */
  leave(): void;
  /** Picks the mark with keyboard focus. */
  pickActive(how: { readonly intent: Pick['intent']; readonly extend: boolean }): void;
  /**
   * Shape of the brush that selects several marks. `null` if brushing is not possible: no mark identifies rows, the
   * chart is downsampled, or its specification handles drags.
   */
  readonly brush: BrushShape | null;
  /** Returns the marks in a frame (px of the screen), one for each combination of values. */
  marksIn(box: Pick['anchor']): readonly Mark[];
  /**
   * Spans of the axis that the selected marks cover, px of the screen relative to the container; empty unless `brush`
   * is `span`.
   */
  readonly spans: readonly Pick['anchor'][];
  /** The chart as SVG text, even if it is rendered on a canvas. */
  toSvg(): Promise<string>;
  /** The chart as a PNG file; `null` if it is not rendered. */
  toPng(): Promise<Blob | null>;
  /** Removes the chart from the page. */
  dispose(): void;
}

/**
 * Renders a chart into an element at the element's size. Assistive technology sees the drawing as one image with
 * `label` and `summary` as its name.
 * @throws ChartError if the specification is invalid or cannot render these rows.
 */
export async function mountChart(container: HTMLElement, options: MountOptions): Promise<ChartHandle> {
  const chart = new MountedChart(container, options);
  await chart.draw(options.onRendered);
  chart.watchPrinting();
  return chart;
}

/** True for a mark that identifies rows; false for a mark of the grand total. */
function identifiesRows(mark: Mark | null | undefined): boolean {
  return mark !== null && mark !== undefined && Object.keys(mark.values).length > 0;
}

/** Padding of a span around its first and last point, px. */
const spanPadding = 4;

const printing = ['beforeprint', 'afterprint'];

interface Size {
  readonly width: number;
  readonly height: number;
}

class MountedChart implements ChartHandle {
  #view: VegaChart | null = null;
  #rowSet: RowSet;
  #theme: ChartTheme;
  #size: Size;
  #selected: readonly Mark[] = [];
  #marks: DataMarks | null = null;
  #navigableMarks: NavigableMarks | null = null;
  #active: number | null = null;
  #calls = 0;
  summary = '';

  constructor(
    private readonly container: HTMLElement,
    private readonly options: MountOptions,
  ) {
    this.#rowSet = options.rowSet;
    this.#theme = options.theme;
    this.#selected = options.selected ?? [];
    this.#size = options.size ?? { width: container.clientWidth || 300, height: container.clientHeight || 150 };
  }

  get renderedRows(): RenderedRows | null {
    return this.#view?.renderedRows ?? null;
  }

  /**
   * Rebuilds the view. If several calls overlap, the latest wins; rows and sizes set in the meantime are applied. The
   * view replaces the previous one when the promise of `onRendered` resolves.
   */
  async draw(onRendered?: MountOptions['onRendered']): Promise<void> {
    const { spec, vega, locale, more, preferences, signal } = this.options;
    signal?.throwIfAborted();
    const call = ++this.#calls;
    const [rowSet, size, selected] = [this.#rowSet, this.#size, this.#selected];
    const stage = this.container.ownerDocument.createElement('div');
    const view = await createView({
      spec: vega ?? spec ?? '',
      rowSet,
      theme: this.#theme,
      formats: preferences?.columnFormats,
      locale,
      more,
      size,
      container: stage,
      ratio: this.#ratio,
      onView: (made, chart) => this.#watch(made, chart),
    });
    if (signal?.aborted || call !== this.#calls) {
      view.dispose();
      signal?.throwIfAborted();
      return;
    }
    this.#view?.dispose();
    this.#view = view;
    this.#resetSceneData();
    if (this.#rowSet !== rowSet) await view.setRows(this.#rowSet);
    if (this.#size !== size) await view.resize(this.#size, this.#ratio);
    this.#navigableMarks = null;
    if (selected.length > 0 || this.#selected !== selected) await this.#fade();
    if (call !== this.#calls) return;
    this.#label(stage);
    await onRendered?.();
    if (signal?.aborted) {
      view.dispose();
      signal.throwIfAborted();
    }
    this.container.replaceChildren(stage);
  }

  async update(rowSet: RowSet): Promise<void> {
    this.#rowSet = rowSet;
    const view = this.#view;
    this.#resetSceneData();
    await view?.setRows(rowSet);
    if (view !== this.#view || rowSet !== this.#rowSet) return;
    // Discard the marks that callers cached during the update, because they belong to the previous scene.
    this.#navigableMarks = null;
    if (this.#selected.length > 0) await this.#fade();
    const stage = this.container.firstElementChild;
    if (stage) this.#label(stage);
  }

  async setTheme(theme: ChartTheme): Promise<void> {
    // The host reports each color that changes, but the first report already contains all new colors.
    if (JSON.stringify(theme) === JSON.stringify(this.#theme)) return;
    this.#theme = theme;
    await this.draw();
  }

  async resize(width: number, height: number): Promise<void> {
    if (width < 1 || height < 1) return;
    const isSame = width === this.#size.width && height === this.#size.height;
    if (isSame && this.#ratio === this.#drawnRatio) return;
    const before = JSON.stringify(legendSpaceOf(this.#size));
    this.#size = { width, height };
    this.#drawnRatio = this.#ratio;
    const isOther = JSON.stringify(legendSpaceOf(this.#size)) !== before;
    // Vega applies a legend layout only when it parses the specification.
    if (isOther && this.#view?.hasLegends) return this.draw();
    await this.#view?.resize(this.#size, this.#ratio);
    this.#navigableMarks = null;
    this.#relabel();
  }

  async select(marks: readonly Mark[]): Promise<void> {
    if (marks.length === 0 && this.#selected.length === 0) return;
    this.#selected = marks;
    await this.#fade();
  }

  move(step: Step): ActiveMark | null {
    const navigable = this.#getNavigableMarks();
    if (!navigable || navigable.list.length === 0) return null;
    this.#active =
      this.#active === null ? navigable.next(0, step === 'last' ? step : 'first') : navigable.next(this.#active, step);
    return this.#describeActive(navigable);
  }

  leave(): void {
    this.#active = null;
  }

  pickActive({ intent, extend }: Parameters<ChartHandle['pickActive']>[0]): void {
    const stop = this.#getNavigableMarks()?.list[this.#active ?? -1];
    const mark = stop && this.#data()?.markOf(stop.item);
    if (mark) this.options.onPick?.({ mark, intent, extend, anchor: this.#onScreen(stop) });
  }

  get brush(): BrushShape | null {
    const [data, view] = [this.#data(), this.#view];
    const navigable = !view || view.isDownsampled || view.handlesDrags ? null : this.#getNavigableMarks();
    return navigable?.list.some(({ item }) => identifiesRows(data?.markOf(item))) ? navigable.brush : null;
  }

  marksIn(box: Pick['anchor']): readonly Mark[] {
    const [data, view] = [this.#data(), this.#view];
    if (!data || !view?.drawing) return [];
    const { box: around, scale } = placementOf(view.drawing);
    const { left, top } = view.scene;
    const [x, y] = [around.left + left * scale, around.top + top * scale];
    const frame = {
      x1: (box.left - x) / scale,
      x2: (box.right - x) / scale,
      y1: (box.top - y) / scale,
      y2: (box.bottom - y) / scale,
    };
    const marks = new Map<string, Mark>();
    for (const { item } of this.#getNavigableMarks()?.within(frame) ?? []) {
      const mark = data.markOf(item);
      if (mark && identifiesRows(mark)) marks.set(JSON.stringify(mark.values), mark);
    }
    return [...marks.values()];
  }

  get spans(): readonly Pick['anchor'][] {
    const [data, view] = [this.#data(), this.#view];
    if (!data || !view?.drawing || !view.fits || this.#selected.length === 0 || this.brush !== 'span') return [];
    const origin = this.container.getBoundingClientRect();
    const { box, scale } = placementOf(view.drawing);
    const toX = (x: number) => box.left - origin.left + (x + view.scene.left) * scale;
    const runs = this.#getNavigableMarks()?.spans(data.isOneOf(this.#selected)) ?? [];
    return runs.map(([from, to]) => ({
      left: toX(from) - spanPadding,
      right: toX(to) + spanPadding,
      top: 0,
      bottom: origin.height,
    }));
  }

  async toSvg(): Promise<string> {
    return (await this.#view?.toSvg()) ?? '';
  }

  async toPng(): Promise<Blob | null> {
    return (await this.#view?.toPng()) ?? null;
  }

  /** Redraws for print. The browser prints when the synchronous work of the `beforeprint` listeners is done. */
  watchPrinting(): void {
    const page = this.container.ownerDocument.defaultView;
    for (const event of printing) page?.addEventListener(event, this.#handlePrinting);
  }

  dispose(): void {
    this.#calls++;
    const page = this.container.ownerDocument.defaultView;
    for (const event of printing) page?.removeEventListener(event, this.#handlePrinting);
    this.#view?.dispose();
    this.#view = null;
    this.#resetSceneData();
    this.container.replaceChildren();
  }

  readonly #handlePrinting = (event: Event): void => {
    const redrawn = this.#view?.drawFor(event.type === 'beforeprint' ? 'print' : 'screen');
    // If the redraw fails, the chart keeps its current drawing.
    redrawn?.then(() => this.#relabel()).catch(() => {});
  };

  #drawnRatio = this.#ratio;

  get #ratio(): number {
    return this.container.ownerDocument.defaultView?.devicePixelRatio || 1;
  }

  #watch(view: Parameters<typeof watchPointer>[0], chart: VegaChart): void {
    const { onTooltip, onPick, onOver } = this.options;
    watchPointer(view, chart, {
      readable: readableTitle(this.#rowSet.columns),
      onTooltip: tooltip => onTooltip?.(tooltip),
      onOver: item => onOver?.(onPick && item && this.#data()?.markOf(item) ? 'mark' : 'nothing'),
      onPick: (item, { intent, extend, x, y }) => {
        const mark = onPick && this.#data()?.markOf(item);
        if (mark) onPick({ mark, intent, extend, anchor: { left: x, right: x, top: y, bottom: y } });
        return Boolean(mark);
      },
    });
  }

  /** Discards data derived from the scene; it is valid for one row set only. */
  #resetSceneData(): void {
    this.#marks = null;
    this.#navigableMarks = null;
    this.#active = null;
  }

  #data(): DataMarks | null {
    if (!this.#marks && this.#view) this.#marks = new DataMarks(this.#rowSet, this.#view.spec);
    return this.#marks;
  }

  async #fade(): Promise<void> {
    const data = this.#data();
    const chosen = this.#selected.length > 0 && data ? data.isOneOf(this.#selected) : null;
    await this.#view?.fade(chosen);
  }

  #getNavigableMarks(): NavigableMarks | null {
    const [data, view] = [this.#data(), this.#view];
    if (!data || !view) return null;
    this.#navigableMarks ??= new NavigableMarks(view.scene.root, item => data.keyOf(item), {
      isMirrored: view.isMirrored,
    });
    return this.#navigableMarks;
  }

  #describeActive({ list }: NavigableMarks): ActiveMark | null {
    const stop = list[this.#active ?? -1];
    if (!stop) return null;
    const facts = this.#data()?.factsOf(stop.item, this.#presentation, readableTitle(this.#rowSet.columns)) ?? [];
    const origin = this.container.getBoundingClientRect();
    if (!this.#view?.fits) this.#scrollIntoView(stop, origin);
    const { left, top, right, bottom } = this.#onScreen(stop);
    return {
      facts,
      position: (this.#active ?? 0) + 1,
      count: list.length,
      box: { left: left - origin.left, right: right - origin.left, top: top - origin.top, bottom: bottom - origin.top },
    };
  }

  /** Scrolls to a mark if the drawing is larger than its container. */
  #scrollIntoView(stop: KeyboardStop, around: DOMRect): void {
    const { left, top, right, bottom } = this.#onScreen(stop);
    const beyond = (start: number, end: number) => Math.min(start, 0) || Math.max(end, 0);
    this.container.scrollBy(
      beyond(left - around.left, right - around.right),
      beyond(top - around.top, bottom - around.bottom),
    );
  }

  #onScreen({ box }: KeyboardStop): Pick['anchor'] {
    const drawing = this.#view?.drawing;
    if (!drawing || !this.#view) return { left: 0, top: 0, right: 0, bottom: 0 };
    const { left, top } = this.#view.scene;
    const { box: around, scale } = placementOf(drawing);
    return {
      left: around.left + (box.x1 + left) * scale,
      right: around.left + (box.x2 + left) * scale,
      top: around.top + (box.y1 + top) * scale,
      bottom: around.top + (box.y2 + top) * scale,
    };
  }

  get #presentation(): Presentation {
    return { formatter: chartFormatter(this.options.locale), preferences: this.options.preferences };
  }

  /** Labels the drawing again if it was replaced. */
  #relabel(): void {
    const stage = this.container.firstElementChild;
    if (stage && !this.#view?.drawing?.hasAttribute('role')) this.#label(stage);
  }

  /**
   * Replaces the ARIA attributes of Vega, which describe a graphics document with a part for each mark, with one image
   * and a description.
   */
  #label(stage: Element): void {
    const { label, describe } = this.options;
    const view = this.#view;
    if (!view) return;
    const data = this.#data();
    const isReferenced = (column: Column) => data?.isReferenced(column) ?? false;
    this.summary = describe(chartFacts(view.scene.root, this.#rowSet, this.#presentation, isReferenced));
    for (const name of ['role', 'aria-roledescription', 'aria-label']) stage.removeAttribute(name);
    const { drawing } = view;
    drawing?.setAttribute('role', 'img');
    drawing?.setAttribute('aria-label', `${label}. ${this.summary}`);
    // A drawing with a fixed size is scrolled, because scaling it down would make it unreadable.
    this.container.style.setProperty('overflow', view.fits ? '' : 'auto');
  }
}
