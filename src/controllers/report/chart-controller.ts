import type { ReactiveController, ReactiveControllerHost } from 'lit';
import {
  type ActiveMark,
  type BrushShape,
  ChartError,
  type ChartFacts,
  type ChartHandle,
  type ChartTheme,
  type ChartTooltip,
  mountChart,
  type RenderedRows,
  type Step,
} from '../../charts/mount.js';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { RowSet } from '../../contract/row-set.js';
import type { Mark, Pick } from '../../report/marks/mark.js';
import { drawingProblem, type Problem, toProblem } from '../problem.js';
import { ChartQueue } from './chart-queue.js';
import { preloadCharts } from './preload-charts.js';

export type {
  ActiveMark,
  BrushShape,
  ChartFacts,
  ChartTheme,
  ChartTooltip,
  MarkKind,
  RenderedRows,
  Step,
} from '../../charts/mount.js';

/** Input of a chart. */
export interface ChartInput {
  readonly snapshot: ReportSnapshot;
  readonly rowSet: RowSet;
  readonly locale: string;
  /** Name of the chart. */
  readonly label: string;
  /** Describes the chart in the language of `locale`. */
  readonly describe: (facts: ChartFacts) => string;
  /** Text for the number of legend entries that are not shown, in the same language. */
  readonly more: (count: number) => string;
  /** Whether marks can be selected. */
  readonly marks: 'pickable' | 'still';
}

/** Options of a chart controller. */
export interface ChartOptions {
  /** Container of the chart; `null` until the host has rendered. */
  readonly container: () => HTMLElement | null;
  readonly theme: () => ChartTheme;
  /**
   * Called after the chart was rendered. The argument describes the rendered rows if not all of them are shown, else it
   * is `null`.
   */
  readonly onRendered: (renderedRows: RenderedRows | null) => void;
  readonly onFailed: (problem: Problem) => void;
  readonly onTooltip: (tooltip: ChartTooltip | null) => void;
  /** Called when the user selects a mark. */
  readonly onPick: (pick: Pick) => void;
  /** Called when the pointer enters or leaves a selectable mark. */
  readonly onOver: (isOver: 'mark' | 'nothing') => void;
}

/** The charts of a page share one main thread. */
const queue = new ChartQueue();

/**
 * Renders a chart. Starts to load the chart modules when the host is connected, renders the chart when rows are
 * available, and then updates its data, size and colors without rebuilding it. The latest call wins.
 */
export class ChartController implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #options: ChartOptions;
  #observer: ResizeObserver | null = null;
  #mounting: AbortController | null = null;
  #handle: ChartHandle | null = null;
  #renderedInput: ChartInput | null = null;
  #size: { readonly width: number; readonly height: number } | null = null;
  #selected: readonly Mark[] = [];

  constructor(host: ReactiveControllerHost & { readonly isConnected: boolean }, options: ChartOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  hostConnected(): void {
    preloadCharts();
    this.#host.requestUpdate();
  }

  hostUpdated(): void {
    const container = this.#options.container();
    if (container && !this.#observer) this.#watchSize(container);
  }

  hostDisconnected(): void {
    // If the chart was only moved, it is reconnected before this runs.
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#dispose();
    });
  }

  /** Renders the input. Called after every update of the host; does nothing if the input is unchanged. */
  async draw(input: ChartInput): Promise<void> {
    const last = this.#renderedInput;
    if (!this.#host.isConnected || (last && sameInput(last, input))) return;
    const container = this.#options.container();
    if (!container) return;
    this.#renderedInput = input;
    const isUpdate = last !== null && sameChart(last, input);
    // A chart that is being built renders the newest rows when it is done.
    if (isUpdate && !this.#handle) return;
    const signal = isUpdate ? null : this.#startMounting();
    try {
      // An update does not wait in the queue: it costs little, and a filter should change all charts in one frame.
      if (!signal) await this.#handle?.update(input.rowSet);
      else {
        await queue.run(() => {
          const theme = this.#options.theme();
          return async show => {
            if (!signal.aborted) await this.#mount(container, input, { theme, signal, show });
          };
        });
      }
      if (this.#renderedInput === input) this.#options.onRendered(this.#handle?.renderedRows ?? null);
    } catch (error) {
      if (this.#renderedInput === input) this.#fail(error);
    }
  }

  /** Applies the page's current colors. */
  restyle(): void {
    // Ignore errors. The chart then keeps its previous colors.
    this.#handle?.setTheme(this.#options.theme()).catch(() => {});
  }

  /** Fades all marks except these; an empty list fades none. */
  select(marks: readonly Mark[]): void {
    if (this.#selected === marks) return;
    this.#selected = marks;
    // If the redraw fails, the chart keeps its current fading.
    this.#handle
      ?.select(marks)
      .then(() => this.#host.requestUpdate())
      .catch(() => {});
  }

  /** Moves the keyboard focus to another mark; returns `null` if there is none. */
  move(step: Step): ActiveMark | null {
    return this.#handle?.move(step) ?? null;
  }

  /** Removes the keyboard focus from the current mark. */
  leave(): void {
    this.#handle?.leave();
  }

  /** Selects the mark with the keyboard focus. */
  pickActive(how: { readonly intent: Pick['intent']; readonly extend: boolean }): void {
    this.#handle?.pickActive(how);
  }

  /** Shape of the selection frame for several marks; `null` if they cannot be framed. */
  get brush(): BrushShape | null {
    return this.#handle?.brush ?? null;
  }

  /** Returns the marks inside a box, in px relative to the viewport. */
  marksIn(box: Pick['anchor']): readonly Mark[] {
    return this.#handle?.marksIn(box) ?? [];
  }

  /** Ranges of the axis that contain the selected marks, in px relative to the container. */
  get spans(): readonly Pick['anchor'][] {
    return this.#selected.length > 0 ? (this.#handle?.spans ?? []) : [];
  }

  /** Returns the chart as a standalone SVG file; empty if there is no chart. */
  async toSvg(): Promise<string> {
    return (await this.#handle?.toSvg()) ?? '';
  }

  /** Returns the chart as a PNG file; `null` if there is no chart. */
  async toPng(): Promise<Blob | null> {
    return (await this.#handle?.toPng()) ?? null;
  }

  /** Removes the previous chart. The signal is aborted if the new chart is not needed anymore. */
  #startMounting(): AbortSignal {
    this.#release();
    this.#mounting = new AbortController();
    return this.#mounting.signal;
  }

  async #mount(
    container: HTMLElement,
    input: ChartInput,
    { theme, signal, show }: { readonly theme: ChartTheme; readonly signal: AbortSignal; show(): Promise<void> },
  ): Promise<void> {
    const { snapshot, rowSet, locale, label, describe, more, marks } = input;
    const { onTooltip, onPick, onOver } = this.#options;
    const selected = this.#selected;
    const handle = await mountChart(container, {
      spec: snapshot.spec,
      vega: snapshot.meta?.vega,
      preferences: snapshot.preferences,
      rowSet,
      locale,
      label,
      describe,
      more,
      theme,
      size: this.#size,
      onTooltip,
      selected,
      ...(marks === 'pickable' ? { onPick, onOver } : {}),
      signal,
      onRendered: show,
    });
    if (signal.aborted) return handle.dispose();
    this.#handle = handle;
    // Select the marks that were selected while the chart was being built.
    if (this.#selected !== selected) await handle.select(this.#selected);
    this.#fit(handle);
    // Update the chart if rows arrived while it was being built.
    const newest = this.#renderedInput;
    if (newest && newest.rowSet !== rowSet) {
      await handle.update(newest.rowSet);
      if (!signal.aborted) this.#options.onRendered(handle.renderedRows);
    }
  }

  /**
   * Fits the chart to the size of its container. A ResizeObserver reports the size after layout; reading it from the
   * element would force a layout for every chart.
   */
  #watchSize(container: HTMLElement): void {
    this.#observer = new ResizeObserver(entries => {
      const box = entries.at(-1)?.contentRect;
      if (!box || box.width === 0 || box.height === 0) return;
      this.#size = { width: box.width, height: box.height };
      if (this.#handle) this.#fit(this.#handle);
    });
    try {
      // Also reports zooming, after which a canvas must be redrawn.
      this.#observer.observe(container, { box: 'device-pixel-content-box' });
    } catch {
      // Fall back if the browser does not support `device-pixel-content-box`.
      this.#observer.observe(container);
    }
  }

  #fit(handle: ChartHandle): void {
    if (!this.#size) return;
    const placed = () => {
      if (this.#selected.length > 0) this.#host.requestUpdate();
    };
    handle.resize(this.#size.width, this.#size.height).then(placed, error => {
      if (this.#handle === handle) this.#fail(error);
    });
  }

  /**
   * Reports a failure. A ChartError is a problem of the specification; other errors, such as a failed import, are not.
   */
  #fail(error: unknown): void {
    this.#options.onFailed(error instanceof ChartError ? drawingProblem(error.message) : toProblem(error));
  }

  #release(): void {
    this.#mounting?.abort();
    this.#handle?.dispose();
    this.#handle = null;
  }

  #dispose(): void {
    this.#release();
    this.#observer?.disconnect();
    this.#observer = null;
    this.#size = null;
    this.#renderedInput = null;
  }
}

function sameChart(a: ChartInput, b: ChartInput): boolean {
  return (
    a.snapshot === b.snapshot &&
    a.locale === b.locale &&
    a.label === b.label &&
    a.describe === b.describe &&
    a.marks === b.marks
  );
}

function sameInput(a: ChartInput, b: ChartInput): boolean {
  return sameChart(a, b) && a.rowSet === b.rowSet;
}
