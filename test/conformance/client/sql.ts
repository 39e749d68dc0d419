import type { CubeSqlResult, CubeSqlStreamChunk } from '@cubejs-client/core';
import { RequestError } from '@cubejs-client/core';
import { describe, expect, test } from 'vitest';
import type { Conformance } from '../platform.js';

/** Tests semantic SQL of the client, buffered and streamed. */
export function testSql(suite: () => Conformance): void {
  const byStatus = 'SELECT status, MEASURE(revenue) AS revenue, COUNT(*) AS n FROM orders GROUP BY 1 ORDER BY 1';
  const every = 'SELECT departure, destination, distance FROM trips';
  /** A statement with enough rows for several chunks. */
  const far = `${every} WHERE distance > 1500`;

  /** Returns the rows of a hand-written statement as text. */
  const expected = async (sql: string) =>
    (await suite().reference.run(sql)).rows.map(row => row.map(cell => (cell === null ? null : String(cell))));

  describe('cubeSql', () => {
    test('returns the rows visible to the caller and their schema', async () => {
      const { schema, data, lastRefreshTime } = await suite().client().cubeSql(byStatus);
      expect(schema).toEqual([
        { name: 'status', column_type: 'String', title: 'Status' },
        { name: 'revenue', column_type: 'Double', format: expect.anything(), title: 'Revenue' },
        { name: 'n', column_type: 'Int64', format: expect.anything() },
      ]);
      const rows = await expected(
        `SELECT status, sum(amount) AS revenue, count(*) AS n FROM orders WHERE tenant = 'acme' GROUP BY 1 ORDER BY 1 NULLS LAST`,
      );
      expect(rounded(data)).toEqual(rounded(rows));
      expect(new Date(lastRefreshTime ?? '').getTime()).toBeGreaterThan(0);
    });

    test('returns an empty result', async () => {
      const { schema, data } = await suite().client().cubeSql(`SELECT status FROM orders WHERE status = 'nowhere'`);
      expect([schema.length, data]).toEqual([1, []]);
    });

    test('waits for a query that takes longer than a request and returns it once', async () => {
      const waits: unknown[] = [];
      const sql = `SELECT DATE_TRUNC('minute', departure) AS minute, MEASURE(count) AS n FROM trips GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3`;
      const { data } = await suite()
        .client()
        .cubeSql(sql, { cache: 'no-cache', progressCallback: wait => waits.push(wait) });
      expect(data).toHaveLength(3);
    });

    test('returns times in a time zone', async () => {
      const sql = `SELECT DATE_TRUNC('day', departure) AS day, MEASURE(count) AS n FROM trips GROUP BY 1 ORDER BY 1 LIMIT 2`;
      const { data } = await suite().client().cubeSql(sql, { timezone: 'America/Chicago' });
      const rows = await expected(
        `SELECT strftime(date_trunc('day', (date::TIMESTAMP AT TIME ZONE 'UTC') AT TIME ZONE 'America/Chicago'), '%Y-%m-%dT%H:%M:%S.%g'), count(*)
         FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1 LIMIT 2`,
      );
      expect(data).toEqual(rows);
    });

    test.each([
      ['SELECT secret FROM orders', /secret.*line 1, column 8/],
      ['SELECT tenant FROM orders', /tenant.*line 1, column 8/],
      [`SELECT * FROM read_text('/etc/passwd')`, /line 1/],
      ['DROP TABLE orders', /./],
    ])('is rejected with problem and position: %s', async (sql, message) => {
      const refused = suite().client().cubeSql(sql);
      await expect(refused).rejects.toThrow(RequestError);
      await expect(refused).rejects.toThrow(message);
    });

    test('returns each caller its own rows', async () => {
      const sql = 'SELECT COUNT(*) AS n FROM orders';
      for (const [who, tenant] of [
        ['ord', 'acme'],
        ['atl', 'globex'],
      ] as const) {
        const { data } = await suite().client(who).cubeSql(sql);
        expect(data).toEqual(await expected(`SELECT count(*) FROM orders WHERE tenant = '${tenant}'`));
      }
    });
  });

  describe('cubeSqlStream', () => {
    test('returns every row of a large result', async () => {
      const chunks = await all(suite().client().cubeSqlStream(far));
      expect(chunks[0]).toMatchObject({
        type: 'schema',
        schema: [
          { name: 'departure', column_type: 'Timestamp' },
          { name: 'destination', column_type: 'String' },
          { name: 'distance', column_type: 'Int64' },
        ],
        lastRefreshTime: expect.any(String),
      });
      const rows = chunks.flatMap(chunk => (chunk.type === 'data' ? chunk.data : []));
      const lines = await expected(
        `SELECT strftime(date, '%Y-%m-%dT%H:%M:%S.%g'), destination, distance FROM flights WHERE origin = 'ORD' AND distance > 1500`,
      );
      expect(rows).toHaveLength(lines.length);
      expect(rows.map(String).sort()).toEqual(lines.map(String).sort());
      expect(chunks.length).toBeGreaterThan(5);
    });

    test('equals the buffered result', async () => {
      const client = suite().client();
      const whole: CubeSqlResult = await client.cubeSql(byStatus);
      const chunks = await all(client.cubeSqlStream(byStatus, { cache: 'must-revalidate' }));
      expect(chunks.flatMap(chunk => (chunk.type === 'data' ? chunk.data : []))).toEqual(whole.data);
    });

    test('can be stopped before the end', async () => {
      const client = suite().client();
      for await (const chunk of client.cubeSqlStream(every)) if (chunk.type === 'data') break;
      expect((await client.cubeSql(byStatus)).data.length).toBeGreaterThan(0);
    });

    test('is aborted by its signal', async () => {
      const controller = new AbortController();
      const reading = async () => {
        for await (const chunk of suite()
          .client()
          .cubeSqlStream(every, { signal: controller.signal, cache: 'no-cache' })) {
          if (chunk.type === 'data') controller.abort();
        }
      };
      await expect(reading()).rejects.toThrow('aborted');
    });
  });

  describe('sql', () => {
    const query = { measures: ['stations.count'], dimensions: ['stations.state'] };

    test('returns the SQL of a query to developers', async () => {
      const answer = await suite().developer().sql(query);
      const one = Array.isArray(answer) ? answer[0] : answer;
      expect(one.sql()).toMatch(/^\s*SELECT.*count/is);
    });

    test('is denied to callers with row-level security', async () => {
      await expect(suite().client().sql(query)).rejects.toMatchObject({ status: 403 });
    });
  });
}

/** Tests conversion of SQL to a load query, which the client does not support. */
export function testConversion(suite: () => Conformance): void {
  const convert = async (query: string) => {
    const response = await fetch(`${suite().apiUrl}/convert-query`, {
      method: 'POST',
      headers: { authorization: suite().token(), 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'sql', output: 'rest', query }),
    });
    expect(response.status).toBe(200);
    return response.json();
  };

  describe('convert-query', () => {
    test('returns the equivalent load query', async () => {
      const sql = `SELECT status, MEASURE(count) AS n FROM orders WHERE city = 'Oslo' GROUP BY 1 ORDER BY 1 LIMIT 3`;
      const { status, query } = await convert(sql);
      expect(status).toBe('ok');
      const { data } = await suite().client().cubeSql(sql);
      const loaded = (await suite().client().load(query)).rawData();
      expect(loaded.map(row => [row['orders.status'], row['orders.count']])).toEqual(data);
    });

    test('returns the reason if there is none', async () => {
      const windowed = 'SELECT status, RANK() OVER (ORDER BY MEASURE(count)) AS place FROM orders GROUP BY 1';
      expect(await convert(windowed)).toEqual({ status: 'error', error: expect.stringMatching(/./) });
      expect(await convert('SELECT secret FROM orders')).toEqual({
        status: 'error',
        error: expect.stringMatching(/secret/),
      });
    });
  });
}

async function all(stream: AsyncIterable<CubeSqlStreamChunk>): Promise<CubeSqlStreamChunk[]> {
  const chunks: CubeSqlStreamChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** Rounds numbers, because sums of doubles depend on the order of addition. */
function rounded(rows: readonly (readonly unknown[])[]): unknown[][] {
  return rows.map(row => row.map(cell => (/^-?\d+\.\d+$/.test(String(cell)) ? Number(cell).toFixed(6) : cell)));
}
