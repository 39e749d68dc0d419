import { ChartError, type ChartTheme, createView, type RenderedRows } from '../../charts/view.js';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { RowSet } from '../../contract/row-set.js';

/** A chart to draw on a canvas. */
export interface ChartCanvasInput {
  readonly snapshot: ReportSnapshot;
  readonly rowSet: RowSet;
  readonly theme: ChartTheme;
  readonly locale: string;
  /** Formats the number of hidden legend entries. */
  readonly more: (count: number) => string;
  /** Size of the chart, px. */
  readonly size: { readonly width: number; readonly height: number };
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

/** Draws a chart on a canvas that is not part of the page. Rejects with ChartError. */
export async function chartCanvas({
  snapshot,
  ratio,
  ...input
}: ChartCanvasInput): Promise<{ readonly canvas: HTMLCanvasElement; readonly renderedRows: RenderedRows | null }> {
  const { meta, spec, preferences } = snapshot;
  const chart = await createView({ ...input, spec: meta?.vega ?? spec ?? '', formats: preferences?.columnFormats });
  try {
    return { canvas: await chart.toCanvas(ratio), renderedRows: chart.renderedRows };
  } finally {
    chart.dispose();
  }
}

/** Returns the reason why a chart cannot be drawn; `null` for other errors. */
export function chartErrorOf(error: unknown): string | null {
  return error instanceof ChartError ? error.message : null;
}
