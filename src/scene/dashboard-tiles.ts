import type { AiWidget } from '../contract/ai-widgets.js';
import type { Dashboard, DashboardWidget, ReportSnapshot } from '../contract/dashboards.js';
import type { PageMessages } from '../elements/messages/page-messages.js';
import { type Choice, choicesOfTile } from '../report/controls/controls.js';
import { mappingOf } from '../report/controls/read-control.js';
import { widgetMarkdown, widgetTitle } from '../report/layout/tile-title.js';
import { allNodes, type WidgetNode } from '../report/layout/widget-tree.js';
import type { SqlReportSource } from '../report/query/load-report.js';
import type { DashboardScene } from './dashboard-scene.js';
import { loadReportBody, markdownBody, noticeBody } from './report-body.js';
import type { Tile } from './tile.js';
import type { LoadedBody } from './tile-body.js';

/** Maximum number of tiles in a file. */
const maxTiles = 300;

/** Tiles of a dashboard by the keys of their nodes. */
export interface DashboardTiles {
  readonly tiles: ReadonlyMap<string, LoadedTile>;
  /** Number of tiles beyond the limit. */
  readonly omitted: number;
}

/** A tile with the id of its widget. */
export interface LoadedTile extends Tile {
  readonly widgetId: string;
}

/** Input of `loadTiles`. */
interface TilesInput {
  readonly dashboard: Dashboard;
  readonly aiWidgets: readonly AiWidget[];
  readonly nodes: readonly WidgetNode[];
  readonly choices: readonly Choice[];
  readonly source: SqlReportSource;
  readonly onProgress: (share: number) => void;
}

/** Loads the rows of all tiles. A failed tile shows a message. */
export async function loadTiles(context: DashboardScene, input: TilesInput): Promise<DashboardTiles> {
  const shown = allNodes(input.nodes).filter(isShown);
  const included = shown.slice(0, maxTiles);
  let ready = 0;
  const tiles = await Promise.all(
    included.map(async node => {
      const tile = await loadTile(context, node, input);
      ready += 1;
      input.onProgress(ready / included.length);
      return [node.key, tile] as const;
    }),
  );
  return { tiles: new Map(tiles), omitted: shown.length - included.length };
}

/** A node that is drawn as a tile. */
type ShownNode = Extract<WidgetNode, { readonly type: 'error' }> | (WidgetNode & { readonly type: 'tile' });

function isShown(node: WidgetNode): node is ShownNode {
  return node.type === 'tile' || node.type === 'error';
}

async function loadTile(context: DashboardScene, node: ShownNode, input: TilesInput): Promise<LoadedTile> {
  const { container, page } = context.messages;
  if (node.type === 'error') {
    const body = noticeBody(context, container.widgetErrors[node.error](node.name));
    return { ...body, key: node.key, widgetId: node.widget?.id ?? node.name, title: '', isFramed: true };
  }
  const { widget, key } = node;
  const head = { key, widgetId: widget.id };
  if (widget.type === 'TEXT') {
    return { ...head, ...markdownBody(context, widgetMarkdown(widget.config)), title: '', isFramed: false };
  }
  const found = findReport(widget, input, page);
  const isBare = widget.config?.hideTitle === true;
  const loaded = await loadFound(context, found, widget, input);
  return { ...head, ...loaded, title: isBare ? '' : found.title, label: found.title, isFramed: true };
}

interface FoundReport {
  readonly title: string;
  readonly snapshot: ReportSnapshot | null;
  /** Message if there is no report. */
  readonly notice: PageMessages['missingReport'];
}

function findReport(widget: DashboardWidget, { dashboard, aiWidgets }: TilesInput, page: PageMessages): FoundReport {
  if (widget.type === 'AI') {
    const answer = aiWidgets.find(({ widgetId }) => widgetId === widget.id);
    const snapshot = answer?.snapshot ?? null;
    return { title: widgetTitle(widget, snapshot) || page.answer, snapshot, notice: answerNotice(answer, page) };
  }
  const snapshot = dashboard.reportSnapshots.find(({ reportId }) => reportId === widget.config?.reportId) ?? null;
  return { title: widgetTitle(widget, snapshot) || page.report, snapshot, notice: page.missingReport };
}

function answerNotice(answer: AiWidget | undefined, page: PageMessages): PageMessages['noAnswer'] {
  if (!answer || answer.state === 'empty') return page.noAnswer;
  if (answer.state === 'deleted') return page.answerDeleted;
  return answer.state === 'noQuery' ? page.answerWithoutQuery : page.answerUnavailable;
}

async function loadFound(
  context: DashboardScene,
  { snapshot, title, notice }: FoundReport,
  widget: DashboardWidget,
  { choices, source }: TilesInput,
): Promise<LoadedBody> {
  if (!snapshot) {
    const body = noticeBody(context, notice);
    return widget.type === 'AI' ? { ...body, failure: null } : body;
  }
  const own = choicesOfTile(choices, widget.id, mappingOf(widget));
  return loadReportBody(context, source, { snapshot, title, choices: own });
}
