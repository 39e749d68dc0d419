import type { Case } from './case.js';

const late = { member: 'trips.is_late', operator: 'equals', values: ['true'] };
const far = { member: 'trips.distance', operator: 'gte', values: ['1500'] };
const toBoston = { member: 'trips.destination', operator: 'equals', values: ['BOS'] };
const toDenver = { member: 'trips.destination', operator: 'equals', values: ['DEN'] };

/** Filters combined by `and` and `or`, and filters on measures. */
export const logic: readonly Case[] = [
  {
    name: 'joins filters by and',
    query: { measures: ['trips.count'], filters: [late, far] },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND delay >= 15 AND distance >= 1500`,
  },
  {
    name: 'joins by or',
    query: { measures: ['trips.count'], filters: [{ or: [toBoston, far] }] },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND (destination = 'BOS' OR distance >= 1500)`,
  },
  {
    name: 'nests and in or in and',
    query: {
      measures: ['trips.count'],
      filters: [{ and: [{ or: [{ and: [toBoston, late] }, { and: [toDenver, far] }, toDenver] }, late] }],
    },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND delay >= 15
      AND ((destination = 'BOS' AND delay >= 15) OR destination = 'DEN')`,
  },
  {
    name: 'never lets an or pass by the row filter',
    query: {
      measures: ['trips.count'],
      dimensions: ['trips.origin'],
      filters: [{ or: [far, { member: 'trips.origin', operator: 'equals', values: ['ATL', 'ORD'] }] }],
    },
    sql: `SELECT origin AS "trips.origin", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1`,
  },
  {
    name: "finds nothing of another tenant's",
    query: {
      measures: ['trips.count'],
      dimensions: ['trips.destination'],
      filters: [{ member: 'trips.origin', operator: 'equals', values: ['ATL'] }],
    },
    sql: `SELECT destination AS "trips.destination", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND origin = 'ATL' GROUP BY 1`,
  },
  {
    name: 'filters by a measure in the query',
    query: {
      measures: ['trips.count'],
      dimensions: ['trips.destination'],
      filters: [{ member: 'trips.count', operator: 'gt', values: ['3000'] }],
    },
    sql: `SELECT destination AS "trips.destination", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD'
      GROUP BY 1 HAVING count(*) > 3000 ORDER BY 2 DESC`,
  },
  {
    name: 'filters by a measure that is not in the query',
    query: {
      measures: ['trips.count'],
      dimensions: ['trips.destination'],
      filters: [{ member: 'trips.average_delay', operator: 'lt', values: ['5'] }],
    },
    sql: `SELECT destination AS "trips.destination", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD'
      GROUP BY 1 HAVING avg(delay) < 5`,
  },
  {
    name: 'filters by dimension and measure',
    query: {
      measures: ['trips.count', 'trips.late_share'],
      dimensions: ['trips.destination'],
      filters: [
        far,
        { member: 'trips.late_share', operator: 'gte', values: ['0.25'] },
        { member: 'trips.count', operator: 'gte', values: ['100'] },
      ],
    },
    sql: `SELECT destination AS "trips.destination", count(*) AS "trips.count",
      count(*) FILTER (delay >= 15) * 1.0 / count(*) AS "trips.late_share" FROM flights WHERE origin = 'ORD' AND distance >= 1500
      GROUP BY 1 HAVING count(*) FILTER (delay >= 15) * 1.0 / count(*) >= 0.25 AND count(*) >= 100`,
  },
  {
    name: 'joins filters on measures by or',
    query: {
      measures: ['trips.count', 'trips.average_delay'],
      dimensions: ['trips.destination'],
      filters: [
        {
          or: [
            { member: 'trips.count', operator: 'gt', values: ['4000'] },
            { member: 'trips.average_delay', operator: 'gt', values: ['20'] },
          ],
        },
      ],
    },
    sql: `SELECT destination AS "trips.destination", count(*) AS "trips.count", avg(delay) AS "trips.average_delay"
      FROM flights WHERE origin = 'ORD' GROUP BY 1 HAVING count(*) > 4000 OR avg(delay) > 20`,
  },
  {
    name: 'filters by a measure that is NULL',
    query: {
      measures: ['orders.count'],
      dimensions: ['orders.id'],
      filters: [{ member: 'orders.revenue', operator: 'notSet' }],
    },
    sql: `SELECT id AS "orders.id", count(*) AS "orders.count" FROM orders WHERE tenant = 'acme' GROUP BY 1 HAVING sum(amount) IS NULL`,
  },
  {
    name: 'filters by a measure without grouping',
    query: { measures: ['trips.count'], filters: [{ member: 'trips.count', operator: 'lt', values: ['10'] }] },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' HAVING count(*) < 10`,
  },
  {
    name: 'filters by a measure that is a time',
    query: {
      measures: ['orders.count'],
      dimensions: ['orders.city'],
      filters: [{ member: 'orders.last_placed', operator: 'afterDate', values: ['2024-12-01T07:00:00.000'] }],
    },
    sql: `SELECT city AS "orders.city", count(*) AS "orders.count" FROM orders WHERE tenant = 'acme' GROUP BY 1
      HAVING max(placed_at) > '2024-12-01 07:00'`,
  },
  {
    name: 'filters by a measure that is text',
    query: {
      measures: ['orders.count'],
      dimensions: ['orders.status'],
      filters: [{ member: 'orders.first_city', operator: 'notContains', values: ['öl'] }],
    },
    sql: `SELECT status AS "orders.status", count(*) AS "orders.count" FROM orders WHERE tenant = 'acme' GROUP BY 1
      HAVING min(city) NOT ILIKE '%öl%' OR min(city) IS NULL`,
  },
  {
    name: 'filters by a measure that is a boolean',
    query: {
      measures: ['trips.count'],
      dimensions: ['trips.destination'],
      filters: [{ member: 'trips.any_cancelled', operator: 'equals', values: ['true'] }],
    },
    sql: `SELECT destination AS "trips.destination", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1
      HAVING bool_or(delay > 1000)`,
  },
  {
    name: 'filters by one time dimension while grouping by another',
    query: {
      measures: ['orders.count'],
      timeDimensions: [
        { dimension: 'orders.placed_at', granularity: 'month' },
        { dimension: 'orders.shipped_on', dateRange: ['2024-03-01', '2024-05-31'] },
      ],
    },
    sql: `SELECT date_trunc('month', placed_at) AS "orders.placed_at.month", count(*) AS "orders.count" FROM orders
      WHERE tenant = 'acme' AND shipped_on BETWEEN '2024-03-01' AND '2024-05-31' GROUP BY 1 ORDER BY 1`,
  },
];
