import type { Case } from './case.js';

const june = ['2001-06-04', '2001-06-05'];
const hour = ['2001-03-01T08:00:00.000', '2001-03-01T08:59:59.999'];

/** Time dimensions with every granularity, including custom granularities of the model. */
export const granularities: readonly Case[] = [
  ...(['day', 'week', 'month', 'quarter', 'year'] as const).map(
    (granularity): Case => ({
      name: `groups by ${granularity}`,
      query: { measures: ['trips.count'], timeDimensions: [{ dimension: 'trips.departure', granularity }] },
      sql: `SELECT date_trunc('${granularity}', date) AS "trips.departure.${granularity}", count(*) AS "trips.count"
        FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1`,
    }),
  ),
  {
    name: 'groups by hour',
    query: {
      measures: ['trips.count', 'trips.average_delay'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'hour', dateRange: june }],
    },
    sql: `SELECT date_trunc('hour', date) AS "trips.departure.hour", count(*) AS "trips.count", avg(delay) AS "trips.average_delay"
      FROM flights WHERE origin = 'ORD' AND date >= '2001-06-04' AND date < '2001-06-06' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'groups by minute',
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'minute', dateRange: hour }],
    },
    sql: `SELECT date_trunc('minute', date) AS "trips.departure.minute", count(*) AS "trips.count" FROM flights
      WHERE origin = 'ORD' AND date >= '2001-03-01 08:00' AND date < '2001-03-01 09:00' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'groups by second',
    query: {
      measures: ['pulses.count'],
      timeDimensions: [{ dimension: 'pulses.beat', granularity: 'second', dateRange: 'today' }],
      order: { 'pulses.beat': 'asc' },
      limit: 500,
    },
    sql: `SELECT date_trunc('second', beat) AS "pulses.beat.second", count(*) AS "pulses.count" FROM pulses
      WHERE tenant = 'acme' AND beat >= current_date AND beat < current_date + 1 GROUP BY 1 ORDER BY 1 LIMIT 500`,
  },
  {
    name: 'groups dates that are none too',
    query: { measures: ['orders.count'], timeDimensions: [{ dimension: 'orders.shipped_on', granularity: 'month' }] },
    sql: `SELECT date_trunc('month', shipped_on)::TIMESTAMP AS "orders.shipped_on.month", count(*) AS "orders.count"
      FROM orders WHERE tenant = 'acme' GROUP BY 1`,
  },
  {
    name: 'groups by a time that is calculated',
    query: { measures: ['trips.count'], timeDimensions: [{ dimension: 'trips.landing', granularity: 'week' }] },
    sql: `SELECT date_trunc('week', date + to_minutes(30 + distance // 8)) AS "trips.landing.week", count(*) AS "trips.count"
      FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'groups by two time dimensions',
    query: {
      measures: ['orders.count'],
      timeDimensions: [
        { dimension: 'orders.placed_at', granularity: 'month' },
        { dimension: 'orders.shipped_on', granularity: 'quarter' },
      ],
    },
    sql: `SELECT date_trunc('month', placed_at) AS "orders.placed_at.month",
      date_trunc('quarter', shipped_on)::TIMESTAMP AS "orders.shipped_on.quarter", count(*) AS "orders.count"
      FROM orders WHERE tenant = 'acme' GROUP BY ALL`,
  },
  {
    name: 'groups by one time dimension twice',
    query: {
      measures: ['trips.count'],
      timeDimensions: [
        { dimension: 'trips.departure', granularity: 'quarter', dateRange: ['2001-02-01', '2001-05-31'] },
        { dimension: 'trips.departure', granularity: 'month' },
      ],
      order: { 'trips.departure.month': 'asc' },
    },
    sql: `SELECT date_trunc('quarter', date) AS "trips.departure.quarter", date_trunc('month', date) AS "trips.departure.month",
      count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND date >= '2001-02-01' AND date < '2001-06-01'
      GROUP BY ALL ORDER BY 2`,
  },
  {
    name: 'groups by time dimension and dimension',
    query: {
      measures: ['trips.count', 'trips.late_share'],
      dimensions: ['trips.is_late'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'month' }],
      order: [
        ['trips.departure', 'asc'],
        ['trips.is_late', 'desc'],
      ],
    },
    sql: `SELECT date_trunc('month', date) AS "trips.departure.month", delay >= 15 AS "trips.is_late", count(*) AS "trips.count",
      count(*) FILTER (delay >= 15) * 1.0 / count(*) AS "trips.late_share"
      FROM flights WHERE origin = 'ORD' GROUP BY 1, 2 ORDER BY 1, 2 DESC`,
  },
  {
    name: 'returns a time and its month',
    query: {
      dimensions: ['orders.placed_at'],
      timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'month' }],
      order: { 'orders.placed_at': 'asc' },
      limit: 20,
    },
    sql: `SELECT placed_at AS "orders.placed_at", date_trunc('month', placed_at) AS "orders.placed_at.month" FROM orders
      WHERE tenant = 'acme' ORDER BY 2, 1 LIMIT 20`,
  },
  {
    name: 'groups without a measure',
    query: { timeDimensions: [{ dimension: 'trips.departure', granularity: 'month' }] },
    sql: `SELECT DISTINCT date_trunc('month', date) AS "trips.departure.month" FROM flights WHERE origin = 'ORD' ORDER BY 1`,
  },
  {
    name: 'takes what is empty or null for nothing',
    query: {
      measures: ['trips.count'],
      dimensions: [],
      segments: [],
      filters: [],
      timeDimensions: [{ dimension: 'trips.departure', granularity: null, dateRange: ['2001-02-01', '2001-02-28'] }],
    },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND date >= '2001-02-01' AND date < '2001-03-01'`,
  },
  {
    name: 'filters without grouping',
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', dateRange: ['2001-02-01', '2001-02-28'] }],
    },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND date >= '2001-02-01' AND date < '2001-03-01'`,
  },
  {
    name: "groups by a model's weeks that start on Sunday",
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'sunday_week' }],
    },
    sql: `SELECT date_trunc('week', date + INTERVAL 1 DAY) - INTERVAL 1 DAY AS "trips.departure.sunday_week",
      count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "groups by a model's years that start in April",
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'fiscal_year' }],
    },
    sql: `SELECT date_trunc('year', date - INTERVAL 3 MONTH) + INTERVAL 3 MONTH AS "trips.departure.fiscal_year",
      count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "groups by a model's half days",
    query: {
      measures: ['trips.count'],
      timeDimensions: [
        { dimension: 'trips.departure', granularity: 'half_day', dateRange: ['2001-01-01', '2001-01-31'] },
      ],
    },
    sql: `SELECT date_trunc('day', date) + INTERVAL 12 HOUR * (hour(date) // 12) AS "trips.departure.half_day",
      count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND date < '2001-02-01' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "groups by a model's ten minutes",
    query: {
      measures: ['trips.count'],
      timeDimensions: [
        { dimension: 'trips.departure', granularity: 'ten_minutes', dateRange: ['2001-02-28', '2001-02-28'] },
      ],
    },
    sql: `SELECT date_trunc('hour', date) + INTERVAL 10 MINUTE * (minute(date) // 10) AS "trips.departure.ten_minutes",
      count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND date::DATE = '2001-02-28' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "groups by a model's two months from February",
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'two_months' }],
    },
    sql: `SELECT CASE WHEN date < '2001-02-01' THEN TIMESTAMP '2000-12-01' WHEN date < '2001-04-01' THEN TIMESTAMP '2001-02-01'
      WHEN date < '2001-06-01' THEN TIMESTAMP '2001-04-01' ELSE TIMESTAMP '2001-06-01' END AS "trips.departure.two_months",
      count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1`,
  },
];
