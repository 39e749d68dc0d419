import type { Dashboard, DashboardWidget, ReportSnapshot } from '../../contract/dashboards.js';
import { allNodes, tabsOf, type WidgetNode, widgetTree } from '../../report/layout/widget-tree.js';
import { crossFilterOf } from '../parts/tile/mark-selection.js';
import type { TileContent } from '../parts/tile/tile-view.js';
import { snapshotTitle } from './snapshots.js';

/** A report or text as the dashboard draws it. */
export interface DrawnTile {
  /** Unique on the dashboard: the widget's id, where the dashboard keeps those apart. */
  readonly key: string;
  readonly widget: DashboardWidget;
  readonly content: TileContent;
  readonly title: string;
  /** The heading is for assistive technology alone. */
  readonly bare: boolean;
}

/** The widgets of a dashboard, sorted out. */
export interface WidgetList {
  /** What stands where. */
  readonly tree: readonly WidgetNode[];
  /** Reports and texts, by the keys of their places. */
  readonly tiles: ReadonlyMap<string, DrawnTile>;
  /** Widgets that are controls, in reading order: they stand in a bar above the grid. */
  readonly controls: readonly DashboardWidget[];
  /** Tabs that can be opened, by the id of their container. */
  readonly tabs: ReadonlyMap<string, readonly string[]>;
  /** The keys of what stands in all those tabs. */
  readonly panes: readonly string[];
  /** Choosing a mark of some tile filters the others at once. */
  readonly crossFilters: boolean;
  /** There are containers or words in the place of widgets, whose elements load late. */
  readonly framed: boolean;
  /** How many widgets are left out without a word in their place, beside controls that can't be understood. */
  readonly hidden: number;
}

const longestName = 80;

/** Sorts out what a published dashboard shows. `unnamed` stands for a report or text that has no title. */
export function widgetsOf(
  { config, reportSnapshots }: Dashboard,
  unnamed: { report: string; text: string },
): WidgetList {
  const { nodes, controls, left } = widgetTree(config.widgets ?? []);
  const isApp = config.kind === 'APP' && nodes.length === 0;
  const tree = isApp ? [appNode] : nodes;
  const tiles = allNodes(tree).flatMap(node =>
    node.type === 'tile' ? [drawnTile(node.key, node.widget, reportSnapshots, unnamed)] : [],
  );
  return {
    tree,
    tiles: new Map(tiles.map(tile => [tile.key, tile])),
    controls,
    tabs: tabsOf(tree),
    panes: allNodes(tree).flatMap(node =>
      node.type === 'container' && node.layout === 'tabs' ? node.children.map(({ node: child }) => child.key) : [],
    ),
    crossFilters: tiles.some(({ widget }) => crossFilterOf(widget, config.settings) === true),
    framed: tree.some(({ type }) => type === 'container' || type === 'trouble'),
    hidden: left,
  };
}

const appNode: WidgetNode = { type: 'trouble', key: 'app', widget: null, trouble: 'app', name: '' };

function drawnTile(
  key: string,
  widget: DashboardWidget,
  snapshots: readonly ReportSnapshot[],
  unnamed: { report: string; text: string },
): DrawnTile {
  const { config } = widget;
  if (widget.type === 'TEXT') {
    const markdown = text(config?.markdown);
    const title = firstWords(markdown) || unnamed.text;
    return { key, widget, content: { type: 'text', markdown }, title, bare: true };
  }
  const snapshot = snapshots.find(({ reportId }) => reportId === config?.reportId) ?? null;
  const title = text(config?.title) || snapshotTitle(snapshot) || unnamed.report;
  return { key, widget, content: { type: 'report', snapshot }, title, bare: config?.hideTitle === true };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The first line of a text, without its marks. */
function firstWords(markdown: string): string {
  const line = markdown.split('\n').find(candidate => /[\p{L}\p{N}]/u.test(candidate)) ?? '';
  return line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[\s#>*+-]+|[*_`~]+/g, '')
    .trim()
    .slice(0, longestName);
}
