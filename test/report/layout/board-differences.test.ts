import { describe, expect, it } from 'vitest';
import type { DashboardConfig, ReportSnapshot } from '../../../src/contract/dashboards.js';
import { type BoardVersion, boardDifferences, isSameBoard } from '../../../src/report/layout/board-differences.js';

const position = { x: 0, y: 0, w: 6, h: 4 };
const jsonQuery = { measures: ['orders.count'], timeDimensions: [{ dimension: 'orders.date', dateRange: 'today' }] };
const report = { id: 1, reportId: 1, versionNumber: 1, name: 'Orders', kind: 'vega', meta: { jsonQuery } };
const chart = { id: 'chart', type: 'CHART', position, config: { reportId: 1 } };
const widgets = [
  chart,
  { id: 'text', type: 'TEXT', position, config: { markdown: 'Hi' } },
  { id: 'filter', type: 'FILTER', position, config: { member: 'orders.status' } },
  { id: 'tabs', type: 'CONTAINER', position, config: { layout: 'tabs', children: ['text'] } },
];
const version = (config: DashboardConfig, ...reports: ReportSnapshot[]): BoardVersion => ({
  config,
  reports: new Map([report, ...reports].map(each => [each.reportId, each])),
});
const before = version({ widgets });

describe('differences of two versions of a dashboard', () => {
  it.each<[string, Partial<ReportSnapshot>, string[]]>([
    ['an equal report', {}, []],
    ['a title', { title: 'Sales' }, ['title']],
    ['another kind', { kind: 'kpi' }, ['look']],
    ['fields', { meta: { jsonQuery: { ...jsonQuery, measures: ['orders.total'] } } }, ['fields']],
    ['a limit', { meta: { jsonQuery: { ...jsonQuery, limit: 5 } } }, ['order']],
    [
      'a period',
      { meta: { jsonQuery: { ...jsonQuery, timeDimensions: [{ dimension: 'orders.date', dateRange: 'last week' }] } } },
      ['filters'],
    ],
  ])('compare the content of reports: %s', (_, changes, fields) => {
    const config = { widgets: [{ ...chart, config: { reportId: 2 } }] };
    const after = version(config, { ...report, id: 2, reportId: 2, ...changes });
    const changed = fields.length > 0 ? [{ id: 'chart', kind: 'changed', fields }] : [];
    expect(boardDifferences(version({ widgets: [chart] }), after)).toEqual(changed);
  });

  it('state what changed of each widget, and of the dashboard', () => {
    const after = version({
      title: 'New',
      widgets: [
        { ...chart, position: { ...position, x: 6, w: 3 } },
        { id: 'text', type: 'TEXT', position, config: { markdown: 'Hello' } },
        { id: 'tabs', type: 'CONTAINER', position, config: { layout: 'stack', title: 'All', children: [] } },
        { id: 'new', type: 'TEXT', position, config: { markdown: '' } },
      ],
    });
    expect(boardDifferences(before, after)).toEqual([
      { id: 'chart', kind: 'changed', fields: ['position', 'size'] },
      { id: 'text', kind: 'changed', fields: ['text'] },
      { id: 'tabs', kind: 'changed', fields: ['title', 'layout', 'tiles'] },
      { id: 'new', kind: 'added', fields: [] },
      { id: 'filter', kind: 'removed', fields: [] },
      { id: '', kind: 'changed', fields: ['settings'] },
    ]);
  });

  it('ignore the order of keys, but not that of columns', () => {
    const [first, ...others] = widgets;
    const { config, id, ...rest } = { ...chart, ...first };
    expect(isSameBoard({ widgets }, { widgets: [{ config, ...rest, id }, ...others] })).toBe(true);
    const ordered = (order: Record<string, 'asc'>) =>
      version({ widgets: [chart] }, { ...report, meta: { jsonQuery: { ...jsonQuery, order } } });
    const fields = boardDifferences(ordered({ a: 'asc', b: 'asc' }), ordered({ b: 'asc', a: 'asc' }));
    expect(fields).toEqual([{ id: 'chart', kind: 'changed', fields: ['order'] }]);
  });
});
