import { drawingProblem, type Problem, toProblem } from '../../../controllers/problem.js';
import { chartCanvas, chartErrorOf } from '../../../controllers/report/chart-canvas.js';
import { reportSourceOf } from '../../../controllers/report/report-source.js';
import { DrawingError } from '../../../report/table/report-columns.js';
import { type DashboardParts, flowPages, loadDashboardParts } from '../../../scene/dashboard-parts.js';
import type { DashboardScene } from '../../../scene/dashboard-scene.js';
import { sheetsOf } from '../../../scene/sheets.js';
import { element, groupAt, type SvgElement } from '../../../scene/svg-element.js';
import type { ShownDashboard } from '../export/export-target.js';
import type { PageDashboard } from './page-dashboard.js';
import { type PageScene, pageScene } from './page-scene.js';
import { imageScale, paintedFile } from './painted-file.js';

/** Options of `dashboardFile`. */
interface FileOptions {
  readonly format: 'png' | 'xlsx';
  readonly shown: ShownDashboard;
  readonly signal: AbortSignal;
  /** Called with the progress, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Minimum and maximum width of the image without its margins, in px. */
const widths = { min: 320, max: 1_600 };
const margin = 24;

/**
 * Writes a dashboard as a PNG or XLSX file, with all tabs and the control values of the viewer. The page queries the
 * rows and paints the tiles. A failed tile shows the reason.
 */
export async function dashboardFile(page: PageDashboard, options: FileOptions): Promise<Blob> {
  const { dashboard, aiWidgets, source, frame } = page;
  const { format, shown, signal, onProgress } = options;
  const locale = shown.locale ?? 'en';
  const scene = await pageScene(frame, locale, 'dashboard');
  const drawing = new DashboardDrawing(scene, signal);
  const { filters, timeGrains, members } = shown.state();
  const parts = await loadDashboardParts(drawing.context, {
    dashboard,
    aiWidgets,
    source: reportSourceOf(source, signal),
    controls: { filters: { ...shown.filters, ...filters }, timeGrains, members },
    lockedFilters: shown.lockedFilters ?? undefined,
    timeZone: shown.timezone ?? undefined,
    onProgress: share => onProgress(share * 0.7),
  });
  signal.throwIfAborted();
  if (format === 'png') return drawing.paint(parts, { width: widthOf(frame), options });
  const { toXlsx, xlsxType } = await import('../../../report/table/workbook.js');
  const bytes = await toXlsx(sheetsOf(scene, parts.tiles.values()), parts.title);
  return new Blob([new Uint8Array(bytes)], { type: xlsxType });
}

function widthOf(frame: HTMLElement): number {
  return Math.round(Math.max(widths.min, Math.min(widths.max, frame.getBoundingClientRect().width)));
}

/** Draws a dashboard. Each chart is drawn on a separate canvas. */
class DashboardDrawing {
  readonly context: DashboardScene;
  readonly #scene: PageScene;
  readonly #charts = new Map<string, HTMLCanvasElement>();
  #ratio = 1;

  constructor(scene: PageScene, signal: AbortSignal) {
    this.#scene = scene;
    this.context = {
      ...scene,
      signal,
      drawChart: ({ snapshot, data: { rowSet } }, size) => this.#drawChart({ snapshot, rowSet, size }),
      noticeOf: error => noticeOf(scene, error),
    };
  }

  async paint(
    parts: DashboardParts,
    { width, options }: { readonly width: number; readonly options: FileOptions },
  ): Promise<Blob> {
    const { messages, locale, colors, fonts } = this.#scene;
    const { title, filters, tiles, omitted } = parts;
    const bands = parts.bandsFor(width);
    const outer = (height: number) => ({ width: width + 2 * margin, height: Math.ceil(height) + 2 * margin });
    this.#ratio = imageScale(outer(bands.reduce((total, { height, gap }) => total + height + gap, 100)));
    let drawnCount = 0;
    const time = { dateStyle: 'medium', timeStyle: 'short' } as const;
    const timeZone = options.shown.timezone ?? undefined;
    const created = messages.print.created(new Intl.DateTimeFormat(locale, { ...time, timeZone }).format(new Date()));
    const pages = await flowPages(
      this.context,
      {
        bands,
        texts: { title, filters, created },
        tileOf: key => tiles.get(key) ?? null,
        onTile: () => {
          drawnCount += 1;
          options.onProgress(0.7 + 0.25 * (drawnCount / Math.max(1, tiles.size)));
        },
        notes: () => [...(omitted > 0 ? [messages.print.omittedTiles(omitted)] : []), created],
      },
      { width, height: Number.POSITIVE_INFINITY, pause: () => new Promise(resolve => setTimeout(resolve)) },
    );
    const [content = { nodes: [], height: 0 }] = pages;
    const size = outer(content.height);
    const nodes: SvgElement[] = [
      element('rect', { x: 0, y: 0, ...size, fill: colors.page }),
      groupAt(margin, margin, content.nodes),
    ];
    return paintedFile(element('g', {}, nodes), size, { family: fonts.family, images: this.#charts });
  }

  async #drawChart({
    size,
    ...chart
  }: Pick<Parameters<typeof chartCanvas>[0], 'snapshot' | 'rowSet' | 'size'>): ReturnType<DashboardScene['drawChart']> {
    const { colors, fonts, locale, messages } = this.#scene;
    const { canvas, renderedRows } = await chartCanvas({
      ...chart,
      size,
      theme: { ...colors, font: fonts.family },
      locale,
      more: messages.chart.more,
      ratio: this.#ratio,
    });
    const [width, height] = [canvas.width / this.#ratio, canvas.height / this.#ratio];
    // A chart that sets its own size can be larger than its tile.
    const scale = Math.min(1, size.width / width, size.height / height);
    const href = String(this.#charts.size);
    this.#charts.set(href, canvas);
    const count = (value: number) => new Intl.NumberFormat(locale).format(value);
    return {
      node: element('image', { href, width: width * scale, height: height * scale }),
      description: '',
      notes: renderedRows ? [messages.page.showingOf(count(renderedRows.shown), count(renderedRows.total))] : [],
    };
  }
}

function noticeOf({ messages: { page } }: PageScene, error: unknown): ReturnType<DashboardScene['noticeOf']> {
  const { kind, message } = problemOf(error);
  return kind === 'drawing' ? [page.problems.drawing[0], message] : page.problems[kind];
}

function problemOf(error: unknown): Problem {
  const reason = error instanceof DrawingError ? error.message : chartErrorOf(error);
  return reason === null ? toProblem(error) : drawingProblem(reason);
}
