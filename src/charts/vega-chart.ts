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

/** Most marks that are drawn as elements of the page; more go onto a canvas. */
const maxElements = 1_000;
/** Most marks that are drawn as elements onto paper, where they stay sharp. */
const maxPrintedElements = 10_000;
/** Most rows that a chart is drawn from one by one: as many as the Data API answers at most. */
const maxRows = 50_000;
/** Most rows of which some stand for all. */
const maxDownsampledRows = 1_000_000;
/** Most device pixels of a canvas; browsers draw nothing on larger ones. */
const maxPixels = 60_000_000;

/** Events between two others, as an object or as a text: `[pointerdown, pointerup] > pointermove`. */
const drags = /"between":\[|down[^"]{0,200}\] {0,9}>/;

/** What of its rows a chart shows, where that is not all of them. */
export interface DrawnRows {
  readonly shown: number;
  readonly total: number;
  /** `thinned`: points stand for others that would cover them; `cut`: the first of too many. */
  readonly why: 'thinned' | 'cut';
}

/** What a chart is made of. */
export interface ChartParts {
  readonly view: View;
  readonly gate: { hold(): void; release(): void; drop(): void };
  /** Where the view's errors are collected. */
  readonly problems: unknown[];
  readonly prepared: PreparedSpec;
  readonly size: ChartSize;
  /** Element that the chart is drawn into; none draws nothing until `toSvg`. */
  readonly container: Element | null;
  /** What the chart stands on, for a picture of its own. */
  readonly surface: string;
  /** Device pixels of one px. */
  readonly ratio: number;
}

/** A chart whose data and size can change. Its changes wait for each other. */
export class VegaChart {
  readonly #parts: ChartParts;
  readonly #fading: MarkFader;
  #thinning: RowDownsampler | null = null;
  #rowSet: RowSet | null = null;
  #wanted: RowSet | null = null;
  #drawnRows: DrawnRows | null = null;
  #ratio: number;
  #size: ChartSize;
  #plotWidth = 0;
  #most = maxElements;
  #takesDrags: boolean | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: ChartParts) {
    this.#parts = parts;
    this.#ratio = parts.ratio;
    this.#size = parts.size;
    this.#fading = new MarkFader(item => parts.view.dirty(item));
  }

  /** True where the chart takes the size it is given; false where its specification sizes itself. */
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

  /** The Vega specification that it is drawn by. */
  get spec(): JsonObject {
    return this.#parts.prepared.spec;
  }

  /** True where its specification itself says what dragging does: it pans the chart, or chooses by an interval. */
  get takesDrags(): boolean {
    const { signals, marks } = this.spec;
    this.#takesDrags ??= drags.test(JSON.stringify([signals, marks]));
    return this.#takesDrags;
  }

  /** What of its rows the chart shows; null where it shows all. */
  get drawnRows(): DrawnRows | null {
    return this.#drawnRows;
  }

  /** True where some rows stand for others: what is drawn is not all that lies there. */
  get isThinned(): boolean {
    return this.#thinning !== null;
  }

  /** The drawing: an SVG, or the canvas of a chart with many marks. */
  get drawing(): SVGSVGElement | HTMLCanvasElement | null {
    return this.#parts.container?.querySelector<SVGSVGElement | HTMLCanvasElement>('svg, canvas') ?? null;
  }

  /** The scene as drawn, and where it begins in the drawing, px. */
  get scene(): { readonly root: SceneMark; readonly left: number; readonly top: number } {
    const [left = 0, top = 0] = this.#parts.view.origin();
    return { root: sceneRoot(this.#parts.view.scenegraph()), left, top };
  }

  /** Replaces the data; the view stays. */
  setRows(rowSet: RowSet): Promise<void> {
    this.#wanted = rowSet;
    return this.#then(async () => {
      // Newer rows wait behind these.
      if (this.#wanted !== rowSet) return;
      const { dataName } = this.#parts.prepared;
      this.#thinning = await this.#thinningOf(firstRows(rowSet, maxDownsampledRows));
      this.#rowSet = firstRows(rowSet, this.#thinning ? maxDownsampledRows : maxRows);
      this.#drawnRows = cutRows(this.#rowSet.rows.length, rowSet.rows.length);
      if (dataName !== null) {
        this.#parts.view.data(dataName, chartRows(this.#rowSet, this.#thinning?.corners));
      }
      await this.#run();
      await this.#thin(rowSet.rows.length);
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
      if (this.#plotWidth !== view.width() || isSharper) await this.#thin(this.#drawnRows?.total ?? 0);
      if (isSharper && container) view.initialize(container);
    });
  }

  /** Draws for a screen, or for paper: as elements there, which a printer draws as finely as it can. */
  drawFor(medium: 'screen' | 'print'): Promise<void> {
    this.#most = medium === 'print' ? maxPrintedElements : maxElements;
    return this.#then(async () => {});
  }

  /** Fades all items but those of which this is true; null fades none. The data flow has no part in it. */
  fade(isChosen: ((item: SceneItem) => boolean) | null): Promise<void> {
    return this.#then(async () => this.#fading.choose(isChosen));
  }

  /** Number of marks that are drawn, without axes and legends. */
  countMarks(): number {
    return countMarks(this.scene.root);
  }

  /** The chart as SVG text, on its own ground, with nothing faded. */
  async toSvg(): Promise<string> {
    let text = '';
    await this.#then(async () => {
      text = await this.#parts.view.toSVG();
    });
    const { surface } = this.#parts;
    if (!isCssColor(surface)) return text;
    return text.replace(/^<svg[^>]*>/, tag => `${tag}<rect width="100%" height="100%" fill="${surface}"/>`);
  }

  dispose(): void {
    this.#parts.view.finalize();
  }

  /** Does something to the view once what came before is done: it is drawn once, after all of it. */
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
    this.#last = done.catch(() => {});
    return done;
  }

  async #run(): Promise<void> {
    const { view, problems, prepared } = this.#parts;
    // What an event ran into before is no fault of these rows.
    problems.length = 0;
    if (prepared.hasCells) await (await import('./spec/fit-cells.js')).fillCells(view, this.#size);
    else await view.runAsync();
    const [problem] = problems.splice(0);
    if (problem === undefined) return;
    const isBound = problem instanceof Error && problem.name === 'ChartBoundError';
    throw isBound
      ? new ChartError(ChartErrorCode.tooMuch, problem.message)
      : new ChartError(ChartErrorCode.failed, "The chart's specification can't draw the rows of its report.");
  }

  /** How few of many rows draw the same picture; null where all are drawn. What finds that out is a chunk of its own. */
  async #thinningOf(rowSet: RowSet): Promise<RowDownsampler | null> {
    const { spec, dataName } = this.#parts.prepared;
    if (rowSet.rows.length <= maxFullRows) return null;
    const { planDownsampling, RowDownsampler: Thinned } = await import('./downsampling/downsampling.js');
    const plan = planDownsampling(spec, dataName, rowSet.columns);
    return plan && Thinned.of(plan, rowSet);
  }

  /** Puts in the rows that look like all of them, now that the view knows its scales and sizes. */
  async #thin(total: number): Promise<void> {
    const { view, prepared } = this.#parts;
    this.#plotWidth = view.width();
    if (!this.#thinning || !this.#rowSet || prepared.dataName === null) return;
    const kept = this.#thinning.rowsFor({
      scale: name => view.scale(name),
      left: view.origin()[0] ?? 0,
      width: view.width(),
      height: view.height(),
      ratio: this.#ratio,
    });
    if (this.#thinning.isOfPoints && kept.length < total) {
      this.#drawnRows = { shown: kept.length, total, why: 'thinned' };
    }
    view.data(prepared.dataName, chartRows(this.#rowSet, kept));
    await this.#run();
  }

  #chooseRenderer(): void {
    const { view, container, gate } = this.#parts;
    if (!container) return;
    const pixels = view.width() * view.height() * this.#ratio ** 2;
    const type = this.countMarks() > this.#most && pixels < maxPixels ? 'canvas' : 'svg';
    if (view.renderer() === type) return;
    // What waits to be drawn would go to the renderer that is left.
    gate.drop();
    gate.hold();
    const isFirst = view.renderer() === 'none';
    view.renderer(type);
    if (isFirst) view.initialize(container);
  }
}

/** A loader of a view's own: by it the view's renderer finds its gate. */
export function ownLoader(loader: Loader): Loader {
  return { ...loader };
}

function firstRows(rowSet: RowSet, most: number): RowSet {
  return rowSet.rows.length > most ? { ...rowSet, rows: rowSet.rows.slice(0, most) } : rowSet;
}

function cutRows(shown: number, total: number): DrawnRows | null {
  return shown < total ? { shown, total, why: 'cut' } : null;
}
