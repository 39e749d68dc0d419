import { describe, expect, it } from 'vitest';
import type { DashboardWidget } from '../../../src/contract/dashboards.js';
import type { ModelFacts } from '../../../src/report/controls/model-facts.js';
import { proposeControls, settableControls } from '../../../src/report/controls/propose-controls.js';
import { controlOf } from '../../../src/report/controls/read-control.js';

const facts: ModelFacts = new Map(
  (['status', 'amount', 'date'] as const).map(name => [
    `orders.${name}`,
    {
      type: ({ status: 'string', amount: 'number', date: 'time' } as const)[name],
      title: name,
      counts: false,
      meta: undefined,
    },
  ]),
);
const widget = (id: string, type: string, config: Record<string, unknown>): DashboardWidget => ({
  id,
  type,
  position: { x: 0, y: 0, w: 2, h: 1 },
  config,
});
const widgets = [
  widget('status', 'FILTER', { member: 'orders.status', title: 'Status', values: ['open', 'closed'], single: true }),
  widget('amount', 'FILTER', { member: 'orders.amount', title: 'Amount', operators: ['greater_than'] }),
  widget('grain', 'TIME_GRAIN', { member: 'orders.date', title: 'Grain', granularities: ['day', 'week'] }),
  widget('figure', 'FIELD', {
    member: 'orders.status',
    title: 'Figure',
    members: [{ member: 'orders.amount', title: 'Sum' }],
  }),
  widget('focus', 'PARENT', {
    title: 'Focus',
    options: [{ id: 'weekly', title: 'Weekly', controls: { grain: 'week', status: { value: 'open' } } }],
  }),
  widget('hidden', 'FILTER', { member: 'orders.amount', visibility: 'hidden' }),
  widget('fixed', 'FILTER', { member: 'orders.amount', visibility: 'disabled' }),
  widget('secret', 'FILTER', { member: 'people.salary' }),
];
const settable = settableControls(
  widgets.flatMap(one => controlOf(one) ?? []),
  facts,
);
const propose = (control: string, value: unknown) => proposeControls(settable, [{ control, value }]);

describe('proposed values of controls', () => {
  it('become the state of the dashboard, with a description', () => {
    const proposed = proposeControls(settable, [
      { control: 'status', value: { value: ['open'] } },
      { control: 'grain', value: 'week' },
      { control: 'figure', value: 'orders.amount' },
      { control: 'amount', value: null },
    ]);
    expect(proposed).toEqual({
      state: {
        filters: { 'orders.status': { value: ['open'] }, 'orders.amount': null },
        timeGrains: { 'orders.date': 'week' },
        members: { 'orders.status': 'orders.amount' },
      },
      changes: [
        { title: 'Status', value: 'open' },
        { title: 'Grain', value: 'week' },
        { title: 'Figure', value: 'Sum' },
        { title: 'Amount', value: null },
      ],
    });
  });

  it('set the controls of a parent option', () => {
    expect(propose('focus', 'weekly')).toMatchObject({
      state: { filters: { 'orders.status': { value: 'open' } }, timeGrains: { 'orders.date': 'week' } },
    });
  });

  it.each([
    ['status', { value: ['unknown'] }],
    ['status', { value: ['open', 'closed'] }],
    ['status', { operator: 'contains', value: 'o' }],
    ['status', 'open'],
    ['amount', { value: 5 }],
    ['amount', { operator: 'greater_than', value: 'much' }],
    ['grain', 'month'],
    ['figure', 'orders.status'],
    ['focus', 'daily'],
    ['focus', null],
    ['hidden', { value: 5 }],
    ['fixed', { value: 5 }],
    ['secret', { value: 5 }],
    ['__proto__', null],
  ])('are rejected for %s: %j', (control, value) => {
    expect(propose(control, value)).toHaveProperty('problem');
  });

  it('are all rejected if one of them is invalid', () => {
    const proposals = [
      { control: 'grain', value: 'week' },
      { control: 'grain', value: 'month' },
    ];
    expect(proposeControls(settable, proposals)).toHaveProperty('problem');
  });
});
