import type { Query } from '@cubejs-client/core';
import { describe, expect, test } from 'vitest';
import type { Conformance } from '../platform.js';

/** Tests dry runs and model metadata of the client. */
export function testMeta(suite: () => Conformance): void {
  const count = { measures: ['customers.count'] };

  describe('dryRun', () => {
    test('returns the normalized query', async () => {
      const answer = await suite()
        .client()
        .dryRun({
          measures: ['trips.count'],
          dimensions: ['trips.destination'],
          filters: [{ member: 'trips.is_late', operator: 'equals', values: ['true'] }],
          timeDimensions: [
            { dimension: 'trips.departure', granularity: 'month', dateRange: ['2001-01-01', '2001-02-28'] },
          ],
          timezone: 'America/Chicago',
        });
      const normalized = {
        measures: ['trips.count'],
        dimensions: ['trips.destination'],
        filters: [{ member: 'trips.is_late', operator: 'equals', values: ['true'] }],
        timeDimensions: [
          {
            dimension: 'trips.departure',
            granularity: 'month',
            dateRange: ['2001-01-01T00:00:00.000', '2001-02-28T23:59:59.999'],
          },
        ],
        timezone: 'America/Chicago',
      };
      expect(answer).toMatchObject({
        queryType: 'regularQuery',
        normalizedQueries: [normalized],
        pivotQuery: { ...normalized, queryType: 'regularQuery' },
        queryOrder: [{ 'trips.departure': 'asc' }],
      });
      expect(answer.transformedQueries).toHaveLength(1);
      expect(JSON.stringify(answer)).not.toMatch(/ORD|trips\.origin|SELECT/);
    });

    test('recognizes a comparison and a blend', async () => {
      const timeDimensions = [
        { dimension: 'trips.departure', granularity: 'day', compareDateRange: ['2001-01-01', '2001-01-02'] },
      ];
      const compared = await suite()
        .client()
        .dryRun({ measures: ['trips.count'], timeDimensions });
      expect(compared).toMatchObject({
        queryType: 'compareDateRangeQuery',
        pivotQuery: { dimensions: ['compareDateRange'] },
      });
      expect(compared.normalizedQueries.map(query => query.timeDimensions?.[0])).toMatchObject([
        { dateRange: ['2001-01-01T00:00:00.000', '2001-01-01T23:59:59.999'] },
        { dateRange: ['2001-01-02T00:00:00.000', '2001-01-02T23:59:59.999'] },
      ]);
      const placed = [{ dimension: 'orders.placed_at', granularity: 'month' }];
      const shipped = [{ dimension: 'orders.shipped_on', granularity: 'month' }];
      const blended = await suite()
        .client()
        .dryRun([
          { measures: ['orders.count'], timeDimensions: placed },
          { measures: ['orders.revenue'], timeDimensions: shipped },
        ] as Query[]);
      expect(blended).toMatchObject({
        queryType: 'blendingQuery',
        pivotQuery: {
          measures: ['orders.count', 'orders.revenue'],
          timeDimensions: [{ dimension: 'time', granularity: 'month' }],
        },
      });
      expect(blended.normalizedQueries).toHaveLength(2);
    });

    test('returns a query that can be loaded', async () => {
      const { normalizedQueries } = await suite()
        .client()
        .dryRun({ ...count, dimensions: ['customers.country'] });
      const [{ measures, dimensions, order } = {}] = normalizedQueries;
      expect(order).toBeDefined();
      const result = await suite()
        .client()
        .load({ measures: measures ?? [], dimensions: dimensions ?? [] });
      expect(result.rawData()).toHaveLength(4);
    });
  });

  describe('meta', () => {
    test('contains cubes and views that are visible to the caller', async () => {
      const { cubes } = await suite().client().meta();
      expect(cubes.map(({ name, type, title }) => [name, type, title])).toEqual(
        expect.arrayContaining([
          ['trips', 'cube', 'Trips'],
          ['orders', 'cube', 'Orders'],
          ['routes', 'view', 'Routes'],
          ['departures', 'view', 'Departures'],
        ]),
      );
      expect(cubes.map(({ name }) => name)).not.toContain('airports');
      expect(cubes.every(each => each.isVisible !== false && each.public !== false)).toBe(true);
    });

    test('contains only views with onlyViews', async () => {
      const { cubes } = await suite().client().meta({ onlyViews: true });
      expect(cubes.length).toBeGreaterThan(2);
      expect(new Set(cubes.map(({ type }) => type))).toEqual(new Set(['view']));
    });

    test('finds members by name', async () => {
      const meta = await suite().client().meta();
      expect(meta.resolveMember('trips.count', 'measures')).toMatchObject({
        name: 'trips.count',
        title: 'Trips Count',
        shortTitle: 'Count',
        type: 'number',
        aggType: 'count',
        cumulative: false,
        isVisible: true,
        public: true,
        drillMembers: ['trips.departure', 'trips.destination', 'trips.delay', 'stations.city'],
        drillMembersGrouped: {
          measures: [],
          dimensions: ['trips.departure', 'trips.destination', 'trips.delay', 'stations.city'],
        },
      });
      expect(meta.resolveMember('orders.amount', ['measures', 'dimensions'])).toMatchObject({
        type: 'number',
        format: 'currency',
        currency: 'EUR',
        formatDescription: { name: 'currency', specifier: '$,.2~f', currency: 'EUR' },
      });
      expect(meta.resolveMember('orders.id', 'dimensions')).toMatchObject({ primaryKey: true });
      expect(meta.resolveMember('orders.large', 'segments')).toMatchObject({ shortTitle: 'Large orders' });
      expect(meta.resolveMember('routes.stations_lat', 'dimensions')).toMatchObject({
        title: expect.stringContaining('Latitude'),
        aliasMember: 'stations.latitude',
      });
      expect(meta.resolveMember('orders.tenant', 'dimensions')).toMatchObject({ error: expect.any(String) });
      expect(meta.resolveMember('airports.city', 'dimensions')).toMatchObject({ error: expect.any(String) });
    });

    test('contains hierarchies and folders of a cube', async () => {
      const { cubes } = await suite().client().meta();
      expect(cubes.find(({ name }) => name === 'trips')).toMatchObject({
        hierarchies: [{ name: 'trips.places', title: 'Places', levels: ['trips.state', 'trips.destination'] }],
        joins: [{ name: 'stations', relationship: 'belongsTo' }],
      });
      const routes = cubes.find(({ name }) => name === 'routes');
      const punctuality = ['routes.late_share', 'routes.average_delay'];
      expect(routes?.folders).toEqual([
        { name: 'Flight', members: expect.arrayContaining(['routes.departure', 'routes.count', ...punctuality]) },
        { name: 'Airport', members: ['routes.stations_city', 'routes.stations_state'] },
      ]);
      expect(routes?.nestedFolders).toEqual([
        {
          name: 'Flight',
          members: ['routes.departure', 'routes.count', { name: 'Punctuality', members: punctuality }],
        },
        { name: 'Airport', members: ['routes.stations_city', 'routes.stations_state'] },
      ]);
      const component = (of: string) => cubes.find(({ name }) => name === of)?.connectedComponent;
      expect(component('orders')).toBe(component('customers'));
      expect(component('orders')).not.toBe(component('trips'));
    });

    test("contains a time dimension's granularities", async () => {
      const departure = (await suite().client().meta()).resolveMember('trips.departure', 'dimensions');
      expect(departure).toMatchObject({
        type: 'time',
        granularities: expect.arrayContaining([
          expect.objectContaining({ name: 'fortnight', title: 'Fortnight', interval: '2 weeks' }),
          expect.objectContaining({
            name: 'fiscal_year',
            title: 'Fiscal year',
            interval: '1 year',
            offset: '3 months',
          }),
        ]),
      });
    });

    test('lists members by title, and by cube', async () => {
      const meta = await suite().client().meta();
      const titles = meta.membersForQuery({}, 'measures').map(({ title }) => title);
      expect(titles).toContain('Trips Count');
      expect(titles).not.toContain('Airports Count');
      const grouped = meta.membersGroupedByCube();
      const times = grouped.timeDimensions.find(({ cubeName }) => cubeName === 'orders');
      expect(times?.members.map(({ name }) => name)).toEqual(['orders.placed_at', 'orders.shipped_on']);
      expect(grouped.measures.find(({ cubeName }) => cubeName === 'routes')).toMatchObject({
        type: 'view',
        cubeTitle: 'Routes',
      });
    });

    test('finds the default time dimension', async () => {
      const meta = await suite().client().meta();
      expect(meta.defaultTimeDimensionNameFor('orders.count')).toBe('orders.placed_at');
      expect(meta.defaultTimeDimensionNameFor('routes.count')).toBe('routes.departure');
      expect(meta.defaultTimeDimensionNameFor('customers.count')).toBeUndefined();
    });
  });
}

/**
 * Tests a query for each operator of each member. Forwarding platforms do not run this test, because the platform that
 * they forward to compiles the queries.
 */
export function testOperators(suite: () => Conformance): void {
  test('meta contains only supported operators', async () => {
    const client = suite().client();
    const meta = await client.meta();
    const valuesFor: Record<string, string[]> = {
      string: ['a'],
      number: ['1'],
      boolean: ['true'],
      time: ['2024-01-01'],
    };
    const members = (['dimensions', 'measures'] as const).flatMap(kind =>
      meta
        .membersForQuery({}, kind)
        .filter(({ name }) => name.startsWith('orders.'))
        .map(({ name, ...member }) => {
          const values = valuesFor['type' in member ? member.type : ''] ?? [];
          return meta.filterOperatorsForMember(name, kind).map(({ name: operator }) => {
            const filter = { member: name, operator };
            return /^(set|notSet)$/.test(operator) ? filter : { ...filter, values };
          });
        }),
    );
    const refusal = async (filter: object): Promise<string[]> => {
      const query = { measures: ['orders.count'], filters: [filter] } as Query;
      return client.dryRun(query).then(
        () => [],
        (error: Error) => [error.message],
      );
    };
    const refusals: string[] = [];
    for (const filters of members) refusals.push(...(await Promise.all(filters.map(refusal))).flat());
    expect(members.flat().length).toBeGreaterThan(50);
    expect(refusals).toEqual([]);
  });
}
