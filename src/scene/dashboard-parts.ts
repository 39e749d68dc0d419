import type { AiWidget } from '../contract/ai-widgets.js';
import type { Dashboard } from '../contract/dashboards.js';
import { widgetTitle } from '../report/layout/tile-title.js';
import { type WidgetNode, widgetTree } from '../report/layout/widget-tree.js';
import type { SqlReportSource } from '../report/query/load-report.js';
import { type Band, type BandTitles, bandsOf } from './bands.js';
import { type ChoiceOptions, dashboardChoices } from './dashboard-choices.js';
import type { DashboardScene } from './dashboard-scene.js';
import { type LoadedTile, loadTiles } from './dashboard-tiles.js';
import { type PageContent, PageFlow } from './page-flow.js';
import { notesBlock, type PageTexts, titleBlock } from './page-texts.js';
import type { SceneContext } from './scene-context.js';
import type { Tile } from './tile.js';

/** A dashboard with the rows of its tiles. */
export interface DashboardParts {
  readonly title: string;
  /** The control values that apply, one sentence each. */
  readonly filters: readonly string[];
  readonly tiles: ReadonlyMap<string, LoadedTile>;
  /** Number of tiles that are not included. */
  readonly omitted: number;
  readonly bandsFor: (width: number) => readonly Band[];
}

/** Input of `loadDashboardParts`. */
export interface DashboardInput extends ChoiceOptions {
  readonly dashboard: Dashboard;
  readonly aiWidgets: readonly AiWidget[];
  /** Returns the nodes to draw; all nodes by default. */
  readonly select?: ((nodes: readonly WidgetNode[]) => readonly WidgetNode[]) | undefined;
  readonly source: SqlReportSource;
  /** Called with the share of the tiles that are loaded, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

const appNode: WidgetNode = { type: 'error', key: 'app', widget: null, error: 'app', name: '' };

/** Loads the rows of a dashboard. A tile that fails shows a message. */
export async function loadDashboardParts(context: DashboardScene, input: DashboardInput): Promise<DashboardParts> {
  const { dashboard, select = all => all } = input;
  const { nodes: tree, controls, omittedCount } = widgetTree(dashboard.config.widgets ?? []);
  const isApp = dashboard.config.kind === 'APP' && tree.length === 0;
  const nodes = select(isApp ? [appNode] : tree);
  const { choices, sentences } = await dashboardChoices(context, dashboard, { ...input, widgets: controls });
  const { tiles, omitted } = await loadTiles(context, { ...input, nodes, choices });
  const titles = titlesOf(context, dashboard.reportSnapshots);
  return {
    title: dashboard.title || dashboard.config.title || context.messages.page.dashboard,
    filters: sentences,
    tiles,
    omitted: omitted + omittedCount,
    bandsFor: width => bandsOf(nodes, { layout: dashboard.config.layout, width, titles }),
  };
}

/** Returns the titles for tabs that have none. */
function titlesOf({ messages, locale }: SceneContext, snapshots: Dashboard['reportSnapshots']): BandTitles {
  return {
    titleOf: node => {
      if (node.type === 'container') return node.title;
      if (node.type !== 'tile') return '';
      const { widget } = node;
      return widgetTitle(widget, snapshots.find(({ reportId }) => reportId === widget.config?.reportId) ?? null);
    },
    tab: position => messages.container.tab(new Intl.NumberFormat(locale).format(position)),
  };
}

/** What the pages of an exported file show: bands, text and tiles, with callbacks for progress. */
export interface FileParts {
  readonly bands: readonly Band[];
  readonly texts: PageTexts;
  readonly tileOf: (key: string) => Tile | null;
  /** Called after a tile was drawn. */
  readonly onTile: (tile: Tile, failure: string | null) => void;
  /** Returns notes about the whole file, after everything was drawn. */
  readonly notes: () => readonly string[];
}

/** Options of `flowPages`. */
interface FlowOptions {
  readonly width: number;
  /** Height of a page; infinite for one page as tall as its content. */
  readonly height: number;
  /** Lets other work run between two bands. */
  readonly pause: () => Promise<void>;
}

/** Draws title, tiles and notes of a dashboard on pages. */
export async function flowPages(
  context: DashboardScene,
  { bands, texts, tileOf, onTile, notes }: FileParts,
  { width, height, pause }: FlowOptions,
): Promise<readonly PageContent[]> {
  const flow = new PageFlow({ context, width, height, tileOf, onTile });
  const block = titleBlock(context, texts, width);
  flow.addBlock(block.nodes, block.height);
  for (let rest = bands; rest.length > 0; ) {
    const next = flow.nextBands(rest);
    for (const band of next) {
      context.signal.throwIfAborted();
      await flow.addBand(band);
      await pause();
    }
    rest = rest.slice(next.length);
  }
  const last = notesBlock(context, notes(), width);
  if (last.height > 0) flow.addBlock(last.nodes, last.height);
  return flow.pages;
}
