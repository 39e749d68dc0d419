import { describe, expect, it } from 'vitest';
import type { Query } from '../../src/contract/query.js';
import {
  type Choice,
  type Control,
  controlOf,
  suggestionQuery,
  suggestions,
  withChoices,
} from '../../src/report/controls.js';

const position = { x: 0, y: 0, w: 1, h: 1 };
const widget = (type: string, config: Record<string, unknown>) => ({ id: 'c', type, position, config });

const control = (kind: Control['kind'], member: string): Control => ({
  id: member,
  kind,
  title: member,
  member,
  values: null,
  initial: null,
});
const filter = (member: string, value: string | null): Choice => ({ control: control('filter', member), value });
const grain = (value: string | null, member = 'orders.date'): Choice => ({ control: control('grain', member), value });

const monthly: Query = {
  measures: ['orders.count'],
  timeDimensions: [{ dimension: 'orders.date', granularity: 'month', dateRange: 'last year' }],
};

describe('controlOf', () => {
  it('reads a filter, and names it after its member', () => {
    expect(controlOf(widget('FILTER', { member: 'orders.ship_state' }))).toEqual({
      id: 'c',
      kind: 'filter',
      title: 'Ship state',
      member: 'orders.ship_state',
      values: null,
      initial: null,
    });
    const config = { member: 'orders.state', title: 'Where', values: ['CA', 7, '', 'NY'], value: 'CA' };
    expect(controlOf(widget('FILTER', config))).toMatchObject({ title: 'Where', values: ['CA', 'NY'], initial: 'CA' });
  });

  it('reads a granularity', () => {
    expect(controlOf(widget('TIME_GRAIN', { member: 'orders.date' }))).toMatchObject({
      kind: 'grain',
      values: ['day', 'week', 'month', 'quarter', 'year'],
    });
    expect(controlOf(widget('TIME_GRAIN', { member: 'orders.date', granularities: ['day'] }))?.values).toEqual(['day']);
  });

  it.each([
    ['another widget', widget('CHART', { member: 'orders.state' })],
    ['no member', widget('FILTER', {})],
    ['what is no member', widget('FILTER', { member: '__proto__' })],
    ['no config', { id: 'c', type: 'FILTER', position }],
  ])('makes nothing of %s', (_what, given) => {
    expect(controlOf(given)).toBeNull();
  });
});

describe('withChoices', () => {
  it('leaves a query alone while nothing is chosen', () => {
    const { query, renamed, ignored } = withChoices(monthly, [filter('orders.state', null), grain(null)]);
    expect(query).toBe(monthly);
    expect([renamed.size, ignored]).toEqual([0, []]);
  });

  it('adds a filter to the filters of the query', () => {
    const own: Query = { ...monthly, filters: [{ member: 'orders.paid', operator: 'set' }] };
    expect(withChoices(own, [filter('orders.state', 'CA')]).query.filters).toEqual([
      { member: 'orders.paid', operator: 'set' },
      { member: 'orders.state', operator: 'equals', values: ['CA'] },
    ]);
    expect(own.filters).toHaveLength(1);
  });

  it('leaves queries of another view alone', () => {
    expect(withChoices(monthly, [filter('users.state', 'CA')]).query).toBe(monthly);
    expect(withChoices({ measures: ['ordersx.count'] }, [filter('orders.state', 'CA')]).query.filters).toBeUndefined();
  });

  it('puts another granularity in the place of the report’s own, in its order too', () => {
    const orders: Query['order'][] = [
      { 'orders.date.month': 'desc', 'orders.count': 'asc' },
      [
        ['orders.date.month', 'desc'],
        ['orders.count', 'asc'],
      ],
      [
        { id: 'orders.date.month', desc: true },
        { id: 'orders.count', desc: false },
      ],
    ];
    for (const order of orders) {
      const { query, renamed } = withChoices({ ...monthly, order }, [grain('week')]);
      expect(query.timeDimensions).toEqual([{ dimension: 'orders.date', granularity: 'week', dateRange: 'last year' }]);
      expect(query.order).toEqual([
        { id: 'orders.date.week', desc: true },
        { id: 'orders.count', desc: false },
      ]);
      expect([...renamed]).toEqual([['orders.date.month', 'orders.date.week']]);
    }
  });

  it('finds a granularity among the dimensions', () => {
    const { query } = withChoices({ dimensions: ['orders.date.month', 'orders.state'] }, [grain('week')]);
    expect(query.dimensions).toEqual(['orders.date.week', 'orders.state']);
  });

  it('leaves queries that are not grouped by the time alone', () => {
    const queries: Query[] = [
      { measures: ['orders.count'], timeDimensions: [{ dimension: 'orders.date', dateRange: 'last year' }] },
      { measures: ['orders.count'], dimensions: ['orders.date_band'] },
      { ...monthly, timeDimensions: [{ dimension: 'orders.date', granularity: 'week' }] },
    ];
    for (const query of queries) expect(withChoices(query, [grain('week')]).query).toBe(query);
  });

  it('tells of two granularities of one time, which it leaves alone', () => {
    const query: Query = { dimensions: ['orders.date.month', 'orders.date.year'] };
    const choice = grain('week');
    expect(withChoices(query, [choice])).toMatchObject({ query, ignored: [choice.control] });
  });
});

describe('values to choose from', () => {
  it('are asked of the data where none are told', () => {
    const state = control('filter', 'orders.state');
    expect(suggestionQuery(state)).toMatchObject({ dimensions: ['orders.state'] });
    expect(suggestionQuery({ ...state, values: ['CA'] })).toBeNull();
  });

  it('are the values of the rows as text, without those that are none', () => {
    const annotation = { title: '', shortTitle: '', type: 'string' };
    const rows = [{ 'o.s': 'CA' }, { 'o.s': null }, { 'o.s': true }, { 'o.s': '' }];
    const columns = [{ member: 'o.s', kind: 'dimension' as const, annotation }];
    expect(suggestions({ columns, rows, truncated: false, lastRefreshTime: null })).toEqual(['CA', 'true']);
  });
});
