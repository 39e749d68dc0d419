import type { ReportSnapshot } from '../contract/dashboards.js';
import type { RowSet } from '../contract/row-set.js';
import { wordsOf } from '../elements/parts/sankey/sankey-messages.js';
import { type Flows, layOutFlows, readFlows, seriesOfNodes } from '../report/sankey/sankey.js';
import { mixColors } from './scene-colors.js';
import { type SceneContext, textLine } from './scene-context.js';
import { element, round, type SvgElement } from './svg-element.js';
import type { Drawing, SceneSize } from './tile-body.js';

const labelSize = 12;

/** Draws a Sankey diagram. */
export function drawFlows(context: SceneContext, snapshot: ReportSnapshot, rowSet: RowSet, size: SceneSize): Drawing {
  const { formatter, messages, colors } = context;
  const flows = readFlows(snapshot, rowSet);
  const words = wordsOf(flows, { formatter, preferences: snapshot.preferences }, messages.sankey);
  const shapes = layOutFlows(
    flows,
    words.nodes.map(({ name }) => name),
    size,
  );
  const series = seriesOfNodes(shapes);
  const colorOf = (node: number): string | null => colors.series[(series.get(node) ?? 0) - 1] ?? null;
  // Draw narrow links over wide ones, so that none is hidden.
  const links = [...shapes.links].sort((a, b) => b.width - a.width);
  const nodes: SvgElement[] = [
    ...links.map(({ index, path, width }) =>
      element('path', {
        d: path,
        fill: 'none',
        stroke: colorOf(flows.links[index]?.source ?? -1) ?? colors.muted,
        'stroke-opacity': 0.22,
        'stroke-width': round(width),
      }),
    ),
    ...shapes.nodes.map(({ index, left, top, width, height }) =>
      element('rect', {
        x: round(left),
        y: round(top),
        width: round(width),
        height: round(height),
        fill: colorOf(index) ?? mixColors(colors.muted, 0.75, colors.surface),
      }),
    ),
    ...shapes.nodes.flatMap(({ label }) =>
      label ? [textLine(context, label.text, { ...label, y: label.y + 4, size: labelSize, fill: colors.text })] : [],
    ),
  ];
  return { node: element('g', {}, nodes), description: words.summary, notes: notesOf(flows, context) };
}

function notesOf({ unusable, circular, omitted }: Flows, { messages }: SceneContext): string[] {
  const { sankey } = messages;
  const sentences = [
    unusable > 0 ? sankey.unusable(unusable) : '',
    circular > 0 ? sankey.circular(circular) : '',
    omitted > 0 ? sankey.omitted(omitted) : '',
  ];
  return sentences.filter(Boolean);
}
