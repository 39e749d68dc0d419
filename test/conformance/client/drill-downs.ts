import type { Query, ResultSet } from '@cubejs-client/core';
import { describe, expect, test } from 'vitest';
import { expectRows } from '../compare.js';
import type { Conformance } from '../platform.js';

/** Tests drill-down queries that the client creates for a point. */
export function testDrillDowns(suite: () => Conformance): void {
  const ask = (query: object): Promise<ResultSet> =>
    suite()
      .client()
      .load(query as Query);

  const firstMonths = ['2001-01-01', '2001-03-31'];
  const byMonth = { dimension: 'trips.departure', granularity: 'month', dateRange: firstMonths };
  const lateByMonth = { measures: ['trips.count'], dimensions: ['trips.is_late'], timeDimensions: [byMonth] };

  describe('drill-downs', () => {
    test('lists the rows behind a point of a chart', async () => {
      const result = await ask(lateByMonth);
      const query = result.drillDown({ xValues: ['2001-02-01T00:00:00.000'], yValues: ['true', 'trips.count'] });
      const rows = (await ask({ ...query, limit: 50_000 })).rawData();
      expectRows(
        rows,
        await suite().reference.run(`SELECT DISTINCT f.date AS "trips.departure", f.destination AS "trips.destination",
        f.delay AS "trips.delay", a.city AS "stations.city" FROM flights f LEFT JOIN airports a ON a.iata = f.destination
        WHERE f.origin = 'ORD' AND f.delay >= 15 AND f.date >= '2001-02-01' AND f.date < '2001-03-01'`),
      );
    });

    test('applies the filters of a measure', async () => {
      const result = await ask({ measures: ['trips.late'], dimensions: ['trips.destination'] });
      const query = result.drillDown({ xValues: ['BOS'] });
      expect(query?.filters).toContainEqual({ member: 'trips.late', operator: 'measureFilter' });
      expectRows(
        (await ask({ ...query, limit: 50_000 })).rawData(),
        await suite().reference.run(`SELECT DISTINCT date AS "trips.departure", destination AS "trips.destination" FROM flights
        WHERE origin = 'ORD' AND destination = 'BOS' AND delay >= 15`),
      );
    });

    test('applies filters, segments and date range of the query', async () => {
      const result = await ask({
        measures: ['orders.count'],
        dimensions: ['orders.paid'],
        segments: ['orders.large'],
        filters: [{ member: 'orders.status', operator: 'equals', values: ['new', 'paid'] }],
        timeDimensions: [{ dimension: 'orders.placed_at', dateRange: ['2024-02-01', '2024-03-31'] }],
      });
      expectRows(
        (await ask(result.drillDown({ xValues: ['true'] }) ?? {})).rawData(),
        await suite().reference.run(`SELECT DISTINCT o.id AS "orders.id", o.status AS "orders.status", c.name AS "customers.name",
        o.amount AS "orders.amount" FROM orders o LEFT JOIN customers c ON c.id = o.customer_id AND c.tenant = 'acme'
        WHERE o.tenant = 'acme' AND o.paid AND o.amount >= 500 AND o.status IN ('new', 'paid')
        AND o.placed_at >= '2024-02-01' AND o.placed_at < '2024-04-01'`),
      );
    });

    test('lists rows whose value is NULL', async () => {
      const result = await ask({ measures: ['orders.count'], dimensions: ['orders.city'] });
      const query = result.drillDown({ xValues: [null as unknown as string] });
      expect(query?.filters).toContainEqual({ member: 'orders.city', operator: 'notSet' });
      expectRows(
        (await ask({ ...query })).rawData(),
        await suite().reference.run(`SELECT DISTINCT o.id AS "orders.id", o.status AS "orders.status", c.name AS "customers.name",
        o.amount AS "orders.amount" FROM orders o LEFT JOIN customers c ON c.id = o.customer_id AND c.tenant = 'acme'
        WHERE o.tenant = 'acme' AND o.city IS NULL`),
      );
    });

    test('lists the rows of a bucket of a custom granularity', async () => {
      const result = await ask({
        measures: ['trips.late'],
        timeDimensions: [
          { dimension: 'trips.departure', granularity: 'fortnight', dateRange: ['2001-01-01', '2001-03-31'] },
        ],
      });
      const query = result.drillDown({ xValues: ['2001-01-15T00:00:00.000'] });
      expectRows(
        (await ask({ ...query, limit: 50_000 })).rawData(),
        await suite().reference.run(`SELECT DISTINCT date AS "trips.departure", destination AS "trips.destination" FROM flights
        WHERE origin = 'ORD' AND delay >= 15 AND date >= '2001-01-15' AND date < '2001-01-29'`),
      );
    });

    test('shows times in the zone of the query', async () => {
      const result = await ask({
        measures: ['trips.late'],
        timeDimensions: [{ dimension: 'trips.departure', granularity: 'day', dateRange: ['2001-01-01', '2001-01-03'] }],
        timezone: 'America/Los_Angeles',
      });
      const local = `timezone('America/Los_Angeles', timezone('UTC', date))`;
      expectRows(
        (await ask({ ...result.drillDown({ xValues: ['2001-01-02T00:00:00.000'] }) })).rawData(),
        await suite().reference.run(`SELECT DISTINCT ${local} AS "trips.departure", destination AS "trips.destination" FROM flights
        WHERE origin = 'ORD' AND delay >= 15 AND ${local}::DATE = '2001-01-02'`),
      );
    });

    test('drills through a view by the names of the view', async () => {
      const result = await ask({ measures: ['routes.count'], dimensions: ['routes.is_late'] });
      expect(result.annotation().measures['routes.count']?.drillMembers).toEqual([
        'routes.departure',
        'routes.destination',
        'routes.stations_city',
      ]);
      const query = result.drillDown({ xValues: ['true'] });
      const filters = [
        ...(query?.filters ?? []),
        { member: 'routes.destination', operator: 'equals', values: ['BOS'] },
      ];
      expectRows(
        (await ask({ ...query, filters })).rawData(),
        await suite().reference.run(`SELECT DISTINCT f.date AS "routes.departure", f.destination AS "routes.destination",
        a.city AS "routes.stations_city" FROM flights f LEFT JOIN airports a ON a.iata = f.destination
        WHERE f.origin = 'ORD' AND f.delay >= 15 AND f.destination = 'BOS'`),
      );
    });

    test('is not available for a measure without drill members', async () => {
      const result = await ask({ measures: ['trips.longest'], dimensions: ['trips.is_late'] });
      expect(result.drillDown({ xValues: ['true'] })).toBeNull();
    });
  });
}
