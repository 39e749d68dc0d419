import { expect, it } from 'vitest';
import { compileModel } from '../../../../src/platform/data/compile-model.js';
import { caller } from '../callers.js';
import { openDatabase } from './fixture.js';

const data = 'node_modules/vega-datasets/data';

it('measures of the demo equal DuckDB’s results on the Parquet file', async () => {
  const database = await openDatabase();
  await database.run(
    `CREATE VIEW flights AS FROM '${data}/flights-3m.parquet'; CREATE VIEW airports AS FROM '${data}/airports.csv'`,
  );
  const model = await compileModel({ directory: 'demo/model', tables: ['flights', 'airports'] });
  const context = caller({ airport: 'SEA' });
  const names = [
    'count',
    'destinations',
    'average_delay',
    'max_delay',
    'total_distance',
    'average_distance',
    'on_time_count',
    'on_time_share',
  ];
  // Selecting a destination adds the join, which must not duplicate flights.
  for (const dimensions of [[], ['departures.destination_city']]) {
    const query = {
      measures: names.map(name => `departures.${name}`),
      dimensions,
      order: { 'departures.count': 'desc' as const },
      limit: 1,
    };
    const { sql, parameters } = model.plan(query, context).statement();
    const planned = (await database.runAndReadAll(sql, [...parameters])).getRowsJson()[0]?.slice(dimensions.length);
    const where =
      dimensions.length === 0 ? '' : `AND destination IN (SELECT iata FROM airports WHERE city = 'Los Angeles')`;
    const own = await database.runAndReadAll(`
      SELECT count(*), count(DISTINCT destination), avg(delay), max(delay), sum(distance), avg(distance),
        count(*) FILTER (delay < 15), count(*) FILTER (delay < 15) / count(*)
      FROM flights WHERE origin = 'SEA' ${where}`);
    expect(planned).toEqual(own.getRowsJson()[0]);
  }
});
