import * as z from 'zod/mini';
import { filterOperators } from '../../../contract/query.js';
import { DayEdge, localTime, utcZone } from '../time/time-zone.js';

const Name = z
  .string()
  .check(z.regex(/^[A-Za-z_]\w{0,99}$/, 'must consist of letters, digits and _, and not start with a digit'));
const Text = z.string().check(z.maxLength(10_000));
const Meta = z.record(z.string(), z.unknown());
const CustomFormat = z.looseObject({ type: z.string(), value: z.optional(z.string()), label: z.optional(z.string()) });
const Format = z.union([z.string(), CustomFormat], {
  error: 'must be the name of a format, a pattern, or an object with type',
});

const described = { title: z.optional(Text), description: z.optional(Text), meta: z.optional(Meta) };
const shown = { public: z.optional(z.boolean()) };
const valued = {
  format: z.optional(Format),
  currency: z.optional(
    z.string().check(z.regex(/^[A-Za-z]{3}$/, 'must be a currency code such as EUR'), z.toUpperCase()),
  ),
};
const intervalHelp = 'must be a duration such as 2 weeks or 1 year 3 months';
/** A duration of one or more units: `1 year 3 months`. */
const Interval = z.string().check(z.regex(durationPattern('[1-9]\\d{0,3}'), intervalHelp));
const Shift = z.string().check(z.regex(durationPattern('-?\\d{1,4}'), intervalHelp));

function durationPattern(number: string): RegExp {
  const length = `${number} (second|minute|hour|day|week|month|quarter|year)s?`;
  return new RegExp(`^${length}( ${length}){0,7}$`);
}

const Granularity = z.strictObject({
  name: Name,
  title: z.optional(Text),
  interval: Interval,
  offset: z.optional(Shift),
  origin: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?)?$/,
          'must be a date such as 2001-01-01, or a time such as 2001-01-01 06:00',
        ),
      ),
  ),
});

const CaseLabel = z.union([Text, z.strictObject({ sql: Text })], { error: 'must be a string, or an object with sql' });
const Case = z.strictObject({
  when: z
    .array(z.strictObject({ sql: Text, label: CaseLabel }))
    .check(z.minLength(1, 'requires at least one condition with a label')),
  else: z.optional(z.strictObject({ label: CaseLabel })),
});

/** Replaces labels that depend on conditions with SQL. */
function caseSql({ when, else: otherwise }: z.infer<typeof Case>): string {
  const text = (label: z.infer<typeof CaseLabel>) =>
    typeof label === 'string' ? `'${label.replaceAll("'", "''")}'` : `(${label.sql})`;
  const branches = when.map(({ sql, label }) => `WHEN (${sql}) THEN ${text(label)}`);
  return ['CASE', ...branches, ...(otherwise ? [`ELSE ${text(otherwise.label)}`] : []), 'END'].join(' ');
}

const DimensionText = z.strictObject({
  name: Name,
  sql: z.optional(Text),
  case: z.optional(Case),
  type: z.enum(['string', 'number', 'boolean', 'time']),
  primary_key: z.optional(z.boolean()),
  suggest_filter_values: z.optional(z.boolean()),
  order: z.optional(z.enum(['asc', 'desc'])),
  key: z.optional(Name),
  sub_query: z.optional(z.boolean()),
  propagate_filters_to_sub_query: z.optional(z.boolean()),
  granularities: z.optional(z.array(Granularity)),
  ...described,
  ...shown,
  ...valued,
});
const Dimension = z.pipe(
  DimensionText.check(
    z.refine(source => (source.sql === undefined) !== (source.case === undefined), 'requires either sql or case'),
  ),
  z.transform(({ sql, case: labels, ...dimension }) => ({
    ...dimension,
    sql: labels === undefined ? (sql ?? '') : caseSql(labels),
  })),
);

/** Granularities of every time dimension. */
export const predefinedGranularities = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

const windowHelp =
  'must have trailing or leading (unbounded, or a number and a unit such as 7 days), or type: to_date and a granularity';
const Reach = z.union([z.literal('unbounded'), Shift], { error: windowHelp });
const RollingWindow = z.union(
  [
    z
      .strictObject({
        type: z.optional(z.literal('fixed')),
        trailing: z.optional(Reach),
        leading: z.optional(Reach),
        offset: z.optional(z.enum(['start', 'end'])),
      })
      .check(z.refine(({ trailing, leading }) => trailing !== undefined || leading !== undefined, windowHelp)),
    z.strictObject({ type: z.literal('to_date'), granularity: z.enum(predefinedGranularities) }),
  ],
  {
    error: windowHelp,
  },
);

const Measure = z.strictObject({
  name: Name,
  sql: z.optional(Text),
  type: z.enum([
    'count',
    'count_distinct',
    'count_distinct_approx',
    'sum',
    'avg',
    'min',
    'max',
    'number',
    'string',
    'time',
    'boolean',
  ]),
  filters: z.optional(z.array(z.strictObject({ sql: Text }))),
  drill_members: z.optional(z.array(z.string())),
  rolling_window: z.optional(RollingWindow),
  ...described,
  ...shown,
  ...valued,
});

/** A hierarchy of a cube: dimensions from coarse to fine. */
const Hierarchy = z.strictObject({
  name: Name,
  title: z.optional(Text),
  ...shown,
  levels: z.array(z.string()).check(z.minLength(1, 'requires at least one level')),
});

const Segment = z.strictObject({ name: Name, sql: Text, ...described, ...shown });

const Join = z.strictObject({
  name: Name,
  sql: Text,
  relationship: z.enum(['many_to_one', 'one_to_many', 'one_to_one']),
});

/** A condition of `row_level.filters`, possibly nested. */
export type FilterSource =
  | { member: string; operator: (typeof filterOperators)[number]; values?: unknown }
  | { and: FilterSource[] }
  | { or: FilterSource[] };

const filterList = () => z.array(FilterSource).check(z.minLength(1, 'requires at least one filter'));
const FilterSource: z.ZodMiniType<FilterSource, FilterSource> = z.lazy(() =>
  z.union(
    [
      z.strictObject({ member: z.string(), operator: z.enum(filterOperators), values: z.optional(z.unknown()) }),
      z.strictObject({ and: filterList() }),
      z.strictObject({ or: filterList() }),
    ],
    {
      error: `must have member, operator and values, or only and, or only or; operators: ${filterOperators.join(', ')}`,
    },
  ),
);

const MemberList = z.union([z.literal('*'), z.array(z.string())], { error: 'must be "*" or a list of names' });

const Policy = z
  .strictObject({
    group: z.optional(z.string()),
    groups: z.optional(z.array(z.string()).check(z.minLength(1, 'requires at least one group'))),
    conditions: z.optional(z.array(z.strictObject({ if: z.unknown() }))),
    member_level: z.optional(z.strictObject({ includes: z.optional(MemberList), excludes: z.optional(MemberList) })),
    row_level: z.optional(
      z.strictObject({
        filters: z.optional(filterList()),
        allow_all: z.optional(z.literal(true, { error: 'can only be true' })),
      }),
    ),
  })
  .check(
    z.refine(
      policy => (policy.group === undefined) !== (policy.groups === undefined),
      'requires either group or groups',
    ),
    z.refine(
      ({ row_level: rows }) => (rows?.filters === undefined) !== (rows?.allow_all === undefined),
      'requires row_level with filters, or with allow_all: true for all rows',
    ),
  );
/** One entry of `access_policy` in a file. */
export type PolicySource = z.infer<typeof Policy>;

const entity = { name: Name, ...described, ...shown, access_policy: z.optional(z.array(Policy)) };

const Cube = z
  .strictObject({
    ...entity,
    extends: z.optional(Name),
    sql_table: z.optional(Text),
    sql: z.optional(Text),
    joins: z.optional(z.array(Join)),
    dimensions: z.optional(z.array(Dimension)),
    measures: z.optional(z.array(Measure)),
    segments: z.optional(z.array(Segment)),
    hierarchies: z.optional(z.array(Hierarchy)),
  })
  .check(
    z.refine(
      cube =>
        cube.sql_table === undefined ? cube.sql !== undefined || cube.extends !== undefined : cube.sql === undefined,
      'requires either sql_table or sql',
    ),
  );
/** A cube in a file. */
export type CubeSource = z.infer<typeof Cube>;

const Included = z.union(
  [Name, z.strictObject({ name: Name, alias: z.optional(Name), ...described, format: z.optional(Format) })],
  { error: 'must be the name of a member, or an object with name and alias' },
);

/** A group of members of a view. */
export type FolderSource = { name: string; includes: '*' | (string | { join_path: string } | FolderSource)[] };

const FolderItem = z.lazy(() => z.union([z.string(), z.strictObject({ join_path: z.string() }), FolderSource]));
const FolderSource: z.ZodMiniType<FolderSource, FolderSource> = z.strictObject(
  { name: Text, includes: z.union([z.literal('*'), z.array(FolderItem)]) },
  { error: 'must have a name and includes: "*", or a list of members, of join_path, and of folders' },
);

const View = z.strictObject({
  ...entity,
  folders: z.optional(z.array(FolderSource)),
  cubes: z.array(
    z.strictObject({
      join_path: z
        .string()
        .check(z.regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/, 'must be names of cubes separated by dots')),
      alias: z.optional(Name),
      prefix: z.optional(z.boolean()),
      includes: z.union([z.literal('*'), z.array(Included)], { error: 'must be "*" or a list of members' }),
      excludes: z.optional(z.array(Name)),
    }),
  ),
});
/** A view in a file. */
export type ViewSource = z.infer<typeof View>;

/** Schema of a model file. Rejects unknown keys, so that nothing is ignored silently. */
export const ModelSource = z.strictObject({ cubes: z.optional(z.array(Cube)), views: z.optional(z.array(View)) });
/** The parsed content of a model file. */
export type ModelSource = z.infer<typeof ModelSource>;

interface GranularitySource {
  readonly interval: string;
  readonly offset?: string | undefined;
  readonly origin?: string | undefined;
}

/** Number of units in the next larger unit. An interval must divide this number to align with the calendar. */
const whole: Readonly<Record<string, number>> = {
  second: 60,
  minute: 60,
  hour: 24,
  day: 1,
  week: 1,
  month: 12,
  quarter: 4,
};

/** Returns the problem of a granularity, if any. */
export function granularityProblem({ interval, offset, origin }: GranularitySource): string | undefined {
  if (offset !== undefined && origin !== undefined) return 'cannot have both offset and origin';
  if (origin !== undefined && localTime(origin, DayEdge.start, utcZone) === undefined)
    return `has the origin ${origin}, which is not a valid date`;
  const parts = [...interval.matchAll(/(\d+) ([a-z]+?)s?(?= |$)/g)];
  const units = parts.map(([, , unit = '']) => unit);
  const months = units.filter(unit => ['month', 'quarter', 'year'].includes(unit)).length;
  if (months > 0 && months < units.length) return 'has no fixed length: months cannot be combined with days and hours';
  const [[, count = '', unit = ''] = [], ...others] = parts;
  const isNatural = others.length === 0 && (whole[unit] ?? Number(count)) % Number(count) === 0;
  return origin === undefined && !isNatural ? 'requires an origin such as 2001-01-01' : undefined;
}
