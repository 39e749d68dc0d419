import * as z from 'zod/mini';
import { Dashboard, DashboardConfig, DashboardLayout, DashboardWidget, ReportSnapshot } from './dashboards.js';

type Given = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.ZodMiniType>>;

const nothing: Given = {};

/**
 * A published dashboard, parsed leniently for rendering. Parts of a widget, a report or the grid that do not match the
 * contract are dropped, so that an error affects one tile and not the dashboard. A widget without a position is placed
 * at the top left, 12 columns wide and 4 rows high. A widget that is not an object becomes one of type UNKNOWN.
 */
export const LenientDashboard = z.pipe(z.transform(repairDashboard), Dashboard);

function repairDashboard(answer: unknown): unknown {
  if (!isObject(answer) || Dashboard.safeParse(answer).success) return answer;
  return {
    ...answer,
    config: isObject(answer.config) ? configOf(answer.config) : {},
    reportSnapshots: listOf(answer.reportSnapshots, snapshotOf),
  };
}

function configOf(given: Given): Given {
  const widgets = listOf(given.widgets, widgetOf);
  const layout = isObject(given.layout) ? fitting(DashboardLayout.shape, given.layout) : null;
  return fitting(DashboardConfig.shape, { ...given, widgets, layout });
}

function widgetOf(given: unknown): Given {
  const position = { x: 0, y: 0, w: 12, h: 4 };
  return { id: '', type: 'UNKNOWN', position, ...fitting(DashboardWidget.shape, isObject(given) ? given : nothing) };
}

/** Keeps the valid fields of a snapshot. A missing id becomes -1, so that no widget references the snapshot. */
function snapshotOf(given: unknown): Given {
  const known = fitting(ReportSnapshot.shape, isObject(given) ? given : nothing);
  return { id: -1, reportId: -1, versionNumber: 0, ...known };
}

/** Returns the object without the entries that do not match the shape. Keeps entries with unknown keys. */
function fitting(shape: Shape, given: Given): Given {
  const fits = ([key, value]: [string, unknown]): boolean =>
    !Object.hasOwn(shape, key) || shape[key]?.safeParse(value).success === true;
  return Object.fromEntries(Object.entries(given).filter(fits));
}

function listOf(given: unknown, read: (item: unknown) => Given): readonly Given[] {
  return Array.isArray(given) ? given.map(read) : [];
}

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
