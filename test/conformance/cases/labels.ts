import type { Case } from './case.js';

const punctuality = `CASE WHEN delay < 0 THEN 'early' WHEN delay < 15 THEN 'on time'
  WHEN delay >= 15 AND distance >= 1500 THEN 'late from afar' ELSE 'late' END`;

/** Dimensions with conditional labels (`case`), and cubes that extend another cube. */
export const labels: readonly Case[] = [
  {
    name: 'groups by labels',
    query: { measures: ['trips.count', 'trips.average_delay'], dimensions: ['trips.punctuality'] },
    sql: `SELECT ${punctuality} AS "trips.punctuality", count(*) AS "trips.count", avg(delay) AS "trips.average_delay"
      FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 2 DESC`,
  },
  {
    name: 'filters by labels',
    query: {
      measures: ['trips.count'],
      filters: [{ member: 'trips.punctuality', operator: 'startsWith', values: ['late'] }],
    },
    sql: `SELECT count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND delay >= 15`,
  },
  {
    name: 'reads what a cube has of another',
    query: {
      measures: ['long_trips.count', 'long_trips.late_share'],
      dimensions: ['long_trips.punctuality'],
      segments: ['long_trips.very_far', 'long_trips.delayed'],
    },
    sql: `SELECT ${punctuality} AS "long_trips.punctuality", count(*) AS "long_trips.count", 1.0 AS "long_trips.late_share"
      FROM flights WHERE origin = 'ORD' AND distance >= 2000 AND delay >= 15 GROUP BY 1`,
  },
  {
    name: 'reads what a cube has in place of what the other has',
    query: { measures: ['long_trips.miles_per_trip'], dimensions: ['long_trips.hundreds'] },
    sql: `SELECT distance // 100 * 100 AS "long_trips.hundreds", 1.0 * sum(distance) / count(*) AS "long_trips.miles_per_trip"
      FROM flights WHERE origin = 'ORD' GROUP BY 1`,
  },
  {
    name: 'applies the row filter of the extended cube',
    caller: 'atl',
    query: { measures: ['long_trips.count'], dimensions: ['long_trips.origin', 'stations.state'] },
    sql: `SELECT f.origin AS "long_trips.origin", a.state AS "stations.state", count(*) AS "long_trips.count"
      FROM flights f LEFT JOIN airports a ON a.iata = f.destination WHERE f.origin = 'ATL' GROUP BY ALL`,
  },
  {
    name: 'groups by a granularity of the extended cube',
    query: {
      measures: ['long_trips.count'],
      timeDimensions: [{ dimension: 'long_trips.departure', granularity: 'fortnight' }],
    },
    sql: `SELECT time_bucket(INTERVAL 14 DAY, date, TIMESTAMP '2001-01-01') AS "long_trips.departure.fortnight",
      count(*) AS "long_trips.count" FROM flights WHERE origin = 'ORD' GROUP BY 1 ORDER BY 1`,
  },
];
