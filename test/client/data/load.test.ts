import { describe, expect, it, vi } from 'vitest';
import { load } from '../../../src/client/data/load.js';
import { meta } from '../../../src/client/data/meta.js';
import type { PaError } from '../../../src/client/errors.js';
import type { Query } from '../../../src/contract/query.js';
import { json, loadAnswer, query } from '../fake-service.js';

const baseUrl = 'https://data.example/data-api';

function connect(...answers: (() => Response)[]) {
  const fetch = vi.fn<typeof globalThis.fetch>(
    async () => (answers.length > 1 ? answers.shift() : answers[0])?.() ?? json({}),
  );
  return { connection: { baseUrl, token: 'jwt', fetch }, fetch };
}

const failure = (promise: Promise<unknown>): Promise<PaError> =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    error => error,
  );

describe('load', () => {
  it('posts the query with the bare token', async () => {
    const { connection, fetch } = connect(() => json(loadAnswer([])));
    await load(connection, query);
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe('https://data.example/data-api/v1/load');
    expect(init).toMatchObject({ method: 'POST', credentials: 'omit' });
    expect(new Headers(init?.headers).get('authorization')).toBe('jwt');
    expect(JSON.parse(String(init?.body))).toEqual({ query });
  });

  it('returns the rows and the columns in the order of the query', async () => {
    const full: Query = {
      measures: ['flights.count'],
      timeDimensions: [
        { dimension: 'flights.date', granularity: 'month' },
        { dimension: 'flights.seen', dateRange: 'last year' },
      ],
      dimensions: ['flights.unknown', 'flights.origin'],
    };
    const answer = loadAnswer([{ 'flights.origin': null, 'flights.count': '3' }]);
    const { connection } = connect(() => json(answer));
    const rows = await load(connection, full);
    expect(rows.columns.map(({ member, kind }) => [member, kind])).toEqual([
      ['flights.unknown', 'dimension'],
      ['flights.origin', 'dimension'],
      ['flights.date.month', 'timeDimension'],
      ['flights.count', 'measure'],
    ]);
    expect(rows.columns[0]?.annotation.title).toBe('flights.unknown');
    expect(rows.columns[3]?.annotation.title).toBe('Flights');
    expect(rows.rows).toEqual(answer.data);
    expect(rows.lastRefreshTime).toBe('2026-01-02T03:04:05.000Z');
  });

  it.each([
    [9, undefined, 10, false],
    [10, undefined, 10, true],
    [10, null, 10, true],
    // The limit is intended, because the query requests a top ten.
    [10, 10, 10, false],
    // The service returned fewer rows than requested.
    [10, 20, 10, true],
    [50_000, 50_000, 50_000, true],
  ])(
    'whether %i rows of a query limited to %j were cut off by a limit of %i',
    async (count, asked, limit, truncated) => {
      const rows = Array.from({ length: count }, () => ({ 'flights.count': '1' }));
      const { connection } = connect(() => json(loadAnswer(rows, limit)));
      const limited = asked === undefined ? query : { ...query, limit: asked };
      expect((await load(connection, limited)).truncated).toBe(truncated);
    },
  );

  it.each([
    [10, 0, false],
    [11, 0, true],
    [30, 20, false],
  ])('uses the total of %i to decide whether rows follow 10 rows at offset %i', async (total, offset, truncated) => {
    const rows = Array.from({ length: 10 }, () => ({ 'flights.count': '1' }));
    const { connection } = connect(() => json({ ...loadAnswer(rows, 10), total }));
    expect((await load(connection, { ...query, total: true, offset })).truncated).toBe(truncated);
  });

  it('reads one layout, regardless of the layout in the query', async () => {
    const { connection, fetch } = connect(() => json(loadAnswer([])));
    await load(connection, { ...query, responseFormat: 'columnar' });
    expect(JSON.parse(String(fetch.mock.calls[0]?.[1]?.body))).toEqual({ query });
  });

  it('repeats the request while the service returns Continue wait', async () => {
    const { connection, fetch } = connect(
      () => json({ error: 'Continue wait' }),
      () => json(loadAnswer([])),
    );
    await expect(load(connection, query)).resolves.toMatchObject({ rows: [] });
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['no list', { rows: [] }, 'data'],
    ['an invalid row', [{ a: 1 }, ['x']], 'row 1'],
    ['an invalid cell', [{ 'flights.count': { secret: 1 } }], 'row 0'],
  ])('rejects %s and names the location', async (_what, data, where) => {
    const { connection } = connect(() => json({ ...loadAnswer([]), data }));
    const error = await failure(load(connection, query));
    expect(error.code).toBe('invalid_response');
    expect(error.message).toContain(where);
    expect(error.message).not.toContain('secret');
  });

  it('reports an error of the Data API with its request id', async () => {
    const { connection } = connect(() => json({ type: 'UserError', error: 'Unknown member', requestId: 'r-9' }, 400));
    expect(await failure(load(connection, query))).toMatchObject({
      message: 'Unknown member',
      status: 400,
      requestId: 'r-9',
      code: 'bad_request',
    });
  });

  it('reports any other 200 with an error as invalid', async () => {
    const { connection } = connect(() => json({ error: 'Something else' }));
    expect((await failure(load(connection, query))).code).toBe('invalid_response');
  });
});

it('reads the model with the bare token', async () => {
  const cube = { name: 'flights', title: 'Flights', type: 'cube', measures: [], dimensions: [], segments: [] };
  const seen: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    seen.push(String(input), new Headers(init?.headers).get('authorization'));
    return json({ cubes: [cube] });
  };
  await expect(meta({ baseUrl: 'https://data.example/data-api', token: 'jwt', fetch })).resolves.toEqual({
    cubes: [cube],
  });
  expect(seen).toEqual(['https://data.example/data-api/v1/meta', 'jwt']);
});
