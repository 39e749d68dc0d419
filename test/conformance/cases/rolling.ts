import type { Case } from './case.js';

const february = ['2001-02-01', '2001-02-28'];
const days = `(SELECT unnest(generate_series(TIMESTAMP '2001-02-01', TIMESTAMP '2001-02-28', INTERVAL 1 DAY)) AS day)`;

/** Creates a case that counts the flights of each day of February within a window. */
function daily(name: string, measure: string, from: string, before: string, value = 'count(f.date)'): Case {
  return {
    name,
    query: {
      measures: [`trips.${measure}`],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'day', dateRange: february }],
    },
    sql: `SELECT day AS "trips.departure.day", ${value} AS "trips.${measure}" FROM ${days}
      LEFT JOIN (SELECT * FROM flights WHERE origin = 'ORD') f ON f.date >= ${from} AND f.date < ${before} GROUP BY 1 ORDER BY 1`,
  };
}

/** Rolling-window measures, which read rows outside the range of the query. */
export const rolling: readonly Case[] = [
  daily('counts a week to each day', 'week_count', 'day - INTERVAL 6 DAY', 'day + INTERVAL 1 DAY'),
  daily('counts the days before each day', 'week_before', 'day - INTERVAL 7 DAY', 'day'),
  daily('counts the days after each day', 'days_after', 'day + INTERVAL 1 DAY', 'day + INTERVAL 4 DAY'),
  daily('counts from the beginning', 'running_count', `TIMESTAMP '1900-01-01'`, 'day + INTERVAL 1 DAY'),
  daily('sums thirty days', 'month_distance', 'day - INTERVAL 29 DAY', 'day + INTERVAL 1 DAY', 'sum(f.distance)'),
  daily(
    'finds the longest of a week',
    'week_longest',
    'day - INTERVAL 6 DAY',
    'day + INTERVAL 1 DAY',
    'max(f.distance)',
  ),
  daily('counts the days of the month so far', 'month_to_date', `TIMESTAMP '2001-02-01'`, 'day + INTERVAL 1 DAY'),
  {
    name: 'counts from the beginning to the end of each month',
    query: {
      measures: ['trips.running_count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'month', dateRange: ['2001-01-01', '2001-06-30'] }],
    },
    sql: `SELECT month AS "trips.departure.month", count(f.date) AS "trips.running_count"
      FROM (SELECT unnest(generate_series(TIMESTAMP '2001-01-01', TIMESTAMP '2001-06-01', INTERVAL 1 MONTH)) AS month)
      LEFT JOIN (SELECT * FROM flights WHERE origin = 'ORD') f ON f.date < month + INTERVAL 1 MONTH GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'can be combined with ordinary measures',
    query: {
      measures: ['trips.count', 'trips.week_count', 'trips.running_count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'day', dateRange: february }],
    },
    sql: `SELECT day AS "trips.departure.day", count(f.date) FILTER (f.date >= day) AS "trips.count",
      count(f.date) FILTER (f.date >= day - INTERVAL 6 DAY) AS "trips.week_count", count(f.date) AS "trips.running_count"
      FROM ${days} LEFT JOIN (SELECT * FROM flights WHERE origin = 'ORD') f ON f.date < day + INTERVAL 1 DAY GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'counts for each value of a dimension',
    query: {
      measures: ['trips.week_count'],
      dimensions: ['trips.is_late'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'day', dateRange: february }],
    },
    sql: `SELECT day AS "trips.departure.day", f.delay >= 15 AS "trips.is_late", count(*) AS "trips.week_count" FROM ${days}
      JOIN (SELECT * FROM flights WHERE origin = 'ORD') f ON f.date >= day - INTERVAL 6 DAY AND f.date < day + INTERVAL 1 DAY
      GROUP BY ALL`,
  },
  {
    name: 'counts what a filter lets through',
    query: {
      measures: ['trips.week_count'],
      filters: [{ member: 'trips.destination', operator: 'equals', values: ['BOS'] }],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'day', dateRange: february }],
    },
    sql: `SELECT day AS "trips.departure.day", count(f.date) AS "trips.week_count" FROM ${days}
      LEFT JOIN (SELECT * FROM flights WHERE origin = 'ORD' AND destination = 'BOS') f
      ON f.date >= day - INTERVAL 6 DAY AND f.date < day + INTERVAL 1 DAY GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'counts by the days of a zone',
    query: {
      measures: ['trips.week_count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'day', dateRange: february }],
      timezone: 'America/Chicago',
    },
    sql: `SELECT day AS "trips.departure.day", count(f.local) AS "trips.week_count" FROM ${days}
      LEFT JOIN (SELECT timezone('America/Chicago', timezone('UTC', date)) AS local FROM flights WHERE origin = 'ORD') f
      ON f.local >= day - INTERVAL 6 DAY AND f.local < day + INTERVAL 1 DAY GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "counts another tenant's rows",
    caller: 'atl',
    query: {
      measures: ['trips.running_count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'day', dateRange: february }],
    },
    sql: `SELECT day AS "trips.departure.day", count(f.date) AS "trips.running_count" FROM ${days}
      LEFT JOIN (SELECT * FROM flights WHERE origin = 'ATL') f ON f.date < day + INTERVAL 1 DAY GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'counts from the beginning to the end of the range without a granularity',
    query: {
      measures: ['trips.running_count'],
      timeDimensions: [{ dimension: 'trips.departure', dateRange: february }],
    },
    sql: `SELECT count(*) AS "trips.running_count" FROM flights WHERE origin = 'ORD' AND date < '2001-03-01'`,
  },
];
