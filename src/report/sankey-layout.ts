import { sankey, sankeyLinkHorizontal } from 'd3-sankey';
import type { Flows } from './sankey.js';
import { shortened } from './text-width.js';

/** A place as it is drawn, px. */
export interface NodeShape {
  readonly index: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Column of places that it stands in, from the left. */
  readonly layer: number;
  readonly value: number;
  /** Its label; null where there is no room for one. */
  readonly label: NodeLabel | null;
}

/** The label of a place. */
export interface NodeLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
}

/** A flow as it is drawn: a line of this width. */
export interface LinkShape {
  readonly index: number;
  readonly path: string;
  readonly width: number;
}

/** Places and flows in their room. */
export interface SankeyShapes {
  readonly nodes: readonly NodeShape[];
  readonly links: readonly LinkShape[];
}

const nodeWidth = 12;
const largestGap = 12;
const labelHeight = 15;
const labelGap = 6;

/** Lays places and flows into a room, px. `names` are the labels of the places. */
export function layOutFlows(
  { nodes, links }: Pick<Flows, 'nodes' | 'links'>,
  names: readonly string[],
  room: { readonly width: number; readonly height: number },
): SankeyShapes {
  if (links.length === 0) return { nodes: [], links: [] };
  // Shares of the largest, so that no sum of figures is beyond what a number can hold.
  const largest = links.reduce((most, { value }) => Math.max(most, value), 0);
  const make = sankey<object, object>()
    .nodeWidth(nodeWidth)
    .nodePadding(Math.min(largestGap, (room.height * 0.4) / nodes.length))
    .extent([
      [0, 1],
      [Math.max(nodeWidth * 2, room.width), Math.max(2, room.height - 1)],
    ]);
  const graph = make({
    nodes: nodes.map(() => ({})),
    links: links.map(({ source, target, value }) => ({ source, target, value: Math.max(1e-9, value / largest) })),
  });
  const line = sankeyLinkHorizontal();
  const columns = [...new Set(graph.nodes.map(({ x0 = 0 }) => x0))].sort((a, b) => a - b);
  const bare = graph.nodes.map((node, index) => {
    const { x0 = 0, x1 = 0, y0 = 0, y1 = 0, value = 0 } = node;
    const layer = columns.indexOf(x0);
    return { index, left: x0, top: y0, width: x1 - x0, height: Math.max(1, y1 - y0), layer, value: value * largest };
  });
  const layers = columns.length;
  const labels = placeLabels(bare, names, { ...room, layers });
  return {
    nodes: bare.map(node => ({ ...node, label: labels.get(node.index) ?? null })),
    links: graph.links.map((link, index) => ({
      index,
      path: rounded(line(link) ?? ''),
      width: Math.max(1, link.width ?? 1),
    })),
  };
}

/** Labels beside their places, inside of the room; where two would overlap, the larger place has its own. */
function placeLabels(
  nodes: readonly Omit<NodeShape, 'label'>[],
  names: readonly string[],
  { width, height, layers }: { readonly width: number; readonly height: number; readonly layers: number },
): ReadonlyMap<number, NodeLabel> {
  const taken: { layer: number; y: number }[] = [];
  const labels = new Map<number, NodeLabel>();
  // The last column's labels stand before it: two columns share what is between them.
  const between = (width - layers * nodeWidth) / Math.max(1, layers - 1);
  const room = (layers === 2 ? between / 2 : between) - labelGap * 2;
  for (const node of [...nodes].sort((a, b) => b.value - a.value)) {
    const isLast = node.layer === layers - 1;
    const y = Math.max(labelHeight / 2, Math.min(height - labelHeight / 2, node.top + node.height / 2));
    // With more than two columns the labels of the last two stand in the same gap.
    const gap = isLast && layers > 2 ? node.layer - 1 : node.layer;
    const isFree = taken.every(other => other.layer !== gap || Math.abs(other.y - y) >= labelHeight);
    const text = isFree ? shortened(names[node.index] ?? '', room) : '';
    if (text === '') continue;
    taken.push({ layer: gap, y });
    const x = isLast ? node.left - labelGap : node.left + node.width + labelGap;
    labels.set(node.index, { text, x, y, anchor: isLast ? 'end' : 'start' });
  }
  return labels;
}

/** A path with figures of one decimal. */
function rounded(path: string): string {
  return path.replace(/-?\d+\.\d+(e-?\d+)?/g, figure => String(Math.round(Number(figure) * 10) / 10));
}
