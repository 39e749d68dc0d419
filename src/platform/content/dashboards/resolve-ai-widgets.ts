import type { AiWidget } from '../../../contract/ai-widgets.js';
import type { Dashboard, ReportSnapshot } from '../../../contract/dashboards.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { Db } from '../../db/database.js';
import type { ViewerData } from '../../http/route-deps.js';
import { accountConfig, isAiAllowed } from '../../settings/account-settings.js';
import { findAnswer } from './pinned-answers.js';
import { type AnswerViewer, answerForViewer } from './viewer-answer.js';
import { isAiWidget, pinnedAnswer } from './widget-threads.js';

/** Maximum number of widgets that are resolved, because each can need several queries. */
const maxResolved = 20;
/** Time limit of the queries for all widgets of a dashboard, in milliseconds. */
const maxResolveMs = 30_000;

/** A widget of a published dashboard. */
interface PublishedWidget {
  readonly id: string;
  readonly type: string;
  readonly config?: JsonObject | null | undefined;
}

/** The widgets of a published dashboard. */
interface PublishedWidgets {
  readonly deploymentId: number;
  readonly widgets: readonly PublishedWidget[];
}

/** The data of a viewer and the signal of its request. */
interface WidgetViewer {
  readonly data: ViewerData;
  readonly signal: AbortSignal;
}

/** Resolves the AI widgets of a dashboard for a viewer; `null` means a viewer without access to answers. */
export async function resolveAiWidgets(
  db: Db,
  { deploymentId, widgets }: PublishedWidgets,
  viewer: WidgetViewer | null,
): Promise<AiWidget[]> {
  const found = widgets.filter(isAiWidget);
  if (found.length === 0) return [];
  const answers = viewer && {
    data: viewer.data,
    meta: await viewer.data.meta(),
    signal: AbortSignal.any([viewer.signal, AbortSignal.timeout(maxResolveMs)]),
  };
  const items: AiWidget[] = [];
  // Resolves one widget at a time, so that a dashboard does not occupy all query slots.
  for (const widget of found) {
    items.push(await resolveWidget(db, { deploymentId, widget }, items.length < maxResolved ? answers : null));
  }
  return items;
}

async function resolveWidget(
  db: Db,
  { deploymentId, widget }: { readonly deploymentId: number; readonly widget: PublishedWidget },
  viewer: AnswerViewer | null,
): Promise<AiWidget> {
  const widgetId = widget.id;
  const pinned = pinnedAnswer(widget);
  if (!pinned) return { widgetId, state: 'empty' };
  const source = await findAnswer(db, { ...pinned, deploymentId });
  if (typeof source === 'string') return { widgetId, state: source };
  if (!viewer) return { widgetId, state: 'unavailable' };
  const snapshot = await answerForViewer(source, viewer);
  return typeof snapshot === 'string' ? { widgetId, state: snapshot } : { widgetId, state: 'ready', snapshot };
}

/**
 * Returns the reports of pinned answers by widget, as the viewer sees them; none if AI is disabled for the account
 * or for the session of the viewer (`allowAi`).
 * @param requested - whether a widget is needed.
 */
export async function findPinnedReports(
  db: Db,
  { config, deploymentId }: Pick<Dashboard, 'config' | 'deploymentId'>,
  { allowAi, ...viewer }: WidgetViewer & { readonly allowAi?: false | undefined },
  requested: (widgetId: string) => boolean = () => true,
): Promise<ReadonlyMap<string, ReportSnapshot>> {
  const widgets = (config.widgets ?? []).filter(widget => isAiWidget(widget) && requested(widget.id));
  if (widgets.length === 0 || !isAiAllowed({ allowAi }, await accountConfig(db))) return new Map();
  const items = await resolveAiWidgets(db, { deploymentId, widgets }, viewer);
  return new Map(items.flatMap(({ widgetId, snapshot }) => (snapshot ? [[widgetId, snapshot] as const] : [])));
}
