import cube, { type Query, RequestError, type ResultSet } from '@cubejs-client/core';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../../eventually.js';
import { expectRows } from '../compare.js';
import type { Conformance } from '../platform.js';
import { replaceSource } from '../sources.js';

/** Tests loads, errors and subscriptions. */
export function testLoads(suite: () => Conformance): void {
  const count = { measures: ['customers.count'] };
  const counted = [{ 'customers.count': '45' }];

  /** Returns the requests that the client sends while `work` runs. */
  async function sentBy(work: () => Promise<unknown>): Promise<readonly { method: string; url: string }[]> {
    const fetch = vi.spyOn(globalThis, 'fetch');
    try {
      await work();
      return fetch.mock.calls.map(([url, init]) => ({ method: init?.method ?? 'GET', url: String(url) }));
    } finally {
      fetch.mockRestore();
    }
  }

  /** Returns the error of a client call. */
  async function errorOf(call: () => Promise<unknown>): Promise<RequestError> {
    const error = await call().then(
      () => new Error('There was no error.'),
      (reason: unknown) => reason,
    );
    if (!(error instanceof RequestError)) throw error;
    return error;
  }

  describe('load', () => {
    test('resolves a promise', async () => {
      expect((await suite().client().load(count)).rawData()).toEqual(counted);
    });

    test('calls back', async () => {
      const result = await new Promise<ResultSet>((resolve, reject) => {
        suite()
          .client()
          .load(count, undefined, (error, loaded) => (error ? reject(error) : resolve(loaded)));
      });
      expect(result.rawData()).toEqual(counted);
    });

    test('calls back with an error', async () => {
      const error = await new Promise<Error | null>(resolve => {
        suite()
          .client()
          .load({ measures: ['customers.nothing'] }, undefined, failure => resolve(failure));
      });
      expect(error).toMatchObject({ status: 400, message: expect.stringContaining('customers.nothing') });
    });

    test('sends a short query in the URL and a long one in the body', async () => {
      const values = Array.from({ length: 400 }, (_, index) => `acme ${index}`);
      const long = { ...count, filters: [{ member: 'customers.name', operator: 'equals', values }] } as Query;
      const [short, longer] = await sentBy(async () => {
        await suite().client().load(count);
        expect((await suite().client().load(long)).rawData()).toEqual(counted);
      });
      expect(short).toMatchObject({ method: 'GET', url: expect.stringContaining('?query=') });
      expect(longer).toMatchObject({ method: 'POST', url: `${suite().apiUrl}/load` });
    });

    test('sends a short query in the body with method POST', async () => {
      const client = suite().client('ord', { method: 'POST' });
      const sent = await sentBy(async () => expect((await client.load(count)).rawData()).toEqual(counted));
      expect(sent).toMatchObject([{ method: 'POST' }]);
    });

    test.each(['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache'] as const)(
      'accepts the cache mode %s',
      async cache => {
        expect((await suite().client().load(count, { cache })).rawData()).toEqual(counted);
        expect((await suite().client('ord', { method: 'POST' }).load(count, { cache })).rawData()).toEqual(counted);
      },
    );

    test('returns the request id of the client', async () => {
      const result = await suite().client().load(count, { baseRequestId: 'an-id-of-ours' });
      expect(result.serialize().loadResponse.results[0]).toMatchObject({ requestId: 'an-id-of-ours-span-1' });
    });

    test('returns the refresh time and the data source type', async () => {
      const result = await suite().client().load(count);
      const [part] = result.serialize().loadResponse.results;
      expect(Date.parse(part?.lastRefreshTime ?? '')).toBeLessThanOrEqual(Date.now());
      expect(part).toMatchObject({ dbType: expect.any(String), external: false });
      expect(result.serialize().loadResponse.slowQuery).toBe(false);
    });

    test('converts numeric values with castNumerics', async () => {
      const query: Query = {
        measures: ['orders.revenue'],
        dimensions: ['orders.id', 'orders.city'],
        limit: 3,
        order: { 'orders.id': 'asc' },
      };
      const { rows } = await suite().reference.run(
        `SELECT id::INTEGER, city, amount::DOUBLE FROM orders WHERE tenant = 'acme' ORDER BY id LIMIT 3`,
      );
      const expected = rows.map(([id, city, amount]) => ({
        'orders.id': Number(id),
        'orders.city': city,
        'orders.revenue': amount === null ? null : Number(amount),
      }));
      expect((await suite().client('ord', { castNumerics: true }).load(query)).rawData()).toEqual(expected);
      expect((await suite().client().load(query, { castNumerics: true })).rawData()).toEqual(expected);
    });

    test('converts time measures with parseDateMeasures', async () => {
      const query: Query = { measures: ['trips.first_departure'] };
      const { rows } = await suite().reference.run(`SELECT min(date) FROM flights WHERE origin = 'ORD'`);
      const [row] = (await suite().client('ord', { parseDateMeasures: true }).load(query)).chartPivot();
      expect(row?.['trips.first_departure']).toEqual(new Date(String(rows[0]?.[0])));
    });

    test('reports the progress of a running query', async () => {
      const stages: string[] = [];
      const query: Query = {
        measures: ['trips.count', 'trips.destinations'],
        dimensions: ['trips.departure'],
        order: { 'trips.departure': 'asc' },
        limit: 50,
      };
      const result = await suite()
        .client()
        .load(query, { progressCallback: progress => stages.push(progress.stage()) });
      expect(stages.length).toBeGreaterThan(0);
      expectRows(
        result.rawData(),
        await suite().reference.run(`SELECT date AS "trips.departure", count(*) AS "trips.count",
        count(DISTINCT destination) AS "trips.destinations" FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1 LIMIT 50`),
      );
    });

    test('calls a token function for every request', async () => {
      const token = vi.fn(async () => suite().token());
      const client = cube(token, { apiUrl: suite().apiUrl });
      expect((await client.load(count)).rawData()).toEqual(counted);
      expect((await client.load(count)).rawData()).toEqual(counted);
      expect(token).toHaveBeenCalledTimes(2);
    });

    test('resolves only the latest call with the same mutex key', async () => {
      const mutexObj = {};
      const options = { mutexObj, mutexKey: 'the chart' };
      const client = suite().client();
      const [first, second] = await Promise.all([client.load(count, options), client.load(count, options)]);
      expect(first).toBeNull();
      expect(second.rawData()).toEqual(counted);
    });
  });

  describe('errors', () => {
    const refused: readonly (readonly [string, object, string])[] = [
      ['a member that there is not', { measures: ['customers.nothing'] }, 'customers.nothing'],
      ['a hidden member', { dimensions: ['customers.tenant'] }, 'customers.tenant'],
      ['no member at all', {}, 'measures'],
      [
        'a wrong operator',
        { ...count, filters: [{ member: 'customers.name', operator: 'like', values: ['a'] }] },
        'operator',
      ],
      ['a filter without values', { ...count, filters: [{ member: 'customers.name', operator: 'equals' }] }, 'values'],
      [
        'a bad date',
        { ...count, filters: [{ member: 'orders.placed_at', operator: 'beforeDate', values: ['2024-02-31'] }] },
        'orders.placed_at',
      ],
      [
        'a phrase that means nothing',
        { ...count, timeDimensions: [{ dimension: 'orders.placed_at', dateRange: 'some time' }] },
        'orders.placed_at',
      ],
      ['a zone that there is not', { ...count, timezone: 'Europe/Atlantis' }, 'timezone'],
      [
        'a granularity that there is not',
        { ...count, timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'moon' }] },
        'granularity',
      ],
      ['too many rows', { ...count, limit: 50_001 }, 'limit'],
      [
        'a range and a comparison',
        {
          ...count,
          timeDimensions: [
            { dimension: 'orders.placed_at', dateRange: 'today', compareDateRange: ['today', 'yesterday'] },
          ],
        },
        'compareDateRange',
      ],
      [
        'a filter on dimension or measure',
        {
          ...count,
          filters: [
            {
              or: [
                { member: 'customers.name', operator: 'set' },
                { member: 'customers.count', operator: 'gt', values: ['1'] },
              ],
            },
          ],
        },
        'Measures and dimensions',
      ],
    ];

    test.each(refused)('names %s', async (_, query, named) => {
      const client = suite().client();
      for (const call of [() => client.load(query as Query), () => client.dryRun(query)]) {
        const error = await errorOf(call);
        expect(error.status).toBe(400);
        expect(error.message).toContain(named);
        expect(error.response).toMatchObject({ error: error.message });
      }
    });

    test('rejects a query that is too large', async () => {
      const values = Array.from({ length: 1_000 }, () => 'x'.repeat(300));
      const filters = [{ member: 'customers.name', operator: 'equals' as const, values }];
      const error = await errorOf(() =>
        suite()
          .client()
          .load({ ...count, filters }),
      );
      expect(error.status).toBe(413);
      expect(error.message).toContain('too large');
    });

    test.each([
      ['none', ''],
      ['one that is none', 'not.a.token'],
      ['one of another key', 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImRhdGErand0In0.eyJzZWN1cml0eUNvbnRleHQiOnt9fQ.AAAA'],
    ])('rejects a token: %s', async (_, token) => {
      const client = cube(token, { apiUrl: suite().apiUrl });
      for (const call of [() => client.load(count), () => client.meta(), () => client.dryRun(count)]) {
        const error = await errorOf(call);
        expect(error.status).toBe(403);
        expect(error.message).not.toBe('');
      }
    });

    test('rejects an expired token', async () => {
      const client = cube(await suite().expiredToken(), { apiUrl: suite().apiUrl });
      expect(await errorOf(() => client.load(count))).toMatchObject({ status: 403, message: 'Invalid token' });
    });
  });

  describe('subscribe', () => {
    test('receives changed data until it unsubscribes', async () => {
      const heard: unknown[] = [];
      const client = suite().client('ord', { pollInterval: 0.05 });
      const subscription = client.subscribe({ measures: ['pulses.count'] }, {}, (error, result) => {
        heard.push(error ?? Object.values(result.rawData()[0] ?? {})[0]);
      });
      await eventually(() => expect(heard.length).toBeGreaterThan(1), 20);
      const changed = `SELECT 'acme' AS tenant, TIMESTAMP '2024-01-01' AS beat, 1 AS value FROM range(17)`;
      await replaceSource(suite().sources, 'pulses', changed);
      await eventually(() => expect(heard.at(-1)).toBe('17'), 20);

      await subscription.unsubscribe();
      const [, , later] = await Promise.all([client.load(count), client.load(count), settled(heard)]);
      expect(heard).toHaveLength(later);
    });

    /** Returns the number of received updates after pending requests have completed. */
    async function settled(heard: readonly unknown[]): Promise<number> {
      for (let round = 0; round < 3; round++) await suite().client().load(count, { cache: 'no-cache' });
      return heard.length;
    }
  });
}
