import type { Column, RowSet } from '../contract/row-set.js';
import type { JsonObject } from '../contract/wire.js';
import { createFormatter, type Formatter } from '../report/format/format.js';
import type { Mark, Pick } from '../report/marks/mark.js';
import type { Presentation } from '../report/table/table.js';
import { placeOf, watchPointer } from './hover.js';
import { type ChartFacts, chartFacts } from './interaction/chart-facts.js';
import { DataMarks, type MarkFact } from './interaction/data-marks.js';
import { type BrushShape, type KeyboardStop, NavigableMarks, type Step } from './interaction/keyboard-navigation.js';
import type { ChartTooltip } from './interaction/tooltip.js';
import { readableTitle } from './spec/prepare.js';
import { legendRoom } from './theme.js';
import { type ChartTheme, createView, type DrawnRows, type VegaChart } from './view.js';

export { ChartError } from './chart-error.js';
export type { ChartFacts, MarkKind } from './interaction/chart-facts.js';
export type { MarkFact } from './interaction/data-marks.js';
export type { BrushShape, Step } from './interaction/keyboard-navigation.js';
export type { ChartTooltip } from './interaction/tooltip.js';
export type { ChartTheme, DrawnRows } from './view.js';

/** What a chart on a page is made of. */
export interface MountOptions {
  /** Specification as authored; compiled in the page where `vega` is missing. */
  readonly spec?: string | JsonObject | null | undefined;
  /** Compiled specification (`meta.vega` of a snapshot). */
  readonly vega?: JsonObject | null | undefined;
  readonly rowSet: RowSet;
  readonly theme: ChartTheme;
  /** Room for the chart, px; read off its container where it is missing. */
  readonly size?: { readonly width: number; readonly height: number } | null | undefined;
  /** BCP 47 tag of the viewer. */
  readonly locale: string;
  /** Accessible name of the chart; a description of what it shows follows it. */
  readonly label: string;
  /** Column formats of the report, for the description. */
  readonly preferences?: Presentation['preferences'];
  /** Puts the description in words of `locale`. */
  readonly describe: (facts: ChartFacts) => string;
  /** Says in words of `locale` how many entries a legend leaves out; Vega says it in English. */
  readonly more?: ((count: number) => string) | undefined;
  /** Called with the tooltip under the pointer, and with null when it leaves. */
  readonly onTooltip?: ((tooltip: ChartTooltip | null) => void) | undefined;
  /** Called when somebody points at a mark: by a click, or by asking for its menu. Marks can't be picked where it is missing. */
  readonly onPick?: ((pick: Pick) => void) | undefined;
  /** Called when the pointer comes onto a mark that can be picked, and when it leaves. */
  readonly onOver?: ((isOver: 'mark' | 'nothing') => void) | undefined;
  /** Marks that are not faded; with none, no mark is. */
  readonly selected?: readonly Mark[] | undefined;
  /** Aborts mounting: the container is left empty and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The mark that somebody without a pointer stands on. */
export interface ActiveMark {
  /** What it shows. */
  readonly facts: readonly MarkFact[];
  /** Its place among the marks, from 1. */
  readonly position: number;
  readonly count: number;
  /** What it covers, px of the screen from the corner of the container. */
  readonly box: Pick['anchor'];
}

/** A chart on the page. */
export interface ChartHandle {
  /** What the chart shows, in words. */
  readonly summary: string;
  /** What of its rows the chart shows; null where it shows all. */
  readonly drawnRows: DrawnRows | null;
  /** Draws other rows; the view is not rebuilt. */
  update(rowSet: RowSet): Promise<void>;
  /** Draws the same rows in other colours. */
  setTheme(theme: ChartTheme): Promise<void>;
  /** Draws in another size, px. */
  resize(width: number, height: number): Promise<void>;
  /** Fades all marks but these; with none, no mark is faded. */
  select(marks: readonly Mark[]): Promise<void>;
  /** Goes to another mark, from the one that somebody stands on; null where the chart has none. */
  move(step: Step): ActiveMark | null;
  /** Leaves the mark that somebody stands on. */
  leave(): void;
  /** Picks the mark that somebody stands on. */
  pickActive(intent: Pick['intent'], extend: boolean): void;
  /**
   * How several marks can be framed; null where they can't: none says which rows it stands for, some that are drawn stand for others,
   * or the chart does something of its own when it is dragged.
   */
  readonly brush: BrushShape | null;
  /** The marks in a frame, px of the screen; each values once. */
  marksIn(box: Pick['anchor']): readonly Mark[];
  /** Spans of the axis that the marks which are not faded lie on, px of the screen from the corner of the container; none where they are no spans. */
  readonly spans: readonly Pick['anchor'][];
  /** The chart as a file of its own, whatever it is drawn with. */
  toSvg(): Promise<string>;
  /** Takes the chart off the page. */
  dispose(): void;
}

/**
 * Draws a chart into an element, in the element's size. The drawing is one image to assistive technology, named by `label` and
 * `summary`.
 * @throws ChartError when the specification can't be used, or these rows can't be drawn by it.
 */
export async function mountChart(container: HTMLElement, options: MountOptions): Promise<ChartHandle> {
  const chart = new MountedChart(container, options);
  await chart.draw();
  chart.watchPrinting();
  return chart;
}

/** Formatters that were made: each asks `Intl` a hundred times, and all charts of a page share one. */
const formatters = new Map<string, Formatter>();
const maxFormatters = 20;

function formatterOf(locale: string): Formatter {
  const formatter = formatters.get(locale) ?? createFormatter(locale);
  if (formatters.size < maxFormatters) formatters.set(locale, formatter);
  return formatter;
}

/** Whether a mark stands for some rows, and not for the whole. */
function saysRows(mark: Mark | null | undefined): boolean {
  return mark !== null && mark !== undefined && Object.keys(mark.values).length > 0;
}

/** Room beside the first and the last point of a span, px. */
const aroundSpan = 4;

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
  #stations: NavigableMarks | null = null;
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

  get drawnRows(): DrawnRows | null {
    return this.#view?.drawnRows ?? null;
  }

  /** Builds the view anew; of several calls the latest wins. Rows and sizes that come in the meantime are drawn too. */
  async draw(): Promise<void> {
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
    this.#forget();
    if (this.#rowSet !== rowSet) await view.setRows(this.#rowSet);
    if (this.#size !== size) await view.resize(this.#size, this.#ratio);
    this.#stations = null;
    if (selected.length > 0 || this.#selected !== selected) await this.#fade();
    if (call !== this.#calls) return;
    this.#label(stage);
    this.container.replaceChildren(stage);
  }

  async update(rowSet: RowSet): Promise<void> {
    this.#rowSet = rowSet;
    const view = this.#view;
    this.#forget();
    await view?.setRows(rowSet);
    if (view !== this.#view || rowSet !== this.#rowSet) return;
    // Who asked in the meantime was answered by the scene from before.
    this.#stations = null;
    if (this.#selected.length > 0) await this.#fade();
    const stage = this.container.firstElementChild;
    if (stage) this.#label(stage);
  }

  async setTheme(theme: ChartTheme): Promise<void> {
    // Of colours that change together each is told, and the first has brought all.
    if (JSON.stringify(theme) === JSON.stringify(this.#theme)) return;
    this.#theme = theme;
    await this.draw();
  }

  async resize(width: number, height: number): Promise<void> {
    if (width < 1 || height < 1) return;
    const isSame = width === this.#size.width && height === this.#size.height;
    if (isSame && this.#ratio === this.#drawnRatio) return;
    const before = JSON.stringify(legendRoom(this.#size));
    this.#size = { width, height };
    this.#drawnRatio = this.#ratio;
    const isOther = JSON.stringify(legendRoom(this.#size)) !== before;
    // Only what is parsed anew lays its legends out otherwise.
    if (isOther && this.#view?.hasLegends) return this.draw();
    await this.#view?.resize(this.#size, this.#ratio);
    this.#stations = null;
    this.#relabel();
  }

  async select(marks: readonly Mark[]): Promise<void> {
    if (marks.length === 0 && this.#selected.length === 0) return;
    this.#selected = marks;
    await this.#fade();
  }

  move(step: Step): ActiveMark | null {
    const stations = this.#reachable();
    if (!stations || stations.list.length === 0) return null;
    this.#active =
      this.#active === null ? stations.next(0, step === 'last' ? step : 'first') : stations.next(this.#active, step);
    return this.#describeActive(stations);
  }

  leave(): void {
    this.#active = null;
  }

  pickActive(intent: Pick['intent'], extend: boolean): void {
    const station = this.#reachable()?.list[this.#active ?? -1];
    const mark = station && this.#data()?.markOf(station.item);
    if (mark) this.options.onPick?.({ mark, intent, extend, anchor: this.#onScreen(station) });
  }

  get brush(): BrushShape | null {
    const [data, view] = [this.#data(), this.#view];
    const stations = !view || view.isThinned || view.takesDrags ? null : this.#reachable();
    return stations?.list.some(({ item }) => saysRows(data?.markOf(item))) ? stations.brush : null;
  }

  marksIn(box: Pick['anchor']): readonly Mark[] {
    const [data, view] = [this.#data(), this.#view];
    if (!data || !view?.drawing) return [];
    const { box: around, scale } = placeOf(view.drawing);
    const { left, top } = view.scene;
    const [x, y] = [around.left + left * scale, around.top + top * scale];
    const frame = {
      x1: (box.left - x) / scale,
      x2: (box.right - x) / scale,
      y1: (box.top - y) / scale,
      y2: (box.bottom - y) / scale,
    };
    const marks = new Map<string, Mark>();
    for (const { item } of this.#reachable()?.within(frame) ?? []) {
      const mark = data.markOf(item);
      if (mark && saysRows(mark)) marks.set(JSON.stringify(mark.values), mark);
    }
    return [...marks.values()];
  }

  get spans(): readonly Pick['anchor'][] {
    const [data, view] = [this.#data(), this.#view];
    if (!data || !view?.drawing || !view.fits || this.#selected.length === 0 || this.brush !== 'span') return [];
    const origin = this.container.getBoundingClientRect();
    const { box, scale } = placeOf(view.drawing);
    const toX = (x: number) => box.left - origin.left + (x + view.scene.left) * scale;
    const runs = this.#reachable()?.spans(data.isOneOf(this.#selected)) ?? [];
    return runs.map(([from, to]) => ({
      left: toX(from) - aroundSpan,
      right: toX(to) + aroundSpan,
      top: 0,
      bottom: origin.height,
    }));
  }

  async toSvg(): Promise<string> {
    return (await this.#view?.toSvg()) ?? '';
  }

  /** Printing begins when those who listen to it are through with what they can do at once. */
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
    this.#forget();
    this.container.replaceChildren();
  }

  readonly #handlePrinting = (event: Event): void => {
    const drawn = this.#view?.drawFor(event.type === 'beforeprint' ? 'print' : 'screen');
    // A chart that was drawn one way and can't be another stays as it is.
    drawn?.then(() => this.#relabel()).catch(() => {});
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

  /** What was read off the scene holds for these rows alone. */
  #forget(): void {
    this.#marks = null;
    this.#stations = null;
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

  #reachable(): NavigableMarks | null {
    const [data, view] = [this.#data(), this.#view];
    if (!data || !view) return null;
    this.#stations ??= new NavigableMarks(view.scene.root, item => data.keyOf(item), { isMirrored: view.isMirrored });
    return this.#stations;
  }

  #describeActive({ list }: NavigableMarks): ActiveMark | null {
    const station = list[this.#active ?? -1];
    if (!station) return null;
    const facts = this.#data()?.factsOf(station.item, this.#presentation, readableTitle(this.#rowSet.columns)) ?? [];
    const origin = this.container.getBoundingClientRect();
    if (!this.#view?.fits) this.#bringIntoView(station, origin);
    const { left, top, right, bottom } = this.#onScreen(station);
    return {
      facts,
      position: (this.#active ?? 0) + 1,
      count: list.length,
      box: { left: left - origin.left, right: right - origin.left, top: top - origin.top, bottom: bottom - origin.top },
    };
  }

  /** Scrolls a drawing that is larger than its container. */
  #bringIntoView(station: KeyboardStop, around: DOMRect): void {
    const { left, top, right, bottom } = this.#onScreen(station);
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
    const { box: around, scale } = placeOf(drawing);
    return {
      left: around.left + (box.x1 + left) * scale,
      right: around.left + (box.x2 + left) * scale,
      top: around.top + (box.y1 + top) * scale,
      bottom: around.top + (box.y2 + top) * scale,
    };
  }

  get #presentation(): Presentation {
    return { formatter: formatterOf(this.options.locale), preferences: this.options.preferences };
  }

  /** A drawing that took the place of another has no name yet. */
  #relabel(): void {
    const stage = this.container.firstElementChild;
    if (stage && !this.#view?.drawing?.hasAttribute('role')) this.#label(stage);
  }

  /** Vega calls its element a graphics document with a part for every mark; a reader gets one image in words instead. */
  #label(stage: Element): void {
    const { label, describe } = this.options;
    const view = this.#view;
    if (!view) return;
    const data = this.#data();
    const isDrawn = (column: Column) => data?.isDrawn(column) ?? false;
    this.summary = describe(chartFacts(view.scene.root, this.#rowSet, this.#presentation, isDrawn));
    for (const name of ['role', 'aria-roledescription', 'aria-label']) stage.removeAttribute(name);
    const { drawing } = view;
    drawing?.setAttribute('role', 'img');
    drawing?.setAttribute('aria-label', `${label}. ${this.summary}`);
    // A drawing with a size of its own is scrolled, and not made too small to be read.
    this.container.style.setProperty('overflow', view.fits ? '' : 'auto');
  }
}
