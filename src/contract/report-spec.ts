import * as z from 'zod/mini';
import { type JsonObject, openEnum, optional, recordOf } from './wire.js';

// `spec` of a snapshot by its kind, which the specification does not define (spec 2.6): a Vega or Vega-Lite
// specification for the kind `vega`, HTML text for `html`, and the objects below for other kinds. All are lenient:
// unknown keys are preserved and invalid keys are ignored. Columns are referenced by the names of the report's rows.

/** Units in which a table shows its numbers. `model` uses the format of each measure. */
export const displayScales = ['model', 'absolute', 'thousands', 'millions', 'billions'] as const;
/** Unit in which a table shows its numbers. */
export type DisplayScale = (typeof displayScales)[number];

/**
 * Layout of a pivot table (`PivotItems`, domain.md 4). Values of `columns` become columns; `rows` are the row
 * headers. Totals are computed from all rows of the result for additive measures, and queried for other measures.
 */
export const PivotItems = z.looseObject({
  columns: z.array(z.string()),
  filters: z.array(z.string()),
  measures: z.array(z.string()),
  rows: z.array(z.string()),
  displayScale: optional(openEnum(displayScales)),
  measuresAxis: optional(openEnum(['columns', 'rows'])),
  measuresPosition: optional(openEnum(['before', 'after'])),
  showColumnTotals: optional(z.boolean()),
  showRowTotals: optional(z.boolean()),
  showAppliedFilters: optional(z.boolean()),
});
/** Layout of a pivot table. */
export type PivotItems = z.infer<typeof PivotItems>;

/** Operators of conditional formats. */
export const formatOperators = [
  'equals',
  'not_equals',
  'greater_than',
  'less_than',
  'between',
  'contains',
  'is_null',
] as const;

/**
 * Appearance of the cells of one column. `display` is text, a bar proportional to the number, a line of numbers
 * (`sparkline`: the cell contains them as a JSON array or comma-separated), a link or an image. The URL of a link or
 * image is the value of the cell, or of the cell in the column `url`. The first matching format of `formats` colors the
 * cell; tones are colors of the theme, and no format relies on color alone. `scale` colors all cells between the
 * minimum and the maximum.
 */
export const TableColumnSpec = z.looseObject({
  title: optional(z.string()),
  /** Width in px, or a fraction of the remaining width (`'2fr'`). */
  width: optional(z.union([z.number(), z.string()])),
  hidden: optional(z.boolean()),
  align: optional(openEnum(['start', 'center', 'end'])),
  /** Whether long text wraps to the next line (`wrap`) or ends in an ellipsis (`truncate`). */
  overflow: optional(openEnum(['truncate', 'wrap'])),
  display: optional(openEnum(['text', 'bar', 'sparkline', 'link', 'image'])),
  url: optional(z.string()),
  formats: optional(
    z.array(
      z.looseObject({
        operator: openEnum(formatOperators),
        value: optional(z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])),
        tone: openEnum(['positive', 'negative', 'warning', 'accent', 'muted']),
      }),
    ),
  ),
  scale: optional(openEnum(['sequential', 'diverging'])),
});
/** Appearance of the cells of one column. */
export type TableColumnSpec = z.infer<typeof TableColumnSpec>;

/**
 * `spec` of a snapshot of kind `table`. Keys of `columns` are column names. `order` lists column names in display
 * order; other columns follow.
 */
export const TableSpec = z.looseObject({
  pivotItems: optional(PivotItems),
  columns: optional(recordOf(TableColumnSpec)),
  order: optional(z.array(z.string())),
  header: optional(openEnum(['truncate', 'wrap'])),
  /** Whether the table has a row of totals. Does not apply to pivot tables. */
  showTotals: optional(z.boolean()),
});
/** `spec` of a snapshot of kind `table`. */
export type TableSpec = z.infer<typeof TableSpec>;

/**
 * `spec` of a snapshot of kind `kpi`. `display` is one of:
 * - `number`: the value of the first row;
 * - `comparison`: the value and its change, compared with an earlier period (`periodComparisons` of the report; if
 *   there are several rows, the latest one is shown) or with the column `comparison`;
 * - `progress`: progress toward `target`, a number or a column;
 * - `sparkline`: the value above a line of the report's time series. The value is the total, which is queried
 *   separately if the measure is not additive. If that is not possible, it is the value of the latest row.
 *
 * `measure` defaults to the first measure. `better` states whether higher values are better. A measure with drill
 * members is rendered as a button.
 */
export const KpiSpec = z.looseObject({
  display: optional(openEnum(['number', 'comparison', 'progress', 'sparkline'])),
  measure: optional(z.string()),
  label: optional(z.string()),
  comparison: optional(z.string()),
  target: optional(z.union([z.number(), z.string()])),
  better: optional(openEnum(['more', 'less', 'neither'])),
});
/** `spec` of a snapshot of kind `kpi`. */
export type KpiSpec = z.infer<typeof KpiSpec>;

/**
 * `spec` of a snapshot of kind `map`. `points` require the columns `latitude` and `longitude` in degrees (default: the
 * columns with these names), and can have `size` and `color` measures; the largest 2,000 points are drawn. `us-states`
 * and `countries` color regions by the measure `color` (default: the first measure). The dimension `region` (default:
 * the first dimension) identifies them by postal code, FIPS code, ISO 3166 code (alpha-2, alpha-3, numeric, `US-TX`) or
 * English name. Only the first row of a region is used. A note next to the map counts the rows that are not on the map.
 */
export const MapSpec = z.looseObject({
  type: openEnum(['points', 'us-states', 'countries']),
  /** Base map below points. Defaults to the one that contains all points. */
  base: optional(openEnum(['us', 'world'])),
  latitude: optional(z.string()),
  longitude: optional(z.string()),
  size: optional(z.string()),
  color: optional(z.string()),
  region: optional(z.string()),
  label: optional(z.string()),
});
/** `spec` of a snapshot of kind `map`. */
export type MapSpec = z.infer<typeof MapSpec>;

/**
 * `spec` of a snapshot of kind `sankey`. Each row is a flow from `source` to `target` with the size `value` (default:
 * the first two dimensions and the first measure). By default (`separate`), a name that occurs on both sides is two
 * nodes. With `shared`, for columns that contain the same kind of values, it is one node: flows continue from node to
 * node, and flows that would close a cycle are dropped, smallest first. Only values above zero are drawn. The diagram
 * is limited to the largest 300 nodes and 1,000 flows.
 */
export const SankeySpec = z.looseObject({
  source: optional(z.string()),
  target: optional(z.string()),
  value: optional(z.string()),
  nodes: optional(openEnum(['separate', 'shared'])),
});
/** `spec` of a snapshot of kind `sankey`. */
export type SankeySpec = z.infer<typeof SankeySpec>;

/** Maximum length of the HTML of a report, in characters. */
export const maxHtmlLength = 300_000;

/**
 * `spec` of a snapshot of kind `html`: HTML text, alone or under `html`, up to 300,000 characters. Text between double
 * braces is replaced by the first row's value in the column of that name: formatted in text and in the attributes
 * `title`, `alt` and `aria-label`, the raw value in other attributes, and URL-encoded within URLs. An element with
 * `data-each-row` is repeated for every row, up to 500 times. Elements, attributes and declarations of `style` are
 * limited to an allowlist (`report/html/html-rules.ts`). Scripts, forms, style sheets, ids and external URLs other than
 * links are not allowed. Images must be `data:` URLs of raster types, up to 100,000 characters. Classes: `accent`,
 * `card`, `center`, `chip`, `column`, `end`, `figure`, `grid`, `large`, `muted`, `negative`, `nowrap`, `numeric`,
 * `positive`, `row`, `small`, `warning`.
 */
export const HtmlSpec = z.union([z.string(), z.looseObject({ html: z.string() })]);

/** `spec` of a snapshot; JSON text is equivalent to the object that it contains. */
export type ReportSpec = string | JsonObject;
