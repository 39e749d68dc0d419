import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query, TimeDimension } from '../../../../src/contract/query.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { tenantCaller } from '../callers.js';
import { inDialect } from '../engines/engine-under-test.js';
import { compile, openDatabase, problemsOf, rowsOf } from '../model/fixture.js';
import { allRowsPolicy, itemsCube, tenantRowsPolicy } from '../model/model-yaml.js';

const model = `
cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: items, sql: "{CUBE}.id = {items.order_id}", relationship: one_to_many }
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: tenant, sql: tenant, type: string, public: false }
      - { name: region, sql: region, type: string }
      - { name: month_name, sql: "${inDialect({ duckdb: "strftime({created.month}, '%b')", postgres: "to_char({created.month}, 'Mon')" })}", type: string }
      - name: created
        sql: "{CUBE}.created"
        type: time
        granularities:
          - { name: fortnight, interval: 2 weeks, origin: "2001-01-01" }
          - { name: fiscal_quarter, interval: 3 months, offset: 1 month }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: week_revenue, sql: amount, type: sum, rolling_window: { trailing: 7 days } }
      - { name: week_count, type: count, rolling_window: { trailing: 1 week } }
      - { name: week_regions, sql: region, type: count_distinct, rolling_window: { trailing: 7 days } }
      - { name: week_about, sql: region, type: count_distinct_approx, rolling_window: { trailing: 7 days } }
      - { name: week_average, sql: amount, type: avg, rolling_window: { trailing: 7 days } }
      - { name: week_most, sql: amount, type: max, rolling_window: { trailing: 7 days } }
      - { name: paid_week, sql: amount, type: sum, filters: [{ sql: "{CUBE}.paid" } ], rolling_window: { trailing: 7 days } }
      - { name: running, sql: amount, type: sum, rolling_window: { trailing: unbounded } }
      - { name: coming, sql: amount, type: sum, rolling_window: { leading: 1 month } }
      - { name: around, sql: amount, type: sum, rolling_window: { trailing: 3 days, leading: 3 days, offset: start } }
      - { name: before, sql: amount, type: sum, rolling_window: { trailing: 2 months, offset: start } }
      - { name: month_to_date, sql: amount, type: sum, rolling_window: { type: to_date, granularity: month } }
      - { name: half_day, sql: amount, type: sum, rolling_window: { trailing: 12 hours } }
      - { name: all, sql: amount, type: sum, rolling_window: { trailing: unbounded, leading: unbounded } }
      - { name: share, sql: "{revenue} / {week_revenue}", type: number }
    segments:
      - { name: paid, sql: "{CUBE}.paid" }
    ${tenantRowsPolicy}
  ${itemsCube}
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: name, sql: name, type: string }
    ${allRowsPolicy}
views:
  - name: sales
    cubes: [{ join_path: orders, includes: "*" }, { join_path: orders.items, includes: [quantity] } ]
    access_policy: [{ group: "*", row_level: { filters: [{ member: region, operator: notEquals, values: [west] } ] } } ]
`;

/** Orders of two tenants over five months, with gaps of several days. */
const orders = `
  DELETE FROM orders;
  INSERT INTO orders SELECT
    i, ['a', 'b'][1 + i % 2], ['north', 'south', 'west', NULL][1 + (i * 7) % 4], 1 + (i * 5) % 3, (i * 37) % 101,
    TIMESTAMP '2001-01-01' + INTERVAL 1 MINUTE * ((i * i * 1013 + i * 7919) % 216000), i % 3 = 0
  FROM range(1, 200) AS r(i);
  DELETE FROM items;
  INSERT INTO items SELECT i, 1 + (i * 13) % 200, 1 + i % 4 FROM range(1, 300) AS r(i);
`;

let database: DuckDBConnection;
let compiled: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  await database.run(orders);
  compiled = await compile(model);
});

const rows = (query: Query, tenant = 'a'): Promise<Json[][]> => rowsOf(database, compiled, query, tenantCaller(tenant));
const run = async (sql: string): Promise<Json[][]> => (await database.runAndReadAll(sql)).getRowsJson();
const created = (timeDimension: Omit<TimeDimension, 'dimension'>): TimeDimension[] => [
  { dimension: 'orders.created', ...timeDimension },
];
const spring: [string, string] = ['2001-02-01', '2001-04-30'];

/**
 * Returns the SQL of one row per bucket from February to April, with an aggregate of the rows whose local time `t`
 * satisfies a condition.
 */
function spans(
  step: string,
  aggregate: string,
  condition: string,
  { zone = 'UTC', where = "tenant = 'a'", join = 'LEFT JOIN' } = {},
) {
  return `SELECT s, ${aggregate} FROM (
      SELECT s, s + INTERVAL '${step}' AS e
      FROM (SELECT unnest(generate_series(TIMESTAMP '2001-02-01', TIMESTAMP '2001-04-30', INTERVAL '${step}')) AS s))
    ${join} (SELECT *, timezone('${zone}', created::TIMESTAMPTZ) AS t FROM orders WHERE ${where}) ON ${condition}
    GROUP BY ALL ORDER BY ALL`;
}

const trailing = "t >= e - INTERVAL '7 days' AND t < e";

describe('range of a rolling window', () => {
  it.each([
    ['week_revenue', 'sum(amount)', trailing],
    ['week_count', 'count(id)', trailing],
    ['week_regions', 'count(DISTINCT region)', trailing],
    ['week_about', 'approx_count_distinct(region)', trailing],
    ['week_average', 'avg(amount)', trailing],
    ['week_most', 'max(amount)', trailing],
    ['paid_week', 'sum(amount) FILTER (paid)', trailing],
    ['running', 'sum(amount)', 't < e'],
    ['coming', 'sum(amount)', "t >= e AND t < e + INTERVAL '1 month'"],
    ['around', 'sum(amount)', "t >= s - INTERVAL '3 days' AND t < s + INTERVAL '3 days'"],
    ['before', 'sum(amount)', "t >= s - INTERVAL '2 months' AND t < s"],
    ['month_to_date', 'sum(amount)', "t >= date_trunc('month', s) AND t < e"],
    ['half_day', 'sum(amount)', "t >= e - INTERVAL '12 hours' AND t < e"],
    ['all', 'sum(amount)', 'TRUE'],
  ])('%s aggregates the rows around each bucket', async (name, aggregate, condition) => {
    for (const step of ['day', 'month']) {
      const query: Query = {
        measures: [`orders.${name}`],
        timeDimensions: created({ granularity: step, dateRange: spring }),
      };
      const expected = await run(spans(`1 ${step}`, aggregate, condition));
      expect(expected.length).toBe(step === 'day' ? 89 : 3);
      expect(await rows(query)).toEqual(expected);
    }
  });

  it('uses weeks that start on Monday, even across months', async () => {
    const weekly: Query = {
      measures: ['orders.before'],
      timeDimensions: created({ granularity: 'week', dateRange: ['2001-01-29', '2001-03-04'] }),
    };
    const weeks = (await rows(weekly)).map(([week]) => week);
    expect(weeks[0]).toBe('2001-01-29 00:00:00');
    const expected = await run(`
      SELECT s, sum(amount) FROM (SELECT unnest(generate_series(TIMESTAMP '2001-01-29', TIMESTAMP '2001-02-26', INTERVAL '7 days')) AS s)
      LEFT JOIN (SELECT * FROM orders WHERE tenant = 'a') ON created >= s - INTERVAL '2 months' AND created < s GROUP BY 1 ORDER BY 1`);
    expect(await rows(weekly)).toEqual(expected);
  });

  it.each([
    ['fortnight', '2001-01-29', '14 days'],
    ['fiscal_quarter', '2001-02-01', '3 months'],
  ])('supports custom granularities: %s', async (granularity, first, step) => {
    const query: Query = {
      measures: ['orders.week_revenue', 'orders.before'],
      timeDimensions: created({ granularity, dateRange: spring }),
    };
    const figure = (condition: string) =>
      `(SELECT sum(amount) FROM orders WHERE tenant = 'a' AND ${condition.replaceAll('t ', 'created ')})`;
    const expected = await run(`
      SELECT s, ${figure("t >= e - INTERVAL '7 days' AND t < e")}, ${figure("t >= s - INTERVAL '2 months' AND t < s")}
      FROM (SELECT s, s + INTERVAL '${step}' AS e
            FROM (SELECT unnest(generate_series(TIMESTAMP '${first}', TIMESTAMP '2001-04-30', INTERVAL '${step}')) AS s))
      ORDER BY 1`);
    expect(await rows(query)).toEqual(expected);
  });

  it('uses local days in a time zone with daylight saving time', async () => {
    const query: Query = {
      measures: ['orders.week_revenue', 'orders.week_regions'],
      timeDimensions: created({ granularity: 'day', dateRange: spring }),
      timezone: 'America/New_York',
    };
    expect(await rows(query)).toEqual(
      await run(spans('1 day', 'sum(amount), count(DISTINCT region)', trailing, { zone: 'America/New_York' })),
    );
  });

  it('without a granularity returns one value for the whole range', async () => {
    const query = (name: string): Query => ({
      measures: [`orders.${name}`],
      timeDimensions: created({ dateRange: spring }),
    });
    const figure = (condition: string) => run(`SELECT sum(amount) FROM orders WHERE tenant = 'a' AND ${condition}`);
    expect(await rows(query('week_revenue'))).toEqual(
      await figure("created >= '2001-04-24' AND created < '2001-05-01'"),
    );
    expect(await rows(query('running'))).toEqual(await figure("created < '2001-05-01'"));
    expect(await rows(query('before'))).toEqual(await figure("created >= '2000-12-01' AND created < '2001-02-01'"));
    expect(await rows({ measures: ['orders.week_revenue'] })).toEqual(await figure('TRUE'));
    expect(await rows({ ...query('week_revenue'), measures: ['orders.revenue', 'orders.week_revenue'] })).toEqual([
      [
        ...(await figure("created >= '2001-02-01' AND created < '2001-05-01'")).flat(),
        ...(await figure("created >= '2001-04-24' AND created < '2001-05-01'")).flat(),
      ],
    ]);
  });

  it.each<[string, Query, string]>([
    [
      'a range to generate buckets',
      { timeDimensions: created({ granularity: 'day' }) },
      'A rolling window requires a dateRange of orders.created',
    ],
    [
      'one granularity',
      {
        timeDimensions: [...created({ granularity: 'day', dateRange: spring }), ...created({ granularity: 'month' })],
      },
      'one time dimension with one granularity',
    ],
    [
      'no more buckets than the row limit',
      { timeDimensions: created({ granularity: 'second', dateRange: spring }) },
      'a shorter dateRange or a coarser granularity',
    ],
  ])('requires %s', (_, query, message) => {
    const plan = compiled.plan({ measures: ['orders.running'], ...query }, tenantCaller('a'));
    expect(() => plan.statement()).toThrow(message);
  });
});

describe('row-level security of a rolling window', () => {
  it('reads only rows of the caller', async () => {
    const query: Query = {
      measures: ['orders.running'],
      timeDimensions: created({ granularity: 'month', dateRange: spring }),
    };
    const own = (where: string) => run(spans('1 month', 'sum(amount)', 't < e', { where }));
    expect(await rows(query, 'b')).toEqual(await own("tenant = 'b'"));
    expect(await rows(query, 'c')).toEqual(await own('FALSE'));
    expect(await rows(query, 'b')).not.toEqual(await rows(query, 'a'));
  });

  it('applies the row filter of a view', async () => {
    const query: Query = {
      measures: ['sales.running', 'sales.week_regions'],
      timeDimensions: [{ dimension: 'sales.created', granularity: 'month', dateRange: spring }],
    };
    const where = "tenant = 'a' AND (region <> 'west' OR region IS NULL)";
    const figures = `sum(amount), count(DISTINCT region) FILTER (t >= e - INTERVAL '7 days')`;
    expect(await rows(query)).toEqual(await run(spans('1 month', figures, 't < e', { where })));
  });
});

describe('filters and groups of a rolling window', () => {
  it('applies other filters and segments to all of its rows', async () => {
    const query: Query = {
      measures: ['orders.running'],
      segments: ['orders.paid'],
      filters: [{ member: 'orders.region', operator: 'equals', values: ['north', 'south'] }],
      timeDimensions: created({ granularity: 'month', dateRange: spring }),
    };
    const where = "tenant = 'a' AND paid AND region IN ('north', 'south')";
    expect(await rows(query)).toEqual(await run(spans('1 month', 'sum(amount)', 't < e', { where })));
  });

  it('can be grouped by dimensions, including another granularity of the same time', async () => {
    const timeDimensions = created({ granularity: 'day', dateRange: spring });
    const order: Query['order'] = [['orders.created', 'asc']];
    const byRegion = await rows({
      measures: ['orders.week_revenue'],
      dimensions: ['orders.region'],
      timeDimensions,
      order,
    });
    const expected = await run(spans('1 day', 'sum(amount), region', trailing, { join: 'JOIN' }));
    const comparable = (found: Json[][]) => found.map(row => row.map(String).sort().join()).sort();
    expect(byRegion.length).toBeGreaterThan(89);
    expect(comparable(byRegion)).toEqual(comparable(expected));
    for (const [measure, aggregate] of [
      ['week_revenue', 'sum(amount)'],
      ['week_regions', 'count(DISTINCT region)'],
    ] as const) {
      const byMonth = await rows({
        measures: [`orders.${measure}`],
        dimensions: ['orders.month_name'],
        timeDimensions,
        order,
      });
      const months = await run(spans('1 day', `${aggregate}, strftime(t, '%b')`, trailing, { join: 'JOIN' }));
      expect(comparable(byMonth)).toEqual(comparable(months));
    }
  });

  it('can be grouped by a dimension of a joined cube', async () => {
    const found = await rows({
      measures: ['orders.week_revenue'],
      dimensions: ['customers.name'],
      timeDimensions: created({ granularity: 'month', dateRange: spring }),
      order: [
        ['orders.created', 'asc'],
        ['customers.name', 'asc'],
      ],
    });
    const expected = await run(`
      SELECT c.name, s, sum(amount) FROM (
        SELECT s, s + INTERVAL '1 month' AS e
        FROM (SELECT unnest(generate_series(TIMESTAMP '2001-02-01', TIMESTAMP '2001-04-30', INTERVAL '1 month')) AS s))
      JOIN (SELECT *, created AS t FROM orders WHERE tenant = 'a') o ON ${trailing}
      LEFT JOIN customers c ON c.id = o.customer_id GROUP BY 1, 2 ORDER BY 2, 1`);
    expect(found).toEqual(expected);
  });

  it('counts each row once if joins repeat it', async () => {
    const timeDimensions = created({ granularity: 'month', dateRange: spring });
    const [query, alone]: [Query, Query] = [
      { measures: ['orders.running', 'orders.week_regions', 'items.quantity'], timeDimensions },
      { measures: ['orders.running', 'orders.week_regions'], timeDimensions },
    ];
    expect((await rows(query)).map(row => row.slice(0, 3))).toEqual(await rows(alone));
    expect((await rows(query)).map(([month, , , quantity]) => [month, quantity])).toEqual(
      await rows({ measures: ['items.quantity'], timeDimensions }),
    );
  });

  it('can be filtered by, ordered by and limited', async () => {
    const timeDimensions = created({ granularity: 'day', dateRange: spring });
    const all = await rows({ measures: ['orders.week_revenue'], timeDimensions });
    const high = await rows({
      measures: ['orders.week_revenue'],
      timeDimensions,
      filters: [{ member: 'orders.week_revenue', operator: 'gt', values: ['200'] }],
    });
    expect(high.length).toBeGreaterThan(0);
    expect(high).toEqual(all.filter(([, revenue]) => Number(revenue) > 200));
    const top = await rows({
      measures: ['orders.week_revenue'],
      timeDimensions,
      order: { 'orders.week_revenue': 'desc' },
      limit: 5,
    });
    expect(top.map(([, revenue]) => Number(revenue))).toEqual(
      all
        .map(([, revenue]) => Number(revenue))
        .sort((a, b) => b - a)
        .slice(0, 5),
    );
    const byCount = await rows({
      measures: ['orders.count'],
      timeDimensions,
      filters: [{ member: 'orders.week_revenue', operator: 'gt', values: ['200'] }],
    });
    expect(byCount.map(([day]) => day)).toEqual(high.map(([day]) => day));
  });
});

describe('rolling windows with other measures', () => {
  it('can be combined with other windows and ordinary measures that have no rows on some days', async () => {
    const query: Query = {
      measures: ['orders.revenue', 'orders.week_revenue', 'orders.count', 'orders.running', 'orders.share'],
      timeDimensions: created({ granularity: 'day', dateRange: spring }),
    };
    const inDay = 'FILTER (t >= s AND t < e)';
    const inWeek = `FILTER (${trailing})`;
    const figures = `sum(amount) ${inDay}, sum(amount) ${inWeek}, count(id) ${inDay}, sum(amount), sum(amount) ${inDay} / sum(amount) ${inWeek}`;
    const found = await rows(query);
    expect(found.some(([, revenue]) => revenue === null)).toBe(true);
    expect(found).toEqual(await run(spans('1 day', figures, 't < e')));
  });

  it('has a row for every group of the other measures', async () => {
    const query: Query = {
      measures: ['orders.count', 'orders.week_count'],
      dimensions: ['orders.region'],
      timeDimensions: created({ granularity: 'day', dateRange: spring }),
      order: [
        ['orders.created', 'asc'],
        ['orders.region', 'asc'],
      ],
    };
    const expected = await run(`
      SELECT region, s, count(id) FILTER (t >= s), count(id) FROM (
        SELECT s, s + INTERVAL '1 day' AS e
        FROM (SELECT unnest(generate_series(TIMESTAMP '2001-02-01', TIMESTAMP '2001-04-30', INTERVAL '1 day')) AS s))
      JOIN (SELECT *, created AS t FROM orders WHERE tenant = 'a') ON ${trailing}
      GROUP BY 1, 2 ORDER BY 2, 1`);
    expect(await rows(query)).toEqual(expected);
  });
});

describe('a model with a rolling window', () => {
  const withMeasure = (measure: string) => `cubes:
  - name: orders
    sql_table: orders
    measures:
      - { name: count, type: count }
      - ${measure}
`;

  it.each([
    ['that is empty', '{ name: x, type: count, rolling_window: {} }', 'must have trailing or leading'],
    [
      'of an unknown type',
      '{ name: x, type: count, rolling_window: { type: sliding } }',
      'must have trailing or leading',
    ],
    ['of SQL', `{ name: x, type: count, rolling_window: { trailing: "1 day' OR 1" } }`, 'trailing: must be a duration'],
    [
      'up to a custom granularity',
      '{ name: x, type: count, rolling_window: { type: to_date, granularity: decade } }',
      'must have',
    ],
    [
      'of a calculated measure',
      '{ name: x, sql: "{count} * 2", type: number, rolling_window: { trailing: 1 day } }',
      'does not support rolling_window',
    ],
  ])('%s is rejected', async (_, measure, problem) => {
    expect((await problemsOf(withMeasure(measure))).join()).toMatch(new RegExp(`^6: .*${problem}`));
  });
});
