import { describe, expect, it } from 'vitest';
import { chartFacts } from '../../../src/charts/interaction/chart-facts.js';
import type { SceneMark } from '../../../src/charts/scene.js';
import type { Column } from '../../../src/contract/row-set.js';
import { createFormatter } from '../../../src/report/format/format.js';
import { columnOf, rowSetOf } from '../../report/fixtures.js';

const presentation = { formatter: createFormatter('en') };
const month = columnOf('orders.created.month', 'time', {
  shortTitle: 'Month',
  granularity: { name: 'month', title: 'Month' },
});
const status = columnOf('orders.status', 'string', { shortTitle: 'Status' });
const total = columnOf('orders.total', 'number', { shortTitle: 'Total' });

const carrier = columnOf('orders.carrier', 'string', { shortTitle: 'Carrier' });
const bars = (...heights: number[]): SceneMark => ({
  marktype: 'group',
  items: [
    {
      items: [
        { marktype: 'rect', role: 'mark', items: heights.map((height, x) => ({ x, y: 0, width: 10, height })) },
        { marktype: 'rule', role: 'axis-grid', items: [{}, {}] },
      ],
    },
  ],
});
const scene = (...marks: SceneMark[]): SceneMark => ({
  marktype: 'group',
  items: [{ items: marks.map(mark => ({ role: 'mark', ...mark })) }],
});
const several = [{ x: 0 }, { x: 1 }];

describe('chartFacts', () => {
  it('determines ranges by value, not by text', () => {
    const rows = [
      { 'orders.created.month': '2001-12-01', 'orders.total': '9' },
      { 'orders.created.month': '2001-01-01', 'orders.total': '10' },
      { 'orders.created.month': '2001-06-01', 'orders.total': null },
    ];
    expect(chartFacts(bars(9, 10, 0), rowSetOf([month, total], rows), presentation)).toEqual({
      marks: [{ kind: 'bar', count: 3 }],
      highest: { name: '2001 Jan', value: '10' },
      columns: [
        { kind: 'range', title: 'Month', from: '2001 Jan', to: '2001 Dec' },
        { kind: 'range', title: 'Total', from: '9', to: '10' },
      ],
    });
  });

  it('counts the values of other columns and skips empty ones', () => {
    const rows = [{ 'orders.status': 'a' }, { 'orders.status': 'b' }, { 'orders.status': 'a' }];
    expect(chartFacts(bars(1, 2), rowSetOf([status, total], rows), presentation).columns).toEqual([
      { kind: 'values', title: 'Status', count: 2 },
    ]);
    expect(chartFacts(scene(), rowSetOf([status], []), presentation)).toEqual({
      marks: [],
      highest: null,
      columns: [],
    });
  });

  it('names the maximum by all drawn dimensions if there is one measure', () => {
    const rows = [
      { 'orders.status': 'new', 'orders.carrier': 'AA', 'orders.total': '-5' },
      { 'orders.status': 'old', 'orders.carrier': 'UA', 'orders.total': '-4' },
    ];
    const rowSet = rowSetOf([status, carrier, total], rows);
    const highest = (...drawn: Column[]) =>
      chartFacts(bars(1, 2), rowSet, presentation, column => drawn.includes(column)).highest;
    expect(highest(status, carrier, total)).toEqual({ name: 'old, UA', value: '−4' });
    expect(highest(carrier, total)).toEqual({ name: 'UA', value: '−4' });
    expect(highest(status)).toBeNull();
    expect(highest(total)).toBeNull();
  });

  it.each<[string, SceneMark, unknown]>([
    [
      'lines with points on them',
      scene({ marktype: 'line', items: several }, { marktype: 'symbol', items: several }),
      [['line', 1]],
    ],
    [
      'areas with an edge',
      scene({ marktype: 'area', items: several }, { marktype: 'line', items: several }),
      [['area', 1]],
    ],
    [
      'bars with labels',
      scene({ marktype: 'rect', items: several }, { marktype: 'text', items: several }),
      [['bar', 2]],
    ],
    ['words alone', scene({ marktype: 'text', items: several }), [['mark', 2]]],
    ['slices', scene({ marktype: 'arc', items: several }), [['slice', 2]]],
    [
      'cells of a heat map',
      scene({
        marktype: 'rect',
        items: [0, 10, 0, 10].map((x, index) => ({ x, y: index < 2 ? 0 : 10, width: 10, height: 10 })),
      }),
      [['cell', 4]],
    ],
  ])('names %s', (_name, root, expected) => {
    const { marks } = chartFacts(root, rowSetOf([], []), presentation);
    expect(marks.map(({ kind, count }) => [kind, count])).toEqual(expected);
  });
});
