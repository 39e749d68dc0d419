import * as z from 'zod/mini';
import type { Query } from './query.js';
import type { PivotItems } from './report-spec.js';
import { JsonObject, openEnum, optional, PublicId, recordOf } from './wire.js';

/** Kinds of a dashboard configuration (spec 2.4). */
export const dashboardKinds = ['CLASSIC', 'APP'] as const;
/** States of a published dashboard (spec 2.5). */
export const dashboardStatuses = ['draft', 'published', 'archived'] as const;
/** Types of a widget (spec 2.4). */
export const widgetTypes = [
  'CHART',
  'TEXT',
  'FILTER',
  'AI',
  'TIME_GRAIN',
  'FIELD',
  'PARENT',
  'SPACER',
  'DIVIDER',
  'CONTAINER',
] as const;
/** Kinds of a report snapshot (spec 2.6). */
export const snapshotKinds = ['vega', 'table', 'kpi', 'html', 'map', 'sankey'] as const;
/** Types of column formats (spec 2.6). */
export const columnFormatTypes = ['currency', 'percent', 'number'] as const;
/** Breakpoints of a layout, widest first. */
export const breakpointNames = ['lg', 'md', 'sm', 'xs', 'xxs'] as const;
/** Name of a breakpoint. */
export type BreakpointName = (typeof breakpointNames)[number];

/** @__NO_SIDE_EFFECTS__ */
const perBreakpoint = <T extends z.ZodMiniType>(schema: T) => ({
  lg: optional(schema),
  md: optional(schema),
  sm: optional(schema),
  xs: optional(schema),
  xxs: optional(schema),
});

/** Position and size of a widget on the grid, in columns and rows; `x` and `y` start at 0. */
export const WidgetPosition = z.looseObject({ h: z.int(), w: z.int(), x: z.int(), y: z.int() });
/** Position and size of a widget on the grid, in columns and rows; `x` and `y` start at 0. */
export type WidgetPosition = z.infer<typeof WidgetPosition>;

/** Grid of a dashboard. `margin` and `containerPadding` are `[horizontal, vertical]` in px; `rowHeight` is in px. */
export const DashboardLayout = z.looseObject({
  breakpoints: optional(z.looseObject(perBreakpoint(z.int()))),
  cols: optional(z.looseObject(perBreakpoint(z.int()))),
  containerPadding: optional(z.array(z.int())),
  margin: optional(z.array(z.int())),
  rowHeight: optional(z.int()),
});
/** Grid of a dashboard. `margin` and `containerPadding` are `[horizontal, vertical]` in px; `rowHeight` is in px. */
export type DashboardLayout = z.infer<typeof DashboardLayout>;

/**
 * A widget of a dashboard (spec 2.4). The specification does not define all keys of `config`; see `widget-config.ts`
 * for the rest.
 */
export const DashboardWidget = z.looseObject({
  id: z.string().check(z.maxLength(128)),
  type: openEnum(widgetTypes),
  position: WidgetPosition,
  config: optional(JsonObject),
  responsiveLayouts: optional(z.looseObject(perBreakpoint(WidgetPosition))),
  style: optional(JsonObject),
});
/** A widget of a dashboard (spec 2.4). */
export type DashboardWidget = z.infer<typeof DashboardWidget>;

/** Source of an APP dashboard. */
export const DashboardApp = z.looseObject({
  entry: optional(z.string()),
  files: optional(recordOf(z.string())),
  html: optional(z.string()),
  manifest: optional(z.looseObject({ dependencies: optional(recordOf(z.string())), version: optional(z.int()) })),
});

/** Configuration of a dashboard in responses (spec 2.4). */
export const DashboardConfig = z.looseObject({
  app: optional(DashboardApp),
  description: optional(z.string()),
  kind: optional(openEnum(dashboardKinds)),
  layout: optional(DashboardLayout),
  settings: optional(JsonObject),
  theme: optional(JsonObject),
  title: optional(z.string()),
  widgets: optional(z.array(DashboardWidget)),
});
/** Configuration of a dashboard in responses (spec 2.4). */
export type DashboardConfig = z.infer<typeof DashboardConfig>;

/** Format of one column; overrides the format of the model. */
export const ColumnFormat = z.looseObject({
  type: openEnum(columnFormatTypes),
  decimalPlaces: optional(z.int().check(z.gte(0), z.lte(20))),
});
/** Format of one column; overrides the format of the model. */
export type ColumnFormat = z.infer<typeof ColumnFormat>;

/**
 * Comparison of a measure with an earlier period (spec 2.6). The period is `offset` earlier, regardless of the sign of
 * `amount`; `unit` is second, minute, hour, day, week, month, quarter or year. Each of `outputs` (`value`,
 * `absoluteChange`, `relativeChange`; all by default) adds a column after the measure: `<measure>_1_year_ago`,
 * `<measure>_1_year_change` and `<measure>_1_year_change_percent`.
 */
export const PeriodComparison = z.looseObject({
  measure: z.string(),
  offset: z.looseObject({ amount: z.int(), unit: z.string() }),
  timeDimension: z.string(),
  outputs: optional(z.array(z.string())),
});

/**
 * Adds rows that are missing from the result (spec 2.6): one for each value of `member` and each combination of the
 * other dimensions, except `excludedDimensions`. For a time dimension, the values are the buckets of its date range;
 * otherwise the values in the result. In added rows, counts and sums are 0 and other measures are empty. The result is
 * limited to 50,000 rows.
 */
export const FillMissingRows = z.looseObject({
  member: z.string(),
  excludedDimensions: optional(z.array(z.string())),
});

/**
 * Column settings of a report, by column name. For a query, the names are `cube.member` and `cube.member.granularity`;
 * for SQL, the names of the select list, even if the report runs as an equivalent query.
 */
export const Preferences = z.looseObject({ columnFormats: optional(recordOf(ColumnFormat)) });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * `meta` of a snapshot: the report's `publicId`, the parsed query and, for a chart in Vega-Lite, the compiled Vega
 * specification. A report in SQL has the equivalent `jsonQuery`, and `columns` maps each column name of the SQL to a
 * key in the rows of that query. `aliases` lists columns that the author named; these names are used as headings
 * instead of member titles. If no query is equivalent, the report runs as `sqlQuery`, and `noLoadQuery` gives the
 * reason. `pivotItems` is copied from the report. Clients send the query unchanged, so that keys of newer platforms are
 * preserved; the Data API validates it.
 */
export const SnapshotMeta = z.looseObject({
  publicId: optional(z.string()),
  jsonQuery: optional(z.custom<Query>(isObject)),
  columns: optional(recordOf(z.string())),
  aliases: optional(z.array(z.string())),
  noLoadQuery: optional(z.string()),
  // Not validated here, because the renderer checks the items and ignores invalid ones.
  pivotItems: optional(z.custom<PivotItems>(isObject)),
  vega: optional(JsonObject),
});
/** `meta` of a snapshot. */
export type SnapshotMeta = z.infer<typeof SnapshotMeta>;

/** A report as of the publication of its dashboard (spec 2.6). */
export const ReportSnapshot = z.looseObject({
  id: z.int(),
  reportId: z.int(),
  versionNumber: z.int(),
  description: optional(z.string()),
  fillMissingRows: optional(FillMissingRows),
  isSourceReport: optional(z.boolean()),
  kind: optional(openEnum(snapshotKinds)),
  meta: optional(SnapshotMeta),
  name: optional(z.string()),
  periodComparisons: optional(z.array(PeriodComparison)),
  preferences: optional(Preferences),
  spec: optional(z.union([z.string(), JsonObject])),
  sqlQuery: optional(z.string()),
  title: optional(z.string()),
});
/** A report as of the publication of its dashboard (spec 2.6). */
export type ReportSnapshot = z.infer<typeof ReportSnapshot>;

/**
 * A published dashboard (spec 2.5). `restrictDataDownload` is the effective value for the reader: `true` if the account
 * or the dashboard (`settings.restrictDataDownload`) restricts downloads, or if the reader lacks the action
 * `DownloadData`. `userAttributes`, an extension, is set only in embed responses: the reader's values of the user
 * attributes that provide defaults for FILTER widgets.
 */
export const Dashboard = z.looseObject({
  allowEmbed: z.boolean(),
  config: DashboardConfig,
  deploymentId: z.int(),
  id: z.int(),
  publicId: PublicId,
  reportSnapshots: z.array(ReportSnapshot),
  status: openEnum(dashboardStatuses),
  versionId: z.int(),
  versionNumber: z.int(),
  workbookId: z.int(),
  createdBy: optional(z.int()),
  description: optional(z.string()),
  fromSharedWorkspace: optional(z.boolean()),
  restrictDataDownload: optional(z.boolean()),
  title: optional(z.string()),
  useBoardDashboards: optional(z.boolean()),
  userAttributes: optional(JsonObject),
});
/** A published dashboard (spec 2.5). */
export type Dashboard = z.infer<typeof Dashboard>;
