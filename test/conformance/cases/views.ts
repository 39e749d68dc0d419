import type { Case } from './case.js';

/** Views with prefixes, aliases and row filters, and the demo's views. */
export const views: readonly Case[] = [
  {
    name: 'reads a view',
    query: { measures: ['routes.count'], dimensions: ['routes.is_late'] },
    sql: `SELECT delay >= 15 AS "routes.is_late", count(*) AS "routes.count" FROM flights WHERE origin = 'ORD' GROUP BY 1`,
  },
  {
    name: 'reads what a view joins, by its prefix',
    query: { measures: ['routes.count', 'routes.late_share'], dimensions: ['routes.stations_state'] },
    sql: `SELECT a.state AS "routes.stations_state", count(*) AS "routes.count",
      count(*) FILTER (delay >= 15) * 1.0 / count(*) AS "routes.late_share"
      FROM flights f LEFT JOIN airports a ON a.iata = f.destination WHERE f.origin = 'ORD' GROUP BY 1`,
  },
  {
    name: 'reads an alias with a prefix',
    query: { measures: ['routes.count'], dimensions: ['routes.stations_city', 'routes.stations_lat'] },
    sql: `SELECT a.city AS "routes.stations_city", a.latitude AS "routes.stations_lat", count(*) AS "routes.count"
      FROM flights f LEFT JOIN airports a ON a.iata = f.destination WHERE f.origin = 'ORD' GROUP BY ALL`,
  },
  {
    name: 'groups a view by time',
    query: {
      measures: ['routes.total_distance'],
      timeDimensions: [
        { dimension: 'routes.departure', granularity: 'month', dateRange: ['2001-02-01', '2001-04-30'] },
      ],
    },
    sql: `SELECT date_trunc('month', date) AS "routes.departure.month", sum(distance) AS "routes.total_distance" FROM flights
      WHERE origin = 'ORD' AND date >= '2001-02-01' AND date < '2001-05-01' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "groups a view by the granularity of a cube's time dimension",
    query: {
      measures: ['routes.count'],
      timeDimensions: [{ dimension: 'routes.departure', granularity: 'sunday_week' }],
    },
    sql: `SELECT date_trunc('week', date + INTERVAL 1 DAY) - INTERVAL 1 DAY AS "routes.departure.sunday_week",
      count(*) AS "routes.count" FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'keeps to the row filter of the view and of its cubes',
    query: { measures: ['california.count'], dimensions: ['california.to_city'] },
    sql: `SELECT a.city AS "california.to_city", count(*) AS "california.count"
      FROM flights f JOIN airports a ON a.iata = f.destination WHERE f.origin = 'ORD' AND a.state = 'CA' GROUP BY 1`,
  },
  {
    name: 'applies the row filter of a view if its member is not in the query',
    query: { measures: ['california.count', 'california.longest'] },
    sql: `SELECT count(*) AS "california.count", max(distance) AS "california.longest"
      FROM flights f JOIN airports a ON a.iata = f.destination WHERE f.origin = 'ORD' AND a.state = 'CA'`,
  },
  {
    name: 'filters a view by members of two cubes',
    query: {
      measures: ['sales.revenue', 'sales.items_quantity'],
      dimensions: ['sales.customers_country'],
      filters: [
        { member: 'sales.customers_vip', operator: 'set' },
        { member: 'sales.status', operator: 'equals', values: ['new', 'Returned'] },
      ],
    },
    sql: `SELECT c.country AS "sales.customers_country", sum(o.amount) AS "sales.revenue", sum(i.quantity) AS "sales.items_quantity"
      FROM orders o JOIN customers c ON c.id = o.customer_id AND c.tenant = 'acme' AND c.vip IS NOT NULL
      LEFT JOIN (SELECT order_id, sum(quantity) AS quantity FROM items WHERE tenant = 'acme' GROUP BY 1) i ON i.order_id = o.id
      WHERE o.tenant = 'acme' AND o.status IN ('new', 'Returned') GROUP BY 1`,
  },
  {
    name: 'reads a tile of the demo',
    query: {
      measures: ['departures.count', 'departures.on_time_share'],
      dimensions: ['departures.destination_state'],
      limit: 10,
    },
    sql: `SELECT a.state AS "departures.destination_state", count(*) AS "departures.count",
      count(*) FILTER (delay < 15) * 1.0 / count(*) AS "departures.on_time_share"
      FROM flights f LEFT JOIN airports a ON a.iata = f.destination WHERE f.origin = 'ORD' GROUP BY 1 ORDER BY 2 DESC LIMIT 10`,
  },
  {
    name: "reads the demo's weekdays as another tenant",
    caller: 'atl',
    query: {
      measures: ['departures.average_delay', 'departures.count'],
      dimensions: ['departures.weekday', 'departures.distance_band'],
    },
    sql: `SELECT isodow(date) AS "departures.weekday", CASE WHEN distance < 500 THEN 'under 500' WHEN distance < 1000 THEN '500 to 999'
      WHEN distance < 2000 THEN '1,000 to 1,999' ELSE '2,000 and more' END AS "departures.distance_band",
      avg(delay) AS "departures.average_delay", count(*) AS "departures.count" FROM flights WHERE origin = 'ATL' GROUP BY ALL`,
  },
];
