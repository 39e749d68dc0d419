import { describe, expect, it } from 'vitest';
import type { Query } from '../../../src/contract/query.js';
import { type Choice, choicesOfTile, type FilterChoice, withChoices } from '../../../src/report/controls/controls.js';

const filter = (member: string, value: string | null, more: Partial<FilterChoice> = {}): FilterChoice => ({
  kind: 'filter',
  title: 'Filter',
  member,
  type: 'string',
  condition: value === null ? null : { value },
  control: 'filter',
  from: null,
  ...more,
});
const grain = (value: string | null, member = 'orders.date'): Choice => ({
  kind: 'grain',
  title: 'Step',
  member,
  value,
  control: 'grain',
});
const field = (value: string | null, member = 'orders.state'): Choice => ({
  kind: 'field',
  title: 'By',
  member,
  value,
  control: 'field',
});

const monthly: Query = {
  measures: ['orders.count'],
  timeDimensions: [{ dimension: 'orders.date', granularity: 'month', dateRange: 'last year' }],
};

describe('withChoices', () => {
  it('does not change a query without choices', () => {
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

  it('does not change queries of another view', () => {
    expect(withChoices(monthly, [filter('users.state', 'CA')]).query).toBe(monthly);
    expect(withChoices({ measures: ['ordersx.count'] }, [filter('orders.state', 'CA')]).query.filters).toBeUndefined();
  });

  it('replaces the granularity of the report, also in its order', () => {
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

  it('does not change queries that are not grouped by the time dimension', () => {
    const queries: Query[] = [
      { measures: ['orders.count'], timeDimensions: [{ dimension: 'orders.date', dateRange: 'last year' }] },
      { measures: ['orders.count'], dimensions: ['orders.date_band'] },
      { ...monthly, timeDimensions: [{ dimension: 'orders.date', granularity: 'week' }] },
    ];
    for (const query of queries) expect(withChoices(query, [grain('week')]).query).toBe(query);
  });

  it('reports two granularities of one time dimension and does not change them', () => {
    const query: Query = { dimensions: ['orders.date.month', 'orders.date.year'] };
    expect(withChoices(query, [grain('week')])).toMatchObject({
      query,
      ignored: [{ title: 'Step', reason: 'grains' }],
    });
  });

  it('replaces a member in dimensions, measures and order', () => {
    const query: Query = {
      dimensions: ['orders.state', 'orders.city'],
      measures: ['orders.count'],
      filters: [{ member: 'orders.state', operator: 'set' }],
      order: { 'orders.state': 'asc', 'orders.count': 'desc' },
    };
    const { query: changed, renamed } = withChoices(query, [
      field('orders.country'),
      field('orders.sum', 'orders.count'),
    ]);
    expect(changed).toEqual({
      dimensions: ['orders.country', 'orders.city'],
      measures: ['orders.sum'],
      filters: [{ member: 'orders.state', operator: 'set' }],
      order: [
        { id: 'orders.country', desc: false },
        { id: 'orders.sum', desc: true },
      ],
    });
    expect([...renamed]).toEqual([
      ['orders.state', 'orders.country'],
      ['orders.count', 'orders.sum'],
    ]);
  });

  it('reports a member that the report already contains and does not change the report', () => {
    const query: Query = { measures: ['orders.count'], dimensions: ['orders.state', 'orders.city'] };
    const answer = withChoices(query, [field('orders.city'), filter('orders.state', 'CA')]);
    expect(answer.query.dimensions).toEqual(['orders.state', 'orders.city']);
    expect(answer.query.filters).toHaveLength(1);
    expect(answer.ignored).toEqual([{ title: 'By', reason: 'taken' }]);
    expect(answer.renamed.size).toBe(0);
  });

  it('swaps two members, and skips choices that still collide', () => {
    const query: Query = { dimensions: ['orders.state', 'orders.city', 'orders.status'] };
    const swap = [field('orders.city'), field('orders.state', 'orders.city')];
    expect(withChoices(query, swap).query.dimensions).toEqual(['orders.city', 'orders.state', 'orders.status']);
    expect(withChoices(query, swap).ignored).toEqual([]);
    const three = withChoices(query, [...swap, field('orders.state', 'orders.status')]);
    expect(new Set(three.query.dimensions).size).toBe(3);
    expect(three.ignored.length).toBeGreaterThan(0);
  });

  it('applies the chosen granularity to a replaced time dimension', () => {
    const choices = [field('orders.shipped', 'orders.date'), grain('week')];
    const { query, renamed } = withChoices({ ...monthly, order: { 'orders.date.month': 'asc' } }, choices);
    expect(query.timeDimensions).toEqual([
      { dimension: 'orders.shipped', granularity: 'week', dateRange: 'last year' },
    ]);
    expect(query.order).toEqual([{ id: 'orders.shipped.week', desc: false }]);
    expect([...renamed]).toEqual([['orders.date.month', 'orders.shipped.week']]);
  });

  it('reports and skips a condition that the Data API cannot express', () => {
    const choice = filter('orders.state', 'CA', {
      condition: { operator: 'contains', value: 'a', caseSensitive: true },
    });
    expect(withChoices(monthly, [choice])).toEqual({
      query: monthly,
      renamed: new Map(),
      ignored: [{ title: 'Filter', reason: 'case' }],
    });
  });

  it('sets the time zone, and does not change a query that already has it', () => {
    const zone: Choice = { kind: 'timezone', value: 'Asia/Tokyo' };
    const { query } = withChoices(monthly, [zone]);
    expect(query).toEqual({ ...monthly, timezone: 'Asia/Tokyo' });
    expect(withChoices(query, [zone]).query).toBe(query);
  });
});

describe('choicesOfTile', () => {
  it('omits choices made on the tile itself', () => {
    const mark = filter('orders.state', 'CA', { control: null, from: 'w1' });
    expect(choicesOfTile([mark], 'w1', new Map())).toEqual([]);
    expect(choicesOfTile([mark], 'w2', new Map())).toEqual([mark]);
  });

  it('maps a control to another member or disconnects it', () => {
    const choices = [filter('orders.state', 'CA'), grain('week')];
    const mapped = choicesOfTile(
      choices,
      'w',
      new Map([
        ['filter', 'users.state'],
        ['grain', null],
      ]),
    );
    expect(mapped).toEqual([filter('users.state', 'CA')]);
    expect(choicesOfTile(choices, 'w', new Map([['other', null]]))).toEqual(choices);
  });
});
