import { describe, expect, it } from 'vitest';
import type { RowSet } from '../../../src/contract/row-set.js';
import { answerReport } from '../../../src/report/chart/answer-report.js';

const day: RowSet['columns'][number] = {
  member: 'orders.day',
  kind: 'dimension',
  annotation: { title: 'Day', shortTitle: 'Day', type: 'number', meta: { sunday: 7 } },
};
const count: RowSet['columns'][number] = {
  member: 'orders.count',
  kind: 'measure',
  annotation: { title: 'Count', shortTitle: 'Count', type: 'number' },
};
const rows = [
  { 'orders.day': '1', 'orders.count': '5' },
  { 'orders.day': '7', 'orders.count': '2' },
];
const rowSet: RowSet = { columns: [day, count], rows, truncated: false, lastRefreshTime: null };
const query = { dimensions: ['orders.day'], measures: ['orders.count'] };
const x = { field: 'orders\\.day', type: 'ordinal' };

describe('answerReport', () => {
  it('names numbered weekdays on the axes, because the report loads numbers', () => {
    const chart = { mark: 'bar', encoding: { x: { ...x, axis: { title: null } }, color: x } };
    const report = answerReport({ title: 'Orders', query, rowSet, chart }, 'fr');
    const labelExpr = '{"1":"lundi","7":"dimanche"}[datum.value] || datum.label';
    expect(report?.spec).toEqual({
      mark: 'bar',
      encoding: { x: { ...x, axis: { title: null, labelExpr } }, color: x },
    });
    const layered = answerReport(
      { title: '', query, rowSet, chart: { layer: [{ mark: 'bar', encoding: { y: x } }] } },
      'fr',
    );
    expect(layered?.spec).toMatchObject({ layer: [{ encoding: { y: { axis: { labelExpr } } } }] });
  });

  it('is a table without a chart', () => {
    const report = answerReport({ title: 'Orders', query, rowSet, chart: null }, 'en');
    expect(report).toMatchObject({ kind: 'table', title: 'Orders', meta: { jsonQuery: query } });
  });

  it('does not exist without a query, or if the query lacks a column of the result', () => {
    const computed = { ...rowSet, columns: [...rowSet.columns, { ...count, member: 'share' }] };
    expect(answerReport({ title: '', query: null, rowSet, chart: null }, 'en')).toBeNull();
    expect(answerReport({ title: '', query, rowSet: computed, chart: null }, 'en')).toBeNull();
  });
});
