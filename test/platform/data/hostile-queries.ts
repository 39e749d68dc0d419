import fc from 'fast-check';
import { filterOperators } from '../../../src/contract/query.js';

const hostileMembers = [
  'orders.secret',
  'orders.internal',
  'orders.leaked',
  'sales.secret',
  'vault.secret',
  'vault.count',
  'vault_view.secret',
  'orders.__proto__',
  'orders.constructor',
  'orders.toString',
  '__proto__.count',
  'constructor.name',
  'orders.placed_at.__proto__',
  'orders.placed_at.constructor',
  'orders.city.month',
  'source_orders.secret',
  'information_schema.tables',
  'Orders.count',
  'orders."city"',
  "orders.city'",
  'orders.city) FROM orders --',
  'örders.count',
  'orders.cıty',
  'orders',
  '',
  'orders.count\u0000',
];

const hostileTexts = [
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

const hostileGrains = ['fortnight', '__proto__', 'constructor', 'toString', "day' OR 1=1", 'DAY', 'month.day', ''];
const hostileRanges: unknown[] = [
  'last month',
  ["2024-01-01' OR 1=1 --", '2024-02-01'],
  [],
  ['2024-13-45', '2024-02-01'],
  1,
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

/** Members that queries are made of: a cube's own with those it joins, or a view's. */
interface Names {
  readonly measures: readonly string[];
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
  readonly time: string;
}

const cubeNames: Names = {
  measures: [
    'orders.count',
    'orders.total',
    'orders.average',
    'orders.largest',
    'orders.cities',
    'customers.count',
    'customers.last',
  ],
  texts: ['orders.tenant', 'orders.city', 'customers.tenant', 'customers.name'],
  numbers: ['orders.id', 'orders.amount', 'customers.id'],
  time: 'orders.placed_at',
};
const viewNames: Names = {
  measures: ['sales.count', 'sales.total'],
  texts: ['sales.city', 'sales.tenant', 'sales.name'],
  numbers: [],
  time: 'sales.placed_at',
};

const few = <T>(one: fc.Arbitrary<T>, maxLength = 2) => fc.array(one, { minLength: 1, maxLength });
const condition = (members: readonly string[], operators: readonly string[], values: fc.Arbitrary<unknown[]>) =>
  fc.record({ member: fc.constantFrom(...members), operator: fc.constantFrom(...operators), values });

/** A condition that fits its member, with values that may be hostile all the same. */
function fittingCondition({ texts, numbers, time }: Names): fc.Arbitrary<object> {
  const anyText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ maxLength: 12, unit: 'binary' }));
  const anyNumber = fc.constantFrom<unknown>('50', 7, '-1', 0.5, '1e3');
  const anyDate = fc.constantFrom('2024-02-01', '2024-03-10T12:00:00.000', '2023-12-31');
  return fc.oneof(
    condition(texts, textOperators, few(anyText)),
    ...(numbers.length > 0 ? [condition(numbers, numberOperators, few(anyNumber))] : []),
    condition([time], timeOperators.slice(0, 2), fc.tuple(anyDate, anyDate)),
    condition([time], timeOperators.slice(2), fc.tuple(anyDate)),
    fc.record({ member: fc.constantFrom(...texts, ...numbers, time), operator: fc.constantFrom('set', 'notSet') }),
  );
}

/** Conditions in groups of groups. */
function nested(leaf: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc.letrec<{ filter: object }>(tie => ({
    filter: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: leaf },
      { weight: 1, arbitrary: fc.record({ and: few(tie('filter'), 3) }) },
      { weight: 1, arbitrary: fc.record({ or: few(tie('filter'), 3) }) },
    ),
  })).filter;
}

/** A query that the model can answer. */
function soundQuery(names: Names): fc.Arbitrary<object> {
  const filter = nested(fittingCondition(names));
  const keys = {
    measures: fc.uniqueArray(fc.constantFrom(...names.measures), { minLength: 1, maxLength: 3 }),
    dimensions: fc.uniqueArray(fc.constantFrom(...names.texts, ...names.numbers), { maxLength: 2 }),
    timeDimensions: few(
      fc.record(
        {
          dimension: fc.constant(names.time),
          granularity: fc.constantFrom('day', 'week', 'month', 'quarter', 'year', 'hour', null),
          dateRange: fc.constantFrom(['2024-02-01', '2024-03-31'], '2024-02-10', [
            '2024-01-31T12:00:00.000',
            '2025-01-01',
          ]),
        },
        { requiredKeys: ['dimension'] },
      ),
      1,
    ),
    filters: few(filter, 1),
    limit: fc.constantFrom(1, 3, 50),
    offset: fc.constantFrom(0, 2),
    timezone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata'),
    responseFormat: fc.constantFrom('default', 'compact', 'columnar'),
    renewQuery: fc.boolean(),
  };
  return fc
    .record(keys, { requiredKeys: ['measures'] })
    .chain(query =>
      fc.record({ order: fc.constantFrom(...ordersOf(query.measures)) }).map(order => ({ ...query, ...order })),
    );
}

function ordersOf([first = '']: readonly string[]): unknown[] {
  return [undefined, [], { [first]: 'asc' }, [[first, 'desc']]];
}

const hostileMember = fc.constantFrom(...hostileMembers);
const hostileFilter = fc.record(
  {
    member: fc.oneof(
      fc.constantFrom('orders.tenant', 'orders.count', 'orders.amount', 'orders.placed_at'),
      hostileMember,
    ),
    operator: fc.constantFrom(...filterOperators, 'sql', '__proto__', 'in'),
    values: fc.array(fc.constantFrom<unknown>(...hostileTexts, 50, true, null), { maxLength: 2 }),
  },
  { requiredKeys: ['member', 'operator'] },
);

/** What spoils a sound query: one key, mostly. */
const hostileKeys = fc.oneof(
  fc.record({ measures: few(hostileMember) }),
  fc.record({ dimensions: few(hostileMember) }),
  fc.record({ segments: few(fc.oneof(fc.constant('orders.large'), hostileMember), 1) }),
  fc.record({ filters: few(nested(hostileFilter), 1) }),
  fc.record({ order: fc.dictionary(hostileMember, fc.constantFrom('asc', 'asc; DROP'), { minKeys: 1, maxKeys: 2 }) }),
  fc.record({ timezone: fc.constantFrom("UTC' --", 'Nowhere/At_All', '', '__proto__') }),
  fc.record({ offset: fc.constantFrom<unknown>(-1, '1; DROP', 1e12, 0.5) }),
  fc.record({ joinHints: fc.constant([['orders', 'vault']]) }),
  fc.record({
    timeDimensions: fc.oneof(
      few(fc.record({ dimension: fc.constant('orders.placed_at'), granularity: fc.constantFrom(...hostileGrains) })),
      few(fc.record({ dimension: fc.constant('orders.placed_at'), dateRange: fc.constantFrom(...hostileRanges) })),
      few(fc.record({ dimension: hostileMember, granularity: fc.constant('day') })),
    ),
  }),
);

const spoiledQuery = fc.tuple(soundQuery(cubeNames), hostileKeys).map(([query, spoilt]) => ({ ...query, ...spoilt }));

/** Words of the protocol with anything at all behind them. */
const wild = fc.dictionary(
  fc.constantFrom(
    'measures',
    'dimensions',
    'filters',
    'timeDimensions',
    'order',
    'limit',
    'subqueryJoins',
    'joinHints',
    '__proto__',
  ),
  fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.array(hostileMember), fc.constant([['orders', 'vault'], ['constructor']])),
);

const deep = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.constantFrom('and', 'or')).map(([depth, word]) => {
  let filters: object[] = [{ member: 'orders.tenant', operator: 'equals', values: ['tenant_a', 'tenant_b'] }];
  for (let level = 0; level < depth; level++) filters = [{ [word]: filters }];
  return { measures: ['orders.count'], filters };
});

/** Random and hostile queries of the Data API, as objects to be sent as JSON. */
export const hostileQuery: fc.Arbitrary<object> = fc.oneof(
  { weight: 8, arbitrary: soundQuery(cubeNames) },
  { weight: 4, arbitrary: soundQuery(viewNames) },
  { weight: 6, arbitrary: spoiledQuery },
  { weight: 1, arbitrary: wild },
  { weight: 1, arbitrary: deep },
);
