import { ResultSet } from '@cubejs-client/core';
import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query, QuerySet } from '../../../../src/contract/query.js';
import {
  extraColumns,
  pivotQueryOf,
  readQuerySet,
  withExtraColumns,
} from '../../../../src/platform/data/answers/query-set.js';
import { dryRunOf } from '../../../../src/platform/data/data-service.js';
import type { QueryPlan, SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { tenantCaller } from '../callers.js';
import { compile, openDatabase } from '../model/fixture.js';
import { shop } from '../model/shop.js';

let database: DuckDBConnection;
let model: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  model = await compile(shop, () => new Date('2001-02-15T12:00:00Z'));
});

const context = tenantCaller('a', 'finance', 'sales');

function plans(query: QuerySet): { queryType: ReturnType<typeof readQuerySet>['queryType']; plans: QueryPlan[] } {
  const { queryType, queries } = readQuerySet(query);
  return { queryType, plans: queries.map(one => model.plan(one, context)) };
}

/** Returns a cell as the engine returns it. */
function cell(value: Json | undefined) {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return typeof value === 'boolean' ? value : null;
  return value.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/, '$1T$2.000');
}

/** Returns the client's result set for a query. */
async function load(query: QuerySet): Promise<ResultSet<Record<string, string | number>>> {
  const { queryType, plans: planned } = plans(query);
  const results = await Promise.all(
    planned.map(async plan => {
      const { sql, parameters } = plan.statement();
      const read = (await database.runAndReadAll(sql, [...parameters])).getColumnsJson();
      const table = {
        members: plan.columns.map(({ member }) => member),
        columns: read.map(column => column.map(cell)),
      };
      const { members, columns } = withExtraColumns(table, extraColumns(queryType, plan.query));
      const data = (columns[0] ?? []).map((_, row) =>
        Object.fromEntries(members.map((member, index) => [member, columns[index]?.[row]])),
      );
      return { query: plan.query, annotation: plan.annotation, data };
    }),
  );
  const pivotQuery = pivotQueryOf(
    queryType,
    planned.map(plan => plan.query),
  );
  const response = JSON.parse(JSON.stringify({ queryType, results, pivotQuery }));
  return ResultSet.deserialize({ loadResponse: response });
}

const byMonth: Query = {
  measures: ['orders.count', 'orders.revenue'],
  timeDimensions: [{ dimension: 'orders.created', granularity: 'month', dateRange: ['2000-12-01', '2001-03-31'] }],
};

describe('client results', () => {
  it('fill months of a date range that have no rows', async () => {
    const result = await load(byMonth);
    expect(result.chartPivot().map(({ x, ...row }) => [x, row['orders.count'], row['orders.revenue']])).toEqual([
      ['2000-12-01T00:00:00.000', 0, 0],
      ['2001-01-01T00:00:00.000', 2, 30],
      ['2001-02-01T00:00:00.000', 2, 30],
      ['2001-03-01T00:00:00.000', 0, 0],
    ]);
    expect(result.series().map(({ key, title, series }) => [key, title, series.length])).toEqual([
      ['orders.count', 'Orders Orders', 4],
      ['orders.revenue', 'Orders Revenue', 4],
    ]);
    expect(result.totalRow()['orders.count']).toBe(0);
  });

  it('pivot by dimensions and time, with titles of columns', async () => {
    const result = await load({ ...byMonth, measures: ['orders.count'], dimensions: ['orders.customer'] });
    const pivot = { x: ['orders.created'], y: ['orders.customer', 'measures'], fillMissingDates: false };
    expect(result.tablePivot(pivot)).toEqual([
      { 'orders.created.month': '2001-01-01T00:00:00.000', 'Ada,orders.count': '2', 'Bob,orders.count': 0 },
      { 'orders.created.month': '2001-02-01T00:00:00.000', 'Ada,orders.count': 0, 'Bob,orders.count': '2' },
    ]);
    expect(result.tableColumns().map(({ key, title, shortTitle, type }) => [key, title, shortTitle, type])).toEqual([
      ['orders.created.month', 'Orders Created', 'Created', 'time'],
      ['orders.customer', 'Orders Customer', 'Customer', 'string'],
      ['orders.count', 'Orders Orders', 'Orders', 'number'],
    ]);
    expect(result.seriesNames(pivot).map(({ title }) => title)).toEqual(['Ada, Orders Orders', 'Bob, Orders Orders']);
  });

  it('fill custom granularities by their intervals', async () => {
    const [timeDimension] = byMonth.timeDimensions ?? [];
    const result = await load({
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.created', ...timeDimension, granularity: 'fortnight' }],
    });
    const filled = result.chartPivot().filter(row => row['orders.count'] !== 0);
    expect(filled.map(({ x, ...row }) => [x, row['orders.count']])).toEqual([
      ['2001-01-01T00:00:00.000', 1],
      ['2001-01-29T00:00:00.000', 2],
      ['2001-02-12T00:00:00.000', 1],
    ]);
  });

  it('find weeks that start on another day', async () => {
    const [timeDimension] = byMonth.timeDimensions ?? [];
    const result = await load({
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.created', ...timeDimension, granularity: 'sunday_week' }],
    });
    expect(result.chartPivot().reduce((sum, row) => sum + Number(row['orders.count']), 0)).toBe(4);
  });

  it('drill down with a query for the rows behind a value', async () => {
    const result = await load({ ...byMonth, measures: ['orders.count'], dimensions: ['orders.region'] });
    const query = result.drillDown({ xValues: ['2001-01-01T00:00:00.000'], yValues: ['north', 'orders.count'] });
    expect(query).toMatchObject({ dimensions: ['orders.id', 'orders.customer', 'orders.amount'], measures: [] });
    const rows = await load(JSON.parse(JSON.stringify(query)));
    expect(rows.rawData()).toEqual([{ 'orders.id': '1', 'orders.customer': 'Ada', 'orders.amount': '10.00' }]);
    const none = await load({ measures: ['orders.revenue'], dimensions: ['orders.region'] });
    expect(none.drillDown({ xValues: ['north'] })).toBeNull();
  });

  it('compare date ranges side by side', async () => {
    const ranges = [
      ['2001-01-01', '2001-01-31'],
      ['2001-02-01', '2001-02-28'],
    ];
    const result = await load({
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.created', granularity: 'month', compareDateRange: ranges }],
    });
    const [january, february] = ranges.map(([from, to]) => `${from}T00:00:00.000 - ${to}T23:59:59.999`);
    expect(result.chartPivot()).toEqual([
      {
        x: '2001-01-01T00:00:00.000',
        xValues: ['2001-01-01T00:00:00.000'],
        [`${january},orders.count`]: 2,
        [`${february},orders.count`]: 2,
      },
    ]);
    expect(result.seriesNames().map(({ title }) => title)).toEqual([
      `${january}, Orders Orders`,
      `${february}, Orders Orders`,
    ]);
    expect(result.decompose().map(one => one.rawData().length)).toEqual([1, 1]);
    expect(() => result.query()).toThrow('compareDateRangeQuery');
  });

  it('compare ranges without a granularity, and with another time dimension', async () => {
    const result = await load({
      measures: ['orders.count'],
      timeDimensions: [
        { dimension: 'orders.created', granularity: 'year' },
        { dimension: 'orders.created', compareDateRange: ['yesterday', 'last month'] },
      ],
    });
    expect(result.decompose().map(one => one.rawData()[0]?.['orders.count'])).toEqual(['1', '2']);
    expect(result.decompose().map(one => one.rawData()[0]?.compareDateRange)).toEqual([
      '2001-02-14T00:00:00.000 - 2001-02-14T23:59:59.999',
      '2001-01-01T00:00:00.000 - 2001-01-31T23:59:59.999',
    ]);
  });

  it('merge queries on one axis', async () => {
    const revenue: Query = {
      measures: ['orders.revenue'],
      timeDimensions: [{ dimension: 'orders.created', granularity: 'month', dateRange: ['2001-01-01', '2001-02-28'] }],
    };
    const count: Query = {
      measures: ['orders.count'],
      dimensions: ['orders.created.month'],
      filters: [{ member: 'orders.created', operator: 'inDateRange', values: ['2001-01-01', '2001-02-28'] }],
    };
    const result = await load([revenue, count]);
    expect(result.chartPivot().map(({ x, ...row }) => [x, row['orders.revenue'], row['orders.count']])).toEqual([
      ['2001-01-01T00:00:00.000', 30, 2],
      ['2001-02-01T00:00:00.000', 30, 2],
    ]);
    expect(result.pivotQuery()).toEqual({
      measures: ['orders.revenue', 'orders.count'],
      dimensions: [],
      timeDimensions: [{ dimension: 'time', granularity: 'month' }],
      queryType: 'blendingQuery',
    });
  });

  it('find a time dimension by its plain name as well', async () => {
    const { timeDimensions } = (await load(byMonth)).annotation();
    expect(Object.keys(timeDimensions)).toEqual(['orders.created.month', 'orders.created']);
    expect(timeDimensions['orders.created.month']?.granularity).toEqual({
      name: 'month',
      title: 'Month',
      interval: '1 month',
    });
    const beside = await load({ ...byMonth, dimensions: ['orders.created'] });
    expect(Object.keys(beside.annotation().timeDimensions)).toEqual(['orders.created.month']);
  });
});

describe('a dry run', () => {
  it('returns the normalized query', () => {
    const { queryType, plans: planned } = plans(byMonth);
    const answer = dryRunOf(
      queryType,
      planned.map(plan => plan.query),
    );
    expect(answer.queryType).toBe('regularQuery');
    expect(answer.queryOrder).toEqual([{ 'orders.created': 'asc' }]);
    expect(answer.transformedQueries).toEqual([null]);
    expect(answer.pivotQuery).toEqual(answer.normalizedQueries[0]);
    expect(answer.normalizedQueries).toEqual([
      {
        measures: ['orders.count', 'orders.revenue'],
        dimensions: [],
        segments: [],
        filters: [],
        timeDimensions: [
          {
            dimension: 'orders.created',
            granularity: 'month',
            dateRange: ['2000-12-01T00:00:00.000', '2001-03-31T23:59:59.999'],
          },
        ],
        order: [{ id: 'orders.created', desc: false }],
        limit: 10_000,
        rowLimit: 10_000,
        timezone: 'UTC',
        queryType: 'regularQuery',
      },
    ]);
  });

  it('contains no row filters', () => {
    const { queryType, plans: planned } = plans({ dimensions: ['north.id'] });
    const answer = dryRunOf(
      queryType,
      planned.map(plan => plan.query),
    );
    expect(answer.normalizedQueries[0]?.filters).toEqual([]);
    expect(JSON.stringify(answer)).not.toContain('tenant');
  });

  it('returns one query per range', () => {
    const { queryType, plans: planned } = plans({
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.created', compareDateRange: ['this year', 'last year'] }],
    });
    const answer = dryRunOf(
      queryType,
      planned.map(plan => plan.query),
    );
    expect(answer.normalizedQueries.map(query => query.timeDimensions?.[0]?.dateRange?.[0])).toEqual([
      '2001-01-01T00:00:00.000',
      '2000-01-01T00:00:00.000',
    ]);
    expect(answer.pivotQuery.dimensions).toEqual(['compareDateRange']);
  });
});
