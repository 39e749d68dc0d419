import * as z from 'zod/mini';
import { Dashboard, DashboardConfig, DashboardLayout, DashboardWidget, ReportSnapshot } from './dashboards.js';

type Given = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.ZodMiniType>>;

const nothing: Given = {};

/**
 * A published dashboard as it is drawn: what of a widget, a report or the grid is not as the contract says is as good as absent, so that
 * it costs a tile and not the dashboard. A widget that says no place has one of 12 by 4 at the top; of what is no object there is a widget
 * of type UNKNOWN.
 */
export const LenientDashboard = z.pipe(z.transform(mended), Dashboard);

function mended(answer: unknown): unknown {
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

/** One without a number of its own belongs to no widget. */
function snapshotOf(given: unknown): Given {
  const known = fitting(ReportSnapshot.shape, isObject(given) ? given : nothing);
  return { id: -1, reportId: -1, versionNumber: 0, ...known };
}

/** The entries that are as the shape says, and those that it says nothing of. */
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
