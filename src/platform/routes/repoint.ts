import type { DashboardDraftInput } from '../../contract/dashboard-input.js';
import type { NewSnapshot } from '../store/dashboards.js';
import { shownPublicId } from '../store/reports.js';

/** Ids of reports, and of the copies that stand for them. */
export type CopiedIds = ReadonlyMap<number, number>;

/** A dashboard, or a draft of one, that draws the copies of reports; others stay as they are named. */
export function repointConfig<C extends DashboardDraftInput>(config: C, ids: CopiedIds): C {
  if (config.widgets == null) return config;
  return { ...config, widgets: config.widgets.map(widget => repointWidget(widget, ids)) };
}

type Widget = NonNullable<DashboardDraftInput['widgets']>[number];

function repointWidget(widget: Widget, ids: CopiedIds): Widget {
  const { type, config } = widget;
  const copy = type === 'CHART' && typeof config?.reportId === 'number' ? ids.get(config.reportId) : undefined;
  return copy === undefined ? widget : { ...widget, config: { ...config, reportId: copy } };
}

/** Snapshots as if they had been taken of the copies of their reports. */
export function repointSnapshots(snapshots: readonly NewSnapshot[], ids: CopiedIds): NewSnapshot[] {
  return snapshots.map(snapshot => {
    const reportId = ids.get(snapshot.reportId);
    if (reportId === undefined) return snapshot;
    const publicId = shownPublicId({ id: reportId, publicId: null });
    return { ...snapshot, reportId, versionNumber: 1, meta: { ...snapshot.meta, publicId } };
  });
}
