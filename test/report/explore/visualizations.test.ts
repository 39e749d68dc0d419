import { expect, it } from 'vitest';
import type { Column, RowSet } from '../../../src/contract/row-set.js';
import { metaOf, possibleVisualizations, proposedVisualization } from '../../../src/report/explore/visualizations.js';

const column = (member: string, kind: Column['kind'], type: string): Column => ({
  member,
  kind,
  annotation: { title: member, shortTitle: member, type },
});
const total = column('orders.total', 'measure', 'number');
const status = column('orders.status', 'dimension', 'string');
const month = column('orders.at.month', 'timeDimension', 'time');
const rowSet = (columns: readonly Column[], count: number): RowSet => ({
  columns,
  rows: Array.from({ length: count }, (_, index) =>
    Object.fromEntries(
      columns.map(({ member }) => [member, member === 'orders.at.month' ? `2024-0${index + 1}-01` : String(index)]),
    ),
  ),
  truncated: false,
  lastRefreshTime: null,
});

it.each([
  ['a figure', [total], 1, 'kpi', ['auto', 'table', 'kpi']],
  ['a line over time', [month, total], 5, 'line', ['auto', 'table', 'kpi', 'line', 'area', 'column']],
  ['bars of categories', [status, total], 5, 'bar', ['auto', 'table', 'bar', 'column', 'donut']],
  ['no donut of many categories', [status, total], 20, 'bar', ['auto', 'table', 'bar', 'column']],
  ['a table of text', [status], 5, 'table', ['auto', 'table']],
])('proposes %s', (_, columns, count, look, possible) => {
  const rows = rowSet(columns, count);
  expect(proposedVisualization(rows)).toBe(look);
  expect(possibleVisualizations(rows)).toEqual(possible);
});

it('gives the kind and specification that authors write', () => {
  const rows = rowSet([status, total], 3);
  expect(metaOf('table', rows)).toEqual({ kind: 'table' });
  expect(metaOf('auto', rows)).toEqual(metaOf('bar', rows));
  expect(metaOf('column', rows).spec).toMatchObject({
    encoding: { x: { field: 'orders\\.status' }, y: { field: 'orders\\.total' } },
  });
  expect(metaOf('donut', rows).spec).toMatchObject({ mark: { type: 'arc' }, encoding: { theta: {}, color: {} } });
  expect(metaOf('kpi', rowSet([month, total], 3))).toEqual({ kind: 'kpi', spec: { display: 'sparkline' } });
});

it('replaces a look that cannot show the result', () => {
  expect(metaOf('donut', rowSet([month, total], 3))).toEqual(metaOf('line', rowSet([month, total], 3)));
});
