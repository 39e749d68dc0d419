import { describe, expect, test, vi } from 'vitest';
import { ChartError, ChartErrorCode } from '../../../../src/charts/chart-error.js';
import {
  chartedReports,
  freezeReport,
  withWidgetIds,
} from '../../../../src/platform/content/dashboards/freeze-report.js';
import type { StoredReport } from '../../../../src/platform/content/reports/report-store.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import type { CompileChart, ConvertSql, PublicModel } from '../../../../src/platform/http/route-deps.js';

const position = { x: 0, y: 0, w: 1, h: 1 };

const report: StoredReport = {
  id: 7,
  deploymentId: 1,
  workbookId: null,
  folderId: null,
  embedTenantId: null,
  description: null,
  refreshedAt: null,
  refreshedBy: null,
  publicId: null,
  name: 'Flights',
  title: null,
  jsonQuery: null,
  sqlQuery: null,
  meta: null,
  pivotItems: null,
  source: null,
  externalWorkbookId: null,
  resultLocation: null,
  endResultCell: null,
  version: 3,
  createdBy: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

describe('withWidgetIds', () => {
  test('numbers widgets without an id deterministically and skips ids that are taken', () => {
    const draft = {
      title: 'T',
      widgets: [
        { type: 'TEXT' as const, position },
        { id: 'widget-1', type: 'SPACER' as const, position },
      ],
    };
    const config = withWidgetIds(draft);
    expect(config.widgets?.map(widget => widget.id)).toEqual(['widget-1-', 'widget-1']);
    expect(config).toEqual(withWidgetIds(draft));
    expect(withWidgetIds({ title: 'T' })).toEqual({ title: 'T' });
  });
});

describe('chartedReports', () => {
  test('returns every report once, with the first widget that shows it', () => {
    const chart = (id: string, reportId: number) => ({ id, type: 'CHART' as const, position, config: { reportId } });
    const text = { id: 't', type: 'TEXT' as const, position, config: { reportId: 9 } };
    expect([...chartedReports([chart('a', 1), chart('b', 2), chart('c', 1), text])]).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });
});

const convertSql = vi.fn<ConvertSql>(async () => null);
const publicModel = vi.fn<PublicModel>(() => null);
const compile = { compileChart: vi.fn(async () => ({ marks: [] })), convertSql, publicModel };

describe('freezeReport', () => {
  test('a report without a chart retains its name and number', async () => {
    expect(await freezeReport(report, compile)).toEqual({
      reportId: 7,
      versionNumber: 3,
      name: 'Flights',
      meta: { publicId: '000000000007' },
    });
  });

  test.each([
    ['by its schema', { $schema: 'https://vega.github.io/schema/vega-lite/v6.json', mark: 'bar' }],
    ['by its mark', { mark: 'bar' }],
    ['as text', '{"mark":"bar"}'],
  ])('compiles Vega-Lite recognized %s and retains the original specification', async (_how, spec) => {
    const snapshot = await freezeReport({ ...report, meta: { kind: 'vega', spec } }, compile);
    expect(snapshot).toMatchObject({ spec, meta: { vega: { marks: [] } } });
  });

  test.each([
    ['Vega by its schema', { kind: 'vega' as const, spec: { $schema: 'https://vega.github.io/schema/vega/v6.json' } }],
    ['Vega by its marks', { kind: 'vega' as const, spec: { marks: [] } }],
    ['another kind', { kind: 'html' as const, spec: '<p>' }],
  ])('adds nothing to %s', async (_what, meta) => {
    const snapshot = await freezeReport({ ...report, meta }, compile);
    expect(snapshot).toMatchObject(meta);
    expect(snapshot.meta).not.toHaveProperty('vega');
  });

  test.each([
    ['a compiler that fails', { mark: 'bar' }],
    ['text that is not JSON', 'secret, value'],
  ])('reports the name and reason of %s without values', async (_what, spec) => {
    const compileChart = async () => {
      throw new Error('Invalid specification {"data":{"values":[{"a":"secret"}]}}. Give it a mark.');
    };
    const failure = await freezeReport({ ...report, meta: { spec } }, { ...compile, compileChart }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ status: 400, message: expect.stringContaining('report 7 (Flights)') });
    expect(String(failure)).not.toContain('secret');
  });

  test('passes the columns of the query, including comparisons, to the compiler and returns its error', async () => {
    const offset = { amount: 1, unit: 'year' };
    const jsonQuery = JSON.stringify({
      measures: ['f.count'],
      dimensions: ['f.state'],
      timeDimensions: [{ dimension: 'f.date', granularity: 'month' }],
    });
    const meta = {
      spec: { mark: 'bar' },
      periodComparisons: [{ measure: 'f.count', timeDimension: 'f.date', offset, outputs: ['value'] }],
    };
    const compileChart = vi.fn<CompileChart>(async () => {
      throw new ChartError(ChartErrorCode.unknownField, 'The field [x] is not a column.');
    });
    await expect(freezeReport({ ...report, jsonQuery, meta }, { ...compile, compileChart })).rejects.toMatchObject({
      status: 400,
      message: 'The specification of report 7 (Flights) is invalid: The field [x] is not a column.',
    });
    const columns = ['f.state', 'f.date.month', 'f.count', 'f.count_1_year_ago'];
    expect(compileChart).toHaveBeenCalledWith({ mark: 'bar' }, columns);
  });

  test('copies the pivot layout of a table', async () => {
    const pivotItems = {
      columns: ['orders.status'],
      filters: [],
      measures: ['orders.count'],
      rows: [],
      showRowTotals: true,
    };
    const snapshot = await freezeReport({ ...report, meta: { kind: 'table' }, pivotItems }, compile);
    expect(snapshot).toMatchObject({ kind: 'table', meta: { pivotItems } });
    expect((await freezeReport(report, compile)).meta).not.toHaveProperty('pivotItems');
  });

  test.each([
    ['table', { columns: { n: { display: 'bar', width: '2fr' } }, showTotals: true }],
    ['table', undefined],
    ['kpi', { display: 'progress', target: 100, anything: 'else' }],
    ['kpi', '{"display":"sparkline"}'],
    ['map', { type: 'points', latitude: 'a.lat', longitude: 'a.lon', size: 'a.n' }],
    ['map', { type: 'us-states', color: 'a.n' }],
    ['sankey', { nodes: 'shared' }],
    ['html', { html: '<p>{{a.n}}</p>' }],
  ] as const)('accepts a specification of kind %s: %j', async (kind, spec) => {
    const meta = { kind, ...(spec !== undefined && { spec }) };
    expect(await freezeReport({ ...report, meta }, compile)).toMatchObject(meta);
  });

  test.each([
    ['table', { columns: { n: { display: 'bars' } } }, 'spec.columns.n.display'],
    ['table', { columns: { n: { width: 'wide' } } }, 'spec.columns.n.width'],
    ['table', { pivotItems: { columns: [] } }, 'spec.pivotItems.'],
    ['table', 'columns: 3', 'spec: is not JSON text'],
    ['kpi', { display: 'gauge' }, 'spec.display'],
    ['kpi', { target: true }, 'spec.target'],
    ['map', { type: 'moon' }, 'spec.type'],
    ['map', { type: 'points', latitude: 'a.lat' }, 'spec.longitude'],
    ['map', undefined, 'spec: is required for kind map'],
    ['sankey', { value: 7 }, 'spec.value'],
    ['sankey', { nodes: 'merged' }, 'spec.nodes'],
    ['html', { markup: '' }, 'spec'],
    ['html', undefined, 'spec: is required for kind html'],
  ])('reports the key of an incomplete or unknown setting of kind %s: %j', async (kind, spec, key) => {
    const meta = { kind, ...(spec !== undefined && { spec }) } as StoredReport['meta'];
    const failure = await freezeReport({ ...report, meta }, compile).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      status: 400,
      message: expect.stringContaining(`Report 7 (Flights): meta.${key}`),
    });
  });

  test('limits the HTML of a report to 300,000 characters', async () => {
    const withHtml = (length: number) =>
      freezeReport({ ...report, meta: { kind: 'html', spec: 'x'.repeat(length) } }, compile);
    expect(await withHtml(300_000)).toMatchObject({ kind: 'html' });
    await expect(withHtml(300_001)).rejects.toMatchObject({ status: 400 });
  });
});

describe('freezeReport by a model', () => {
  const named = (name: string) => ({ name, title: name, shortTitle: name });

  const model = {
    cubes: [
      {
        ...named('orders'),
        type: 'view',
        measures: [{ ...named('orders.count'), type: 'number' }],
        dimensions: [
          { ...named('orders.status'), type: 'string' },
          { ...named('orders.placed'), type: 'time' },
        ],
        segments: [named('orders.late')],
      },
    ],
  };

  const asking = (query: object) =>
    freezeReport({ ...report, jsonQuery: JSON.stringify(query) }, { ...compile, publicModel: () => model });

  test('accepts existing members by any of their names', async () => {
    const query = {
      measures: ['orders.count'],
      dimensions: ['orders.status', 'orders.placed.month'],
      timeDimensions: [{ dimension: 'orders.placed', granularity: 'day' }],
      segments: ['orders.late'],
      filters: [
        {
          or: [
            { member: 'orders.count', operator: 'gt', values: ['1'] },
            { and: [{ dimension: 'orders.status', operator: 'set' }] },
          ],
        },
      ],
    };
    expect(await asking(query)).toMatchObject({ meta: { jsonQuery: query } });
  });

  test.each([
    [{ measures: ['orders.status'] }, 'Report 7 (Flights): orders.status is not a public measure'],
    [{ dimensions: ['orders.statsu'] }, 'orders.statsu is not a public dimension'],
    [{ timeDimensions: [{ dimension: 'orders.time' }] }, 'orders.time is not a public dimension'],
    [{ segments: ['orders.early'] }, 'orders.early is not a public segment'],
    [{ filters: [{ and: [{ member: 'users.id', operator: 'set' }] }] }, 'users.id is not a public member'],
  ])('rejects unknown members: %j', async (query, message) => {
    await expect(asking(query)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });
});

describe('freezeReport of a report in SQL', () => {
  const sqlQuery = 'SELECT status AS s, MEASURE(count) AS n FROM orders GROUP BY 1';

  const converted = {
    query: { dimensions: ['orders.status'], measures: ['orders.count'] },
    columns: { s: 'orders.status', n: 'orders.count' },
    aliases: ['s', 'n'],
  };

  const frozen = (fields: Partial<StoredReport>, answer: () => ReturnType<ConvertSql>) =>
    freezeReport({ ...report, ...fields }, { ...compile, convertSql: answer });

  const refusal = (code?: string) => async () => {
    throw new PlatformError(400, 'unknown column nope (line 1, column 8).', code === undefined ? {} : { code });
  };

  test('adds the equivalent load query and its column names in order', async () => {
    const { sqlQuery: kept, meta } = await frozen({ sqlQuery }, async () => converted);
    expect(kept).toBe(sqlQuery);
    expect(meta).toEqual({
      publicId: '000000000007',
      jsonQuery: converted.query,
      columns: converted.columns,
      aliases: converted.aliases,
    });
    expect(Object.keys(meta?.columns ?? {})).toEqual(['s', 'n']);
  });

  test('adds the reason if there is no equivalent load query', async () => {
    const { meta } = await frozen({ sqlQuery }, refusal('no_load_query'));
    expect(meta).toEqual({ publicId: '000000000007', noLoadQuery: 'unknown column nope (line 1, column 8).' });
  });

  test.each([
    ['no load query says it', refusal('no_load_query')],
    ['there is no model', async () => null],
  ])('leaves it unchanged if %s', async (_why, answer) => {
    expect(await frozen({ sqlQuery }, answer)).toMatchObject({ sqlQuery, meta: { publicId: '000000000007' } });
    expect((await frozen({ sqlQuery }, answer)).meta).not.toHaveProperty('jsonQuery');
  });

  test('rejects SQL that cannot be run, with the report and position', async () => {
    await expect(frozen({ sqlQuery }, refusal())).rejects.toMatchObject({
      status: 400,
      message: 'The SQL of report 7 (Flights) cannot be run: unknown column nope (line 1, column 8).',
    });
  });

  test('rethrows errors that the statement did not cause', async () => {
    const away = new PlatformError(503, 'The Data API can’t be reached.');
    await expect(frozen({ sqlQuery }, () => Promise.reject(away))).rejects.toBe(away);
  });

  test('uses its jsonQuery if it has one', async () => {
    const { meta } = await frozen({ sqlQuery, jsonQuery: '{"measures":["orders.total"]}' }, async () => converted);
    expect(meta).toEqual({ publicId: '000000000007', jsonQuery: { measures: ['orders.total'] } });
  });
});
