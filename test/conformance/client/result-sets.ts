import { type Query, ResultSet } from '@cubejs-client/core';
import { formatValue } from '@cubejs-client/core/format';
import { describe, expect, test } from 'vitest';
import { expectRows } from '../compare.js';
import type { Conformance } from '../platform.js';

/** Tests result sets of the client: charts, tables, columns, comparisons and blends. */
export function testResultSets(suite: () => Conformance): void {
  const ask = (query: object): Promise<ResultSet> =>
    suite()
      .client()
      .load(query as Query);

  /** Returns the rows of a hand-written statement. */
  const rowsOf = async (sql: string) => (await suite().reference.run(sql)).rows;

  const firstMonths = ['2001-01-01', '2001-03-31'];
  const byMonth = { dimension: 'trips.departure', granularity: 'month', dateRange: firstMonths };
  const lateByMonth = { measures: ['trips.count'], dimensions: ['trips.is_late'], timeDimensions: [byMonth] };
  const monthsSql = `SELECT strftime(date_trunc('month', date), '%Y-%m-%dT00:00:00.000') AS month,
  CAST(count(*) FILTER (delay < 15) AS INTEGER) AS punctual, CAST(count(*) FILTER (delay >= 15) AS INTEGER) AS late
  FROM flights WHERE origin = 'ORD' AND date < '2001-04-01' GROUP BY 1 ORDER BY 1`;

  describe('pivots', () => {
    test('pivots months into a chart with a series for each value', async () => {
      const result = await ask(lateByMonth);
      const months = (await rowsOf(monthsSql)).map(([month, punctual, late]) => ({
        x: month,
        xValues: [month],
        'false,trips.count': Number(punctual),
        'true,trips.count': Number(late),
      }));
      expect(months).toHaveLength(3);
      expect(result.chartPivot()).toEqual(months);
    });

    test('names the series by titles of the model', async () => {
      const result = await ask(lateByMonth);
      const names = result.seriesNames().map(({ key, title, shortTitle }) => ({ key, title, shortTitle }));
      expect(names).toHaveLength(2);
      expect(names).toContainEqual({ key: 'true,trips.count', title: 'true, Trips Count', shortTitle: 'true, Count' });
      const late = result.series().find(series => series.key === 'true,trips.count');
      expect(late?.series).toEqual((await rowsOf(monthsSql)).map(([x, , value]) => ({ x, value: Number(value) })));
    });

    test('returns unpivoted rows as a table', async () => {
      const result = await ask(lateByMonth);
      const table = result.tablePivot({ x: ['trips.departure.month', 'trips.is_late'], y: ['measures'] });
      expectRows(
        table,
        await suite().reference.run(`SELECT date_trunc('month', date) AS "trips.departure.month", delay >= 15 AS "trips.is_late",
        count(*) AS "trips.count" FROM flights WHERE origin = 'ORD' AND date < '2001-04-01' GROUP BY 1, 2`),
      );
    });

    test('pivots months into columns', async () => {
      const result = await ask(lateByMonth);
      const months = await rowsOf(monthsSql);
      const table = result.tablePivot({ x: ['trips.is_late'], y: ['trips.departure.month', 'measures'] });
      expect(table.find(row => row['trips.is_late'] === true)).toEqual({
        'trips.is_late': true,
        ...Object.fromEntries(months.map(([month, , late]) => [`${month},trips.count`, String(late)])),
      });
    });

    test('puts measures on the x axis', async () => {
      const result = await ask({ measures: ['trips.shortest', 'trips.longest'] });
      const [row = []] = await rowsOf(
        `SELECT min(distance)::VARCHAR, max(distance)::VARCHAR FROM flights WHERE origin = 'ORD'`,
      );
      expect(result.tablePivot({ x: ['measures'], y: [] })).toEqual([
        { measures: 'trips.shortest', value: row[0] },
        { measures: 'trips.longest', value: row[1] },
      ]);
    });

    test('fills months without rows', async () => {
      const result = await ask({
        measures: ['orders.count'],
        timeDimensions: [
          { dimension: 'orders.placed_at', granularity: 'month', dateRange: ['2024-11-01', '2025-02-28'] },
        ],
      });
      const [[november, december] = []] = await rowsOf(`SELECT CAST(count(*) FILTER (month(placed_at) = 11) AS INTEGER),
      CAST(count(*) FILTER (month(placed_at) = 12) AS INTEGER) FROM orders WHERE tenant = 'acme'`);
      expect(result.chartPivot().map(row => [row.x.slice(0, 7), row['orders.count']])).toEqual([
        ['2024-11', Number(november)],
        ['2024-12', Number(december)],
        ['2025-01', 0],
        ['2025-02', 0],
      ]);
      expect(result.chartPivot({ fillMissingDates: false })).toHaveLength(2);
    });

    test.each([
      'hour',
      'day',
      'week',
      'month',
      'quarter',
      'year',
      'fortnight',
      'sunday_week',
      'fiscal_year',
      'half_day',
      'two_months',
    ])('finds every bucket of %s', async granularity => {
      const dateRange = ['2001-01-03', '2001-03-20'];
      const timeDimensions = [{ dimension: 'trips.departure', granularity, dateRange }];
      const result = await ask({ measures: ['trips.count'], timeDimensions });
      const [[flights] = []] = await rowsOf(
        `SELECT count(*) FROM flights WHERE origin = 'ORD' AND date >= '2001-01-03' AND date < '2001-03-21'`,
      );
      const found = result.chartPivot().reduce((sum, row) => sum + row['trips.count'], 0);
      expect(String(found)).toBe(flights);
    });

    test('fills from the first to the last bucket without a date range', async () => {
      const result = await ask({
        measures: ['trips.count'],
        timeDimensions: [{ dimension: 'trips.departure', granularity: 'week' }],
      });
      const weeks = await rowsOf(
        `SELECT DISTINCT strftime(date_trunc('week', date), '%Y-%m-%dT00:00:00.000') FROM flights WHERE origin = 'ORD' ORDER BY 1`,
      );
      expect(result.chartPivot().map(row => row.x)).toEqual(weeks.map(([week]) => week));
    });

    test('sums up in one row', async () => {
      const result = await ask({ measures: ['trips.count', 'trips.late_share'] });
      const [[count, share] = []] = await rowsOf(
        `SELECT count(*)::INTEGER, avg((delay >= 15)::INTEGER) FROM flights WHERE origin = 'ORD'`,
      );
      const row = result.totalRow();
      expect(row['trips.count']).toBe(Number(count));
      expect(row['trips.late_share']).toBeCloseTo(Number(share), 9);
    });

    test('returns the columns of a table without rows', async () => {
      const nothing = { member: 'orders.id', operator: 'lt', values: ['0'] };
      const result = await ask({ measures: ['orders.revenue'], dimensions: ['orders.status'], filters: [nothing] });
      expect(result.chartPivot()).toEqual([]);
      expect(result.tablePivot()).toEqual([]);
      expect(result.tableColumns()).toMatchObject([
        { key: 'orders.status', shortTitle: 'Status', type: 'string' },
        { key: 'orders.revenue', shortTitle: 'Revenue', type: 'number', format: 'currency', currency: 'EUR' },
      ]);
    });

    test('is equal after serialization', async () => {
      const result = await ask(lateByMonth);
      const again = ResultSet.deserialize(JSON.parse(JSON.stringify(result.serialize())));
      expect(again.chartPivot()).toEqual(result.chartPivot());
      expect(again.tableColumns()).toEqual(result.tableColumns());
    });

    test.each(['compact', 'columnar'] as const)('is equal for rows in the format %s', async format => {
      const result = await suite()
        .client()
        .load(lateByMonth as Query, undefined, undefined, format);
      expect(result.chartPivot()).toEqual((await ask(lateByMonth)).chartPivot());
    });
  });

  describe('columns and annotation', () => {
    test('returns the columns of a table', async () => {
      const result = await ask({ ...lateByMonth, measures: ['trips.count', 'trips.late_share'], dimensions: [] });
      expect(result.tableColumns()).toMatchObject([
        {
          key: 'trips.departure.month',
          dataIndex: 'trips.departure.month',
          shortTitle: 'Departure',
          type: 'time',
          granularity: 'month',
        },
        { key: 'trips.count', dataIndex: 'trips.count', title: 'Trips Count', shortTitle: 'Count', type: 'number' },
        { key: 'trips.late_share', title: 'Trips Late Share', shortTitle: 'Late Share', type: 'number' },
      ]);
    });

    test('nests the columns of a pivot', async () => {
      const result = await ask(lateByMonth);
      const columns = result.tableColumns({ x: ['trips.departure.month'], y: ['trips.is_late', 'measures'] });
      expect(columns[0]).toMatchObject({ key: 'trips.departure.month', shortTitle: 'Departure' });
      const late = columns.find(column => String(column.key) === 'true');
      expect(late?.children).toMatchObject([
        { key: 'trips.count', dataIndex: 'true,trips.count', shortTitle: 'Count' },
      ]);
    });

    test('annotates members of each kind', async () => {
      const result = await ask({
        measures: ['orders.revenue', 'orders.count'],
        dimensions: ['customers.country'],
        segments: ['orders.large'],
        timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'month' }],
      });
      const annotation = result.annotation();
      expect(annotation.measures['orders.revenue']).toMatchObject({
        title: 'Orders Revenue',
        shortTitle: 'Revenue',
        type: 'number',
        format: 'currency',
        currency: 'EUR',
        formatDescription: { name: 'currency', specifier: '$,.2~f', currency: 'EUR' },
        meta: { unit: 'EUR' },
      });
      expect(annotation.measures['orders.count']).toMatchObject({
        shortTitle: 'Orders',
        type: 'number',
        drillMembers: ['orders.id', 'orders.status', 'customers.name', 'orders.amount'],
        drillMembersGrouped: {
          measures: [],
          dimensions: ['orders.id', 'orders.status', 'customers.name', 'orders.amount'],
        },
      });
      expect(annotation.dimensions['customers.country']).toMatchObject({
        title: 'Customers Country',
        shortTitle: 'Country',
        type: 'string',
      });
      expect(annotation.segments['orders.large']).toMatchObject({ shortTitle: 'Large orders' });
      expect(annotation.timeDimensions['orders.placed_at.month']).toMatchObject({
        type: 'time',
        granularity: { name: 'month', title: 'Month', interval: '1 month' },
      });
      expect(Object.keys(annotation.dimensions)).toEqual(['customers.country']);
    });

    test('annotates a custom granularity with the data for filling gaps', async () => {
      const result = await ask({
        measures: ['trips.count'],
        timeDimensions: [{ dimension: 'trips.departure', granularity: 'fortnight', dateRange: firstMonths }],
      });
      expect(result.annotation().timeDimensions['trips.departure.fortnight']?.granularity).toMatchObject({
        name: 'fortnight',
        title: 'Fortnight',
        interval: '2 weeks',
        origin: expect.stringContaining('2001-01-01'),
      });
    });

    test('returns the normalized query', async () => {
      const result = await ask({ ...lateByMonth, timezone: 'America/Chicago', limit: 100 });
      expect(result.query()).toMatchObject({
        measures: ['trips.count'],
        dimensions: ['trips.is_late'],
        timeDimensions: [
          {
            dimension: 'trips.departure',
            granularity: 'month',
            dateRange: ['2001-01-01T00:00:00.000', '2001-03-31T23:59:59.999'],
          },
        ],
        filters: [],
        limit: 100,
        timezone: 'America/Chicago',
      });
      expect(result.pivotQuery()).toMatchObject({ queryType: 'regularQuery', measures: ['trips.count'] });
      expect(JSON.stringify(result.serialize())).not.toContain('ORD');
    });

    test('formats values by their annotation', async () => {
      const result = await ask({
        measures: ['orders.revenue', 'orders.count'],
        timeDimensions: [
          { dimension: 'orders.placed_at', granularity: 'month', dateRange: ['2024-01-01', '2024-01-31'] },
        ],
      });
      const [row] = result.rawData();
      const columns = result.tableColumns();
      const text = (key: string) => {
        const column = columns.find(each => each.key === key);
        if (!column) throw new Error(`There is no column ${key}.`);
        const { format, currency, granularity, type } = column;
        return formatValue(row?.[key], {
          type: type as 'number',
          locale: 'en-US',
          ...(format && { format }),
          ...(currency && { currency }),
          ...(granularity && { granularity }),
        });
      };
      const [[count, revenue] = []] =
        await rowsOf(`SELECT format('{:,}', count(*)), format('{:,.2f}', sum(amount)::DOUBLE)
      FROM orders WHERE tenant = 'acme' AND placed_at < '2024-02-01'`);
      expect(text('orders.placed_at.month')).toBe('2024 Jan');
      expect(text('orders.count')).toBe(count);
      expect(text('orders.revenue')).toBe(`€${String(revenue).replace(/\.?0+$/, '')}`);
    });
  });

  describe('comparisons and blends', () => {
    const january = ['2001-01-01', '2001-01-31'];
    const february = ['2001-02-01', '2001-02-28'];
    const compared = {
      measures: ['trips.count'],
      timeDimensions: [{ dimension: 'trips.departure', granularity: 'day', compareDateRange: [february, january] }],
    };
    const days = (month: number) =>
      rowsOf(
        `SELECT count(*)::INTEGER FROM flights WHERE origin = 'ORD' AND month(date) = ${month} GROUP BY date::DATE ORDER BY date::DATE`,
      );

    test('aligns two ranges on the days of the shorter one', async () => {
      const result = await ask(compared);
      expect(result.pivotQuery()).toMatchObject({
        queryType: 'compareDateRangeQuery',
        dimensions: ['compareDateRange'],
      });
      const series = result.series();
      expect(series).toHaveLength(2);
      const values = series.map(each => each.series.map((point: { value: number }) => point.value));
      expect(values[0]).toEqual((await days(2)).map(([count]) => (count === null ? 0 : Number(count))));
      expect(values[1]).toEqual((await days(1)).slice(0, 28).map(([count]) => Number(count)));
      expect(series[0]?.title).toBe('2001-02-01T00:00:00.000 - 2001-02-28T23:59:59.999, Trips Count');
    });

    test('decomposes a comparison', async () => {
      const parts = (await ask(compared)).decompose();
      expect(parts.map(part => part.chartPivot().length)).toEqual([28, 31]);
      expect(parts[1]?.query().timeDimensions).toMatchObject([
        { dateRange: ['2001-01-01T00:00:00.000', '2001-01-31T23:59:59.999'] },
      ]);
    });

    test('aligns a blend on the shared time dimension', async () => {
      const month = (dimension: string) => ({
        dimension,
        granularity: 'month',
        dateRange: ['2024-02-01', '2024-04-30'],
      });
      const result = await suite()
        .client()
        .load([
          { measures: ['orders.count'], timeDimensions: [month('orders.placed_at')] },
          { measures: ['orders.revenue'], timeDimensions: [month('orders.shipped_on')] },
        ] as Query[]);
      expect(result.pivotQuery()).toMatchObject({
        queryType: 'blendingQuery',
        measures: ['orders.count', 'orders.revenue'],
        timeDimensions: [{ dimension: 'time', granularity: 'month' }],
      });
      const placed =
        await rowsOf(`SELECT count(*)::INTEGER FROM orders WHERE tenant = 'acme' AND placed_at >= '2024-02-01'
      AND placed_at < '2024-05-01' GROUP BY month(placed_at) ORDER BY month(placed_at)`);
      const shipped =
        await rowsOf(`SELECT sum(amount)::DOUBLE FROM orders WHERE tenant = 'acme' AND shipped_on >= '2024-02-01'
      AND shipped_on < '2024-05-01' GROUP BY month(shipped_on) ORDER BY month(shipped_on)`);
      expect(result.chartPivot().map(row => [row.x, row['orders.count'], row['orders.revenue']])).toEqual(
        ['02', '03', '04'].map((month_, index) => [
          `2024-${month_}-01T00:00:00.000`,
          Number(placed[index]?.[0]),
          Number(shipped[index]?.[0]),
        ]),
      );
    });

    test('distinguishes a measure that is blended with itself', async () => {
      const timeDimensions = [
        { dimension: 'orders.placed_at', granularity: 'quarter', dateRange: ['2024-01-01', '2024-06-30'] },
      ];
      const paid = [{ member: 'orders.paid', operator: 'equals', values: ['true'] }];
      const result = await suite()
        .client()
        .load([
          { measures: ['orders.count'], timeDimensions },
          { measures: ['orders.count'], timeDimensions, filters: paid },
        ] as Query[]);
      const counts = await rowsOf(`SELECT count(*)::INTEGER, (count(*) FILTER (paid))::INTEGER FROM orders
      WHERE tenant = 'acme' AND placed_at < '2024-07-01' GROUP BY quarter(placed_at) ORDER BY quarter(placed_at)`);
      expect(result.chartPivot().map(row => [row['0,orders.count'], row['1,orders.count']])).toEqual(
        counts.map(pair => pair.map(Number)),
      );
      const [named] = result.chartPivot({ aliasSeries: ['all', 'paid'] });
      expect(Object.keys(named ?? {})).toEqual(['x', 'xValues', 'all,orders.count', 'paid,orders.count']);
    });
  });
}
