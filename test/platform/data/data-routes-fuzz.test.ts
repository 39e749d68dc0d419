import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import fc, { casesAtDepth, seed } from '../../property.js';
import { tenantCaller } from './callers.js';
import { type DataServer, type RawAnswer, type RawRequest, startDataServer } from './data-server.js';
import { anyBody, garbledBody, spoiledQuery, spoiledToken, strayRequest } from './hostile-requests.js';
import { modelText, RowLevel, tableSelects, tenants } from './tenant-model.js';

let server: DataServer;
let token: string;
let meta: RawAnswer;

const sound = { measures: ['orders.count'] };

beforeAll(async () => {
  server = await startDataServer({ model: modelText(RowLevel.own), tables: tableSelects(tenants) });
  token = await server.tokenOf(tenantCaller('tenant_a'));
  meta = await send({ method: 'GET', path: '/v1/meta' });
});

afterAll(() => server.stop());

// Hostile requests must cause no platform errors and not affect later requests.
afterEach(async () => {
  expect(server.failures.splice(0)).toEqual([]);
  await expectSoundAnswer();
});

function send({ headers, ...raw }: RawRequest): Promise<RawAnswer> {
  return server.send({ ...raw, headers: { authorization: token, 'content-type': 'application/json', ...headers } });
}

const body = (query: unknown, rest: object = {}): string => JSON.stringify({ query, ...rest });

async function expectSoundAnswer(): Promise<void> {
  const [loaded, described] = await Promise.all([
    send({ body: body(sound) }),
    send({ method: 'GET', path: '/v1/meta' }),
  ]);
  expect(loaded).toMatchObject({ status: 200, body: { data: [{ 'orders.count': '120' }] } });
  expect(described.body).toEqual(meta.body);
}

/** Sends a hostile request concurrently with a valid one. */
async function sendBeside(raw: RawRequest): Promise<RawAnswer> {
  const [answer] = await Promise.all([send(raw), expectSoundAnswer()]);
  // Repeat a slow request, because the process may have been busy with other work.
  const { workMs } = answer.workMs < 1_000 ? answer : await send(raw);
  expect(workMs).toBeLessThan(1_000);
  expectNoEcho(answer.error, String(raw.body ?? raw.path));
  return answer;
}

const maxEchoLength = 200;

function expectNoEcho(error: string, sent: string): void {
  for (let at = 0; at + maxEchoLength < error.length; at++) {
    expect(sent).not.toContain(error.slice(at, at + maxEchoLength + 1));
  }
  expect(error.length).toBeLessThan(1_000);
}

function expectRefusal({ status, error }: RawAnswer, expected: readonly number[]): void {
  expect(expected, error).toContain(status);
  expect(error).not.toBe('');
}

const filters = (...list: unknown[]) => body({ ...sound, filters: list });
const time = (one: object) => body({ ...sound, timeDimensions: [{ dimension: 'orders.placed_at', ...one }] });
const isSet = { member: 'orders.id', operator: 'set' };
const many = <T>(length: number, one: T): T[] => Array.from({ length }, () => one);
const nest = (depth: number, open: string, inner: string, close: string) =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
const get = (parameters: string): RawRequest => ({ method: 'GET', path: `/v1/load?${parameters}` });
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const long = 'x'.repeat(10_000);

/** Bodies with a single error, and the expected message. */
const wrongBodies: [name: string, body: string | Uint8Array, error: RegExp][] = [
  ['nothing', '', /^body: not valid JSON/],
  ['truncated JSON', '{"query":', /^body: not valid JSON/],
  ['a form', 'query=1', /^body: not valid JSON/],
  ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), /^body: not valid JSON/],
  ['UTF-16', Buffer.from(body(sound), 'utf16le'), /^body: not valid JSON/],
  ['null', 'null', /^body: /],
  ['a list', '[]', /^body: /],
  ['a text as query', body('x'), /^body\.query: /],
  ['no query', '{}', /^body\.query: /],
  ['an empty query', body({}), /measures/],
  ['an unknown key', body({ ...sound, sql: 'SELECT 1' }), /^body\.query: .*"sql"/],
  ['filters next to the query', body(sound, { filters: [] }), /^body: .*"filters"/],
  ['misspelled filters next to the query', body(sound, { filtres: [] }), /^body: .*"filtres"/],
  ['a very long key', body({ ...sound, [long]: 1 }), /^body\.query: .*x/],
  [
    'thousands of keys',
    body({ ...sound, ...Object.fromEntries(many(10_000, 1).map((one, at) => [`k${at}`, one])) }),
    /^body\.query: .*"k0"/,
  ],
  [
    '__proto__ in the query',
    '{"query":{"measures":["orders.count"],"__proto__":{"limit":1}}}',
    /^body\.query: .*__proto__/,
  ],
  [
    '__proto__ next to the query',
    '{"query":{"measures":["orders.count"]},"__proto__":{"cache":"no-cache"}}',
    /^body: .*__proto__/,
  ],
  ['__proto__ in the order', '{"query":{"measures":["orders.count"],"order":{"__proto__":"asc"}}}', /order/],
  ['constructor in the order', body({ ...sound, order: { constructor: 'asc' } }), /^body\.query\.order/],
  [
    'a duplicate key with an invalid second value',
    '{"query":{"measures":["orders.count"],"measures":"orders.count"}}',
    /^body\.query\.measures: /,
  ],
  ['an unknown member', body({ measures: ['orders.number'] }), /^orders\.number is not a member/],
  ['an unknown cube', body({ measures: ['order.count'] }), /^order\.count is not a member/],
  ['a hidden member', body({ dimensions: ['orders.secret'] }), /^orders\.secret is not a member/],
  ['a very long member', body({ measures: [`orders.${long}`] }), /measures|^orders\.x/],
  ['thousands of bad members', body({ measures: many(10_000, 1) }), /^body\.query\.measures\.0: /],
  ['an unpaired surrogate in a member', '{"query":{"measures":["orders.\\ud800"]}}', /^body\.query\.measures\.0: /],
  ['a measure among the dimensions', body({ dimensions: ['orders.count'] }), /^orders\.count is not a dimension/],
  ['a dimension among the measures', body({ measures: ['orders.city'] }), /^orders\.city is not a measure/],
  ['an object as member', body({ measures: [{ sql: '1' }] }), /^body\.query\.measures\.0: /],
  ['an unknown operator', filters({ ...isSet, operator: long }), /^body\.query\.filters\.0\.operator: /],
  [
    'an operator of another type',
    filters({ member: 'orders.city', operator: 'inDateRange', values: ['x'] }),
    /orders\.city.*inDateRange/,
  ],
  ['a filter without values', filters({ member: 'orders.city', operator: 'equals' }), /orders\.city.*equals/],
  [
    'an object as value',
    filters({ and: [{ member: 'orders.city', operator: 'equals', values: [{}] }] }),
    /^body\.query\.filters\.0\.and\.0\.values\.0: /,
  ],
  ['a text as number', filters({ member: 'orders.amount', operator: 'gt', values: ['1; DROP'] }), /orders\.amount/],
  ['a number out of range', filters({ member: 'orders.amount', operator: 'gt', values: ['1e400'] }), /orders\.amount/],
  ['an empty filter', filters({}), /^body\.query\.filters\.0\b.*member/],
  ['a filter with both and and or', filters({ and: [isSet], or: [isSet] }), /^body\.query\.filters\.0/],
  ['an empty and', filters({ and: [] }), /and/],
  [
    'measures and dimensions in one or',
    filters({ or: [isSet, { member: 'orders.count', operator: 'gt', values: ['1'] }] }),
    /or/,
  ],
  ['3,000 filters', filters(...many(3_000, isSet)), /filters/],
  [
    'filters 300 deep',
    `{"query":{"measures":["orders.count"],"filters":[${nest(300, '{"and":[', JSON.stringify(isSet), ']}')}]}}`,
    /nested|deep/,
  ],
  [
    'filters 10,000 deep',
    `{"query":{"measures":["orders.count"],"filters":[${nest(10_000, '{"or":[', JSON.stringify(isSet), ']}')}]}}`,
    /nested|deep/,
  ],
  ['measures 100,000 deep', `{"query":{"measures":${nest(100_000, '[', '', ']')}}}`, /^body\.query\.measures|nested/],
  ['an order 100,000 deep', `{"query":{"order":${nest(100_000, '[', '', ']')}}}`, /^body\.query\.order|nested/],
  ['objects 30,000 deep', body(0).replace('0', nest(30_000, '{"a":', '1', '}')), /^body\.query|nested/],
  ['20,000 values', filters({ member: 'orders.id', operator: 'equals', values: many(20_000, '1') }), /values/],
  ['an invalid month', time({ dateRange: ['2024-13-45', '2024-14-01'] }), /orders\.placed_at/],
  ['an invalid day', time({ dateRange: ['2024-02-30', '2024-03-01'] }), /orders\.placed_at/],
  ['a year out of range', time({ dateRange: ['+275760-09-13', '9999-12-31'] }), /orders\.placed_at/],
  ['a phrase that is not a date', time({ dateRange: 'the day after never' }), /orders\.placed_at/],
  ['a very long phrase', time({ dateRange: long }), /orders\.placed_at|dateRange/],
  [
    'three dates',
    time({ dateRange: ['2024-01-01', '2024-01-02', '2024-01-03'] }),
    /^body\.query\.timeDimensions\.0\.dateRange|orders\.placed_at/,
  ],
  ['a number as date', time({ dateRange: 20240101 }), /^body\.query\.timeDimensions\.0\.dateRange/],
  ['an unknown granularity', time({ granularity: 'fortnight' }), /orders\.placed_at.*fortnight/],
  ['the granularity __proto__', time({ granularity: '__proto__' }), /orders\.placed_at.*__proto__/],
  ['a very long granularity', time({ granularity: long }), /granularity/],
  ['a granularity of a text dimension', body({ ...sound, dimensions: ['orders.city.month'] }), /orders\.city/],
  [
    'an order by a member that is not queried',
    body({ ...sound, order: { 'orders.city': 'asc' } }),
    /^order: orders\.city/,
  ],
  ['an invalid direction', body({ ...sound, order: { 'orders.count': 'up' } }), /^body\.query\.order/],
  ['a limit of zero', body({ ...sound, limit: 0 }), /^body\.query\.limit/],
  ['too many rows', body({ ...sound, limit: 50_001 }), /^body\.query\.limit/],
  ['an infinite limit', '{"query":{"measures":["orders.count"],"limit":1e400}}', /^body\.query\.limit/],
  ['a fractional offset', body({ ...sound, offset: 0.5 }), /^body\.query\.offset/],
  ['an offset out of range', body({ ...sound, offset: 1e300 }), /^body\.query\.offset/],
  ['an unknown zone', body({ ...sound, timezone: 'Mars/Olympus' }), /^timezone/],
  ['a zone that is SQL', body({ ...sound, timezone: "UTC'; DROP TABLE orders; --" }), /^timezone/],
  ['a very long zone', body({ ...sound, timezone: long }), /timezone/],
  ['an unknown format', body({ ...sound, responseFormat: 'xml' }), /^body\.query\.responseFormat/],
  ['an unknown cache mode', body(sound, { cache: 'forever' }), /^body\.cache/],
  ['an unknown kind of query', body(sound, { queryType: long }), /queryType/],
  ['joins of an unknown cube', body({ ...sound, joinHints: [['orders', 'nowhere']] }), /nowhere/],
  ['joins of a hidden cube', body({ ...sound, joinHints: [['orders', 'vault']] }), /vault/],
  ['joins of very long names', body({ ...sound, joinHints: [[long]] }), /joinHints|^x/],
  [
    'joins of a control character',
    body({ ...sound, joinHints: [['\u0000\ud800']] }),
    /^[\x20-\x7e]*joinHints[\x20-\x7e]*$/,
  ],
  ['subqueryJoins', body({ ...sound, subqueryJoins: [] }), /subqueryJoins/],
];

const wrongParameters: [name: string, raw: RawRequest, error: RegExp][] = [
  ['no query', get(''), /query/],
  ['an empty query', get('query='), /query/],
  ['a query that is not JSON', get('query=%7B'), /query/],
  ['invalid percent-encoding', get('query=%ZZ'), /query/],
  ['percent-encoded invalid UTF-8', get('query=%7B%22measures%22:[%22orders.count%ff%22]%7D'), /query\.measures\.0/],
  ['an unknown cache mode', get(`query=${json(sound)}&cache=now`), /cache/],
  ['a query in bracket notation', get('query[measures][]=orders.count'), /query/],
  ['60,000 characters of nothing', get(`query=${long.repeat(6)}`), /query/],
];

describe('hostile input', () => {
  // The cases are split into several tests, because a single one nearly times out on a busy machine.
  it.each([0, 1, 2])(
    'of a wrong type in one or two properties is rejected with the name of a property: part %i',
    async part => {
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(spoiledQuery, async ({ query, keys, names }) => {
          const answer = await sendBeside({ body: body(query) });
          if (answer.status === 200) return;
          refused += 1;
          expectRefusal(answer, [400]);
          // Errors of too many values report the total of all kinds of members.
          const named = [
            ...keys.map(key => key.replace(/s$/, '')),
            ' members',
            ...names.map(name => name.slice(0, maxEchoLength / 2)),
          ];
          expect(
            named.some(name => answer.error.includes(name)),
            answer.error,
          ).toBe(true);
        }),
        { numRuns: casesAtDepth(200), seed: seed + part },
      );
      expect(refused).toBeGreaterThan(casesAtDepth(100));
    },
  );

  it('as arbitrary JSON or invalid JSON is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyBody, garbledBody), async text => {
        const answer = await sendBeside({ body: text });
        if (answer.status !== 200) expectRefusal(answer, [400]);
      }),
      { numRuns: casesAtDepth(600) },
    );
  });

  it('in path, method and parameters is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(strayRequest, async raw => {
        const answer = await sendBeside(raw);
        if (answer.status === 200) return;
        expect([400, 401, 403, 404], answer.error).toContain(answer.status);
        expect(answer.body.error).toEqual(expect.any(String));
      }),
      { numRuns: casesAtDepth(400) },
    );
  });

  it('as token is rejected before anything else is checked', async () => {
    await fc.assert(
      fc.asyncProperty(spoiledToken(token), fc.constantFrom('{', body(sound)), async (authorization, text) => {
        const { status, body: answered } = await send({ body: text, headers: { authorization } });
        expect({ status, error: answered.error }).toEqual({ status: 403, error: 'Invalid token' });
      }),
      { numRuns: casesAtDepth(200) },
    );
    await expectSoundAnswer();
  });

  it.each(wrongBodies)('is rejected with a message that names it: %s', async (_name, text, error) => {
    const answer = await sendBeside({ body: text });
    expectRefusal(answer, [400]);
    expect(answer.error).toMatch(error);
  });

  it.each(wrongParameters)('is rejected in a URL with a message that names it: %s', async (_name, raw, error) => {
    const answer = await sendBeside(raw);
    expectRefusal(answer, [400]);
    expect(answer.error).toMatch(error);
  });

  it.each([
    ['10 MB', body({ measures: ['x'.repeat(10_000_000)] })],
    ['10,000 filters', filters(...many(10_000, isSet))],
  ])('of %s is rejected as too large, and the connection stays open or ends cleanly', async (_name, text) => {
    for (let time = 0; time < 3; time++) expectRefusal(await sendBeside({ body: text }), [413]);
  });

  it('as URL is rejected as too long', async () => {
    const answer = await sendBeside(
      get(`query=${json({ ...sound, filters: [{ ...isSet, member: long.repeat(10) }] })}`),
    );
    expectRefusal(answer, [414]);
  });

  it.each([
    ['no token', undefined, "Authorization header isn't set"],
    ['an empty one', ' ', "Authorization header isn't set"],
    ['an expired one', 'ended', 'Invalid token'],
    ['one for another API', 'embed', 'Invalid token'],
  ])('with %s returns 403', async (_name, kind, error) => {
    const context = tenantCaller('tenant_a');
    const tokens = new Map([
      ['ended', await server.tokenOf(context, new Date(Date.now() - 1_000))],
      ['embed', await server.embedToken(context)],
    ]);
    const authorization = kind === undefined ? kind : (tokens.get(kind) ?? kind);
    for (const raw of [
      { body: '{' },
      { body: body(sound) },
      { method: 'GET', path: '/v1/meta' },
      get(''),
      { path: '/v1/x' },
    ]) {
      const { headers: _, ...rest } = { headers: {}, ...raw };
      const answer = await server.send({ ...rest, ...(authorization !== undefined && { headers: { authorization } }) });
      expect(answer).toMatchObject({ status: 403, body: { error } });
    }
  });

  it('with types and encodings other than JSON has no effect', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json; charset=utf-16',
      '',
    ]) {
      const answer = await send({ body: body(sound), headers: { 'content-type': type } });
      expect([200, 400], type).toContain(answer.status);
    }
  });

  it('of large valid values gets a timely response', async () => {
    const offset = await sendBeside({ body: body({ ...sound, offset: Number.MAX_SAFE_INTEGER }) });
    expect(offset).toMatchObject({ status: 200, body: { data: [] } });
    for (const values of [['9223372036854775808'], ['1e308'], ['-1e-300'], [`0.${'0'.repeat(55)}1`]]) {
      const answer = await sendBeside({ body: filters({ member: 'orders.amount', operator: 'equals', values }) });
      expect(answer).toMatchObject({ status: 200, body: { data: [{ 'orders.count': '0' }] } });
    }
    const texts = Array.from({ length: 10_000 }, (_, index) => `no such city ${index}`);
    for (const operator of ['equals', 'contains', 'notStartsWith']) {
      const answer = await sendBeside({ body: filters({ member: 'orders.city', operator, values: texts }) });
      if (answer.status !== 200) expectRefusal(answer, [400]);
    }
  });

  it('of incomplete requests and disconnected clients blocks no other request', async () => {
    await server.breakOff({ announced: 1_000, sent: '{"query":' });
    await server.breakOff({ announced: 100_000_000, sent: 'x'.repeat(1_000_000) });
    await expectSoundAnswer();
  });
});
