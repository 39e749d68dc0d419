import { sankey, sankeyLinkHorizontal } from 'd3-sankey';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { truncateToWidth } from '../format/text-width.js';
import type { Mark } from '../marks/mark.js';
import { cellOf } from '../query/groups.js';
import {
  DrawingError,
  dimensionsOf,
  figureAt,
  indexesOfLargest,
  measuresOf,
  namedColumn,
} from '../table/report-columns.js';
import { readObject } from '../table/table-settings.js';

/** Maximum number of nodes and flows in a drawing; the largest flows are drawn. */
export const maxMarks = { nodes: 300, links: 1000 } as const;

/** Source or target of flows. */
interface FlowNode {
  readonly value: Cell;
  /** Column of the value; if sources and targets share nodes, the column in which it occurs first. */
  readonly column: Column;
  readonly mark: Mark;
}

/** A flow between two nodes, by their indexes. */
interface FlowLink {
  readonly source: number;
  readonly target: number;
  readonly value: number;
  readonly mark: Mark;
}

/** The flows in row order, and counts of the rows that are not shown. */
export interface Flows {
  readonly source: Column;
  readonly target: Column;
  readonly measure: Column;
  readonly nodes: readonly FlowNode[];
  readonly links: readonly FlowLink[];
  /** Number of rows whose value is missing, not a number, or not positive. */
  readonly unusable: number;
  /** Number of flows that would close a cycle, directly or indirectly. */
  readonly circular: number;
  /** Number of omitted flows (the smallest). */
  readonly omitted: number;
}

interface Sum {
  readonly from: Cell;
  readonly to: Cell;
  value: number;
}

/**
 * Reads flows (`SankeySpec`): rows with the same source and target are one flow. A name that is both source and target
 * is two nodes, unless the report shares nodes (`nodes: 'shared'`): flows then continue from node to node, and flows
 * that would close a cycle are omitted, the smallest first.
 * @throws DrawingError if the rows do not define flows.
 */
export function readFlows(snapshot: ReportSnapshot, rowSet: RowSet): Flows {
  const spec = readObject(snapshot.spec);
  const dimensions = dimensionsOf(rowSet);
  const named = namedColumn(rowSet, spec, 'target');
  const source = namedColumn(rowSet, spec, 'source') ?? dimensions.find(column => column !== named);
  const target = named ?? dimensions.find(column => column !== source);
  const measure = namedColumn(rowSet, spec, 'value') ?? measuresOf(rowSet)[0];
  if (!source || !target || !measure || source === target) {
    throw new DrawingError('A Sankey diagram requires two columns ("source", "target") and a measure ("value").');
  }
  const isShared = spec.nodes === 'shared';
  const { sums, unusable } = sumFlows(rowSet.rows, { source, target, measure });
  const whole = isShared ? sums.filter(({ from, to }) => from !== to) : sums;
  const largest = indexesOfLargest(
    whole.map(({ value }) => value),
    maxMarks.links,
  ).flatMap(index => whole[index] ?? []);
  const open = isShared ? removeCircles(largest) : largest;
  const { nodes, links } = connectFlows(open, { source, target, measure, isShared });
  return {
    source,
    target,
    measure,
    nodes,
    links,
    unusable,
    circular: sums.length - whole.length + largest.length - open.length,
    omitted: whole.length - largest.length + open.length - links.length,
  };
}

interface Ends {
  readonly source: Column;
  readonly target: Column;
  readonly measure: Column;
}

/** Sums the values of each pair of source and target, in order of first occurrence. */
function sumFlows(rows: readonly Row[], { source, target, measure }: Ends): { sums: Sum[]; unusable: number } {
  const byFrom = new Map<Cell, Map<Cell, Sum>>();
  const sums: Sum[] = [];
  let unusable = 0;
  for (const row of rows) {
    const value = figureAt(row, measure);
    if (value === null || value <= 0) {
      unusable++;
      continue;
    }
    const [from, to] = [cellOf(row, source.member), cellOf(row, target.member)];
    const byTo = byFrom.get(from) ?? new Map<Cell, Sum>();
    byFrom.set(from, byTo);
    const sum = byTo.get(to);
    // Limits sums, because larger ones could overflow in the layout.
    if (sum) sum.value = Math.min(Number.MAX_VALUE / 1e6, sum.value + value);
    else {
      const made = { from, to, value: Math.min(Number.MAX_VALUE / 1e6, value) };
      byTo.set(to, made);
      sums.push(made);
    }
  }
  return { sums, unusable };
}

/**
 * Removes flows that close a cycle. Adds the largest flows first, so that the smallest flow of each cycle is removed.
 */
function removeCircles(sums: readonly Sum[]): Sum[] {
  const next = new Map<Cell, Cell[]>();
  const leads = (from: Cell, to: Cell): boolean => {
    const seen = new Set<Cell>([from]);
    const waiting = [from];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at === to) return true;
      for (const beyond of next.get(at) ?? []) {
        if (!seen.has(beyond)) waiting.push(beyond);
        seen.add(beyond);
      }
    }
    return false;
  };
  const included = new Set<Sum>();
  for (const sum of [...sums].sort((a, b) => b.value - a.value)) {
    if (leads(sum.to, sum.from)) continue;
    included.add(sum);
    next.set(sum.from, [...(next.get(sum.from) ?? []), sum.to]);
  }
  return sums.filter(sum => included.has(sum));
}

/** Creates nodes and flows by index. Flows to nodes beyond the limit are omitted, starting with the smallest. */
function connectFlows(
  sums: readonly Sum[],
  { source, target, measure, isShared }: Ends & { readonly isShared: boolean },
): Pick<Flows, 'nodes' | 'links'> {
  const nodes: FlowNode[] = [];
  const known = { source: new Map<Cell, number>(), target: new Map<Cell, number>() };
  const indexes = isShared ? { source: known.source, target: known.source } : known;
  const included = new Set<Sum>();
  const ends = new Set<string>();
  const nameOf = (side: 'source' | 'target', value: Cell) => `${isShared ? '' : side}:${typeof value}:${value}`;
  for (const sum of [...sums].sort((a, b) => b.value - a.value)) {
    const added = [nameOf('source', sum.from), nameOf('target', sum.to)].filter(name => !ends.has(name));
    if (ends.size + added.length > maxMarks.nodes) continue;
    for (const name of added) ends.add(name);
    included.add(sum);
  }
  const indexOf = (side: 'source' | 'target', value: Cell): number => {
    const index = indexes[side].get(value) ?? nodes.length;
    if (index < nodes.length) return index;
    indexes[side].set(value, index);
    const column = side === 'source' ? source : target;
    nodes.push({ value, column, mark: { values: { [column.member]: value }, measure: measure.member } });
    return index;
  };
  const links = sums
    .filter(sum => included.has(sum))
    .map(({ from, to, value }) => ({
      source: indexOf('source', from),
      target: indexOf('target', to),
      value,
      mark: { values: { [source.member]: from, [target.member]: to }, measure: measure.member },
    }));
  return { nodes, links };
}

/** Position of a node, px. */
export interface NodeShape {
  readonly index: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Index of the node's layer, from the left. */
  readonly layer: number;
  readonly value: number;
  /** Label of the node; `null` if there is no space for one. */
  readonly label: NodeLabel | null;
}

/** The label of a node. */
interface NodeLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
}

/** A flow as a path with a stroke width. */
export interface LinkShape {
  readonly index: number;
  readonly path: string;
  readonly width: number;
}

/** Positions of nodes and flows. */
export interface SankeyShapes {
  readonly nodes: readonly NodeShape[];
  readonly links: readonly LinkShape[];
}

const nodeWidth = 12;
const maxGap = 12;
const labelHeight = 15;
const labelGap = 6;

/** Lays out nodes and flows, in pixels. `names` are the labels of the nodes. */
export function layOutFlows(
  { nodes, links }: Pick<Flows, 'nodes' | 'links'>,
  names: readonly string[],
  area: { readonly width: number; readonly height: number },
): SankeyShapes {
  if (links.length === 0) return { nodes: [], links: [] };
  // Use shares of the largest value, so that sums cannot overflow.
  const largest = links.reduce((max, { value }) => Math.max(max, value), 0);
  const make = sankey<object, object>()
    .nodeWidth(nodeWidth)
    .nodePadding(Math.min(maxGap, (area.height * 0.4) / nodes.length))
    .extent([
      [0, 1],
      [Math.max(nodeWidth * 2, area.width), Math.max(2, area.height - 1)],
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
  const labels = placeLabels(bare, names, { ...area, layers });
  return {
    nodes: bare.map(node => ({ ...node, label: labels.get(node.index) ?? null })),
    links: graph.links.map((link, index) => ({
      index,
      path: roundPath(line(link) ?? ''),
      width: Math.max(1, link.width ?? 1),
    })),
  };
}

/** Places labels next to their nodes, within the drawing. If two labels overlap, the larger node is labeled. */
function placeLabels(
  nodes: readonly Omit<NodeShape, 'label'>[],
  names: readonly string[],
  { width, height, layers }: { readonly width: number; readonly height: number; readonly layers: number },
): ReadonlyMap<number, NodeLabel> {
  const taken: { layer: number; y: number }[] = [];
  const labels = new Map<number, NodeLabel>();
  // Labels of the last layer are to the left of it, so two layers share the space between them.
  const between = (width - layers * nodeWidth) / Math.max(1, layers - 1);
  const area = (layers === 2 ? between / 2 : between) - labelGap * 2;
  for (const node of [...nodes].sort((a, b) => b.value - a.value)) {
    const isLast = node.layer === layers - 1;
    const y = Math.max(labelHeight / 2, Math.min(height - labelHeight / 2, node.top + node.height / 2));
    // With more than two layers, the labels of the last two share the same space.
    const gap = isLast && layers > 2 ? node.layer - 1 : node.layer;
    const isFree = taken.every(other => other.layer !== gap || Math.abs(other.y - y) >= labelHeight);
    const text = isFree ? truncateToWidth(names[node.index] ?? '', area) : '';
    if (text === '') continue;
    taken.push({ layer: gap, y });
    const x = isLast ? node.left - labelGap : node.left + node.width + labelGap;
    labels.set(node.index, { text, x, y, anchor: isLast ? 'end' : 'start' });
  }
  return labels;
}

/** Rounds the numbers of a path to one decimal. */
function roundPath(path: string): string {
  return path.replace(/-?\d+\.\d+(e-?\d+)?/g, figure => String(Math.round(Number(figure) * 10) / 10));
}

/** Maximum number of nodes in the first column that get distinct colors. */
const maxColors = 6;

/** Returns the series (from 1) of the nodes in the first column; empty if there are too many nodes. */
export function seriesOfNodes({ nodes }: SankeyShapes): ReadonlyMap<number, number> {
  const first = nodes.filter(({ layer }) => layer === 0);
  if (first.length > maxColors) return new Map();
  return new Map(first.map(({ index }, place) => [index, place + 1]));
}
