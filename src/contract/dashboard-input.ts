import * as z from 'zod/mini';
import { breakpointNames, columnFormatTypes, dashboardKinds, snapshotKinds, widgetTypes } from './dashboards.js';
import { specProblems } from './report-input.js';
import { boardProblems, configProblems } from './widget-input.js';
import { JsonObject, optional } from './wire.js';

// Input schemas are strict, unlike the lenient schemas for responses: only known keys, known enum values and plausible
// numbers.

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

/** Legacy type of a CONTAINER with tabs. */
const legacyTabs = 'TABS_CONTAINER';

const widgetFields = {
  type: z.enum([...widgetTypes, legacyTabs]),
  position: Position,
  config: optional(JsonObject),
  responsiveLayouts: optional(byBreakpoint(Position)),
  style: optional(JsonObject),
};

type Payload<T> = z.core.ParsePayload<T>;

function upgradeLegacyTabs<
  W extends { readonly type: z.infer<typeof widgetFields.type>; readonly config?: JsonObject | null | undefined },
>(widget: W) {
  const { type, config } = widget;
  if (type !== legacyTabs) return { ...widget, type };
  return { ...widget, type: 'CONTAINER' as const, config: { ...config, layout: 'tabs' } };
}

function checkConfig({ value, issues }: Payload<Parameters<typeof configProblems>[0]>): void {
  for (const { path, message } of configProblems(value)) {
    issues.push({ code: 'custom', path: [...path], message, input: value });
  }
}

/**
 * Reports problems between the widgets of a dashboard. zod also runs this check if a widget is invalid; it then does
 * nothing.
 */
function checkBoard({ value, issues }: Payload<Parameters<typeof boardProblems>[0]>): void {
  if (issues.length > 0) return;
  for (const { path, message } of boardProblems(value)) {
    issues.push({ code: 'custom', path: [...path], message, input: value });
  }
}

const Widget = z
  .pipe(z.strictObject({ id: WidgetId, ...widgetFields }), z.transform(upgradeLegacyTabs))
  .check(checkConfig);
const DraftWidget = z
  .pipe(z.strictObject({ id: optional(WidgetId), ...widgetFields }), z.transform(upgradeLegacyTabs))
  .check(checkConfig);

/** Dashboard settings that affect rendering; other keys are preserved. */
const Settings = z.looseObject({
  crossFilter: optional(z.boolean()),
  restrictDataDownload: optional(z.boolean()),
  timezone: optional(z.string().check(z.maxLength(64))),
});

const maxWidgets = z.maxLength(500);
const configFields = {
  app: optional(App),
  description: optional(z.string().check(z.maxLength(10_000))),
  kind: optional(z.enum(dashboardKinds)),
  layout: optional(Layout),
  settings: optional(Settings),
  theme: optional(Theme),
  title: optional(z.string().check(z.maxLength(255))),
};

/** Configuration of a dashboard to publish (`DashboardConfigInput`, spec 2.4). */
export const DashboardConfigInput = z.strictObject({
  ...configFields,
  widgets: optional(z.array(Widget).check(maxWidgets, checkBoard)),
});
/** Configuration of a dashboard to publish (`DashboardConfigInput`, spec 2.4). */
export type DashboardConfigInput = z.infer<typeof DashboardConfigInput>;

/**
 * Draft of a dashboard, stored in `meta.dashboardDraft` of a workbook. Widgets may have no id yet
 * (`DashboardConfigDraftInput`).
 */
export const DashboardDraftInput = z.strictObject({
  ...configFields,
  widgets: optional(z.array(DraftWidget).check(maxWidgets, checkBoard)),
});
/** Draft of a dashboard. Widgets may have no id yet. */
export type DashboardDraftInput = z.infer<typeof DashboardDraftInput>;

/**
 * Rendering settings in a report's `meta`; other keys are preserved. Publishing copies these settings to the snapshot.
 * Keys of `columnFormats` are column names: `cube.member` for a query, the names of the select list for SQL.
 */
export const ReportMeta = z
  .looseObject({
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
    fillMissingRows: optional(
      z.strictObject({ member: z.string(), excludedDimensions: optional(z.array(z.string())) }),
    ),
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
  })
  .check(({ value, issues }) => {
    for (const { path, message } of specProblems(value))
      issues.push({ code: 'custom', path: [...path], message, input: value });
  });
/** Rendering settings in a report's `meta`. */
export type ReportMeta = z.infer<typeof ReportMeta>;
