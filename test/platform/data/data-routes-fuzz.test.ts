import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import fc, { casesAtDepth, seed } from '../../property.js';
import { type DataServer, type RawAnswer, type RawRequest, startDataServer } from './data-server.js';
import { caller } from './fakes.js';
import { anyBody, garbledBody, spoiledQuery, spoiledToken, strayRequest } from './hostile-requests.js';
import { modelText, RowLevel, tableSelects, tenants } from './tenant-model.js';

let server: DataServer;
let token: string;
let meta: RawAnswer;

const sound = { measures: ['orders.count'] };

beforeAll(async () => {
  server = await startDataServer({ model: modelText(RowLevel.own), tables: tableSelects(tenants) });
  token = await server.tokenOf(caller({ tenant: 'tenant_a' }));
  meta = await send({ method: 'GET', path: '/v1/meta' });
});

afterAll(() => server.stop());

// Whatever a test sent: nothing of it is the platform's fault, and the next one is answered as ever.
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

/** Sends something hostile, with something sound beside it. */
async function sendBeside(raw: RawRequest): Promise<RawAnswer> {
  const [answer] = await Promise.all([send(raw), expectSoundAnswer()]);
  // The process may have been busy with something else: what is much work is so twice.
  const { workMs } = answer.workMs < 1_000 ? answer : await send(raw);
  expect(workMs).toBeLessThan(1_000);
  expectNoEcho(answer.error, String(raw.body ?? raw.path));
  return answer;
}

const longestEcho = 200;

function expectNoEcho(error: string, sent: string): void {
  for (let at = 0; at + longestEcho < error.length; at++) {
    expect(sent).not.toContain(error.slice(at, at + longestEcho + 1));
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

/** Bodies of which each holds one thing that is wrong, with what has to be said of it. */
const wrongBodies: [name: string, body: string | Uint8Array, error: RegExp][] = [
  ['nothing', '', /^body: not valid JSON/],
  ['half of a JSON text', '{"query":', /^body: not valid JSON/],
  ['a form', 'query=1', /^body: not valid JSON/],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), /^body: not valid JSON/],
  ['UTF-16', Buffer.from(body(sound), 'utf16le'), /^body: not valid JSON/],
  ['null', 'null', /^body: /],
  ['a list', '[]', /^body: /],
  ['a text for a query', body('x'), /^body\.query: /],
  ['no query', '{}', /^body\.query: /],
  ['an empty query', body({}), /measures/],
  ['a key of no meaning', body({ ...sound, sql: 'SELECT 1' }), /^body\.query: .*"sql"/],
  ['filters beside the query', body(sound, { filters: [] }), /^body: .*"filters"/],
  ['misspelled filters beside the query', body(sound, { filtres: [] }), /^body: .*"filtres"/],
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
    '__proto__ beside the query',
    '{"query":{"measures":["orders.count"]},"__proto__":{"cache":"no-cache"}}',
    /^body: .*__proto__/,
  ],
  ['__proto__ in the order', '{"query":{"measures":["orders.count"],"order":{"__proto__":"asc"}}}', /order/],
  ['constructor in the order', body({ ...sound, order: { constructor: 'asc' } }), /^body\.query\.order/],
  [
    'a key twice, the last one wrong',
    '{"query":{"measures":["orders.count"],"measures":"orders.count"}}',
    /^body\.query\.measures: /,
  ],
  ['an unknown member', body({ measures: ['orders.number'] }), /^orders\.number is not a member/],
  ['an unknown cube', body({ measures: ['order.count'] }), /^order\.count is not a member/],
  ['a hidden member', body({ dimensions: ['orders.secret'] }), /^orders\.secret is not a member/],
  ['a very long member', body({ measures: [`orders.${long}`] }), /measures|^orders\.x/],
  ['thousands of bad members', body({ measures: many(10_000, 1) }), /^body\.query\.measures\.0: /],
  ['half of a surrogate pair in a member', '{"query":{"measures":["orders.\\ud800"]}}', /^body\.query\.measures\.0: /],
  ['a measure among the dimensions', body({ dimensions: ['orders.count'] }), /^orders\.count is not a dimension/],
  ['a dimension among the measures', body({ measures: ['orders.city'] }), /^orders\.city is not a measure/],
  ['an object for a member', body({ measures: [{ sql: '1' }] }), /^body\.query\.measures\.0: /],
  ['an unknown operator', filters({ ...isSet, operator: long }), /^body\.query\.filters\.0\.operator: /],
  [
    'an operator that does not fit',
    filters({ member: 'orders.city', operator: 'inDateRange', values: ['x'] }),
    /orders\.city.*inDateRange/,
  ],
  ['a filter without values', filters({ member: 'orders.city', operator: 'equals' }), /orders\.city.*equals/],
  [
    'an object for a value',
    filters({ and: [{ member: 'orders.city', operator: 'equals', values: [{}] }] }),
    /^body\.query\.filters\.0\.and\.0\.values\.0: /,
  ],
  ['a text for a number', filters({ member: 'orders.amount', operator: 'gt', values: ['1; DROP'] }), /orders\.amount/],
  ['a number beyond all', filters({ member: 'orders.amount', operator: 'gt', values: ['1e400'] }), /orders\.amount/],
  ['an empty filter', filters({}), /^body\.query\.filters\.0\b.*member/],
  ['a filter that is and and or', filters({ and: [isSet], or: [isSet] }), /^body\.query\.filters\.0/],
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
  ['a month too many', time({ dateRange: ['2024-13-45', '2024-14-01'] }), /orders\.placed_at/],
  ['a day too many', time({ dateRange: ['2024-02-30', '2024-03-01'] }), /orders\.placed_at/],
  ['a year too many', time({ dateRange: ['+275760-09-13', '9999-12-31'] }), /orders\.placed_at/],
  ['a phrase that is no date', time({ dateRange: 'the day after never' }), /orders\.placed_at/],
  ['a very long phrase', time({ dateRange: long }), /orders\.placed_at|dateRange/],
  [
    'three dates',
    time({ dateRange: ['2024-01-01', '2024-01-02', '2024-01-03'] }),
    /^body\.query\.timeDimensions\.0\.dateRange|orders\.placed_at/,
  ],
  ['a number for a date', time({ dateRange: 20240101 }), /^body\.query\.timeDimensions\.0\.dateRange/],
  ['an unknown granularity', time({ granularity: 'fortnight' }), /orders\.placed_at.*fortnight/],
  ['the granularity __proto__', time({ granularity: '__proto__' }), /orders\.placed_at.*__proto__/],
  ['a very long granularity', time({ granularity: long }), /granularity/],
  ['a granularity of a text', body({ ...sound, dimensions: ['orders.city.month'] }), /orders\.city/],
  ['an order by what is not there', body({ ...sound, order: { 'orders.city': 'asc' } }), /^order: orders\.city/],
  ['a direction of no meaning', body({ ...sound, order: { 'orders.count': 'up' } }), /^body\.query\.order/],
  ['no rows', body({ ...sound, limit: 0 }), /^body\.query\.limit/],
  ['too many rows', body({ ...sound, limit: 50_001 }), /^body\.query\.limit/],
  ['infinitely many rows', '{"query":{"measures":["orders.count"],"limit":1e400}}', /^body\.query\.limit/],
  ['half a row', body({ ...sound, offset: 0.5 }), /^body\.query\.offset/],
  ['an offset beyond all', body({ ...sound, offset: 1e300 }), /^body\.query\.offset/],
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
  ['a query that is no JSON', get('query=%7B'), /query/],
  ['broken percent signs', get('query=%ZZ'), /query/],
  ['percent signs that are no UTF-8', get('query=%7B%22measures%22:[%22orders.count%ff%22]%7D'), /query\.measures\.0/],
  ['an unknown cache mode', get(`query=${json(sound)}&cache=now`), /cache/],
  ['a query in brackets', get('query[measures][]=orders.count'), /query/],
  ['60,000 characters of nothing', get(`query=${long.repeat(6)}`), /query/],
];

describe('hostile input', () => {
  // A part each in a test of its own: all in one come near the end of its time on a busy machine.
  it.each([0, 1, 2])(
    'of a wrong kind in one or two places of a query is refused by the name of a place: part %i',
    async part => {
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(spoiledQuery, async ({ query, keys, names }) => {
          const answer = await sendBeside({ body: body(query) });
          if (answer.status === 200) return;
          refused += 1;
          expectRefusal(answer, [400]);
          // What is wrong by its number is told of members of all kinds together.
          const named = [
            ...keys.map(key => key.replace(/s$/, '')),
            ' members',
            ...names.map(name => name.slice(0, longestEcho / 2)),
          ];
          expect(
            named.some(name => answer.error.includes(name)),
            answer.error,
          ).toBe(true);
        }),
        { numRuns: casesAtDepth(200, 30), seed: seed + part },
      );
      expect(refused).toBeGreaterThan(casesAtDepth(100));
    },
  );

  it('of any JSON, and of what is none, is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyBody, garbledBody), async text => {
        const answer = await sendBeside({ body: text });
        if (answer.status !== 200) expectRefusal(answer, [400]);
      }),
      { numRuns: casesAtDepth(600, 80) },
    );
  });

  it('in place of path, method and parameters is refused', async () => {
    await fc.assert(
      fc.asyncProperty(strayRequest, async raw => {
        const answer = await sendBeside(raw);
        if (answer.status === 200) return;
        expect([400, 401, 403, 404], answer.error).toContain(answer.status);
        expect(answer.body.error).toEqual(expect.any(String));
      }),
      { numRuns: casesAtDepth(400, 80) },
    );
  });

  it('in place of a token is refused before anything else is looked at', async () => {
    await fc.assert(
      fc.asyncProperty(spoiledToken(token), fc.constantFrom('{', body(sound)), async (authorization, text) => {
        const { status, body: answered } = await send({ body: text, headers: { authorization } });
        expect({ status, error: answered.error }).toEqual({ status: 403, error: 'Invalid token' });
      }),
      { numRuns: casesAtDepth(200, 50) },
    );
    await expectSoundAnswer();
  });

  it.each(wrongBodies)('is refused by a sentence that names it: %s', async (_name, text, error) => {
    const answer = await sendBeside({ body: text });
    expectRefusal(answer, [400]);
    expect(answer.error).toMatch(error);
  });

  it.each(wrongParameters)('is refused in a URL by a sentence that names it: %s', async (_name, raw, error) => {
    const answer = await sendBeside(raw);
    expectRefusal(answer, [400]);
    expect(answer.error).toMatch(error);
  });

  it.each([
    ['10 MB', body({ measures: ['x'.repeat(10_000_000)] })],
    ['10,000 filters', filters(...many(10_000, isSet))],
  ])('of %s is refused for its size, and the connection goes on or ends cleanly', async (_name, text) => {
    for (let time = 0; time < 3; time++) expectRefusal(await sendBeside({ body: text }), [413]);
  });

  it('of a URL that is too long is refused for its size', async () => {
    const answer = await sendBeside(
      get(`query=${json({ ...sound, filters: [{ ...isSet, member: long.repeat(10) }] })}`),
    );
    expectRefusal(answer, [414]);
  });

  it.each([
    ['no token', undefined, "Authorization header isn't set"],
    ['an empty one', ' ', "Authorization header isn't set"],
    ['one that has ended', 'ended', 'Invalid token'],
    ['one for another API', 'embed', 'Invalid token'],
  ])('of %s is answered 403', async (_name, kind, error) => {
    const context = caller({ tenant: 'tenant_a' });
    const authorization =
      kind === 'ended'
        ? await server.tokenOf(context, new Date(Date.now() - 1_000))
        : kind === 'embed'
          ? await server.embedToken(context)
          : kind;
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

  it('of types and codings that are not JSON does no harm', async () => {
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

  it('of huge but sound values is answered in time', async () => {
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

  it('of half a request, or of a client that leaves, holds nothing up', async () => {
    await server.breakOff({ announced: 1_000, sent: '{"query":' });
    await server.breakOff({ announced: 100_000_000, sent: 'x'.repeat(1_000_000) });
    await expectSoundAnswer();
  });
});
