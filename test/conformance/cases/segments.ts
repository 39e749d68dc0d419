import type { Case } from './case.js';

/** One segment, several segments, and segments of other cubes. */
export const segments: readonly Case[] = [
  {
    name: 'keeps the rows of a segment',
    query: { measures: ['trips.count'], segments: ['trips.delayed'] },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND delay >= 15`,
  },
  {
    name: 'keeps the rows of both of two segments',
    query: { measures: ['trips.count'], dimensions: ['trips.destination'], segments: ['trips.delayed', 'trips.far'] },
    sql: `SELECT destination AS "trips.destination", count(*) AS "trips.count" FROM flights
      WHERE origin = 'ORD' AND delay >= 15 AND distance >= 1500 GROUP BY 1`,
  },
  {
    name: 'joins what a segment is about',
    query: { measures: ['trips.count'], segments: ['trips.to_california'] },
    sql: `SELECT count(*) AS "trips.count" FROM flights f JOIN airports a ON a.iata = f.destination
      WHERE f.origin = 'ORD' AND a.state = 'CA'`,
  },
  {
    name: 'drops rows of which a segment knows nothing',
    query: { measures: ['orders.count'], dimensions: ['orders.status'], segments: ['orders.large'] },
    sql: `SELECT status AS "orders.status", count(*) AS "orders.count" FROM orders
      WHERE tenant = 'acme' AND amount >= 500 GROUP BY 1`,
  },
  {
    name: 'joins segment, filter and date range by and',
    query: {
      measures: ['orders.revenue'],
      segments: ['orders.open'],
      filters: [{ member: 'orders.paid', operator: 'equals', values: ['true'] }],
      timeDimensions: [{ dimension: 'orders.placed_at', dateRange: ['2024-03-01', '2024-04-30'] }],
    },
    sql: `SELECT sum(amount) AS "orders.revenue" FROM orders WHERE tenant = 'acme' AND status IN ('new', 'paid') AND paid
      AND placed_at >= '2024-03-01' AND placed_at < '2024-05-01'`,
  },
  {
    name: 'takes the segment of a view',
    query: { measures: ['routes.count'], segments: ['routes.delayed'] },
    sql: `SELECT count(*) AS "routes.count" FROM flights WHERE origin = 'ORD' AND delay >= 15`,
  },
];
