import { describe, expect, test } from 'vitest';
import type { DashboardConfigInput } from '../../../../src/contract/dashboard-input.js';
import { checkControls } from '../../../../src/platform/content/dashboards/model-checks.js';

type Widget = NonNullable<DashboardConfigInput['widgets']>[number];

const named = (name: string) => ({ name, title: name, shortTitle: name });
const model = {
  cubes: [
    {
      ...named('orders'),
      type: 'cube',
      measures: [{ ...named('orders.count'), type: 'number' }],
      dimensions: [
        { ...named('orders.status'), type: 'string' },
        { ...named('orders.placed'), type: 'time', granularities: [named('fiscal_year')] },
      ],
      segments: [],
    },
  ],
};
const widget = (type: Widget['type'], config: Widget['config']): Widget => ({
  id: 'w',
  type,
  position: { x: 0, y: 0, w: 1, h: 1 },
  config,
});
const check = (type: Widget['type'], config: Widget['config']) => () => checkControls([widget(type, config)], model);

describe('controls of a dashboard', () => {
  test.each<[Widget['type'], Widget['config']]>([
    ['FILTER', { member: 'orders.status', values: ['new'] }],
    ['FILTER', { member: 'orders.placed' }],
    ['FILTER', { member: 'orders.placed', operator: 'custom', value: 'last 7 days' }],
    ['FILTER', { member: 'orders.status', operator: 'contains', value: ['new', 'old'] }],
    ['TIME_GRAIN', { member: 'orders.placed' }],
    ['TIME_GRAIN', { member: 'orders.placed', granularities: ['day', 'fiscal_year'], value: 'day' }],
    [
      'FIELD',
      { member: 'orders.status', members: ['orders.status', { member: 'orders.placed' }], value: 'orders.placed' },
    ],
    ['FIELD', { member: 'orders.count', members: ['orders.count'] }],
    ['CHART', { reportId: 1 }],
    ['TEXT', { markdown: 'orders.statsu' }],
  ])('are accepted: %s %j', (type, config) => {
    expect(check(type, config)).not.toThrow();
  });

  test.each<[Widget['type'], Widget['config'], string]>([
    ['FILTER', { member: 'orders.statsu' }, 'Widget w: orders.statsu is not a public dimension of the model'],
    ['FILTER', { member: 'orders.count' }, 'Widget w: orders.count is not a public dimension'],
    [
      'FILTER',
      { member: 'orders.placed', operator: 'contains', value: 'x' },
      'Widget w: orders.placed, of type time, cannot be filtered with this operator',
    ],
    [
      'FILTER',
      { member: 'orders.placed', value: 7 },
      'Widget w: orders.placed, of type time, does not support these values',
    ],
    [
      'FILTER',
      { member: 'orders.status', operator: 'contains', value: 'x', caseSensitive: true },
      'Widget w: orders.status, of type string, does not support this caseSensitive value',
    ],
    [
      'FIELD',
      { member: 'orders.total', members: ['orders.count'] },
      'Widget w: orders.total is not a public dimension or measure',
    ],
    [
      'FIELD',
      { member: 'orders.status', members: [{ member: 'orders.x' }] },
      'Widget w: orders.x is not a public dimension or',
    ],
    ['FIELD', { member: 'orders.status', members: ['orders.count'] }, 'orders.count cannot replace orders.status'],
    ['TIME_GRAIN', { member: 'orders.status' }, 'Widget w: orders.status is not a time dimension'],
    [
      'TIME_GRAIN',
      { member: 'orders.placed', granularities: ['dai'] },
      'Widget w: orders.placed has no granularity "dai"',
    ],
    ['TIME_GRAIN', { member: 'orders.placed', value: 'dai' }, 'Widget w: orders.placed has no granularity "dai"'],
    ['TIME_GRAIN', { member: 'orders.placed', granularities: [7] }, 'Widget w: orders.placed has no granularity 7'],
  ])('are rejected: %s %j', (type, config, message) => {
    expect(check(type, config)).toThrow(message);
  });
});
