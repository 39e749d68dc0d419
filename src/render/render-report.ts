import { choicesOf, controlStates } from '../report/controls/control-state.js';
import type { Choice } from '../report/controls/controls.js';
import { emptyDashboardState } from '../report/controls/dashboard-state.js';
import { implicitControls, parseHostFilters } from '../report/controls/host-state.js';
import { modelFacts, timesOf } from '../report/controls/model-facts.js';
import { snapshotTitle } from '../report/layout/tile-title.js';
import type { SqlReportSource } from '../report/query/load-report.js';
import { loadReportBody } from '../scene/report-body.js';
import { element } from '../scene/svg-element.js';
import { drawTile, type Tile } from '../scene/tile.js';
import { createRenderContext } from './create-render-context.js';
import { boundedScale, renderPng } from './png.js';
import type {
  RenderedContent,
  RenderedReport,
  RenderReportOptions,
  RenderSize,
  ReportOutput,
} from './render-options.js';
import { boundedSource } from './row-source.js';
import { writeSvg } from './svg.js';
import { svgFile } from './svg-file.js';

const defaultSize: RenderSize = { width: 600, height: 400 };
const sizes = { min: 40, max: 4_000 };
const padding = 4;

/**
 * Renders one report as an SVG or PNG file, without a browser. A report that cannot be shown becomes a drawing of a
 * message.
 * @throws the reason of the signal if it is aborted, or an error that names the missing package of the renderer.
 */
export async function renderReport<O extends ReportOutput>(
  options: RenderReportOptions<O>,
): Promise<RenderedReport<O>> {
  const { report, output, theme, locale, scale = 2, framed = false } = options;
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const size = boundedSize(options.size ?? defaultSize);
  const context = await createRenderContext({ locale, theme, dashboardTheme: null, signal });
  const source = boundedSource(options, { signal, timeoutMs: options.timeoutMs });
  try {
    const choices = await choicesFor(options, source);
    const title = snapshotTitle(report) || context.messages.page.report;
    const loaded = await loadReportBody(context, source, { snapshot: report, title, choices });
    const tile: Tile = { ...loaded, key: 'report', title: framed ? title : '', isFramed: framed };
    const inset = framed ? 0 : padding;
    const tileDrawing = await drawTile(context, tile, {
      width: size.width - 2 * inset,
      height: size.height - 2 * inset,
    });
    const node = element('g', { transform: `translate(${inset} ${inset})` }, [tileDrawing.node]);
    const description = `${title}. ${tileDrawing.description}`;
    const file = svgFile(context, size, { title: description, nodes: [node] });
    signal.throwIfAborted();
    const content =
      output === 'svg'
        ? writeSvg(file)
        : await renderPng(file, context.fonts, boundedScale(size.width, size.height, scale));
    return {
      content: content as RenderedContent<O>,
      mediaType: output === 'svg' ? 'image/svg+xml' : 'image/png',
      description,
    };
  } finally {
    source.close();
  }
}

function boundedSize({ width, height }: RenderSize): RenderSize {
  const bounded = (length: number) => Math.max(sizes.min, Math.min(sizes.max, Math.round(length) || sizes.min));
  return { width: bounded(width), height: bounded(height) };
}

/** Returns the conditions of the caller and its time zone, as choices on a dashboard. */
async function choicesFor(
  { report, filters, timeZone }: RenderReportOptions,
  source: SqlReportSource,
): Promise<readonly Choice[]> {
  const given = parseHostFilters(filters ?? null);
  const controls = implicitControls([], given);
  const states = controlStates(controls, { locked: given, given: {}, state: emptyDashboardState, attributes: {} });
  const model = controls.length > 0 ? await source.meta() : null;
  const facts = model && modelFacts(model);
  const times = timesOf([report]);
  const chosen = choicesOf(states, member => facts?.get(member)?.type ?? (times.has(member) ? 'time' : null));
  return timeZone ? [...chosen, { kind: 'timezone', value: timeZone }] : chosen;
}
