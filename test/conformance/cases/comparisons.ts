import type { Case } from './case.js';

const january = ['2001-01-01', '2001-01-31'];
const february = ['2001-02-01', '2001-02-28'];
const pacific = `timezone('America/Los_Angeles', timezone('UTC', date))`;

/** One query over several date ranges, with one result for each range, in order. */
export const comparisons: readonly Case[] = [
  {
    name: 'compares two months by day',
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'day', compareDateRange: [february, january] }],
    },
    sql: [
      `SELECT date_trunc('day', date)::TIMESTAMP AS "trips.departure.day", count(*) AS "trips.count",
        '2001-02-01T00:00:00.000 - 2001-02-28T23:59:59.999' AS "compareDateRange"
        FROM flights WHERE origin = 'ORD' AND date >= '2001-02-01' AND date < '2001-03-01' GROUP BY 1 ORDER BY 1`,
      `SELECT date_trunc('day', date)::TIMESTAMP AS "trips.departure.day", count(*) AS "trips.count",
        '2001-01-01T00:00:00.000 - 2001-01-31T23:59:59.999' AS "compareDateRange"
        FROM flights WHERE origin = 'ORD' AND date >= '2001-01-01' AND date < '2001-02-01' GROUP BY 1 ORDER BY 1`,
    ],
  },
  {
    name: 'compares without a granularity',
    query: {
      measures: ['trips.count', 'trips.late'],
      timeDimensions: [{ dimension: 'trips.departure', compareDateRange: [january, february] }],
    },
    sql: [
      `SELECT count(*) AS "trips.count", count(*) FILTER (delay >= 15) AS "trips.late",
        '2001-01-01T00:00:00.000 - 2001-01-31T23:59:59.999' AS "compareDateRange"
        FROM flights WHERE origin = 'ORD' AND date >= '2001-01-01' AND date < '2001-02-01'`,
      `SELECT count(*) AS "trips.count", count(*) FILTER (delay >= 15) AS "trips.late",
        '2001-02-01T00:00:00.000 - 2001-02-28T23:59:59.999' AS "compareDateRange"
        FROM flights WHERE origin = 'ORD' AND date >= '2001-02-01' AND date < '2001-03-01'`,
    ],
  },
  {
    name: 'compares three ranges by dimension and month',
    query: {
      measures: ['orders.revenue'],
      dimensions: ['orders.paid'],
      timeDimensions: [
        {
          dimension: 'orders.placed_at',
          granularity: 'month',
          compareDateRange: [
            ['2024-01-01', '2024-02-29'],
            ['2024-03-01', '2024-04-30'],
            ['2024-05-01', '2024-06-30'],
          ],
        },
      ],
    },
    sql: ['2024-01-01', '2024-03-01', '2024-05-01'].map(
      from => `SELECT date_trunc('month', placed_at) AS "orders.placed_at.month", paid AS "orders.paid", sum(amount) AS "orders.revenue"
        FROM orders WHERE tenant = 'acme' AND placed_at >= DATE '${from}' AND placed_at < DATE '${from}' + INTERVAL 2 MONTH GROUP BY ALL`,
    ),
  },
  {
    name: 'compares in a zone, under a filter, and counts the rows of the first',
    query: {
      measures: ['trips.count'],
      dimensions: ['trips.destination'],
      filters: [{ member: 'trips.is_late', operator: 'equals', values: ['true'] }],
      timeDimensions: [{ dimension: 'trips.departure', compareDateRange: [january, february] }],
      timezone: 'America/Los_Angeles',
      order: { 'trips.destination': 'asc' },
      limit: 20,
      total: true,
    },
    sql: [1, 2].map(
      month => `SELECT destination AS "trips.destination", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD'
        AND delay >= 15 AND strftime(${pacific}, '%Y-%m') = '2001-0${month}' GROUP BY 1 ORDER BY 1 LIMIT 20`,
    ),
    total: `SELECT count(DISTINCT destination) FROM flights WHERE origin = 'ORD' AND delay >= 15
      AND strftime(${pacific}, '%Y-%m') = '2001-01'`,
  },
  {
    name: 'compares phrases',
    query: {
      measures: ['pulses.total'],
      timeDimensions: [{ dimension: 'pulses.beat', granularity: 'day', compareDateRange: ['this week', 'last week'] }],
    },
    sql: [0, 7].map(
      before => `SELECT date_trunc('day', beat)::TIMESTAMP AS "pulses.beat.day", sum(value) AS "pulses.total" FROM pulses
        WHERE tenant = 'acme' AND beat >= date_trunc('week', now()::TIMESTAMP) - INTERVAL ${before} DAY
        AND beat < date_trunc('week', now()::TIMESTAMP) + INTERVAL ${7 - before} DAY GROUP BY 1 ORDER BY 1`,
    ),
  },
];
