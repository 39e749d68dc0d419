import * as z from 'zod/mini';
import { breakpointNames, columnFormatTypes, dashboardKinds, snapshotKinds, widgetTypes } from './dashboards.js';
import { MemberName } from './query.js';
import { JsonObject, optional } from './wire.js';

// What a caller writes is closed where what a client reads is open: known keys, known enum members, sane numbers.

const Cell = z.int().check(z.gte(0), z.lte(10_000));
const Span = z.int().check(z.gte(1), z.lte(10_000));
const Pixels = z.int().check(z.gte(0), z.lte(10_000));
const Css = z.string().check(z.maxLength(200));
const Position = z.strictObject({ h: Span, w: Span, x: Cell, y: Cell });

const byBreakpoint = <T extends z.ZodMiniType>(schema: T) =>
  z.partialRecord(z.enum(breakpointNames), z.nullable(schema));

const Layout = z.strictObject({
  breakpoints: optional(byBreakpoint(Pixels)),
  cols: optional(byBreakpoint(Span)),
  containerPadding: optional(z.array(Pixels).check(z.maxLength(2))),
  margin: optional(z.array(Pixels).check(z.maxLength(2))),
  rowHeight: optional(Span),
});

const Border = z.strictObject({
  color: optional(Css),
  radius: optional(Css),
  style: optional(Css),
  width: optional(Css),
});
const Title = z.strictObject({
  color: optional(Css),
  fontFamily: optional(Css),
  fontSize: optional(Css),
  fontWeight: optional(Css),
});

const Theme = z.strictObject({
  backgroundColor: optional(Css),
  fontFamily: optional(Css),
  primaryColor: optional(Css),
  themeId: optional(Css),
  controls: optional(
    z.strictObject({
      backgroundColor: optional(Css),
      border: optional(Border),
      padding: optional(Css),
      title: optional(Title),
    }),
  ),
  dashboard: optional(z.strictObject({ backgroundColor: optional(Css), padding: optional(Css) })),
  widgets: optional(
    z.strictObject({
      backgroundColor: optional(Css),
      border: optional(Border),
      margin: optional(Css),
      padding: optional(Css),
      text: optional(
        z.strictObject({
          codeFontFamily: optional(Css),
          color: optional(Css),
          fontFamily: optional(Css),
          secondaryColor: optional(Css),
        }),
      ),
      title: optional(Title),
    }),
  ),
});

const App = z.strictObject({
  entry: optional(z.string().check(z.maxLength(255))),
  files: optional(z.record(z.string(), z.string())),
  html: optional(z.string()),
  manifest: optional(
    z.strictObject({ dependencies: optional(z.record(z.string(), z.string())), version: optional(z.int()) }),
  ),
});

const WidgetId = z.string().check(z.minLength(1), z.maxLength(128));

const widget = <Id extends z.ZodMiniType>(id: Id) =>
  z
    .strictObject({
      id,
      type: z.enum(widgetTypes),
      position: Position,
      config: optional(JsonObject),
      responsiveLayouts: optional(byBreakpoint(Position)),
      style: optional(JsonObject),
    })
    .check(({ value, issues }) => {
      const problem = configProblem(value.type, value.config ?? {});
      if (problem)
        issues.push({ code: 'custom', path: ['config', problem.key], message: problem.message, input: value });
    });

function configProblem(type: string, config: JsonObject): { key: string; message: string } | null {
  if (type === 'CHART' && !Number.isSafeInteger(config.reportId)) {
    return { key: 'reportId', message: 'a CHART widget names the numeric id of its report' };
  }
  if (type === 'TEXT' && typeof config.markdown !== 'string') {
    return { key: 'markdown', message: 'a TEXT widget holds its text as markdown' };
  }
  if ((type === 'FILTER' || type === 'TIME_GRAIN') && !MemberName.safeParse(config.member).success) {
    return { key: 'member', message: `a ${type} widget names its member, such as orders.status` };
  }
  return null;
}

const config = <Id extends z.ZodMiniType>(id: Id) =>
  z.strictObject({
    app: optional(App),
    description: optional(z.string().check(z.maxLength(10_000))),
    kind: optional(z.enum(dashboardKinds)),
    layout: optional(Layout),
    settings: optional(JsonObject),
    theme: optional(Theme),
    title: optional(z.string().check(z.maxLength(255))),
    widgets: optional(z.array(widget(id)).check(z.maxLength(500))),
  });

/** Config of a dashboard as it is published (`DashboardConfigInput`, spec 2.4). */
export const DashboardConfigInput = config(WidgetId);
/** Config of a dashboard as it is published (`DashboardConfigInput`, spec 2.4). */
export type DashboardConfigInput = z.infer<typeof DashboardConfigInput>;

/** Draft of a dashboard, `meta.dashboardDraft` of a workbook: a widget may have no id yet (`DashboardConfigDraftInput`). */
export const DashboardDraftInput = config(optional(WidgetId));
/** Draft of a dashboard: a widget may have no id yet. */
export type DashboardDraftInput = z.infer<typeof DashboardDraftInput>;

/**
 * What a report's `meta` holds for drawing it; other keys are kept as they are. Publishing copies these into the snapshot.
 * `columnFormats` go by the names of the rows' columns: `cube.member` of a query, of SQL the names of its select.
 */
export const ReportMeta = z.looseObject({
  kind: optional(z.enum(snapshotKinds)),
  spec: optional(z.union([z.string(), JsonObject])),
  preferences: optional(
    z.looseObject({
      columnFormats: optional(
        z.record(
          z.string(),
          z.strictObject({
            type: z.enum(columnFormatTypes),
            decimalPlaces: optional(z.int().check(z.gte(0), z.lte(20))),
          }),
        ),
      ),
    }),
  ),
  fillMissingRows: optional(z.strictObject({ member: z.string(), excludedDimensions: optional(z.array(z.string())) })),
  periodComparisons: optional(
    z.array(
      z.strictObject({
        measure: z.string(),
        timeDimension: z.string(),
        offset: z.strictObject({ amount: z.int(), unit: z.string() }),
        outputs: optional(z.array(z.string())),
      }),
    ),
  ),
});
/** What a report's `meta` holds for drawing it. */
export type ReportMeta = z.infer<typeof ReportMeta>;
