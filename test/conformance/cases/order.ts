import type { Case } from './case.js';

const byDestination = `SELECT destination AS "trips.destination", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1`;
const destinations = { measures: ['trips.count'], dimensions: ['trips.destination'] };

/** Every form of order, the default order, limit and offset. */
export const order: readonly Case[] = [
  {
    name: 'orders by the first measure, the most first, where nothing is said',
    query: { measures: ['orders.revenue'], dimensions: ['customers.name'] },
    sql: `SELECT c.name AS "customers.name", sum(o.amount) AS "orders.revenue" FROM orders o
      LEFT JOIN customers c ON c.id = o.customer_id AND c.tenant = 'acme' WHERE o.tenant = 'acme' GROUP BY 1 ORDER BY 2 DESC, 1`,
  },
  {
    name: 'orders by a member',
    query: { ...destinations, order: { 'trips.destination': 'desc' } },
    sql: `${byDestination} ORDER BY 1 DESC`,
  },
  {
    name: 'orders by several members, in the order that they are named',
    query: {
      measures: ['trips.count'],
      dimensions: ['trips.is_late', 'trips.hundreds'],
      order: [
        ['trips.is_late', 'desc'],
        ['trips.hundreds', 'asc'],
      ],
    },
    sql: `SELECT delay >= 15 AS "trips.is_late", distance // 100 AS "trips.hundreds", count(*) AS "trips.count" FROM flights
      WHERE origin = 'ORD' GROUP BY 1, 2 ORDER BY 1 DESC, 2`,
  },
  {
    name: 'orders by measure, then by dimension',
    query: { ...destinations, order: { 'trips.count': 'desc', 'trips.destination': 'asc' } },
    sql: `${byDestination} ORDER BY 2 DESC, 1`,
  },
  {
    name: 'orders a time dimension backwards',
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'week' }],
      order: { 'trips.departure': 'desc' },
    },
    sql: `SELECT date_trunc('week', date) AS "trips.departure.week", count(*) AS "trips.count" FROM flights
      WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1 DESC`,
  },
  {
    name: 'orders a time dimension by its name with granularity',
    query: {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'month' }],
      order: [['trips.departure.month', 'desc']],
    },
    sql: `SELECT date_trunc('month', date) AS "trips.departure.month", count(*) AS "trips.count" FROM flights
      WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1 DESC`,
  },
  {
    name: 'takes an empty order for none',
    query: { ...destinations, order: [] },
    sql: byDestination,
  },
  {
    name: 'treats an empty order object as the default order',
    query: { measures: ['trips.count'], dimensions: ['trips.hundreds'], order: {} },
    sql: `SELECT distance // 100 AS "trips.hundreds", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1`,
  },
  {
    name: 'puts rows that are NULL at the end when rising',
    query: { dimensions: ['orders.status'], order: { 'orders.status': 'asc' } },
    sql: `SELECT DISTINCT status AS "orders.status" FROM orders WHERE tenant = 'acme' ORDER BY 1 ASC NULLS LAST`,
  },
  {
    name: 'gives the first rows',
    query: { ...destinations, order: { 'trips.count': 'desc' }, limit: 5 },
    sql: `${byDestination} ORDER BY 2 DESC LIMIT 5`,
  },
  {
    name: 'gives the rows after the first',
    query: { ...destinations, order: { 'trips.destination': 'asc' }, limit: 7, offset: 10 },
    sql: `${byDestination} ORDER BY 1 LIMIT 7 OFFSET 10`,
  },
  {
    name: 'skips rows without a limit',
    query: { ...destinations, order: { 'trips.destination': 'asc' }, offset: 60 },
    sql: `${byDestination} ORDER BY 1 OFFSET 60`,
  },
  {
    name: 'gives nothing beyond the last row',
    query: { ...destinations, limit: 5, offset: 100_000 },
    sql: `${byDestination} ORDER BY 1 LIMIT 5 OFFSET 100000`,
  },
  {
    name: 'returns the total with a limited page',
    query: { ...destinations, order: { 'trips.destination': 'asc' }, limit: 5, total: true },
    sql: `${byDestination} ORDER BY 1 LIMIT 5`,
    total: `SELECT count(DISTINCT destination) FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: 'counts what filters on measures let through',
    query: {
      ...destinations,
      filters: [{ member: 'trips.count', operator: 'gte', values: ['2000'] }],
      limit: 3,
      offset: 2,
      total: true,
    },
    sql: `SELECT * FROM (${byDestination}) WHERE "trips.count" >= 2000 ORDER BY 2 DESC LIMIT 3 OFFSET 2`,
    total: `SELECT count(*) FROM (${byDestination}) WHERE "trips.count" >= 2000`,
  },
  {
    name: 'counts the groups of a time dimension',
    query: {
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'day' }],
      limit: 2,
      total: true,
    },
    sql: `SELECT date_trunc('day', placed_at)::TIMESTAMP AS "orders.placed_at.day", count(*) AS "orders.count" FROM orders
      WHERE tenant = 'acme' GROUP BY 1 ORDER BY 1 LIMIT 2`,
    total: `SELECT count(DISTINCT placed_at::DATE) FROM orders WHERE tenant = 'acme'`,
  },
  {
    name: 'counts one row without dimensions',
    query: { measures: ['trips.count'], total: true },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD'`,
    total: `SELECT 1`,
  },
  {
    name: 'gives 10,000 rows where nothing is said',
    query: { dimensions: ['trips.departure'] },
    sql: `SELECT DISTINCT date AS "trips.departure" FROM flights WHERE origin = 'ORD' ORDER BY 1 LIMIT 10000`,
  },
  {
    name: 'gives 50,000 rows at the most',
    query: { dimensions: ['trips.departure'], limit: 50_000 },
    sql: `SELECT DISTINCT date AS "trips.departure" FROM flights WHERE origin = 'ORD' ORDER BY 1 LIMIT 50000`,
  },
  {
    name: 'takes a limit that is null for none',
    query: { ...destinations, limit: null, order: { 'trips.destination': 'asc' } },
    sql: `${byDestination} ORDER BY 1`,
  },
];
