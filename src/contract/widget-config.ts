import * as z from 'zod/mini';
import { openEnum, optional, recordOf } from './wire.js';

// The keys of a widget's `config` and of a dashboard's `settings`, where the specification leaves them open (spec 2.4). All are
// tolerant: unknown keys stay, and a key that can't be understood is as good as absent. `contract/dashboard-input.ts` is stricter.

/** Operators of a dashboard's filter (`DashboardFilterOperator`). */
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
/** Operator of a dashboard's filter. */
export type DashboardFilterOperator = (typeof dashboardFilterOperators)[number];

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

/**
 * A condition on one member (`DashboardFilter` without `member`). `operator` is `equals` where it is absent; several values are ORed;
 * `between` takes `[start, end]`, each included unless it says otherwise; of a time a `custom` value is a relative phrase
 * (`last 7 days`), and a date without a time stands for its whole day. `is_empty` keeps the empty text, `is_not_empty` what is neither
 * that nor NULL; the other negations keep NULL unless it is among the values. As the Data API does, whole texts are compared to the
 * letter and parts of them without regard to case: a condition whose `caseSensitive` asks for the opposite is not applied, and its
 * control says so.
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

/** How a control stands on the page: `hidden` and `disabled` ones still apply. */
export const controlVisibilities = ['visible', 'hidden', 'disabled'] as const;
/** How a control stands on the page. */
export type ControlVisibility = (typeof controlVisibilities)[number];

const control = {
  title: optional(z.string()),
  visibility: optional(openEnum(controlVisibilities)),
};

/**
 * `config` of a CHART widget: the report it shows, and its heading where that is not the report's own. `controls` says of a control (by
 * its widget's id) which member of the report it stands for, or null that the report doesn't follow it. `crossFilter`: choosing one of
 * its marks filters the other tiles.
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

/** `config` of a TEXT widget: markdown without HTML. */
export const TextWidgetConfig = z.looseObject({ markdown: z.string() });

/**
 * `config` of a FILTER widget: keeps the rows whose `member` (`view.dimension`) meets a condition, in every report of the same view.
 * `values` are what can be chosen, by default what the data holds. Before the viewer or the URL has chosen, the condition is the one that
 * the viewer's `userAttribute` gives (its value equals), else `operator` and `value`.
 */
export const FilterWidgetConfig = z.looseObject({
  member: z.string(),
  ...control,
  ...FilterCondition.shape,
  values: optional(z.array(Scalar)),
  userAttribute: optional(z.string()),
  /** What the viewer may choose from; by default all that suit the member's type. */
  operators: optional(z.array(openEnum(dashboardFilterOperators))),
  /** One value alone can be chosen. */
  single: optional(z.boolean()),
});
/** `config` of a FILTER widget. */
export type FilterWidgetConfig = z.infer<typeof FilterWidgetConfig>;

/**
 * `config` of a TIME_GRAIN widget: puts the granularity that is chosen in the place of their own in all reports that are grouped by
 * `member` (`view.dimension`). `granularities` are what can be chosen: by default day, week, month, quarter and year.
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
 * `config` of a FIELD widget: puts the member that is chosen in the place of `member` in every report that uses it, whose column keeps
 * its name. `members` are what can be chosen, `member` itself among them or not.
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
 * `config` of a PARENT widget: one control that sets others. Each of its `options` says what it chooses by each of the `controls` it
 * drives (ids of their widgets): a condition, a granularity or a member. `value` is the id of the option that is chosen at first.
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

/** Ways in which a CONTAINER lays out its children. */
export const containerLayouts = ['tabs', 'stack', 'grid'] as const;
/** Way in which a CONTAINER lays out its children. */
export type ContainerLayout = (typeof containerLayouts)[number];

/**
 * `config` of a CONTAINER widget. `children` are ids of other widgets of the dashboard, 100 at most, which then stand in it alone; the
 * first container that names a widget has it. Containers nest up to four deep. `tabs`: one child a tab, `title` its name, the widget's id
 * the tab's. `stack` (the default): one below the other, or beside it (`direction`), by the rows or columns of their positions. `grid`: by
 * their own positions, on `cols` columns of the container (12). Below 480 px a row becomes a column, and a grid has two columns. A
 * container whose children need more room than its position gives is higher. Controls among the children stand in the dashboard's bar.
 * The legacy type `TABS_CONTAINER` is a container of tabs.
 */
export const ContainerWidgetConfig = z.looseObject({
  layout: optional(openEnum(containerLayouts)),
  title: optional(z.string()),
  children: z.array(z.union([z.string(), z.looseObject({ id: z.string(), title: optional(z.string()) })])),
  direction: optional(openEnum(['vertical', 'horizontal'])),
  cols: optional(z.int()),
  /** Id of the tab that is open at first. */
  value: optional(z.string()),
});
/** `config` of a CONTAINER widget. */
export type ContainerWidgetConfig = z.infer<typeof ContainerWidgetConfig>;

/**
 * `settings` of a dashboard, as far as they are drawn by. `crossFilter` is the default of its charts; `restrictDataDownload` keeps every
 * viewer from downloading rows.
 */
export const DashboardSettings = z.looseObject({
  crossFilter: optional(z.boolean()),
  restrictDataDownload: optional(z.boolean()),
  timezone: optional(z.string()),
});
/** `settings` of a dashboard. */
export type DashboardSettings = z.infer<typeof DashboardSettings>;
