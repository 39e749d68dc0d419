import * as z from 'zod/mini';
import { openEnum, optional, recordOf } from './wire.js';

// The keys of a widget's `config` and of a dashboard's `settings` that the specification does not define (spec 2.4).
// All are lenient: unknown keys are preserved and invalid keys are ignored. `contract/dashboard-input.ts` is stricter.

/** Operators of a dashboard filter (`DashboardFilterOperator`). */
export const dashboardFilterOperators = [
  'equals',
  'not_equals',
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'contains',
  'not_contains',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
  'is_null',
  'is_not_null',
  'is_empty',
  'is_not_empty',
  'between',
  'custom',
] as const;
/** Operator of a dashboard filter. */
export type DashboardFilterOperator = (typeof dashboardFilterOperators)[number];

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

/**
 * A condition on one member (`DashboardFilter` without `member`). `operator` defaults to `equals`; several values are
 * combined with OR. `between` takes `[start, end]`, both inclusive by default. For a time dimension, a `custom` value
 * is a relative range (`last 7 days`). A date without a time means the whole day. `is_empty` matches the empty string,
 * and `is_not_empty` matches values that are neither empty nor NULL; other negations also match NULL unless it is one
 * of the values. As in the Data API, comparisons of whole strings are case-sensitive and those of substrings are not: a
 * condition whose `caseSensitive` requires the opposite is not applied, and its control shows a note.
 */
export const FilterCondition = z.looseObject({
  operator: optional(openEnum(dashboardFilterOperators)),
  value: optional(z.union([Scalar, z.array(z.nullable(Scalar))])),
  startInclusive: optional(z.boolean()),
  endInclusive: optional(z.boolean()),
  caseSensitive: optional(z.boolean()),
});
/** A condition on one member. */
export type FilterCondition = z.infer<typeof FilterCondition>;

/** Visibility of a control. `hidden` and `disabled` controls still apply. */
export const controlVisibilities = ['visible', 'hidden', 'disabled'] as const;
/** Visibility of a control. */
export type ControlVisibility = (typeof controlVisibilities)[number];

const control = {
  title: optional(z.string()),
  visibility: optional(openEnum(controlVisibilities)),
};

/**
 * `config` of a CHART widget: its report, and its heading if it differs from the report's. `controls` maps the widget
 * id of a control to the member that it controls in this report, or to `null` if the report ignores the control. With
 * `crossFilter`, selecting a mark filters the other tiles.
 */
export const ChartWidgetConfig = z.looseObject({
  reportId: z.int(),
  title: optional(z.string()),
  hideTitle: optional(z.boolean()),
  controls: optional(recordOf(z.nullable(z.string()))),
  crossFilter: optional(z.boolean()),
});
/** `config` of a CHART widget. */
export type ChartWidgetConfig = z.infer<typeof ChartWidgetConfig>;

/** `config` of a TEXT widget: Markdown without HTML. */
export const TextWidgetConfig = z.looseObject({ markdown: z.string() });

/**
 * `config` of a FILTER widget: filters all reports of the same view by a condition on `member` (`view.dimension`).
 * `values` are the options, by default the values in the data. Until the viewer or the URL sets a condition, `member`
 * must equal the viewer's value of `userAttribute`; without such a value, `operator` and `value` apply.
 */
export const FilterWidgetConfig = z.looseObject({
  member: z.string(),
  ...control,
  ...FilterCondition.shape,
  values: optional(z.array(Scalar)),
  userAttribute: optional(z.string()),
  /** Operators that the viewer can choose. Defaults to all operators of the member's type. */
  operators: optional(z.array(openEnum(dashboardFilterOperators))),
  /** Whether only one value can be selected. */
  single: optional(z.boolean()),
});
/** `config` of a FILTER widget. */
export type FilterWidgetConfig = z.infer<typeof FilterWidgetConfig>;

/**
 * `config` of a TIME_GRAIN widget: sets the granularity of all reports that are grouped by `member` (`view.dimension`).
 * `granularities` are the options; defaults to day, week, month, quarter and year.
 */
export const TimeGrainWidgetConfig = z.looseObject({
  member: z.string(),
  ...control,
  granularities: optional(z.array(z.string())),
  value: optional(z.string()),
});
/** `config` of a TIME_GRAIN widget. */
export type TimeGrainWidgetConfig = z.infer<typeof TimeGrainWidgetConfig>;

/**
 * `config` of a FIELD widget: replaces `member` with the selected member in every report that uses it; the column keeps
 * its name. `members` are the options, with or without `member` itself.
 */
export const FieldWidgetConfig = z.looseObject({
  member: z.string(),
  ...control,
  members: z.array(z.union([z.string(), z.looseObject({ member: z.string(), title: optional(z.string()) })])),
  value: optional(z.string()),
});
/** `config` of a FIELD widget. */
export type FieldWidgetConfig = z.infer<typeof FieldWidgetConfig>;

/**
 * `config` of a PARENT widget: one control that sets others. Each of its `options` maps `controls` (widget ids) to the
 * condition, granularity or member to set. `value` is the id of the default option.
 */
export const ParentWidgetConfig = z.looseObject({
  ...control,
  options: z.array(
    z.looseObject({
      id: z.string(),
      title: optional(z.string()),
      controls: recordOf(z.union([z.string(), FilterCondition])),
    }),
  ),
  value: optional(z.string()),
});
/** `config` of a PARENT widget. */
export type ParentWidgetConfig = z.infer<typeof ParentWidgetConfig>;

/** Layouts of the children of a CONTAINER widget. */
export const containerLayouts = ['tabs', 'stack', 'grid'] as const;
/** Layout of the children of a CONTAINER widget. */
export type ContainerLayout = (typeof containerLayouts)[number];

/**
 * `config` of a CONTAINER widget. `children` are ids of up to 200 other widgets of the dashboard, which are rendered
 * only inside the container; if several containers list a widget, it belongs to the first one. Containers nest up to
 * four levels deep.
 * - `tabs`: one tab per child. The name of a tab is the child's `title`, and its id is the child's widget id.
 * - `stack` (default): children below or next to each other (`direction`), ordered by the rows or columns of their
 *   positions.
 * - `grid`: children at their positions, on `cols` columns of the container (default: 12).
 *
 * Below 480 px, a horizontal stack becomes vertical and a grid has two columns. A container grows if its children need
 * more height than its position provides. Controls among the children are shown in the dashboard's control bar. The
 * legacy type `TABS_CONTAINER` is a container with tabs.
 */
export const ContainerWidgetConfig = z.looseObject({
  layout: optional(openEnum(containerLayouts)),
  title: optional(z.string()),
  children: z.array(z.union([z.string(), z.looseObject({ id: z.string(), title: optional(z.string()) })])),
  direction: optional(openEnum(['vertical', 'horizontal'])),
  cols: optional(z.int()),
  /** Id of the initially open tab. */
  value: optional(z.string()),
});
/** `config` of a CONTAINER widget. */
export type ContainerWidgetConfig = z.infer<typeof ContainerWidgetConfig>;

/**
 * `settings` of a dashboard that affect rendering. `crossFilter` is the default for its charts; `restrictDataDownload`
 * prevents all viewers from downloading rows.
 */
export const DashboardSettings = z.looseObject({
  crossFilter: optional(z.boolean()),
  restrictDataDownload: optional(z.boolean()),
  timezone: optional(z.string()),
});
/** `settings` of a dashboard. */
export type DashboardSettings = z.infer<typeof DashboardSettings>;
