import fc, { anyText } from '../../property.js';
import type { RawRequest } from './data-server.js';

type Json = Record<string, unknown>;

/** A valid query with every supported key, where hostile values are inserted. */
const soundQuery: Json = {
  measures: ['orders.count', 'orders.total'],
  dimensions: ['orders.city', 'customers.name', 'orders.placed_at.week'],
  segments: ['orders.large'],
  timeDimensions: [
    { dimension: 'orders.placed_at', granularity: 'month', dateRange: ['2024-01-01', '2024-03-31T12:00:00.000'] },
    { dimension: 'orders.placed_at', granularity: 'half' },
  ],
  filters: [
    { member: 'orders.city', operator: 'contains', values: ['Rom', 'Hara'] },
    {
      or: [
        { member: 'orders.amount', operator: 'gt', values: ['5'] },
        { and: [{ member: 'orders.paid', operator: 'set' }] },
      ],
    },
    { member: 'orders.total', operator: 'lte', values: ['1000000'] },
    { member: 'orders.placed_at', operator: 'afterDate', values: ['2023-12-31'] },
  ],
  order: [
    ['orders.count', 'desc'],
    ['orders.city', 'asc'],
  ],
  limit: 20,
  offset: 0,
  timezone: 'Europe/Berlin',
  renewQuery: false,
  responseFormat: 'compact',
  joinHints: [['orders', 'customers']],
};

/** Values that are invalid in a query, or invalid at their position. */
const hostileValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e300,
  -1e300,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' ',
  '0',
  '-1',
  'x',
  'null',
  'undefined',
  'NaN',
  'orders.secret',
  'vault.count',
  'orders.count',
  'orders.city',
  'orders.placed_at',
  'orders.placed_at.day',
  'orders.placed_at.__proto__',
  '__proto__',
  'constructor',
  'constructor.prototype',
  '2024-13-45',
  '2024-02-30',
  '99999-01-01',
  'last 99999999999999999999 days',
  'from now to now to now',
  'now',
  '0000-00-00T99:99:99.999',
  'Europe/Atlantis',
  "'; DROP TABLE orders; --",
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '😀'.repeat(50),
  'x'.repeat(1_000),
  `orders.${'x'.repeat(60_000)}`,
  'x'.repeat(100_000),
  [],
  [[]],
  [[[[[[]]]]]],
  {},
  { and: [] },
  { or: [{ and: [] }] },
  { member: 'orders.count' },
  { toString: null },
  { length: -1 },
  JSON.parse('{"__proto__": {"limit": 1}}'),
  JSON.parse('{"__proto__": "asc", "constructor": "desc"}'),
  Array.from({ length: 5_000 }, () => 'orders.count'),
  Array.from({ length: 3_000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`key_${index}`, index])),
];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    pathsOf(one, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  return [at, ...inner];
}

function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) return value.map((one, index) => (index === first ? replaced(one, rest, by) : one));
  return { ...(value as Json), [first]: replaced((value as Json)[first], rest, by) };
}

/** A query that is valid except for one or two values. */
export interface SpoiledQuery {
  readonly query: unknown;
  /** Top-level keys of the changed values, at least one of which an error names. */
  readonly keys: readonly string[];
  /**
   * Names of members under these keys, before and after the change: an error may contain one of them instead of a key.
   */
  readonly names: readonly string[];
}

function textsOf(value: unknown): string[] {
  // Errors name `cube.member.granularity` as `cube.member`.
  if (typeof value === 'string') return [value, value.split('.').slice(0, 2).join('.')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

const hostileValue = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostileValues) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: anyText({ maxLength: 20 }) },
);

const hostileChange = fc.tuple(fc.constantFrom(...pathsOf(soundQuery).slice(1)), hostileValue);

/** Valid queries with hostile values in one or two top-level keys, because one error can hide the other. */
export const spoiledQuery: fc.Arbitrary<SpoiledQuery> = fc
  .uniqueArray(hostileChange, { minLength: 1, maxLength: 2, selector: ([path]) => path[0] })
  .map(changes => {
    const keys = changes.map(([path]) => String(path[0]));
    const query = changes.reduce<Json>((spoiled, [path, value]) => replaced(spoiled, path, value) as Json, soundQuery);
    const texts = keys.flatMap(key => [...textsOf(soundQuery[key]), ...textsOf(query[key])]);
    return { query, keys, names: texts.filter(text => /^[A-Za-z_]/.test(text)) };
  });

const soundText = JSON.stringify({ query: soundQuery });

/** Bytes of a valid body, some of them changed, dropped or duplicated. */
export const garbledBody: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.record({
      at: fc.nat(soundText.length - 1),
      drop: fc.integer({ min: 0, max: 3 }),
      insert: fc.uint8Array({ maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map(edits => {
    let bytes = Buffer.from(soundText);
    for (const { at, drop, insert } of edits) {
      bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + drop)]);
    }
    return bytes;
  });

/** Arbitrary JSON as a body. */
export const anyBody: fc.Arbitrary<string> = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.jsonValue({ maxDepth: 3 }).map(query => JSON.stringify({ query })),
  fc.jsonValue({ maxDepth: 3 }).map(queryType => JSON.stringify({ query: soundQuery, queryType })),
  fc.jsonValue({ maxDepth: 3 }).map(cache => JSON.stringify({ query: soundQuery, cache })),
  anyText({ maxLength: 100 }),
);

const segment = fc.oneof(
  fc.constantFrom(
    'v1',
    'load',
    'meta',
    'dry-run',
    'subscribe',
    'sql',
    'cubesql',
    '..',
    '.',
    '',
    'V1',
    'load%00',
    '%2e%2e',
    '%ff',
    '%',
    '*',
    ':id',
  ),
  fc.webSegment({ size: '-1' }),
);

/** Mostly invalid paths, methods and parameters. */
export const strayRequest: fc.Arbitrary<RawRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE', 'SEARCH'),
    segments: fc.array(segment, { maxLength: 4 }),
    parameters: fc.array(
      fc.tuple(
        fc.constantFrom('query', 'queryType', 'cache', 'onlyViews', '__proto__', 'query[measures]', ''),
        fc.oneof(
          fc.constantFrom(
            '{}',
            '[]',
            'null',
            '%ZZ',
            '%ff',
            '%00',
            '%7B%22measures%22:[]%7D',
            '+',
            'multi',
            'no-cache',
            'x'.repeat(3_000),
          ),
          fc.webQueryParameters({ size: '-1' }),
        ),
      ),
      { maxLength: 4 },
    ),
  })
  .map(({ method, segments, parameters }) => ({
    method,
    path: `/${segments.join('/')}?${parameters.map(([name, value]) => `${name}=${value}`).join('&')}`,
  }));

/** Generates a value that is sent instead of a token. */
export function spoiledToken(token: string): fc.Arbitrary<string> {
  const parts = token.split('.');
  const [header = '', payload = '', signature = ''] = parts;
  const claims = (change: object) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...change })).toString(
      'base64url',
    );
  const head = (change: object) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(header, 'base64url').toString()), ...change })).toString(
      'base64url',
    );
  return fc.oneof(
    // The last character of a signature has unused bits.
    fc.nat(token.length - 2).map(at => `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`),
    fc.integer({ min: 1, max: token.length - 2 }).map(at => token.slice(0, at)),
    fc.constantFrom(
      `${header}.${claims({ exp: 4_102_444_800 })}.${signature}`,
      `${header}.${claims({ securityContext: { tenant: 'tenant_b', platform: { groups: [], userAttributes: {} } } })}.${signature}`,
      `${head({ alg: 'none' })}.${payload}.`,
      `${head({ alg: 'none' })}.${payload}.${signature}`,
      `${head({ alg: 'HS512' })}.${payload}.${signature}`,
      `${head({ kid: '../../dev/null' })}.${payload}.${signature}`,
      `${head({ crit: ['x'] })}.${payload}.${signature}`,
      `Bearer Bearer ${token}`,
      `Basic ${token}`,
      `${token}.`,
      `${token}.${signature}`,
      `${token},${token}`,
      '..',
      'null',
      'x'.repeat(10_000),
    ),
    fc.string({ minLength: 1, maxLength: 40 }).map(text => `${text.replaceAll(/[^\x21-\x7e]/g, '~')}~`),
  );
}
