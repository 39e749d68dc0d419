import { chartFacts, createView, DataMarks } from '../charts/view.js';
import type { Column } from '../contract/row-set.js';
import { describeChart } from '../elements/parts/chart/chart-messages.js';
import type { ReportInput } from '../scene/report-tile.js';
import { isolated } from '../scene/scene-context.js';
import { numberOf, round, type SvgAttributes, type SvgElement, type SvgNode } from '../scene/svg-element.js';
import type { Drawing } from '../scene/tile-body.js';
import type { RenderContext } from './render-context.js';
import type { RenderSize } from './render-options.js';
import { readSvg } from './svg.js';

/** Maximum side of a chart that sets its own size, px. If it is larger than its box, it is scaled to fit. */
const maxOwnSize = 4_000;
/** The rendered marks of a chart, with their offset in the drawing. */
type ChartScene = Awaited<ReturnType<typeof createView>>['scene'];

let charts = 0;

/** Draws a chart at a size. */
export async function drawChart(
  context: RenderContext,
  { snapshot, data: { rowSet } }: ReportInput,
  size: RenderSize,
): Promise<Drawing> {
  const { chartTheme, locale, messages, formatter } = context;
  const { meta, spec, preferences } = snapshot;
  const chart = await createView({
    spec: meta?.vega ?? spec ?? '',
    rowSet,
    theme: chartTheme,
    formats: preferences?.columnFormats,
    locale,
    more: messages.chart.more,
    size,
  });
  try {
    const data = new DataMarks(rowSet, chart.spec);
    const isReferenced = (column: Column) => data.isReferenced(column);
    const facts = chartFacts(chart.scene.root, rowSet, { formatter, preferences }, isReferenced);
    const chartSvg = readSvg(await chart.toSvg());
    const { renderedRows } = chart;
    const count = (value: number) => new Intl.NumberFormat(locale).format(value);
    return {
      node: fitted(drawableSvg(context, chartSvg), size, { isInside: isInside(chart.scene, size) }),
      description: describeChart(facts, messages.chart),
      notes: renderedRows ? [messages.page.showingOf(count(renderedRows.shown), count(renderedRows.total))] : [],
    };
  } finally {
    chart.dispose();
  }
}

/** Returns true if no mark of a chart is outside of its box. */
function isInside({ root, left, top }: ChartScene, { width, height }: RenderSize): boolean {
  return (root.items ?? []).every(({ bounds }) => {
    if (!bounds) return false;
    const { x1, y1, x2, y2 } = bounds;
    return x1 + left >= -1 && y1 + top >= -1 && x2 + left <= width + 1 && y2 + top <= height + 1;
  });
}

/**
 * Fits a drawing into a box; it is never enlarged. The background is that of the tile.
 * @param isInside True if nothing is outside the box. The drawing is then not clipped, because clipping slows down a
 * PNG.
 */
function fitted(chartSvg: SvgElement, box: RenderSize, { isInside }: { readonly isInside: boolean }): SvgElement {
  const width = ownSize(chartSvg.attributes.width, box.width);
  const height = ownSize(chartSvg.attributes.height, box.height);
  const scale = Math.min(1, box.width / width, box.height / height);
  const attributes: SvgAttributes = {
    width: width * scale,
    height: height * scale,
    viewBox: `0 0 ${width} ${height}`,
    overflow: isInside ? 'visible' : undefined,
    // The default miter limit of Vega, which differs from that of SVG.
    'stroke-miterlimit': 10,
    fill: 'none',
  };
  const isBackground = (node: SvgNode) =>
    typeof node !== 'string' && node.tag === 'rect' && node.attributes.width === '100%';
  return { tag: 'svg', attributes, children: chartSvg.children.filter(node => !isBackground(node)) };
}

function ownSize(given: string | number | undefined, fallback: number): number {
  const size = Number(given);
  return size > 0 && size <= maxOwnSize ? size : fallback;
}

/** Adapts the labels of a drawing to the fonts, and makes its ids unique in a file. */
function drawableSvg(context: RenderContext, chartSvg: SvgElement): SvgElement {
  const prefix = `c${charts++}-`;
  const visit = (node: SvgElement): SvgElement => {
    const isText = node.tag === 'text' || node.tag === 'tspan';
    const weight =
      Number(node.attributes['font-weight']) >= 600 || node.attributes['font-weight'] === 'bold' ? 600 : 400;
    const children = node.children.flatMap((child): readonly SvgNode[] => {
      if (typeof child !== 'string') return [visit(child)];
      return isText ? [isolated(context.fonts.drawable(child, weight), context.direction)] : [];
    });
    return { tag: node.tag, attributes: ownAttributes(node, prefix), children };
  };
  return visit(chartSvg);
}

const shapes = new Set(['path', 'rect', 'circle', 'line']);

function ownAttributes({ tag, attributes }: SvgElement, prefix: string): SvgAttributes {
  const own: Record<string, string | number | undefined> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'font-family') continue;
    if (name === 'id') own[name] = `${prefix}${value}`;
    else if (name === 'font-weight') own[name] = Number(value) >= 600 || value === 'bold' ? 600 : undefined;
    else if (typeof value === 'string' && value.startsWith('url(#'))
      own[name] = value.replace('url(#', `url(#${prefix}`);
    else own[name] = value;
  }
  if (own.opacity !== undefined && shapes.has(tag)) paintOpacity(own);
  return own;
}

/**
 * Moves the opacity of a shape to its fill or stroke if it has only one of them. The opacity of a whole shape would
 * require a separate layer in a PNG.
 */
function paintOpacity(own: Record<string, string | number | undefined>): void {
  const [hasFill, hasStroke] = [isPaint(own.fill), isPaint(own.stroke)];
  if (hasFill === hasStroke) return;
  const name = hasFill ? 'fill-opacity' : 'stroke-opacity';
  own[name] = round(numberOf(own.opacity, 1) * numberOf(own[name], 1));
  own.opacity = undefined;
}

function isPaint(value: string | number | undefined): boolean {
  return value !== undefined && value !== 'none';
}
