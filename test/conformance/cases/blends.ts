import type { Case } from './case.js';

const placed = { dimension: 'orders.placed_at', granularity: 'month', dateRange: ['2024-01-01', '2024-06-30'] };
const shipped = { ...placed, dimension: 'orders.shipped_on' };

/** Several queries in one request. Each has one result, with a shared name for the time dimension. */
export const blends: readonly Case[] = [
  {
    name: 'blends two queries by month',
    query: [
      { measures: ['orders.count'], timeDimensions: [placed] },
      { measures: ['orders.revenue'], timeDimensions: [shipped] },
    ],
    sql: [
      `SELECT date_trunc('month', placed_at) AS "orders.placed_at.month", date_trunc('month', placed_at) AS "time.month",
        count(*) AS "orders.count" FROM orders
        WHERE tenant = 'acme' AND placed_at >= '2024-01-01' AND placed_at < '2024-07-01' GROUP BY 1 ORDER BY 1`,
      `SELECT date_trunc('month', shipped_on)::TIMESTAMP AS "orders.shipped_on.month",
        date_trunc('month', shipped_on)::TIMESTAMP AS "time.month", sum(amount) AS "orders.revenue" FROM orders
        WHERE tenant = 'acme' AND shipped_on >= '2024-01-01' AND shipped_on < '2024-07-01' GROUP BY 1 ORDER BY 1`,
    ],
  },
  {
    name: 'blends a measure with itself under another filter',
    query: [
      { measures: ['orders.count'], timeDimensions: [placed] },
      {
        measures: ['orders.count'],
        timeDimensions: [placed],
        filters: [{ member: 'orders.paid', operator: 'equals', values: ['true'] }],
      },
    ],
    sql: ['true', 'paid'].map(
      where => `SELECT date_trunc('month', placed_at) AS "orders.placed_at.month", date_trunc('month', placed_at) AS "time.month",
        count(*) AS "orders.count" FROM orders
        WHERE tenant = 'acme' AND placed_at >= '2024-01-01' AND placed_at < '2024-07-01' AND ${where} GROUP BY 1 ORDER BY 1`,
    ),
  },
  {
    name: 'blends cubes that nothing joins, by dimension',
    query: [
      { measures: ['orders.count'], dimensions: ['orders.paid'], timeDimensions: [placed] },
      {
        measures: ['trips.count'],
        dimensions: ['trips.is_late'],
        timeDimensions: [{ dimension: 'trips.departure', granularity: 'month' }],
      },
    ],
    sql: [
      `SELECT paid AS "orders.paid", date_trunc('month', placed_at) AS "orders.placed_at.month",
        date_trunc('month', placed_at) AS "time.month", count(*) AS "orders.count" FROM orders
        WHERE tenant = 'acme' AND placed_at >= '2024-01-01' AND placed_at < '2024-07-01' GROUP BY ALL`,
      `SELECT delay >= 15 AS "trips.is_late", date_trunc('month', date) AS "trips.departure.month",
        date_trunc('month', date) AS "time.month", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY ALL`,
    ],
  },
];
