import type { Dashboard, ReportSnapshot } from '../../contract/dashboards.js';
import type { NotificationAlert } from '../../contract/notifications.js';
import { dashboardQueries, type TileQuery } from '../content/dashboards/dashboard-queries.js';
import { PlatformError } from '../errors.js';
import type { ReportData } from '../http/route-deps.js';
import { controlsOf } from './mail/load-tiles.js';
import type { StoredNotification } from './notification-store.js';

/** Result of an evaluation. */
interface AlertResult {
  readonly holds: boolean;
  readonly value: number | null;
  readonly previousValue: number | null;
}

/** Input of an alert: the rows of one security context, and the value of its last scheduled run. */
interface AlertInput {
  readonly data: ReportData;
  readonly notification: StoredNotification;
  readonly previous: number | null;
  readonly signal: AbortSignal;
}

const required = {
  measure: ['measure', 'operator', 'value'],
  noRows: ['widgetId'],
  change: ['measure'],
} as const;

/** Checks the fields of an alert. @throws PlatformError 400 */
export function readAlert(alert: NotificationAlert): NotificationAlert {
  const missing = required[alert.kind].find(field => alert[field] == null);
  if (missing) throw new PlatformError(400, `body.alert.${missing}: is required with kind ${alert.kind}`);
  return alert;
}

/** Evaluates an alert with the permissions of a recipient and the control values of the notification. */
export async function evaluateAlert(
  { kind, measure, operator, value: threshold, widgetId }: NotificationAlert,
  dashboard: Dashboard,
  { data, notification, previous, signal }: AlertInput,
): Promise<AlertResult> {
  if (kind === 'noRows') {
    const count = await countRows(await tileOf(dashboard, widgetId ?? '', { data, notification }), data, signal);
    return { holds: count === 0, value: count, previousValue: null };
  }
  const value = await measured(dashboard, measure ?? '', { data, notification, signal });
  if (kind === 'measure') {
    const compare = operators[operator ?? 'equals'];
    return { holds: value !== null && compare(value, threshold ?? 0), value, previousValue: null };
  }
  const change = value === null || previous === null ? 0 : Math.abs(value - previous);
  return { holds: change > 0 && change >= (threshold ?? 0), value, previousValue: previous };
}

type Compare = (value: number, threshold: number) => boolean;
const operators: Readonly<Record<NonNullable<NotificationAlert['operator']>, Compare>> = {
  gt: (value, threshold) => value > threshold,
  gte: (value, threshold) => value >= threshold,
  lt: (value, threshold) => value < threshold,
  lte: (value, threshold) => value <= threshold,
  equals: (value, threshold) => value === threshold,
  notEquals: (value, threshold) => value !== threshold,
};

/** Returns the report of a tile with the control values of the notification applied. @throws PlatformError 400 */
async function tileOf(
  dashboard: Dashboard,
  widgetId: string,
  { data, notification }: Pick<AlertInput, 'data' | 'notification'>,
): Promise<TileQuery> {
  const context = { dashboardPublicId: dashboard.publicId, controls: controlsOf(notification) };
  const { tiles } = dashboardQueries(dashboard, context, await data.meta());
  const tile = tiles.find(each => each.widgetId === widgetId);
  if (tile) return tile;
  throw new PlatformError(
    400,
    `No report of the dashboard has the widgetId ${JSON.stringify(widgetId)}. Change the alert of the notification.`,
  );
}

/** Returns 1 if the report has rows, otherwise 0. */
async function countRows({ query, sql }: TileQuery, data: ReportData, signal: AbortSignal): Promise<number> {
  if (query) return (await data.load({ ...query, limit: 1 }, { signal })).rowSet.rows.length;
  if (sql !== null) return (await data.sql(sql, { signal, maxRows: 1 })).rows.length;
  throw new PlatformError(400, 'The report of the alert has no query.');
}

/** Returns the total of a measure. The filters of the dashboard apply to it as to a report. */
async function measured(
  dashboard: Dashboard,
  measure: string,
  { data, notification, signal }: Pick<AlertInput, 'data' | 'notification' | 'signal'>,
): Promise<number | null> {
  const widget = {
    id: 'pa-alert-measure',
    type: 'CHART',
    position: { x: 0, y: 0, w: 1, h: 1 },
    config: { reportId: -1 },
  } as const;
  const query = { measures: [measure] };
  const report: ReportSnapshot = { id: 0, reportId: -1, versionNumber: 0, kind: 'kpi', meta: { jsonQuery: query } };
  const config = { ...dashboard.config, widgets: [...(dashboard.config.widgets ?? []), widget] };
  const extended = { ...dashboard, config, reportSnapshots: [...dashboard.reportSnapshots, report] };
  const tile = await tileOf(extended, widget.id, { data, notification });
  const { rowSet } = await data.load({ ...(tile.query ?? query) }, { signal });
  const cell = rowSet.rows[0]?.[measure] ?? null;
  return cell === null || !Number.isFinite(Number(cell)) ? null : Number(cell);
}
