import { expect, it } from 'vitest';
import type { Column, RowSet } from '../../../src/contract/row-set.js';
import {
  compareWith,
  earlierPeriod,
  followDraft,
  offeredUnits,
  unitOf,
} from '../../../src/report/explore/compared-period.js';
import { type Draft, emptyDraft, toggleMember } from '../../../src/report/explore/query-draft.js';
import {
  readOptions,
  type Visualization,
  type VisualizationOptions,
} from '../../../src/report/explore/visualization-options.js';
import { fieldsOf, metaOf, possibleVisualizations } from '../../../src/report/explore/visualizations.js';
import { memberOf } from '../../console/fixtures.js';

const column = (member: string, kind: Column['kind'], type: string): Column => ({
  member,
  kind,
  annotation: { title: member, shortTitle: member, type },
});
const total = column('orders.total', 'measure', 'number');
const count = column('orders.count', 'measure', 'number');
const status = column('orders.status', 'dimension', 'string');
const state = column('orders.state', 'dimension', 'string');
const month = column('orders.at.month', 'timeDimension', 'time');
const latitude = column('orders.latitude', 'dimension', 'number');
const longitude = column('orders.longitude', 'dimension', 'number');
const rowSet = (...columns: readonly Column[]): RowSet => ({
  columns,
  rows: [1, 2, 3].map(index =>
    Object.fromEntries(
      columns.map(({ member }) => [member, member.endsWith('month') ? `2024-0${index}-01` : `${index}`]),
    ),
  ),
  truncated: false,
  lastRefreshTime: null,
});

const cases: readonly (readonly [Visualization, RowSet, VisualizationOptions])[] = [
  ['table', rowSet(status, total), { totals: 'true', 'cells orders.total': 'bar' }],
  [
    'table',
    rowSet(status, state, total, count),
    { 'side orders.state': 'columns', rowTotals: 'true', measuresAxis: 'rows' },
  ],
  ['kpi', rowSet(total, count), { measure: 'orders.count', display: 'progress', target: '250', label: 'Done' }],
  [
    'line',
    rowSet(month, total, count),
    { measure: 'orders.count', points: 'false', zero: 'false', axisTitle: 'Orders' },
  ],
  ['column', rowSet(status, state, total), { stack: 'grouped', legend: 'right' }],
  ['bar', rowSet(status, state, total), { stack: 'normalized', legend: 'none' }],
  ['donut', rowSet(status, total), { hole: 'false', legend: 'bottom' }],
  [
    'map',
    rowSet(state, total),
    { mapType: 'countries', region: 'orders.state', color: 'orders.total', place: 'orders.state' },
  ],
  ['map', rowSet(latitude, longitude, total), { mapType: 'points', size: 'orders.total' }],
  ['sankey', rowSet(status, state, total), { from: 'orders.state', to: 'orders.status', nodes: 'shared' }],
];

it.each(cases)('writes the settings of %s into meta, and reads them from it', (look, rows, options) => {
  expect(possibleVisualizations(rows)).toContain(look);
  const { spec = {} } = metaOf(look, rows, { options });
  expect(readOptions(look, spec)).toMatchObject(options);
  expect(metaOf(look, rows, { options: readOptions(look, spec) })).toEqual(metaOf(look, rows, { options }));
});

it('preserves the parts of an author’s table that the form cannot express', () => {
  const base = {
    header: 'wrap',
    columns: { 'orders.total': { title: 'Revenue', display: 'bar' } },
    pivotItems: { rows: [], columns: ['orders.state'], measures: [], filters: [], displayScale: 'thousands' },
  };
  const rows = rowSet(status, state, total);
  const options = { ...readOptions('table', base), 'cells orders.total': 'sequential' };
  expect(metaOf('table', rows, { options, base }).spec).toEqual({
    header: 'wrap',
    columns: { 'orders.total': { title: 'Revenue', scale: 'sequential' } },
    pivotItems: {
      ...base.pivotItems,
      rows: ['orders.status'],
      measures: ['orders.total'],
      showRowTotals: false,
      showColumnTotals: false,
    },
  });
});

it('reads automatic points of a line as automatic, and those of an author as chosen', () => {
  const many = {
    ...rowSet(month, total),
    rows: Array.from({ length: 70 }, (_, at) => ({ 'orders.at.month': `${at}` })),
  };
  for (const rows of [rowSet(month, total), many]) {
    const { spec = {} } = metaOf('line', rows);
    expect(readOptions('line', spec)).not.toHaveProperty('points');
    const mark = { type: 'line', point: true };
    expect(readOptions('line', { ...spec, mark })).toMatchObject({ points: 'true' });
  }
});

it('ignores a setting that the result does not offer', () => {
  const fields = fieldsOf('line', rowSet(month, total), { options: { stack: 'grouped', points: '<b>' } });
  expect(fields.map(({ name, value }) => [name, value])).toEqual([
    ['points', 'auto'],
    ['zero', 'true'],
    ['axisTitle', ''],
  ]);
});

const titles = { day: 'day', week: 'week', month: 'month', quarter: 'quarter', year: 'A year earlier' };
const select = (...names: string[]): Draft => names.map(memberOf).reduce(toggleMember, emptyDraft);

it('compares measures with a period that is not shorter than the rows', () => {
  const draft = select('orders.total', 'orders.at');
  expect(offeredUnits(select('orders.total'))).toEqual([]);
  expect(offeredUnits(draft)).toEqual(['month', 'quarter', 'year']);
  const comparisons = compareWith(draft, 'year');
  expect(comparisons).toEqual([
    { measure: 'orders.total', timeDimension: 'orders.at', offset: { amount: 1, unit: 'year' } },
  ]);
  expect(unitOf(comparisons)).toBe('year');
  const more = followDraft(comparisons, toggleMember(draft, memberOf('orders.count')));
  expect(more.map(({ measure }) => measure)).toEqual(['orders.total', 'orders.count']);
  expect(followDraft(comparisons, toggleMember(draft, memberOf('orders.at')))).toEqual([]);
  const own = comparisons.map(each => ({ ...each, outputs: ['value'] }));
  expect(followDraft(own, select())).toBe(own);
});

it.each([
  ['line', month, { type: 'line', strokeDash: [4, 4], point: false }],
  ['column', month, { type: 'tick', thickness: 3 }],
] as const)('adds the earlier period to a %s chart', (look, group, mark) => {
  const draft = select('orders.total', 'orders.at');
  const earlier = earlierPeriod(compareWith(draft, 'year'), titles);
  expect(metaOf(look, rowSet(group, total), { earlier }).spec).toMatchObject({
    layer: [
      { encoding: { y: { field: 'orders\\.total' }, color: { datum: 'orders.total' } } },
      { mark, encoding: { y: { field: 'orders\\.total_1_year_ago' }, color: { datum: 'A year earlier' } } },
    ],
  });
});
