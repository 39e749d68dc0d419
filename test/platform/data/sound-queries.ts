import fc, { anyText } from '../../property.js';

/** A query as written by a client. */
export type Json = Record<string, unknown>;

/** Members for queries: of a cube and the cubes it joins, or of a view. */
export interface Names {
  readonly measures: readonly string[];
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
  readonly booleans: readonly string[];
  readonly time: string;
  readonly segments: readonly string[];
  readonly joinHints: readonly (readonly string[])[];
}

/** Members of the cubes of `tenant-model.ts`. */
export const cubeNames: Names = {
  measures: [
    'orders.count',
    'orders.total',
    'orders.average',
    'orders.largest',
    'orders.cities',
    'orders.big',
    'orders.each',
    'orders.lately',
    'orders.running',
    'customers.count',
    'customers.last',
    'items.count',
    'items.quantity',
  ],
  texts: ['orders.tenant', 'orders.city', 'customers.tenant', 'customers.name'],
  numbers: ['orders.id', 'orders.amount', 'orders.quantity', 'customers.id'],
  booleans: ['orders.paid'],
  time: 'orders.placed_at',
  segments: ['orders.large'],
  joinHints: [['orders', 'customers']],
};
/** Members of its view. */
export const viewNames: Names = {
  measures: ['sales.count', 'sales.total', 'sales.lately'],
  texts: ['sales.city', 'sales.tenant', 'sales.name'],
  numbers: ['sales.quantity'],
  booleans: [],
  time: 'sales.placed_at',
  segments: [],
  joinHints: [],
};

/** String values of filters: values of rows, SQL, JavaScript and unusual characters. */
export const hostileTexts = [
  'tenant_a',
  'tenant_b',
  'tenant_a Rom',
  'tenant_b Rom',
  'tenant_a secret',
  "tenant_a O'Hara",
  "' OR '1'='1",
  "') OR 1=1 --",
  '"; DROP VIEW orders; --',
  '\\',
  "\\'",
  '%',
  '_',
  '?',
  '$1',
  '{ securityContext.tenant }',
  '__proto__',
  'undefined',
  'null',
  '',
  '\u0000',
  '\ud800',
  '😀',
  '50',
  '-0',
  '1e3',
  'NaN',
  '2024-02-01',
  '2024-02-01T00:00:00.000',
  '2024-13-45',
  'true',
];

const textOperators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
];
const numberOperators = ['equals', 'notEquals', 'gt', 'gte', 'lt', 'lte'];
const timeOperators = ['inDateRange', 'notInDateRange', 'beforeDate', 'beforeOrOnDate', 'afterDate', 'afterOrOnDate'];

/** Dates as points, ranges and phrases; the current time of the tests is in the middle of the rows. */
const dateRanges = [
  '2024-02-10',
  ['2024-02-01', '2024-03-31'],
  ['2024-01-31T12:00:00.000', '2025-01-01'],
  'today',
  'this month',
  'last month',
  'last 7 days',
  'last 3 weeks',
  'this quarter',
  'last year',
  'from 60 days ago to now',
  'from 2024-01-01 to today',
];
/** Fine granularities are rare, because they create many groups. */
const granularity = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('day', 'week', 'month', 'quarter', 'year', 'half', 'fiscal') },
  { weight: 1, arbitrary: fc.constantFrom('second', 'minute', 'hour') },
);

/** Returns one or a few elements. */
export const few = <T>(one: fc.Arbitrary<T>, maxLength = 2) => fc.array(one, { minLength: 1, maxLength });

const condition = (members: readonly string[], operators: readonly string[], values: fc.Arbitrary<unknown[]>) =>
  fc.record({ member: fc.constantFrom(...members), operator: fc.constantFrom(...operators), values });
const where = <T>(some: readonly string[], one: (some: readonly string[]) => fc.Arbitrary<T>) =>
  some.length > 0 ? [one(some)] : [];

/** Returns a condition that is valid for its member, with values that may be hostile. */
function fittingCondition({ texts, numbers, booleans, time }: Names): fc.Arbitrary<object> {
  const text = fc.oneof(fc.constantFrom(...hostileTexts), anyText({ maxLength: 12 }));
  const anyNumber = fc.constantFrom<unknown>('50', 7, '-1', 0.5, '1e3');
  const anyDate = fc.constantFrom('2024-02-01', '2024-03-10T12:00:00.000', '2023-12-31');
  return fc.oneof(
    condition(texts, textOperators, few(text)),
    ...where(numbers, some => condition(some, numberOperators, few(anyNumber, 1))),
    ...where(booleans, some =>
      condition(some, ['equals', 'notEquals'], few(fc.constantFrom<unknown>('true', false, null))),
    ),
    condition([time], timeOperators.slice(0, 2), fc.tuple(anyDate, anyDate)),
    condition([time], timeOperators.slice(2), fc.tuple(anyDate)),
    fc.record({
      member: fc.constantFrom(...texts, ...numbers, ...booleans, time),
      operator: fc.constantFrom('set', 'notSet'),
    }),
  );
}

/** Returns nested groups of conditions. */
export function nested(leaf: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc.letrec<{ filter: object }>(tie => ({
    filter: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: leaf },
      { weight: 1, arbitrary: fc.record({ and: few(tie('filter'), 3) }) },
      { weight: 1, arbitrary: fc.record({ or: few(tie('filter'), 3) }) },
    ),
  })).filter;
}

function timeDimension(names: Names): fc.Arbitrary<Json> {
  const range = fc.constantFrom<unknown>(...dateRanges);
  return fc.record(
    {
      dimension: fc.constant(names.time),
      granularity: fc.oneof({ weight: 8, arbitrary: granularity }, { weight: 1, arbitrary: fc.constant(null) }),
      dateRange: fc.oneof({ weight: 9, arbitrary: range }, { weight: 1, arbitrary: fc.constant(null) }),
    },
    { requiredKeys: ['dimension'] },
  );
}

/** Returns an order by members of the query, in each format of the protocol. */
function ordered(query: Json): fc.Arbitrary<Json> {
  const members = [...list(query.measures), ...list(query.dimensions)].map(String);
  const some = fc.subarray(members, { minLength: Math.min(1, members.length), maxLength: Math.min(2, members.length) });
  return fc
    .tuple(some, fc.boolean(), fc.constantFrom('none', 'empty', 'object', 'pairs', 'ids'))
    .map(([chosen, desc, form]) => {
      const direction = desc ? 'desc' : 'asc';
      if (form === 'none') return query;
      if (form === 'empty') return { ...query, order: [] };
      if (form === 'ids') return { ...query, order: chosen.map(id => ({ id, desc })) };
      const pairs = chosen.map(member => [member, direction] as const);
      return { ...query, order: form === 'pairs' ? pairs : Object.fromEntries(pairs) };
    });
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const rolling = ['orders.lately', 'orders.running', 'sales.lately'];

/** Rolling windows have a row per bucket, so fine granularities can exceed the row limit. */
function coarse(query: Json): Json {
  if (!list(query.measures).some(name => rolling.includes(String(name)))) return query;
  const text = JSON.stringify(query);
  return JSON.parse(
    text
      .replaceAll(/"granularity":"(?:second|minute|hour|day)"/g, '"granularity":"week"')
      .replaceAll(/placed_at\.(?:second|minute|hour|day)"/g, 'placed_at.week"'),
  );
}

/** Returns a query that the model can answer. */
export function soundQuery(names: Names): fc.Arbitrary<Json> {
  const byTime = granularity.map(name => `${names.time}.${name}`);
  const dimension = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names.texts, ...names.numbers, ...names.booleans) },
    { weight: 1, arbitrary: fc.constant(names.time) },
    { weight: 1, arbitrary: byTime },
  );
  const ofMeasures = fc.oneof(
    condition(names.measures.slice(0, 2), numberOperators.slice(2), fc.tuple(fc.constantFrom('1', '20', '500'))),
    fc.record({ member: fc.constantFrom(...names.measures), operator: fc.constant('measureFilter') }),
  );
  const keys = {
    measures: fc.uniqueArray(fc.constantFrom(...names.measures), { minLength: 1, maxLength: 3 }),
    dimensions: fc.uniqueArray(dimension, { maxLength: 2 }),
    timeDimensions: few(timeDimension(names)),
    filters: few(
      fc.oneof({ weight: 4, arbitrary: nested(fittingCondition(names)) }, { weight: 1, arbitrary: ofMeasures }),
    ),
    limit: fc.constantFrom(1, 3, 50, null),
    offset: fc.constantFrom(0, 2),
    timezone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata'),
    responseFormat: fc.constantFrom('default', 'compact', 'columnar'),
    ...(names.segments.length > 0 && { segments: few(fc.constantFrom(...names.segments), 1) }),
    ...(names.joinHints.length > 0 && { joinHints: fc.constant(names.joinHints) }),
  };
  const flags = fc.record(
    { renewQuery: fc.boolean(), total: fc.boolean(), ungrouped: fc.constant(true) },
    { requiredKeys: [] },
  );
  const plain = fc.record(keys, { requiredKeys: ['measures'] });
  const withoutMeasures = plain.map(({ measures: _, ...query }) => ({ ...query, dimensions: [names.texts[0]] }));
  return fc
    .oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: withoutMeasures })
    .chain(query => ordered(query))
    .chain(query =>
      fc
        .oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: flags })
        .map(more => coarse({ ...query, ...more })),
    );
}

/** Returns a query over several date ranges. */
export function comparingQuery(names: Names): fc.Arbitrary<Json> {
  const compareDateRange = fc.uniqueArray(fc.constantFrom<unknown>(...dateRanges), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(soundQuery(names), compareDateRange, fc.constantFrom('day', 'month', 'half', null))
    .map(([query, ranges, granularity]) =>
      coarse({ ...query, timeDimensions: [{ dimension: names.time, granularity, compareDateRange: ranges }] }),
    );
}

/** Returns queries on one time axis, whose rows are charted together. */
export function blendedQueries(...names: readonly Names[]): fc.Arbitrary<Json[]> {
  const one = fc.constantFrom(...names).chain(own => soundQuery(own).map(query => [own, query] as const));
  return fc
    .tuple(
      fc.array(one, { minLength: 2, maxLength: 3 }),
      fc.constantFrom('week', 'month', 'half'),
      fc.constantFrom(...dateRanges),
    )
    .map(([queries, granularity, dateRange]) =>
      queries.map(([{ time }, { responseFormat: _, ...query }]) => ({
        ...query,
        timeDimensions: [{ dimension: time, granularity, dateRange }],
      })),
    );
}
