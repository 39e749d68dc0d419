import * as z from 'zod/mini';
import type { Query } from './query.js';
import type { PivotItems } from './report-spec.js';
import { JsonObject, openEnum, optional, PublicId, recordOf } from './wire.js';

/** Kinds of a dashboard config (spec 2.4). */
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
/** Ways of formatting a column (spec 2.6). */
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

/** Place of a widget on the grid, in columns and rows; `x` and `y` count from 0. */
export const WidgetPosition = z.looseObject({ h: z.int(), w: z.int(), x: z.int(), y: z.int() });
/** Place of a widget on the grid, in columns and rows; `x` and `y` count from 0. */
export type WidgetPosition = z.infer<typeof WidgetPosition>;

/** Grid of a dashboard: `margin` and `containerPadding` are `[horizontal, vertical]` px, `rowHeight` px. */
export const DashboardLayout = z.looseObject({
  breakpoints: optional(z.looseObject(perBreakpoint(z.int()))),
  cols: optional(z.looseObject(perBreakpoint(z.int()))),
  containerPadding: optional(z.array(z.int())),
  margin: optional(z.array(z.int())),
  rowHeight: optional(z.int()),
});
/** Grid of a dashboard: `margin` and `containerPadding` are `[horizontal, vertical]` px, `rowHeight` px. */
export type DashboardLayout = z.infer<typeof DashboardLayout>;

/**
 * A widget of a dashboard (spec 2.4). The keys of `config` are ours where the facts are silent: see `widget-config.ts`.
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

/** Config of a dashboard as it is read (spec 2.4). */
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
/** Config of a dashboard as it is read (spec 2.4). */
export type DashboardConfig = z.infer<typeof DashboardConfig>;

/** How one column is formatted, over what the model says. */
export const ColumnFormat = z.looseObject({
  type: openEnum(columnFormatTypes),
  decimalPlaces: optional(z.int().check(z.gte(0), z.lte(20))),
});
/** How one column is formatted, over what the model says. */
export type ColumnFormat = z.infer<typeof ColumnFormat>;

/**
 * Comparison of a measure with an earlier period (spec 2.6), which is `offset` earlier, whatever the sign of `amount`; `unit` is second,
 * minute, hour, day, week, month, quarter or year. Each of `outputs` (`value`, `absoluteChange`, `relativeChange`; all by default) is a
 * column behind that of the measure: `<measure>_1_year_ago`, `<measure>_1_year_change` and `<measure>_1_year_change_percent`.
 */
export const PeriodComparison = z.looseObject({
  measure: z.string(),
  offset: z.looseObject({ amount: z.int(), unit: z.string() }),
  timeDimension: z.string(),
  outputs: optional(z.array(z.string())),
});

/**
 * Rows that are missing in the answer and drawn all the same (spec 2.6): one of each value of `member` for every combination of the other
 * dimensions, but for `excludedDimensions`. Of a time these are the buckets of its date range, of anything else the values in the rows.
 * Counts and sums are nought there, other measures empty. No more than 50,000 rows come of it.
 */
export const FillMissingRows = z.looseObject({
  member: z.string(),
  excludedDimensions: optional(z.array(z.string())),
});

/**
 * Presentation of a report's columns, by the names that its rows have: `cube.member` and `cube.member.granularity` of a query, of SQL
 * the names of the select, whether it is asked as a query or as it stands.
 */
export const Preferences = z.looseObject({ columnFormats: optional(recordOf(ColumnFormat)) });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What a snapshot keeps under `meta`: the report's `publicId`, the parsed query, and for Vega-Lite the compiled Vega
 * specification. A report in SQL has the equal `jsonQuery`, and in `columns` the key of that query's rows for every column of the
 * SQL, by whose names it is drawn; those in `aliases` were given by the author, and head their columns in the place of a member's title.
 * Where no query is equal, it is asked as `sqlQuery` stands, and `noLoadQuery` says why. `pivotItems` are the report's own. A client forwards the query as it came: the Data
 * API checks it, so that keys of a newer platform survive.
 */
export const SnapshotMeta = z.looseObject({
  publicId: optional(z.string()),
  jsonQuery: optional(z.custom<Query>(isObject)),
  columns: optional(recordOf(z.string())),
  aliases: optional(z.array(z.string())),
  noLoadQuery: optional(z.string()),
  // By hand where they are drawn by: what can't be understood of them is as good as absent.
  pivotItems: optional(z.custom<PivotItems>(isObject)),
  vega: optional(JsonObject),
});
/** What a snapshot keeps under `meta`. */
export type SnapshotMeta = z.infer<typeof SnapshotMeta>;

/** A report as it was when its dashboard was published (spec 2.6). */
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
/** A report as it was when its dashboard was published (spec 2.6). */
export type ReportSnapshot = z.infer<typeof ReportSnapshot>;

/**
 * A published dashboard (spec 2.5). `restrictDataDownload` is what holds for the reader: the account's, the dashboard's own
 * (`settings.restrictDataDownload`), or that the reader lacks the action `DownloadData`. `userAttributes` is an extension of ours: the
 * reader's values of just those user attributes that FILTER widgets start from, in the embed answer alone.
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
