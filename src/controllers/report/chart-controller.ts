import type { ReactiveController, ReactiveControllerHost } from 'lit';
import {
  type ActiveMark,
  type BrushShape,
  ChartError,
  type ChartFacts,
  type ChartHandle,
  type ChartTheme,
  type ChartTooltip,
  type DrawnRows,
  mountChart,
  type Step,
} from '../../charts/mount.js';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { RowSet } from '../../contract/row-set.js';
import type { Mark, Pick } from '../../report/marks/mark.js';
import { drawingProblem, type Problem, toProblem } from '../problem.js';
import { preloadCharts } from './preload-charts.js';

export type {
  ActiveMark,
  BrushShape,
  ChartFacts,
  ChartTheme,
  ChartTooltip,
  DrawnRows,
  MarkKind,
  Step,
} from '../../charts/mount.js';

/** What a chart is drawn from. */
export interface ChartInput {
  readonly snapshot: ReportSnapshot;
  readonly rowSet: RowSet;
  readonly locale: string;
  /** Name of the chart. */
  readonly label: string;
  /** Says what the chart shows, in the language of `locale`. */
  readonly describe: (facts: ChartFacts) => string;
  /** Says how many entries a legend leaves out, in the same language. */
  readonly more: (count: number) => string;
  /** Whether marks can be picked, or only looked at. */
  readonly marks: 'pickable' | 'still';
}

/** What a chart controller needs from its host. */
export interface ChartOptions {
  /** Where the chart is drawn; null until the host has rendered. */
  readonly container: () => HTMLElement | null;
  readonly theme: () => ChartTheme;
  /** Called after the chart was drawn, with what of its rows it shows where that is not all of them. */
  readonly onDrawn: (drawn: DrawnRows | null) => void;
  readonly onFailed: (problem: Problem) => void;
  readonly onTooltip: (tooltip: ChartTooltip | null) => void;
  /** Called when somebody points at a mark. */
  readonly onPick: (pick: Pick) => void;
  /** Called when the pointer comes onto a mark that can be picked, and when it leaves. */
  readonly onOver: (isOver: 'mark' | 'nothing') => void;
}

/**
 * Keeps one chart on the page: begins to load what draws it when the host is connected, draws it once there are rows, and after
 * that changes its data, size and colours without building it again. The latest call wins.
 */
export class ChartController implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly isConnected: boolean };
  readonly #options: ChartOptions;
  #observer: ResizeObserver | null = null;
  #mounting: AbortController | null = null;
  #handle: ChartHandle | null = null;
  #drawn: ChartInput | null = null;
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
    // A chart that is only moved is connected again before this runs.
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#dispose();
    });
  }

  /** Draws these rows: called after every update of the host, does nothing where nothing changed. */
  async draw(input: ChartInput): Promise<void> {
    const last = this.#drawn;
    if (!this.#host.isConnected || (last && sameInput(last, input))) return;
    const container = this.#options.container();
    if (!container) return;
    this.#drawn = input;
    const isUpdate = last !== null && sameChart(last, input);
    try {
      if (!isUpdate) await this.#mount(container, input);
      else if (this.#handle) await this.#handle.update(input.rowSet);
      else return;
      if (this.#drawn === input) this.#options.onDrawn(this.#handle?.drawnRows ?? null);
    } catch (error) {
      if (this.#drawn === input) this.#fail(error);
    }
  }

  /** Takes over the colours that the page has now. */
  restyle(): void {
    // A chart that was drawn can be drawn in other colours; what fails all the same leaves it as it is.
    this.#handle?.setTheme(this.#options.theme()).catch(() => {});
  }

  /** Fades all marks but these; with none, no mark is faded. */
  select(marks: readonly Mark[]): void {
    if (this.#selected === marks) return;
    this.#selected = marks;
    this.#handle
      ?.select(marks)
      .then(() => this.#host.requestUpdate())
      .catch(() => {});
  }

  /** Goes to another mark, from the one that somebody stands on; null where there is none. */
  move(step: Step): ActiveMark | null {
    return this.#handle?.move(step) ?? null;
  }

  /** Leaves the mark that somebody stands on. */
  leave(): void {
    this.#handle?.leave();
  }

  /** Picks the mark that somebody stands on. */
  pickActive(intent: Pick['intent'], extend: boolean): void {
    this.#handle?.pickActive(intent, extend);
  }

  /** How several marks can be framed; null where they can't be. */
  get brush(): BrushShape | null {
    return this.#handle?.brush ?? null;
  }

  /** The marks in a frame, px of the screen. */
  marksIn(box: Pick['anchor']): readonly Mark[] {
    return this.#handle?.marksIn(box) ?? [];
  }

  /** Spans of the axis that the chosen marks lie on, px from the corner of the container. */
  get spans(): readonly Pick['anchor'][] {
    return this.#selected.length > 0 ? (this.#handle?.spans ?? []) : [];
  }

  /** The chart as a file of its own; empty while there is none. */
  async toSvg(): Promise<string> {
    return (await this.#handle?.toSvg()) ?? '';
  }

  async #mount(container: HTMLElement, input: ChartInput): Promise<void> {
    this.#release();
    const mounting = new AbortController();
    this.#mounting = mounting;
    const { snapshot, rowSet, locale, label, describe, more, marks } = input;
    const { theme, onTooltip, onPick, onOver } = this.#options;
    const { signal } = mounting;
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
      theme: theme(),
      size: this.#size,
      onTooltip,
      selected,
      ...(marks === 'pickable' ? { onPick, onOver } : {}),
      signal,
    });
    if (signal.aborted) return handle.dispose();
    this.#handle = handle;
    // Marks that were chosen while the chart was being built.
    if (this.#selected !== selected) await handle.select(this.#selected);
    this.#fit(handle);
    // Rows that came while the chart was being built.
    const newest = this.#drawn;
    if (newest && newest.rowSet !== rowSet) {
      await handle.update(newest.rowSet);
      if (!signal.aborted) this.#options.onDrawn(handle.drawnRows);
    }
  }

  /** The size is told once the page is laid out: reading it off the element would have the page laid out for each chart. */
  #watchSize(container: HTMLElement): void {
    this.#observer = new ResizeObserver(entries => {
      const box = entries.at(-1)?.contentRect;
      if (!box || box.width === 0 || box.height === 0) return;
      this.#size = { width: box.width, height: box.height };
      if (this.#handle) this.#fit(this.#handle);
    });
    try {
      // Tells of zooming too, by which a canvas must be drawn anew.
      this.#observer.observe(container, { box: 'device-pixel-content-box' });
    } catch {
      // This browser doesn't tell device pixels.
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

  /** What a chart says of its specification is for its author; anything else, a chunk that did not load, is not the author's doing. */
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
    this.#drawn = null;
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
