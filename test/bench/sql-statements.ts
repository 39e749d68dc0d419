/** Model of the benchmark: the demo's flights without row-level security. */
export const flightsModel = `cubes:
  - name: flights
    sql_table: flights
    dimensions:
      - { name: date, sql: "{CUBE}.date", type: time }
      - { name: origin, sql: "{CUBE}.origin", type: string }
      - { name: destination, sql: "{CUBE}.destination", type: string }
      - { name: delay, sql: "{CUBE}.delay", type: number }
      - { name: distance, sql: "{CUBE}.distance", type: number }
    measures:
      - { name: count, type: count }
      - { name: total_distance, sql: "{CUBE}.distance", type: sum }
      - { name: average_delay, sql: "{CUBE}.delay", type: avg }
      - { name: longest_delay, sql: "{CUBE}.delay", type: max }
      - { name: destinations, sql: "{CUBE}.destination", type: count_distinct }
    access_policy: [{ group: "*", row_level: { allow_all: true } }]
`;

/** A million rows with all columns, as semantic SQL and as SQL for the engine. */
export const millionRows = {
  semantic: 'SELECT date, origin, destination, delay, distance FROM flights LIMIT 1000000',
  engine: 'SELECT date, origin, destination, delay, distance FROM flights LIMIT 1000000',
} as const;

const keys = ['origin', 'destination', `DATE_TRUNC('month', date)`, `DATE_TRUNC('day', date)`, 'distance / 500'];
const measures = ['count', 'total_distance', 'average_delay', 'longest_delay', 'destinations'];

/** 30 typical statements of dashboards and users, from single values to nested selects. */
export const varied: readonly string[] = [
  ...measures.map(measure => `SELECT MEASURE(${measure}) AS value FROM flights`),
  ...keys.flatMap(key => [
    `SELECT ${key} AS k, MEASURE(count) AS n FROM flights GROUP BY 1 ORDER BY 2 DESC LIMIT 100`,
    `SELECT ${key} AS k, COUNT(*) AS n, AVG(average_delay) AS d FROM flights WHERE distance > 300 AND origin IN ('LAX', 'SFO') GROUP BY 1 HAVING COUNT(*) > 10 ORDER BY 1`,
  ]),
  `SELECT * FROM flights WHERE origin = 'LAX' ORDER BY date, destination, delay LIMIT 200`,
  `SELECT date, delay * 60 AS seconds, CASE WHEN delay > 15 THEN 'late' ELSE 'on time' END AS state FROM flights WHERE destination LIKE 'S%' LIMIT 50`,
  `SELECT DISTINCT origin FROM flights ORDER BY origin`,
  `SELECT origin, MAX(distance) AS far, COUNT(DISTINCT destination) AS n FROM flights GROUP BY origin ORDER BY 2 DESC LIMIT 10`,
  `SELECT month, n, n - LAG(n) OVER (ORDER BY month) AS step FROM (SELECT DATE_TRUNC('month', date) AS month, MEASURE(count) AS n FROM flights GROUP BY 1) x ORDER BY 1`,
  `SELECT origin, MEASURE(count) AS n, RANK() OVER (ORDER BY MEASURE(count) DESC) AS place FROM flights GROUP BY 1 ORDER BY 3 LIMIT 10`,
  `WITH busy AS (SELECT origin, MEASURE(count) AS n FROM flights GROUP BY 1 HAVING MEASURE(count) > 20000) SELECT COUNT(*) AS airports, SUM(n) AS flights FROM busy`,
  `SELECT a.origin, a.n, b.n AS late FROM (SELECT origin, MEASURE(count) AS n FROM flights GROUP BY 1) a JOIN (SELECT origin, MEASURE(count) AS n FROM flights WHERE delay > 60 GROUP BY 1) b ON a.origin = b.origin ORDER BY 3 DESC, 1 LIMIT 20`,
  `SELECT origin, MEASURE(count) AS n FROM flights WHERE destination IN (SELECT destination FROM flights WHERE distance > 4000) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20`,
  `SELECT origin AS airport, MEASURE(count) AS n FROM flights GROUP BY 1 UNION ALL SELECT 'all', MEASURE(count) FROM flights ORDER BY 2 DESC, 1 LIMIT 20`,
  `SELECT EXTRACT(DOW FROM date) AS weekday, EXTRACT(HOUR FROM date) AS hour, MEASURE(average_delay) AS delay FROM flights GROUP BY 1, 2 ORDER BY 1, 2`,
  `SELECT DATE_TRUNC('week', date) AS week, MEASURE(average_delay) AS delay FROM flights WHERE date >= '2001-02-01' AND date < '2001-05-01' GROUP BY 1 ORDER BY 1`,
  `SELECT ROUND(MEASURE(average_delay), 1) AS delay, MEASURE(total_distance) / 1000 AS miles, UPPER(origin) AS airport FROM flights WHERE delay IS NOT NULL GROUP BY 3 ORDER BY 3 LIMIT 30`,
  `SELECT origin, destination, MEASURE(count) AS n FROM flights WHERE NOT (origin = 'LAX' OR delay < 0) GROUP BY origin, destination ORDER BY n DESC, 1, 2 LIMIT 50 OFFSET 10`,
  `SELECT share FROM (SELECT origin, MEASURE(count) * 100.0 / SUM(MEASURE(count)) OVER () AS share FROM flights GROUP BY 1) x ORDER BY 1 DESC LIMIT 5`,
];
