import { describe, expect, test, vi } from 'vitest';
import { chartedReports, freezeReport, withWidgetIds } from '../../../src/platform/routes/freeze.js';
import type { StoredReport } from '../../../src/platform/store/reports.js';

const position = { x: 0, y: 0, w: 1, h: 1 };

const report: StoredReport = {
  id: 7,
  deploymentId: 1,
  workbookId: null,
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
  test('numbers the widgets without an id, the same way each time, and spares ids that are taken', () => {
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
  test('names every report once, with the first widget that shows it', () => {
    const chart = (id: string, reportId: number) => ({ id, type: 'CHART' as const, position, config: { reportId } });
    const text = { id: 't', type: 'TEXT' as const, position, config: { reportId: 9 } };
    expect([...chartedReports([chart('a', 1), chart('b', 2), chart('c', 1), text])]).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });
});

describe('freezeReport', () => {
  const compile = vi.fn(async () => ({ marks: [] }));

  test('a report without anything to draw keeps its name and number', async () => {
    expect(await freezeReport(report, compile)).toEqual({
      reportId: 7,
      versionNumber: 3,
      name: 'Flights',
      meta: { publicId: 'auto00000007' },
    });
  });

  test.each([
    ['by its schema', { $schema: 'https://vega.github.io/schema/vega-lite/v6.json', mark: 'bar' }],
    ['by its mark', { mark: 'bar' }],
    ['as text', '{"mark":"bar"}'],
  ])('compiles Vega-Lite known %s, and keeps the specification as it was written', async (_how, spec) => {
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
  ])('tells report and reason of %s, but no values', async (_what, spec) => {
    const fail = async () => {
      throw new Error('Invalid specification {"data":{"values":[{"a":"secret"}]}}. Give it a mark.');
    };
    const failure = await freezeReport({ ...report, meta: { spec } }, fail).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 400, message: expect.stringContaining('report 7 (Flights)') });
    expect(String(failure)).not.toContain('secret');
  });
});
