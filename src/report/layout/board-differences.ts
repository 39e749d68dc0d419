import type { DashboardConfig, DashboardWidget, ReportSnapshot } from '../../contract/dashboards.js';
import { containerContent, isContainer } from './edit-containers.js';
import { snapshotTitle, widgetMarkdown } from './tile-title.js';

/** A dashboard with the reports that its charts show. */
export interface BoardVersion {
  readonly config: DashboardConfig;
  readonly reports: ReadonlyMap<number, ReportSnapshot>;
}

/** Parts of a widget that can differ between two versions. */
export type DifferenceField =
  | 'title'
  | 'text'
  | 'kind'
  | 'fields'
  | 'filters'
  | 'order'
  | 'look'
  | 'presets'
  | 'tiles'
  | 'layout'
  | 'position'
  | 'size'
  | 'settings';

/** Difference of one widget between two versions of a dashboard. */
export interface WidgetDifference {
  /** Id of the widget; empty for the settings of the dashboard. */
  readonly id: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** The parts that differ, if the widget has changed. */
  readonly fields: readonly DifferenceField[];
}

/** Values of a widget, by field. Fields that the widget does not have are not set. */
type Values = Readonly<Partial<Record<DifferenceField, unknown>>>;

/** Returns the widgets that differ between two versions: first those of `after` in their order, then removed ones. */
export function boardDifferences(before: BoardVersion, after: BoardVersion): readonly WidgetDifference[] {
  const old = byId(before.config);
  const now = byId(after.config);
  const both = [...now].flatMap(([id, widget]): readonly WidgetDifference[] => {
    const known = old.get(id);
    if (!known) return [{ id, kind: 'added', fields: [] }];
    const fields = differentFields(valuesOf(known, before.reports), valuesOf(widget, after.reports));
    return fields.length > 0 ? [{ id, kind: 'changed', fields }] : [];
  });
  const removed = [...old.keys()]
    .filter(id => !now.has(id))
    .map((id): WidgetDifference => ({ id, kind: 'removed', fields: [] }));
  const hasSettings = keyOf(settingsOf(before)) !== keyOf(settingsOf(after));
  return [...both, ...removed, ...(hasSettings ? [{ id: '', kind: 'changed', fields: ['settings'] } as const] : [])];
}

/** Whether two dashboards are equal. The order of keys does not matter. */
export function isSameBoard(one: DashboardConfig, other: DashboardConfig): boolean {
  return keyOf(one) === keyOf(other);
}

function settingsOf({ config: { widgets: _, settings = {}, ...others } }: BoardVersion): object {
  return { ...others, settings };
}

function byId({ widgets }: DashboardConfig): ReadonlyMap<string, DashboardWidget> {
  return new Map((widgets ?? []).map(widget => [widget.id, widget]));
}

function differentFields(before: Values, after: Values): readonly DifferenceField[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as DifferenceField[]);
  return [...fields].filter(field => keyOf(before[field]) !== keyOf(after[field]));
}

function valuesOf(widget: DashboardWidget, reports: BoardVersion['reports']): Values {
  const { position, responsiveLayouts, style } = widget;
  const { x, y, w, h } = position;
  const { settings, ...content } = contentOf(widget, reports);
  return { ...content, position: [x, y, responsiveLayouts], size: [w, h], settings: [settings, style] };
}

function contentOf(widget: DashboardWidget, reports: BoardVersion['reports']): Values {
  const { type, config } = widget;
  if (isContainer(widget)) {
    const { title, layout, children } = containerContent(widget);
    const { title: _title, layout: _layout, children: _children, ...settings } = config ?? {};
    return { title, layout, tiles: children, settings };
  }
  if (type === 'TEXT') {
    const { markdown: _, ...settings } = config ?? {};
    return { text: widgetMarkdown(config), settings };
  }
  const { title, reportId, ...rest } = config ?? {};
  if (type === 'CHART') {
    const snapshot = reports.get(Number(reportId));
    return { ...reportValues(snapshot, reportId), title: title || snapshotTitle(snapshot ?? null), settings: rest };
  }
  const { member, members, options, ...settings } = rest;
  return { title, kind: type, fields: [member, members], presets: options, settings };
}

/** Returns the values of a report. Another report with the same query and settings is equal. */
function reportValues(snapshot: ReportSnapshot | undefined, reportId: unknown): Values {
  if (!snapshot) return { fields: reportId };
  const { id: _id, reportId: _report, versionNumber: _version, name: _name, title: _title, ...shown } = snapshot;
  // Ignore the form settings of the editor, which are not published, and the compiled specifications, which publishing
  // adds.
  const { meta, sqlQuery, look: _look, ...look } = shown;
  const { jsonQuery, pivotItems } = meta ?? {};
  const { measures = [], dimensions = [], timeDimensions = [], filters = [], segments = [], ...rest } = jsonQuery ?? {};
  const { order = [], ...limits } = rest;
  const times = timeDimensions.map(({ dateRange: _, ...time }) => time);
  const ranges = timeDimensions.map(({ dateRange }) => dateRange);
  return {
    fields: [measures, dimensions, times, sqlQuery],
    filters: [filters, segments, ranges],
    // The order of the keys is the order of the columns.
    order: [Array.isArray(order) ? order : Object.entries(order), limits],
    look: [look, pivotItems],
  };
}

/** Returns a text that is equal for equal values: empty values are omitted, and keys are sorted. */
function keyOf(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) => {
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
      const entries = Object.entries(part).filter(([, item]) => item !== null && item !== undefined);
      return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ''
  );
}
