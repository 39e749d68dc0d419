import { filterOperators } from '../../../src/contract/query.js';
import fc from '../../property.js';
import {
  blendedQueries,
  comparingQuery,
  cubeNames,
  few,
  hostileTexts,
  type Json,
  nested,
  soundQuery,
  viewNames,
} from './sound-queries.js';

/** Members and cubes hidden from all callers of these tests. */
const hiddenMembers = [
  'orders.secret',
  'orders.internal',
  'orders.leaked',
  'orders.guarded',
  'orders.hoard',
  'sales.secret',
  'sales.hoard',
  'vault.secret',
  'vault.count',
  'vault.placed_at',
  'vault.large',
  'vault_view.secret',
  'vault_view.count',
];
const hiddenCubes = ['vault', 'vault_view'];

const noMembers = [
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

const hostileGrains = ['fortnight', '__proto__', 'constructor', 'toString', "day' OR 1=1", 'DAY', 'month.day', ''];
const hostileRanges: unknown[] = [
  'the day after never',
  'last 99999999999999999999 days',
  ["2024-01-01' OR 1=1 --", '2024-02-01'],
  [],
  ['2024-13-45', '2024-02-01'],
  1,
];

const hiddenMember = fc.constantFrom(...hiddenMembers);
const hostileMember = fc.oneof(hiddenMember, fc.constantFrom(...noMembers));
const hostileFilter = fc.record(
  {
    member: fc.oneof(
      fc.constantFrom('orders.tenant', 'orders.count', 'orders.amount', 'orders.placed_at'),
      hostileMember,
    ),
    operator: fc.constantFrom(...filterOperators, 'measureFilter', 'sql', '__proto__', 'in'),
    values: fc.array(fc.constantFrom<unknown>(...hostileTexts, 50, true, null), { maxLength: 2 }),
  },
  { requiredKeys: ['member', 'operator'] },
);
const time = (rest: object) => few(fc.record({ dimension: fc.constant('orders.placed_at'), ...rest }), 1);

/** Makes a valid query invalid, usually by one key. */
const hostileKeys: fc.Arbitrary<object> = fc.oneof(
  fc.record({ measures: few(hostileMember) }),
  fc.record({ dimensions: few(hostileMember) }),
  fc.record({
    dimensions: few(
      hiddenMember.map(member => `${member}.month`),
      1,
    ),
  }),
  fc.record({ segments: few(hostileMember, 1) }),
  fc.record({ filters: few(nested(hostileFilter), 1) }),
  fc.record({ order: fc.dictionary(hostileMember, fc.constantFrom('asc', 'asc; DROP'), { minKeys: 1, maxKeys: 2 }) }),
  fc.record({ order: few(fc.tuple(hostileMember, fc.constant('desc')), 1) }),
  fc.record({ order: few(fc.record({ id: hostileMember, desc: fc.boolean() }), 1) }),
  fc.record({ timezone: fc.constantFrom("UTC' --", 'Nowhere/At_All', '', '__proto__') }),
  fc.record({ offset: fc.constantFrom<unknown>(-1, '1; DROP', 1e12, 0.5) }),
  fc.record({
    joinHints: fc.constantFrom(...hiddenCubes, 'sales', '__proto__').map(name => [['orders', name]]),
  }),
  fc.record({
    timeDimensions: fc.oneof(
      time({ granularity: fc.constantFrom(...hostileGrains) }),
      time({ dateRange: fc.constantFrom(...hostileRanges) }),
      time({ compareDateRange: few(fc.constantFrom(...hostileRanges)) }),
      few(fc.record({ dimension: hostileMember, granularity: fc.constantFrom('day', 'half') }), 1),
      few(fc.record({ dimension: hiddenMember, dateRange: fc.constant('last month') }), 1),
    ),
  }),
);

const spoiledQuery = fc.tuple(soundQuery(cubeNames), hostileKeys).map(([query, invalid]) => ({ ...query, ...invalid }));

/** Keywords of the protocol with arbitrary values. */
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

const spoiledBlend = fc
  .tuple(blendedQueries(cubeNames, viewNames), hostileKeys)
  .map(([[first, ...others], invalid]) => [{ ...first, ...invalid }, ...others]);

/** A few queries that are repeated, so that their cached results become stale. */
const recurring = fc.constantFrom<Json>(
  { measures: ['orders.count', 'orders.total'], dimensions: ['orders.city'] },
  { measures: ['sales.total'], timeDimensions: [{ dimension: 'sales.placed_at', granularity: 'month' }] },
  { measures: ['customers.last'], dimensions: ['orders.paid'], total: true },
);

/** Random and hostile queries of the Data API, both single queries and lists, as JSON. */
export const hostileQuery: fc.Arbitrary<Json | Json[]> = fc.oneof(
  { weight: 8, arbitrary: soundQuery(cubeNames) },
  { weight: 4, arbitrary: soundQuery(viewNames) },
  { weight: 2, arbitrary: fc.oneof(comparingQuery(cubeNames), comparingQuery(viewNames)) },
  { weight: 2, arbitrary: blendedQueries(cubeNames, viewNames) },
  { weight: 2, arbitrary: recurring },
  { weight: 6, arbitrary: spoiledQuery },
  { weight: 1, arbitrary: spoiledBlend },
  { weight: 1, arbitrary: wild },
  { weight: 1, arbitrary: deep },
);

const hidden = /\b(?:(orders|sales)\.(?:secret|internal|leaked|guarded|hoard)|vault_view(?:\.\w+)?|vault(?:\.\w+)?)\b/g;

/**
 * Replaces every hidden name with an unknown one of the same length. Callers must not be able to distinguish the
 * responses.
 */
export function withUnknownNames(text: string): string {
  return text.replaceAll(hidden, (name, cube?: string) => {
    const prefix = cube === undefined ? '' : `${cube}.`;
    return prefix + name.slice(prefix.length).replaceAll(/[a-z]/g, 'q');
  });
}
