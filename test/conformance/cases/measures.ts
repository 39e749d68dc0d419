import type { Case } from './case.js';

/** Every kind of measure, alone and with others. */
export const measures: readonly Case[] = [
  {
    name: 'counts rows',
    query: { measures: ['trips.count'] },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: "counts another tenant's rows",
    caller: 'atl',
    query: { measures: ['trips.count'] },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ATL'`,
  },
  {
    name: 'sums whole numbers',
    query: { measures: ['trips.total_distance'] },
    sql: `SELECT sum(distance) AS "trips.total_distance" FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: 'sums decimals to the last digit, passing over NULL',
    query: { measures: ['orders.revenue'] },
    sql: `SELECT sum(amount) AS "orders.revenue" FROM orders WHERE tenant = 'acme'`,
  },
  {
    name: 'sums floating numbers',
    query: { measures: ['orders.weight_total'] },
    sql: `SELECT sum(weight) AS "orders.weight_total" FROM orders WHERE tenant = 'acme'`,
  },
  {
    name: 'averages whole numbers',
    query: { measures: ['trips.average_delay'] },
    sql: `SELECT avg(delay) AS "trips.average_delay" FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: 'averages decimals without those that are NULL',
    query: { measures: ['orders.average'] },
    sql: `SELECT avg(amount) AS "orders.average" FROM orders WHERE tenant = 'acme'`,
  },
  {
    name: 'finds the least and the most',
    query: { measures: ['trips.shortest', 'trips.longest'] },
    sql: `SELECT min(distance) AS "trips.shortest", max(distance) AS "trips.longest" FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: 'finds the least decimal',
    query: { measures: ['orders.smallest'] },
    sql: `SELECT min(amount) AS "orders.smallest" FROM orders WHERE tenant = 'acme'`,
  },
  {
    name: 'counts distinct values',
    query: { measures: ['trips.destinations'] },
    sql: `SELECT count(DISTINCT destination) AS "trips.destinations" FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: 'counts distinct values about',
    query: { measures: ['orders.buyers_about'] },
    sql: `SELECT approx_count_distinct(customer_id) AS "orders.buyers_about" FROM orders WHERE tenant = 'acme'`,
  },
  {
    name: 'counts what a filter of the measure lets through',
    query: { measures: ['trips.late'] },
    sql: `SELECT count(*) AS "trips.late" FROM flights WHERE origin = 'ORD' AND delay >= 15`,
  },
  {
    name: 'joins several filters of a measure by and',
    query: { measures: ['trips.late_far'] },
    sql: `SELECT count(*) AS "trips.late_far" FROM flights WHERE origin = 'ORD' AND delay >= 15 AND distance >= 1500`,
  },
  {
    name: 'sums what a boolean dimension lets through',
    query: { measures: ['orders.paid_revenue'] },
    sql: `SELECT sum(amount) AS "orders.paid_revenue" FROM orders WHERE tenant = 'acme' AND paid`,
  },
  {
    name: 'calculates over other measures',
    query: { measures: ['trips.late_share'] },
    sql: `SELECT count(*) FILTER (delay >= 15) * 1.0 / count(*) AS "trips.late_share" FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: 'gives a measure that is a time',
    query: { measures: ['trips.first_departure', 'trips.count'] },
    sql: `SELECT min(date) AS "trips.first_departure", count(*) AS "trips.count" FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: 'gives a measure that is text',
    query: { measures: ['trips.last_destination'] },
    sql: `SELECT max(destination) AS "trips.last_destination" FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: 'gives a measure that is a boolean',
    query: { measures: ['trips.any_cancelled'] },
    sql: `SELECT bool_or(delay > 1000) AS "trips.any_cancelled" FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: 'gives many measures at once',
    query: {
      measures: [
        'trips.count',
        'trips.late',
        'trips.late_share',
        'trips.total_distance',
        'trips.average_delay',
        'trips.destinations',
      ],
    },
    sql: `SELECT count(*) AS "trips.count", count(*) FILTER (delay >= 15) AS "trips.late",
      count(*) FILTER (delay >= 15) * 1.0 / count(*) AS "trips.late_share", sum(distance) AS "trips.total_distance",
      avg(delay) AS "trips.average_delay", count(DISTINCT destination) AS "trips.destinations"
      FROM flights WHERE origin = 'ORD'`,
  },
  {
    name: 'gives one row of nothing where no row is there',
    query: {
      measures: ['orders.count', 'orders.revenue'],
      filters: [{ member: 'orders.id', operator: 'lt', values: ['0'] }],
    },
    sql: `SELECT count(*) AS "orders.count", sum(amount) AS "orders.revenue" FROM orders WHERE tenant = 'acme' AND id < 0`,
  },
];
