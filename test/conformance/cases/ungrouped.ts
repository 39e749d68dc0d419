import type { Case } from './case.js';

/** Ungrouped rows. */
export const ungrouped: readonly Case[] = [
  {
    name: 'gives rows that are equal more than once',
    query: {
      dimensions: ['trips.destination', 'trips.is_late'],
      ungrouped: true,
      filters: [{ member: 'trips.distance', operator: 'gt', values: ['4000'] }],
    },
    sql: `SELECT destination AS "trips.destination", delay >= 15 AS "trips.is_late" FROM flights WHERE origin = 'ORD' AND distance > 4000`,
  },
  {
    name: 'gives a measure of each row',
    query: {
      measures: ['orders.revenue', 'orders.weight_total'],
      dimensions: ['orders.id'],
      ungrouped: true,
      order: { 'orders.id': 'asc' },
      limit: 100,
    },
    sql: `SELECT id AS "orders.id", amount AS "orders.revenue", weight AS "orders.weight_total" FROM orders WHERE tenant = 'acme'
      ORDER BY id LIMIT 100`,
  },
  {
    name: 'gives the rows of a range',
    query: {
      dimensions: ['orders.id', 'orders.city'],
      timeDimensions: [{ dimension: 'orders.placed_at', dateRange: ['2024-02-01', '2024-02-02'] }],
      ungrouped: true,
    },
    sql: `SELECT id AS "orders.id", city AS "orders.city" FROM orders WHERE tenant = 'acme'
      AND placed_at >= '2024-02-01' AND placed_at < '2024-02-03'`,
  },
  {
    name: 'gives the time of each row by granularity',
    query: {
      dimensions: ['orders.id'],
      timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'day', dateRange: ['2024-02-01', '2024-02-02'] }],
      ungrouped: true,
    },
    sql: `SELECT id AS "orders.id", date_trunc('day', placed_at)::TIMESTAMP AS "orders.placed_at.day" FROM orders WHERE tenant = 'acme'
      AND placed_at >= '2024-02-01' AND placed_at < '2024-02-03'`,
  },
  {
    name: 'gives the rows of a joined cube',
    query: { dimensions: ['orders.id', 'customers.name'], ungrouped: true, order: { 'orders.id': 'desc' }, limit: 40 },
    sql: `SELECT o.id AS "orders.id", c.name AS "customers.name" FROM orders o
      LEFT JOIN customers c ON c.id = o.customer_id AND c.tenant = 'acme' WHERE o.tenant = 'acme' ORDER BY o.id DESC LIMIT 40`,
  },
];
