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
export const LenientDashboard = z.transform((response: unknown, payload): Dashboard => {
  // Parse a valid dashboard only once, because the page parses it before its first frame.
  const strict = Dashboard.safeParse(response);
  if (strict.success) return strict.data;
  const repaired = Dashboard.safeParse(isObject(response) ? repairDashboard(response) : response);
  if (repaired.success) return repaired.data;
  for (const { message, path } of repaired.error.issues) {
    payload.issues.push({ code: 'custom', message, path, input: response });
  }
  return z.NEVER;
});

function repairDashboard(response: Given): Given {
  return {
    ...response,
    config: isObject(response.config) ? configOf(response.config) : {},
    reportSnapshots: listOf(response.reportSnapshots, snapshotOf),
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
