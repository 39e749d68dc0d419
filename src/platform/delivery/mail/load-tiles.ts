import type { AiWidget } from '../../../contract/ai-widgets.js';
import type { Dashboard } from '../../../contract/dashboards.js';
import type { Query } from '../../../contract/query.js';
import type { RowSet } from '../../../contract/row-set.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { DashboardState } from '../../../report/controls/dashboard-state.js';
import { titleRows } from '../../../report/query/report-request.js';
import { type DashboardQueries, dashboardQueries, type TileQuery } from '../../content/dashboards/dashboard-queries.js';
import type { ReportData } from '../../http/route-deps.js';
import type { StoredNotification } from '../notification-store.js';

/** A report of the dashboard, with the rows that the recipient can see. */
export interface MailTile {
  readonly title: string;
  /** `null` if the rows could not be loaded. */
  readonly rowSet: RowSet | null;
}

/**
 * Maximum number of rows that are loaded per report. Higher than the number that a message displays, to count the rest.
 */
const maxRows = 1_000;

/** Dependencies for loading rows with the permissions of one recipient. */
interface TilesOptions {
  readonly data: ReportData;
  /** Answers pinned to the dashboard, as the recipient sees them. */
  readonly aiWidgets: readonly AiWidget[];
  readonly notification: StoredNotification;
  readonly signal: AbortSignal;
}

/**
 * Loads the reports of a dashboard with the permissions of a recipient and the control values of the notification.
 * Reports that cannot be loaded have no rows.
 */
export async function loadTiles(
  dashboard: Dashboard,
  { data, aiWidgets, notification, signal }: TilesOptions,
): Promise<{ readonly tiles: readonly MailTile[]; readonly queries: DashboardQueries }> {
  const context = { dashboardPublicId: dashboard.publicId, controls: controlsOf(notification) };
  const answers = new Map(aiWidgets.flatMap(({ widgetId, snapshot }) => (snapshot ? [[widgetId, snapshot]] : [])));
  const queries = dashboardQueries(dashboard, context, await data.meta(), answers);
  const tiles: MailTile[] = [];
  for (const tile of queries.tiles) tiles.push({ title: tile.title, rowSet: await load(data, tile, signal) });
  return { tiles, queries };
}

async function load(data: ReportData, { query, sql }: TileQuery, signal: AbortSignal): Promise<RowSet | null> {
  try {
    if (query) return (await data.load(limited(query), { signal })).rowSet;
    return sql === null ? null : titleRows(await data.sql(sql, { signal, maxRows }));
  } catch (error) {
    // The message states that the report is missing; the other reports are delivered.
    if (signal.aborted) throw error;
    return null;
  }
}

function limited(query: JsonObject): Query {
  const { limit } = query;
  return { ...query, limit: typeof limit === 'number' ? Math.min(limit, maxRows) : maxRows };
}

/** Control values of a dashboard, by member. */
type ControlValues = Pick<DashboardState, 'filters' | 'timeGrains' | 'members'>;

/** Returns the control values of a notification. Invalid values are ignored when they are applied. */
export function controlsOf({
  filters,
  timeGrains,
  memberSwitchers,
}: Pick<StoredNotification, 'filters' | 'timeGrains' | 'memberSwitchers'>): ControlValues {
  const byMember = (list: readonly JsonObject[] | null, readValue: (item: JsonObject) => unknown) =>
    Object.fromEntries((list ?? []).map(item => [String(item.member), readValue(item)]));
  return {
    filters: byMember(filters, ({ member: _, ...condition }) => condition),
    timeGrains: byMember(timeGrains, ({ grain }) => grain),
    members: byMember(memberSwitchers, ({ selected }) => selected),
  } as ControlValues;
}
