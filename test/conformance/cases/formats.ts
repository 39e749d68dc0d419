import type { Case } from './case.js';

const byMonth = {
  measures: ['trips.count', 'trips.average_delay'],
  dimensions: ['trips.is_late'],
  timeDimensions: [{ dimension: 'trips.departure', granularity: 'month' }],
};
const byMonthSql = `SELECT date_trunc('month', date) AS "trips.departure.month", delay >= 15 AS "trips.is_late", count(*) AS "trips.count",
  avg(delay) AS "trips.average_delay" FROM flights WHERE origin = 'ORD' GROUP BY 1, 2`;
const gaps = {
  dimensions: ['orders.id', 'orders.city', 'orders.paid', 'orders.amount'],
  order: { 'orders.id': 'asc' },
  limit: 100,
};
const gapsSql = `SELECT id AS "orders.id", city AS "orders.city", paid AS "orders.paid", amount AS "orders.amount" FROM orders
  WHERE tenant = 'acme' ORDER BY id LIMIT 100`;

/** Response formats. The client converts each to the same rows. */
export const formats: readonly Case[] = (['default', 'compact', 'columnar'] as const).flatMap((format): Case[] => [
  { name: `${format}: measures by month and dimension`, format, query: byMonth, sql: byMonthSql },
  { name: `${format}: NULL, booleans and text`, format, query: gaps, sql: gapsSql },
  {
    name: `${format}: no row at all`,
    format,
    query: { ...gaps, filters: [{ member: 'orders.id', operator: 'lt', values: ['0'] }] },
    sql: `SELECT * FROM (${gapsSql}) WHERE false`,
  },
  {
    name: `${format}: a comparison`,
    format,
    query: {
      measures: ['trips.count'],
      timeDimensions: [
        {
          dimension: 'trips.departure',
          granularity: 'month',
          compareDateRange: [
            ['2001-01-01', '2001-02-28'],
            ['2001-03-01', '2001-04-30'],
          ],
        },
      ],
    },
    sql: [
      `SELECT date_trunc('month', date) AS "trips.departure.month", count(*) AS "trips.count" FROM flights
        WHERE origin = 'ORD' AND date < '2001-03-01' GROUP BY 1 ORDER BY 1`,
      `SELECT date_trunc('month', date) AS "trips.departure.month", count(*) AS "trips.count" FROM flights
        WHERE origin = 'ORD' AND date >= '2001-03-01' AND date < '2001-05-01' GROUP BY 1 ORDER BY 1`,
    ],
  },
]);
