import { chartFacts, createView, DataMarks } from '../charts/view.js';
import type { ReportSnapshot } from '../contract/dashboards.js';
import type { Column, RowSet } from '../contract/row-set.js';
import { describeChart } from '../elements/parts/chart/chart-messages.js';
import { isolated } from '../scene/scene-context.js';
import type { SvgAttributes, SvgElement, SvgNode } from '../scene/svg-element.js';
import type { Drawing } from '../scene/tile-body.js';
import type { RenderContext } from './render-context.js';
import type { RenderSize } from './render-options.js';
import { readSvg } from './svg.js';

/** Maximum side of a chart that sets its own size, px. If it is larger than its box, it is scaled to fit. */
const maxOwnSize = 4_000;
let charts = 0;

/** Draws a chart at a size. */
export async function drawChart(
  context: RenderContext,
  snapshot: ReportSnapshot,
  rowSet: RowSet,
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
    const isDrawn = (column: Column) => data.isDrawn(column);
    const facts = chartFacts(chart.scene.root, rowSet, { formatter, preferences }, isDrawn);
    const drawn = readSvg(await chart.toSvg());
    const { drawnRows } = chart;
    const count = (value: number) => new Intl.NumberFormat(locale).format(value);
    return {
      node: fitted(drawableSvg(context, drawn), size),
      description: describeChart(facts, messages.chart),
      notes: drawnRows ? [messages.page.showingOf(count(drawnRows.shown), count(drawnRows.total))] : [],
    };
  } finally {
    chart.dispose();
  }
}

/** Fits a drawing into a box; it is never enlarged. The background is that of the tile. */
function fitted(drawn: SvgElement, box: RenderSize): SvgElement {
  const width = ownSize(drawn.attributes.width, box.width);
  const height = ownSize(drawn.attributes.height, box.height);
  const scale = Math.min(1, box.width / width, box.height / height);
  const attributes: SvgAttributes = {
    width: width * scale,
    height: height * scale,
    viewBox: `0 0 ${width} ${height}`,
    // Gaps between slices and outlines of points have the color of the surface, and miters are those of Vega.
    'stroke-miterlimit': 10,
    fill: 'none',
  };
  const isBackground = (node: SvgNode) =>
    typeof node !== 'string' && node.tag === 'rect' && node.attributes.width === '100%';
  return { tag: 'svg', attributes, children: drawn.children.filter(node => !isBackground(node)) };
}

function ownSize(given: string | number | undefined, fallback: number): number {
  const size = Number(given);
  return size > 0 && size <= maxOwnSize ? size : fallback;
}

/** Prepares the labels of a drawing for the fonts, and makes its ids unique in a file. */
function drawableSvg(context: RenderContext, drawn: SvgElement): SvgElement {
  const prefix = `c${charts++}-`;
  const visit = (node: SvgElement): SvgElement => {
    const isText = node.tag === 'text' || node.tag === 'tspan';
    const weight =
      Number(node.attributes['font-weight']) >= 600 || node.attributes['font-weight'] === 'bold' ? 600 : 400;
    const children = node.children.flatMap((child): readonly SvgNode[] => {
      if (typeof child !== 'string') return [visit(child)];
      return isText ? [isolated(context.fonts.drawable(child, weight), context.direction)] : [];
    });
    return { tag: node.tag, attributes: ownAttributes(node.attributes, prefix), children };
  };
  return visit(drawn);
}

function ownAttributes(attributes: SvgAttributes, prefix: string): SvgAttributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      if (name === 'font-family') return [];
      if (name === 'id') return [[name, `${prefix}${value}`]];
      if (name === 'font-weight') return [[name, Number(value) >= 600 || value === 'bold' ? 600 : undefined]];
      if (typeof value === 'string' && value.startsWith('url(#')) {
        return [[name, value.replace('url(#', `url(#${prefix}`)]];
      }
      return [[name, value]];
    }),
  );
}
