import type { Loader, View } from 'vega';
import type { RowSet } from '../contract/row-set.js';
import type { JsonObject } from '../contract/wire.js';
import { ChartError, ChartErrorCode } from './chart-error.js';
import { chartRows, maxFullRows } from './chart-rows.js';
import { isCssColor } from './css-color.js';
import type { RowDownsampler } from './downsampling/downsampling.js';
import { countMarks, MarkFader, type SceneItem, type SceneMark, sceneRoot } from './scene.js';
import type { ChartSize, PreparedSpec } from './spec/prepare.js';
import { sizeSignal } from './theme.js';

/** Maximum number of marks that are rendered as SVG elements; charts with more marks use a canvas. */
const maxElements = 1_000;
/** Maximum number of marks that are rendered as SVG elements for print, where they remain sharp. */
const maxPrintedElements = 10_000;
/** Maximum number of rows that a chart renders individually: the maximum that the Data API returns. */
const maxRows = 50_000;
/** Maximum number of rows that a chart downsamples. */
const maxDownsampledRows = 1_000_000;
/** Maximum number of device pixels of a canvas; browsers render nothing on larger ones. */
const maxPixels = 60_000_000;

/**
 * Matches event streams between two other events, as an object or as text: `[pointerdown, pointerup] > pointermove`.
 */
const dragStreams = /"between":\[|down[^"]{0,200}\] {0,9}>/;

/** How many of its rows a chart shows, and why it omits the others. */
export interface RenderedRows {
  readonly shown: number;
  readonly total: number;
  /**
   * `downsampled`: rendered points represent points that they would cover; `truncated`: only the first rows are
   * rendered.
   */
  readonly reason: 'downsampled' | 'truncated';
}

/** Parts of a `VegaChart`. */
export interface ChartParts {
  readonly view: View;
  readonly gate: { hold(): void; release(): void; drop(): void };
  /** Collects the errors of the view. */
  readonly problems: unknown[];
  readonly prepared: PreparedSpec;
  readonly size: ChartSize;
  /** Element to render into. If `null`, nothing is rendered until `toSvg` is called. */
  readonly container: Element | null;
  /** Background color of exported SVG. */
  readonly surface: string;
  /** Device pixels per CSS px. */
  readonly ratio: number;
}

/** A rendered chart. Changes to its data and size run sequentially. */
export class VegaChart {
  readonly #parts: ChartParts;
  readonly #fading: MarkFader;
  #downsampler: RowDownsampler | null = null;
  #rowSet: RowSet | null = null;
  #latestRowSet: RowSet | null = null;
  #renderedRows: RenderedRows | null = null;
  #ratio: number;
  #size: ChartSize;
  #plotWidth = 0;
  #maxElements = maxElements;
  #handlesDrags: boolean | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: ChartParts) {
    this.#parts = parts;
    this.#ratio = parts.ratio;
    this.#size = parts.size;
    this.#fading = new MarkFader(item => parts.view.dirty(item));
  }

  /** True if the chart takes the given size; false if its specification sets its size. */
  get fits(): boolean {
    return this.#parts.prepared.fits;
  }

  get hasLegends(): boolean {
    return this.#parts.prepared.hasLegends;
  }

  /** True if the plot is mirrored for a right-to-left language. */
  get isMirrored(): boolean {
    return this.#parts.prepared.isMirrored;
  }

  /** The Vega specification that the chart is rendered from. */
  get spec(): JsonObject {
    return this.#parts.prepared.spec;
  }

  /** True if the specification handles drags: to pan the chart or to select an interval. */
  get handlesDrags(): boolean {
    const { signals, marks } = this.spec;
    this.#handlesDrags ??= dragStreams.test(JSON.stringify([signals, marks]));
    return this.#handlesDrags;
  }

  /** The part of the rows that the chart shows; `null` if it shows all. */
  get renderedRows(): RenderedRows | null {
    return this.#renderedRows;
  }

  /** True if the chart renders a subset of its rows that represents all of them. */
  get isDownsampled(): boolean {
    return this.#downsampler !== null;
  }

  /** The drawing: an SVG element, or a canvas for a chart with many marks. */
  get drawing(): SVGSVGElement | HTMLCanvasElement | null {
    return this.#parts.container?.querySelector<SVGSVGElement | HTMLCanvasElement>('svg, canvas') ?? null;
  }

  /** The rendered scene and its offset in the drawing, px. */
  get scene(): { readonly root: SceneMark; readonly left: number; readonly top: number } {
    const [left = 0, top = 0] = this.#parts.view.origin();
    return { root: sceneRoot(this.#parts.view.scenegraph()), left, top };
  }

  /** Replaces the data without rebuilding the view. */
  setRows(rowSet: RowSet): Promise<void> {
    this.#latestRowSet = rowSet;
    return this.#then(async () => {
      // Skips rows that a later call has already replaced.
      if (this.#latestRowSet !== rowSet) return;
      const { dataName } = this.#parts.prepared;
      this.#downsampler = await this.#createDownsampler(firstRows(rowSet, maxDownsampledRows));
      this.#rowSet = firstRows(rowSet, this.#downsampler ? maxDownsampledRows : maxRows);
      this.#renderedRows = truncatedRows(this.#rowSet.rows.length, rowSet.rows.length);
      if (dataName !== null) {
        this.#parts.view.data(dataName, chartRows(this.#rowSet, this.#downsampler?.domainRows));
      }
      await this.#run();
      await this.#downsample(rowSet.rows.length);
    });
  }

  resize(size: ChartSize, ratio = this.#ratio): Promise<void> {
    return this.#then(async () => {
      const { view, container } = this.#parts;
      const isSharper = ratio !== this.#ratio && view.renderer() === 'canvas';
      this.#ratio = ratio;
      this.#size = size;
      view.signal(sizeSignal, size);
      if (this.fits) view.width(size.width).height(size.height);
      await this.#run();
      if (this.#plotWidth !== view.width() || isSharper) await this.#downsample(this.#renderedRows?.total ?? 0);
      if (isSharper && container) view.initialize(container);
    });
  }

  /**
   * Renders for screen or print. Print uses SVG elements for more marks, because they print at the resolution of the
   * printer.
   */
  drawFor(medium: 'screen' | 'print'): Promise<void> {
    this.#maxElements = medium === 'print' ? maxPrintedElements : maxElements;
    return this.#then(async () => {});
  }

  /** Fades all items for which `isChosen` returns false; `null` fades none. Does not run the data flow. */
  fade(isChosen: ((item: SceneItem) => boolean) | null): Promise<void> {
    return this.#then(async () => this.#fading.choose(isChosen));
  }

  /** Returns the number of rendered marks, without axes and legends. */
  countMarks(): number {
    return countMarks(this.scene.root);
  }

  /** Returns the chart as SVG text with its background and without faded marks. */
  async toSvg(): Promise<string> {
    let text = '';
    await this.#then(async () => {
      text = await this.#parts.view.toSVG();
    });
    const { surface } = this.#parts;
    if (!isCssColor(surface)) return text;
    return text.replace(/^<svg[^>]*>/, tag => `${tag}<rect width="100%" height="100%" fill="${surface}"/>`);
  }

  /** Renders the chart on a canvas that is not on the page. */
  async toCanvas(ratio: number): Promise<HTMLCanvasElement> {
    const { view } = this.#parts;
    const canvases: HTMLCanvasElement[] = [];
    await this.#then(async () => {
      canvases.push(await view.toCanvas(ratio));
    });
    const [canvas] = canvases;
    if (!canvas) throw new ChartError(ChartErrorCode.failed, 'The chart was not rendered.');
    return canvas;
  }

  /** Renders the chart as a PNG file with twice the resolution of the page; `null` if the browser cannot encode it. */
  async toPng(): Promise<Blob | null> {
    const { view, surface } = this.#parts;
    const ratio = Math.min(2, Math.sqrt(maxPixels / (view.width() * view.height())));
    return encodePng(await this.toCanvas(ratio), surface);
  }

  dispose(): void {
    this.#parts.view.finalize();
  }

  /** Queues a change to the view. The view is drawn once, after the change is complete. */
  #then(change: () => Promise<void>): Promise<void> {
    const done = this.#last.then(async () => {
      const { gate, view } = this.#parts;
      gate.hold();
      this.#fading.undo();
      try {
        await change();
        this.#fading.redo(this.scene.root);
        this.#chooseRenderer();
        await view.runAsync();
      } catch (error) {
        gate.drop();
        throw error;
      }
      gate.release();
    });
    // Ignore the error, because it is returned to the caller, and the next change does not depend on this one.
    this.#last = done.catch(() => {});
    return done;
  }

  /** True if labels that were rotated after the layout need more space than it reserved. */
  get #overflows(): boolean {
    const { root, top } = this.scene;
    return this.fits && (root.bounds?.y2 ?? 0) + top > this.#size.height + 1;
  }

  async #run(): Promise<void> {
    const { view, problems, prepared } = this.#parts;
    // Discards errors of earlier events, which these rows did not cause.
    problems.length = 0;
    if (prepared.hasCells) await (await import('./spec/fit-cells.js')).fillCells(view, this.#size);
    else await view.runAsync();
    if (this.#overflows) await view.resize().runAsync();
    const [problem] = problems.splice(0);
    if (problem === undefined) return;
    const isBound = problem instanceof Error && problem.name === 'ChartBoundError';
    throw isBound
      ? new ChartError(ChartErrorCode.tooMuch, problem.message)
      : new ChartError(ChartErrorCode.failed, 'The chart could not be rendered with the rows of its report.');
  }

  /** Returns the downsampler for a row set; `null` if all rows are rendered. Downsampling is a lazy-loaded chunk. */
  async #createDownsampler(rowSet: RowSet): Promise<RowDownsampler | null> {
    const { spec, dataName } = this.#parts.prepared;
    if (rowSet.rows.length <= maxFullRows) return null;
    const { planDownsampling, RowDownsampler: Downsampler } = await import('./downsampling/downsampling.js');
    const plan = planDownsampling(spec, dataName, rowSet.columns);
    return plan && Downsampler.of(plan, rowSet);
  }

  /** Replaces the rows with the downsampled rows once the scales and sizes of the view are known. */
  async #downsample(total: number): Promise<void> {
    const { view, prepared } = this.#parts;
    this.#plotWidth = view.width();
    if (!this.#downsampler || !this.#rowSet || prepared.dataName === null) return;
    const rows = this.#downsampler.rowsFor({
      scale: name => view.scale(name),
      left: view.origin()[0] ?? 0,
      width: view.width(),
      height: view.height(),
      ratio: this.#ratio,
    });
    if (this.#downsampler.isPoints && rows.length < total) {
      this.#renderedRows = { shown: rows.length, total, reason: 'downsampled' };
    }
    view.data(prepared.dataName, chartRows(this.#rowSet, rows));
    await this.#run();
  }

  #chooseRenderer(): void {
    const { view, container, gate } = this.#parts;
    if (!container) return;
    const pixels = view.width() * view.height() * this.#ratio ** 2;
    const type = this.countMarks() > this.#maxElements && pixels < maxPixels ? 'canvas' : 'svg';
    if (view.renderer() === type) return;
    // Drops pending drawings, which would use the previous renderer.
    gate.drop();
    gate.hold();
    const isFirst = view.renderer() === 'none';
    view.renderer(type);
    if (isFirst) view.initialize(container);
  }
}

function encodePng(canvas: HTMLCanvasElement, surface: string): Promise<Blob | null> {
  const context = canvas.getContext('2d');
  if (context && isCssColor(surface)) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = surface;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  return new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
}

/**
 * Copies the loader, so that each view has a separate loader. The renderer finds the gate of its view by the loader.
 */
export function copyLoader(loader: Loader): Loader {
  return { ...loader };
}

function firstRows(rowSet: RowSet, max: number): RowSet {
  return rowSet.rows.length > max ? { ...rowSet, rows: rowSet.rows.slice(0, max) } : rowSet;
}

function truncatedRows(shown: number, total: number): RenderedRows | null {
  return shown < total ? { shown, total, reason: 'truncated' } : null;
}
