import * as z from 'zod/mini';
import { type JsonObject, openEnum, optional, recordOf } from './wire.js';

// `spec` of a snapshot by its kind, where the specification leaves it open (spec 2.6): a Vega or Vega-Lite specification of kind `vega`,
// HTML text of kind `html`, these objects of the others. All are tolerant: unknown keys stay, and a key that can't be understood is as
// good as absent. Columns go by the names of the report's rows.

/** Scales in which figures of a table are shown. */
export const displayScales = ['model', 'absolute', 'thousands', 'millions', 'billions'] as const;
/** Scale in which figures of a table are shown. */
export type DisplayScale = (typeof displayScales)[number];

/**
 * A table laid out crosswise (`PivotItems`, domain facts 4): values of `columns` become columns, `rows` head the rows. Totals are worked
 * out over all rows of the answer for additive measures, and asked for where a measure can't be summed.
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
/** A table laid out crosswise. */
export type PivotItems = z.infer<typeof PivotItems>;

/** Comparisons of a conditional format with a cell's value. */
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
 * How cells of one column look. `display`: as text, as a bar as long as its figure, as a line of the column's figures (`sparkline`: a cell
 * holds them as a JSON list, or text with commas), as a link or an image whose address is the cell or the cell of `url`. `formats`: the
 * first that holds colours the cell; tones are the theme's, no colour stands for itself. `scale` colours all cells between least and most.
 */
export const TableColumnSpec = z.looseObject({
  title: optional(z.string()),
  /** Px, or a share of what is left (`'2fr'`). */
  width: optional(z.union([z.number(), z.string()])),
  hidden: optional(z.boolean()),
  align: optional(openEnum(['start', 'center', 'end'])),
  /** Text that is too long goes on in the next line (`wrap`) or ends in an ellipsis. */
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
/** How cells of one column look. */
export type TableColumnSpec = z.infer<typeof TableColumnSpec>;

/** `spec` of a snapshot of kind `table`. `columns` go by name; `order` names them as they stand, others come behind. */
export const TableSpec = z.looseObject({
  pivotItems: optional(PivotItems),
  columns: optional(recordOf(TableColumnSpec)),
  order: optional(z.array(z.string())),
  header: optional(openEnum(['truncate', 'wrap'])),
  /** A row of totals below a table that is not a pivot. */
  showTotals: optional(z.boolean()),
});
/** `spec` of a snapshot of kind `table`. */
export type TableSpec = z.infer<typeof TableSpec>;

/**
 * `spec` of a snapshot of kind `kpi`. `display`: the figure alone, that of the first row (`number`); with what changed (`comparison`) against
 * an earlier period (`periodComparisons` of the report: of several rows the latest in time is shown) or against another column, which
 * `comparison` names; as progress towards `target`, a figure or a column; above a line of the same figure over the report's time
 * (`sparkline`: the figure is the total of all, from a further query where the measure can't be summed; without one the latest row's).
 * `measure`: by default the first. `better` says whether more is good. A measure with drill members is a button.
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
 * `spec` of a snapshot of kind `map`. `points` need `latitude` and `longitude` in degrees (by default the columns that are called so), with
 * `size` and `color` as measures; the largest 2,000 are drawn. `us-states` and `countries` colour the regions that `region` (by default
 * the first dimension) names by `color` (by default the first measure): by postal code, FIPS, ISO 3166 code (alpha-2, alpha-3, numeric,
 * `US-TX`) or English name. The first row of a region counts. Rows whose place is not on the map are counted beside it.
 */
export const MapSpec = z.looseObject({
  type: openEnum(['points', 'us-states', 'countries']),
  /** Ground under points: by default the one that holds them all. */
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
 * `spec` of a snapshot of kind `sankey`: each row flows from `source` to `target` by `value`; by default the first two dimensions and the
 * first measure. The same name on both sides is two places (`separate`), unless both ends are of one kind (`shared`): then flows go on from
 * place to place, and what would close a circle is left out, the smallest first. Figures that are not above zero don't flow. At most
 * 300 places and 1,000 flows are drawn, the largest.
 */
export const SankeySpec = z.looseObject({
  source: optional(z.string()),
  target: optional(z.string()),
  value: optional(z.string()),
  nodes: optional(openEnum(['separate', 'shared'])),
});
/** `spec` of a snapshot of kind `sankey`. */
export type SankeySpec = z.infer<typeof SankeySpec>;

/**
 * `spec` of a snapshot of kind `html`: HTML text, alone or under `html`, at most 300,000 characters. What stands between two pairs of braces is
 * replaced by the formatted text of the first row's column of that name; in attributes but `title`, `alt` and `aria-label` by the value as
 * it came, within an address as a part of it. An element with `data-each-row` is repeated for every row, at most 500 times. Elements and
 * attributes come from a list (`report/html/html-rules.ts`), declarations of `style` too; no scripts, forms, stylesheets, ids or outside
 * addresses but links. Images are `data:` of raster types, at most 100,000 characters. Classes: `accent`, `card`, `center`, `chip`,
 * `column`, `end`, `figure`, `grid`, `large`, `muted`, `negative`, `nowrap`, `numeric`, `positive`, `row`, `small`, `warning`.
 */
export const HtmlSpec = z.union([z.string(), z.looseObject({ html: z.string() })]);

/** `spec` of a snapshot: JSON text counts as what it holds. */
export type ReportSpec = string | JsonObject;
