import type { Case } from './case.js';

const newYork = `timezone('America/New_York', timezone('UTC', placed_at))`;

/** Time zones: columns are in UTC; days, hours and ranges are in the zone, including daylight-saving changes. */
export const zones: readonly Case[] = [
  {
    name: 'groups by the days of a zone',
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'day' }],
      timezone: 'America/Los_Angeles',
    },
    sql: `SELECT date_trunc('day', timezone('America/Los_Angeles', timezone('UTC', date))) AS "trips.departure.day",
      count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'groups by the hours of a day that has 23',
    query: {
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'hour', dateRange: ['2024-03-09', '2024-03-11'] }],
      timezone: 'America/New_York',
    },
    sql: `SELECT date_trunc('hour', ${newYork}) AS "orders.placed_at.hour", count(*) AS "orders.count" FROM orders
      WHERE tenant = 'acme' AND ${newYork}::DATE BETWEEN '2024-03-09' AND '2024-03-11' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'groups by the hours of a day that has 25',
    query: {
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'hour', dateRange: ['2024-11-02', '2024-11-04'] }],
      timezone: 'America/New_York',
    },
    sql: `SELECT date_trunc('hour', ${newYork}) AS "orders.placed_at.hour", count(*) AS "orders.count" FROM orders
      WHERE tenant = 'acme' AND ${newYork}::DATE BETWEEN '2024-11-02' AND '2024-11-04' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'groups by the weeks of a zone half an hour off',
    query: {
      measures: ['orders.revenue'],
      timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'week' }],
      timezone: 'Asia/Kolkata',
    },
    sql: `SELECT date_trunc('week', placed_at + INTERVAL '5 hours 30 minutes') AS "orders.placed_at.week",
      sum(amount) AS "orders.revenue" FROM orders WHERE tenant = 'acme' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'reads the days of a range in the zone',
    query: {
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.placed_at', dateRange: ['2024-06-01', '2024-06-30'] }],
      timezone: 'Pacific/Auckland',
    },
    sql: `SELECT count(*) AS "orders.count" FROM orders WHERE tenant = 'acme'
      AND placed_at >= TIMESTAMP '2024-05-31 12:00' AND placed_at < TIMESTAMP '2024-06-30 12:00'`,
  },
  {
    name: 'reads the dates of a filter in the zone',
    query: {
      measures: ['orders.count'],
      filters: [{ member: 'orders.placed_at', operator: 'beforeDate', values: ['2024-02-01'] }],
      timezone: 'America/New_York',
    },
    sql: `SELECT count(*) AS "orders.count" FROM orders WHERE tenant = 'acme' AND placed_at < TIMESTAMP '2024-02-01 05:00'`,
  },
  {
    name: 'groups by the months of a zone across its summer time',
    query: {
      measures: ['orders.count'],
      dimensions: ['orders.paid'],
      timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'month' }],
      timezone: 'Europe/Berlin',
    },
    sql: `SELECT date_trunc('month', timezone('Europe/Berlin', timezone('UTC', placed_at))) AS "orders.placed_at.month",
      paid AS "orders.paid", count(*) AS "orders.count" FROM orders WHERE tenant = 'acme' GROUP BY ALL`,
  },
  {
    name: "groups by a model's granularity in a zone",
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'fortnight' }],
      timezone: 'America/Chicago',
    },
    sql: `SELECT time_bucket(INTERVAL 14 DAY, timezone('America/Chicago', timezone('UTC', date)), TIMESTAMP '2001-01-01')
      AS "trips.departure.fortnight", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'shows a time dimension that is a plain dimension in the zone',
    query: {
      dimensions: ['orders.id', 'orders.placed_at'],
      timezone: 'America/New_York',
      order: { 'orders.id': 'asc' },
      limit: 50,
    },
    sql: `SELECT id AS "orders.id", ${newYork} AS "orders.placed_at" FROM orders WHERE tenant = 'acme' ORDER BY id LIMIT 50`,
  },
  {
    name: 'knows UTC by that name',
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'quarter' }],
      timezone: 'UTC',
    },
    sql: `SELECT date_trunc('quarter', date) AS "trips.departure.quarter", count(*) AS "trips.count" FROM flights
      WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1`,
  },
];
