import type { RowSet } from '../contract/row-set.js';
import type { JsonObject } from '../contract/wire.js';
import { createFormatter } from '../report/format.js';
import type { Presentation } from '../report/table.js';
import { watchPointer } from './hover.js';
import { readableTitle } from './prepare.js';
import { type ChartFacts, chartFacts } from './summary.js';
import type { ChartTooltip } from './tooltip.js';
import { type ChartTheme, type ChartView, createView, preloadVega } from './view.js';

export { ChartError } from './chart-error.js';
export type { ChartFacts } from './summary.js';
export type { ChartTooltip } from './tooltip.js';
export type { ChartTheme } from './view.js';

/** What a chart on a page is made of. */
export interface MountOptions {
  /** Specification as authored; compiled in the page where `vega` is missing. */
  readonly spec?: string | JsonObject | null | undefined;
  /** Compiled specification (`meta.vega` of a snapshot). */
  readonly vega?: JsonObject | null | undefined;
  readonly rowSet: RowSet;
  readonly theme: ChartTheme;
  /** BCP 47 tag of the viewer. */
  readonly locale: string;
  /** Accessible name of the chart; a description of what it shows follows it. */
  readonly label: string;
  /** Column formats of the report, for the description. */
  readonly preferences?: Presentation['preferences'];
  /** Puts the description in words of `locale`. */
  readonly describe: (facts: ChartFacts) => string;
  /** Called with the tooltip under the pointer, and with null when it leaves. */
  readonly onTooltip?: ((tooltip: ChartTooltip | null) => void) | undefined;
  /** Aborts mounting: the container is left empty and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A chart on the page. */
export interface ChartHandle {
  /** What the chart shows, in words. */
  readonly summary: string;
  /** Draws other rows; the view is not rebuilt. */
  update(rowSet: RowSet): Promise<void>;
  /** Draws the same rows in other colours. */
  setTheme(theme: ChartTheme): Promise<void>;
  /** Draws in another size, px. */
  resize(width: number, height: number): Promise<void>;
  /** Takes the chart off the page. */
  dispose(): void;
}

/** Starts loading what charts need. Failing is left to the chart that needs it. */
export function preloadCharts(): void {
  preloadVega().catch(() => {});
}

/**
 * Draws a chart into an element, in the element's size. The drawing is one image to assistive technology, named by `label` and
 * `summary`.
 * @throws ChartError when the specification can't be used, or these rows can't be drawn by it.
 */
export async function mountChart(container: HTMLElement, options: MountOptions): Promise<ChartHandle> {
  const chart = new MountedChart(container, options);
  await chart.draw();
  return chart;
}

class MountedChart implements ChartHandle {
  #view: ChartView | null = null;
  #rowSet: RowSet;
  #theme: ChartTheme;
  #size: { width: number; height: number };
  #calls = 0;
  summary = '';

  constructor(
    private readonly container: HTMLElement,
    private readonly options: MountOptions,
  ) {
    this.#rowSet = options.rowSet;
    this.#theme = options.theme;
    this.#size = { width: container.clientWidth || 300, height: container.clientHeight || 150 };
  }

  /** Builds the view anew; of several calls the latest wins. Rows and sizes that come in the meantime are drawn too. */
  async draw(): Promise<void> {
    const { spec, vega, locale, onTooltip, signal } = this.options;
    signal?.throwIfAborted();
    const call = ++this.#calls;
    const [rowSet, size] = [this.#rowSet, this.#size];
    const stage = this.container.ownerDocument.createElement('div');
    const view = await createView({
      spec: vega ?? spec ?? '',
      rowSet,
      theme: this.#theme,
      locale,
      size,
      container: stage,
      onView: (made, svg) => {
        if (onTooltip) watchPointer(made, svg, readableTitle(rowSet.columns), onTooltip);
      },
    });
    if (signal?.aborted || call !== this.#calls) {
      view.dispose();
      signal?.throwIfAborted();
      return;
    }
    this.#view?.dispose();
    this.#view = view;
    if (this.#rowSet !== rowSet) await view.setRows(this.#rowSet);
    if (this.#size !== size) await view.resize(this.#size);
    if (call !== this.#calls) return;
    this.#label(stage);
    this.container.replaceChildren(stage);
  }

  async update(rowSet: RowSet): Promise<void> {
    this.#rowSet = rowSet;
    await this.#view?.setRows(rowSet);
    const stage = this.container.firstElementChild;
    if (stage) this.#label(stage);
  }

  async setTheme(theme: ChartTheme): Promise<void> {
    this.#theme = theme;
    await this.draw();
  }

  async resize(width: number, height: number): Promise<void> {
    if (width < 1 || height < 1) return;
    this.#size = { width, height };
    await this.#view?.resize(this.#size);
  }

  dispose(): void {
    this.#calls++;
    this.#view?.dispose();
    this.#view = null;
    this.container.replaceChildren();
  }

  /** Vega calls its element a graphics document with a part for every mark; a reader gets one image in words instead. */
  #label(stage: Element): void {
    const { label, locale, preferences, describe } = this.options;
    const presentation = { formatter: createFormatter(locale), preferences };
    this.summary = describe(chartFacts(this.#view?.countMarks() ?? 0, this.#rowSet, presentation));
    for (const name of ['role', 'aria-roledescription', 'aria-label']) stage.removeAttribute(name);
    const svg = stage.querySelector('svg');
    svg?.setAttribute('role', 'img');
    svg?.setAttribute('aria-label', `${label}. ${this.summary}`);
    if (this.#view?.fits) return;
    svg?.style.setProperty('max-width', '100%');
    svg?.style.setProperty('height', 'auto');
  }
}
