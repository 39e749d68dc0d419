import type { Case } from './case.js';

/** Dimensions of every type, with and without measures. */
export const dimensions: readonly Case[] = [
  {
    name: 'lists the values of a dimension in their order',
    query: { dimensions: ['trips.destination'] },
    sql: `SELECT DISTINCT destination AS "trips.destination" FROM flights WHERE origin = 'ORD' ORDER BY 1`,
  },
  {
    name: 'groups a measure by a dimension',
    query: { measures: ['trips.count'], dimensions: ['trips.destination'] },
    sql: `SELECT destination AS "trips.destination", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1`,
  },
  {
    name: "groups another tenant's rows",
    caller: 'atl',
    query: { measures: ['trips.count'], dimensions: ['trips.destination'] },
    sql: `SELECT destination AS "trips.destination", count(*) AS "trips.count" FROM flights WHERE origin = 'ATL' GROUP BY 1`,
  },
  {
    name: 'groups by a number',
    query: { measures: ['trips.count'], dimensions: ['trips.hundreds'] },
    sql: `SELECT distance // 100 AS "trips.hundreds", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1`,
  },
  {
    name: 'groups by a boolean',
    query: { measures: ['trips.count', 'trips.average_delay'], dimensions: ['trips.is_late'] },
    sql: `SELECT delay >= 15 AS "trips.is_late", count(*) AS "trips.count", avg(delay) AS "trips.average_delay"
      FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 2 DESC`,
  },
  {
    name: 'keeps a boolean that is NULL',
    query: { measures: ['orders.count'], dimensions: ['orders.paid'] },
    sql: `SELECT paid AS "orders.paid", count(*) AS "orders.count" FROM orders WHERE tenant = 'acme' GROUP BY 1`,
  },
  {
    name: 'keeps text that is NULL apart from text that is empty',
    query: { measures: ['orders.count'], dimensions: ['orders.city'] },
    sql: `SELECT city AS "orders.city", count(*) AS "orders.count" FROM orders WHERE tenant = 'acme' GROUP BY 1`,
  },
  {
    name: 'groups by two dimensions',
    query: { measures: ['orders.revenue'], dimensions: ['orders.status', 'orders.paid'] },
    sql: `SELECT status AS "orders.status", paid AS "orders.paid", sum(amount) AS "orders.revenue"
      FROM orders WHERE tenant = 'acme' GROUP BY ALL`,
  },
  {
    name: 'groups by decimals',
    query: { measures: ['orders.count'], dimensions: ['orders.amount'] },
    sql: `SELECT amount AS "orders.amount", count(*) AS "orders.count" FROM orders WHERE tenant = 'acme' GROUP BY 1`,
  },
  {
    name: 'gives floating numbers with all their digits',
    query: { dimensions: ['orders.id', 'orders.weight'], limit: 300 },
    sql: `SELECT id AS "orders.id", weight AS "orders.weight" FROM orders WHERE tenant = 'acme' ORDER BY id LIMIT 300`,
  },
  {
    name: 'gives a time as a dimension to the minute',
    query: { dimensions: ['orders.placed_at', 'orders.id'], limit: 200 },
    sql: `SELECT placed_at AS "orders.placed_at", id AS "orders.id" FROM orders WHERE tenant = 'acme'
      ORDER BY placed_at LIMIT 200`,
  },
  {
    name: 'gives a date as a time, and none where there is none',
    query: { dimensions: ['orders.shipped_on'], measures: ['orders.count'] },
    sql: `SELECT shipped_on AS "orders.shipped_on", count(*) AS "orders.count" FROM orders WHERE tenant = 'acme' GROUP BY 1`,
  },
  {
    name: 'groups by a time with a granularity in its name',
    query: { measures: ['trips.count'], dimensions: ['trips.departure.month'] },
    sql: `SELECT date_trunc('month', date) AS "trips.departure.month", count(*) AS "trips.count"
      FROM flights WHERE origin = 'ORD' GROUP BY 1`,
  },
  {
    name: 'groups by a granularity of the model in a name',
    query: { measures: ['trips.count'], dimensions: ['trips.departure.fortnight', 'trips.is_late'] },
    sql: `SELECT time_bucket(INTERVAL 14 DAY, date, TIMESTAMP '2001-01-01') AS "trips.departure.fortnight",
      delay >= 15 AS "trips.is_late", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY ALL`,
  },
  {
    name: "groups by a dimension that is another cube's",
    query: { measures: ['trips.count'], dimensions: ['trips.state'] },
    sql: `SELECT a.state AS "trips.state", count(*) AS "trips.count"
      FROM flights f LEFT JOIN airports a ON a.iata = f.destination WHERE f.origin = 'ORD' GROUP BY 1`,
  },
];
