import * as z from 'zod/mini';
import type { snapshotKinds } from './dashboards.js';
import { displayScales, formatOperators, maxHtmlLength } from './report-spec.js';
import type { InputProblem } from './widget-input.js';
import { type JsonObject, optional } from './wire.js';

// Input schemas for a report's `spec` by its kind. They have the shapes of `report-spec.ts`, but with strict enums and
// limits. Other keys are preserved.

const Column = z.string().check(z.maxLength(1000));
const Columns = z.array(Column).check(z.maxLength(500));
const Title = z.string().check(z.maxLength(255));
const Cell = z.union([z.string().check(z.maxLength(1000)), z.number(), z.boolean()]);

/** Layout of a pivot table (`PivotItemsInput`). */
export const PivotItemsInput = z.strictObject({
  columns: Columns,
  filters: Columns,
  measures: Columns,
  rows: Columns,
  displayScale: optional(z.enum(displayScales)),
  measuresAxis: optional(z.enum(['columns', 'rows'])),
  measuresPosition: optional(z.enum(['before', 'after'])),
  showAppliedFilters: optional(z.boolean()),
  showColumnTotals: optional(z.boolean()),
  showRowTotals: optional(z.boolean()),
});

const TableColumn = z.looseObject({
  title: optional(Title),
  width: optional(
    z.union([
      z.number().check(z.gte(1), z.lte(10_000)),
      z.string().check(z.regex(/^\d{1,3}(?:\.\d{1,3})?fr$/, 'must be a number of px or a fraction such as 2fr')),
    ]),
  ),
  hidden: optional(z.boolean()),
  align: optional(z.enum(['start', 'center', 'end'])),
  overflow: optional(z.enum(['truncate', 'wrap'])),
  display: optional(z.enum(['text', 'bar', 'sparkline', 'link', 'image'])),
  url: optional(Column),
  formats: optional(
    z
      .array(
        z.looseObject({
          operator: z.enum(formatOperators),
          value: optional(z.union([Cell, z.array(z.union([z.string(), z.number()])).check(z.maxLength(100))])),
          tone: z.enum(['positive', 'negative', 'warning', 'accent', 'muted']),
        }),
      )
      .check(z.maxLength(50)),
  ),
  scale: optional(z.enum(['sequential', 'diverging'])),
});

const Table = z.looseObject({
  pivotItems: optional(PivotItemsInput),
  columns: optional(z.record(z.string(), TableColumn)),
  order: optional(Columns),
  header: optional(z.enum(['truncate', 'wrap'])),
  showTotals: optional(z.boolean()),
});

const Kpi = z.looseObject({
  display: optional(z.enum(['number', 'comparison', 'progress', 'sparkline'])),
  measure: optional(Column),
  label: optional(Title),
  comparison: optional(Column),
  target: optional(z.union([z.number(), Column])),
  better: optional(z.enum(['more', 'less', 'neither'])),
});

const encodings = { size: optional(Column), color: optional(Column), label: optional(Column) };
const MapInput = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('points'),
    base: optional(z.enum(['us', 'world'])),
    latitude: Column,
    longitude: Column,
    ...encodings,
  }),
  z.looseObject({ type: z.enum(['us-states', 'countries']), region: optional(Column), ...encodings }),
]);

const Sankey = z.looseObject({
  source: optional(Column),
  target: optional(Column),
  value: optional(Column),
  nodes: optional(z.enum(['separate', 'shared'])),
});

const HtmlSource = z.string().check(z.maxLength(maxHtmlLength));
const Html = z.union([HtmlSource, z.looseObject({ html: HtmlSource })]);

type Kind = (typeof snapshotKinds)[number];

const specs: Readonly<Record<Exclude<Kind, 'vega' | 'html'>, z.ZodMiniType>> = {
  table: Table,
  kpi: Kpi,
  map: MapInput,
  sankey: Sankey,
};

/** Kinds that cannot be rendered without a specification. */
const needed: readonly Kind[] = ['map', 'html'];

/**
 * Returns the problems of a report's `spec` for its kind. Chart specifications are validated by compiling them, not
 * here.
 */
export function specProblems({
  kind,
  spec,
}: {
  readonly kind?: Kind | null | undefined;
  readonly spec?: string | JsonObject | null | undefined;
}): InputProblem[] {
  if (kind == null || kind === 'vega') return [];
  if (spec == null || spec === '') {
    return needed.includes(kind) ? [{ path: ['spec'], message: `is required for kind ${kind}` }] : [];
  }
  if (kind === 'html') return problemsOf(Html, spec);
  const read = typeof spec === 'string' ? readJson(spec) : spec;
  return read === undefined ? [{ path: ['spec'], message: 'is not JSON text' }] : problemsOf(specs[kind], read);
}

function problemsOf(schema: z.ZodMiniType, value: unknown): InputProblem[] {
  const result = z.safeParse(schema, value);
  return result.success ? [] : result.error.issues.map(({ path, message }) => ({ path: ['spec', ...path], message }));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
