import type { Dashboard, DashboardWidget, ReportSnapshot } from '../../contract/dashboards.js';
import { widgetMarkdown, widgetTitle } from '../../report/layout/tile-title.js';
import { allNodes, tabsOf, type WidgetNode, widgetTree } from '../../report/layout/widget-tree.js';
import { crossFilterOf } from '../parts/tile/mark-selection.js';
import type { TileContent } from '../parts/tile/tile-view.js';

/** A tile of a dashboard: a report, a pinned answer or text. */
export interface DashboardTile {
  /** Unique on the dashboard: the widget's id if the dashboard's ids are unique. */
  readonly key: string;
  readonly widget: DashboardWidget;
  readonly content: TileContent;
  readonly title: string;
  /** Whether the heading is visible only to assistive technology. */
  readonly bare: boolean;
}

/** The widgets of a dashboard, grouped by how they are rendered. */
export interface WidgetList {
  /** The layout tree of widgets. */
  readonly tree: readonly WidgetNode[];
  /** Tiles, by the keys of their nodes. The content of AI widgets is loaded separately. */
  readonly tiles: ReadonlyMap<string, DashboardTile>;
  /** Widgets that are controls, in reading order; they render in a bar above the grid. */
  readonly controls: readonly DashboardWidget[];
  /** Tabs that can be opened, by container id. */
  readonly tabs: ReadonlyMap<string, readonly string[]>;
  /** The keys of all tab panes. */
  readonly panes: readonly string[];
  /** Whether selecting a mark in any tile filters the other tiles. */
  readonly crossFilters: boolean;
  /** Whether there are containers or widget errors, whose elements are lazy-loaded. */
  readonly framed: boolean;
  /** Number of widgets omitted without a message, in addition to unreadable controls. */
  readonly hidden: number;
}

/** Default titles of widgets. */
interface DefaultTitles {
  readonly report: string;
  readonly text: string;
  readonly answer: string;
}

/** Groups the widgets of a published dashboard. */
export function widgetsOf({ config, reportSnapshots }: Dashboard, unnamed: DefaultTitles): WidgetList {
  const { nodes, controls, omittedCount } = widgetTree(config.widgets ?? []);
  const isApp = config.kind === 'APP' && nodes.length === 0;
  const tree = isApp ? [appNode] : nodes;
  const tiles = allNodes(tree).flatMap(node =>
    node.type === 'tile' ? [toDashboardTile(node.key, node.widget, reportSnapshots, unnamed)] : [],
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
    framed: tree.some(({ type }) => type === 'container' || type === 'error'),
    hidden: omittedCount,
  };
}

const appNode: WidgetNode = { type: 'error', key: 'app', widget: null, error: 'app', name: '' };

function toDashboardTile(
  key: string,
  widget: DashboardWidget,
  snapshots: readonly ReportSnapshot[],
  unnamed: DefaultTitles,
): DashboardTile {
  const { config } = widget;
  if (widget.type === 'TEXT') {
    const content: TileContent = { type: 'text', markdown: widgetMarkdown(config) };
    return { key, widget, content, title: widgetTitle(widget) || unnamed.text, bare: true };
  }
  if (widget.type === 'AI') {
    const content: TileContent = { type: 'answer', state: { status: 'loading' } };
    return { key, widget, content, title: widgetTitle(widget) || unnamed.answer, bare: config?.hideTitle === true };
  }
  const snapshot = snapshots.find(({ reportId }) => reportId === config?.reportId) ?? null;
  const title = widgetTitle(widget, snapshot) || unnamed.report;
  return { key, widget, content: { type: 'report', snapshot }, title, bare: config?.hideTitle === true };
}
