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
    expect(withChoices(query, [grain('week')])).toMatchObject({
      query,
      ignored: [{ title: 'Step', reason: 'grains' }],
    });
  });

  it('puts another member in the place of one, wherever rows are grouped, measured or ordered by it', () => {
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

  it('tells of a member that stands in the report already, and leaves the report alone', () => {
    const query: Query = { measures: ['orders.count'], dimensions: ['orders.state', 'orders.city'] };
    const answer = withChoices(query, [field('orders.city'), filter('orders.state', 'CA')]);
    expect(answer.query.dimensions).toEqual(['orders.state', 'orders.city']);
    expect(answer.query.filters).toHaveLength(1);
    expect(answer.ignored).toEqual([{ title: 'By', reason: 'taken' }]);
    expect(answer.renamed.size).toBe(0);
  });

  it('lets two members take each other’s place, and leaves out what still collides', () => {
    const query: Query = { dimensions: ['orders.state', 'orders.city', 'orders.status'] };
    const swap = [field('orders.city'), field('orders.state', 'orders.city')];
    expect(withChoices(query, swap).query.dimensions).toEqual(['orders.city', 'orders.state', 'orders.status']);
    expect(withChoices(query, swap).ignored).toEqual([]);
    const three = withChoices(query, [...swap, field('orders.state', 'orders.status')]);
    expect(new Set(three.query.dimensions).size).toBe(3);
    expect(three.ignored.length).toBeGreaterThan(0);
  });

  it('gives another time the granularity that was chosen for the one before', () => {
    const choices = [field('orders.shipped', 'orders.date'), grain('week')];
    const { query, renamed } = withChoices({ ...monthly, order: { 'orders.date.month': 'asc' } }, choices);
    expect(query.timeDimensions).toEqual([
      { dimension: 'orders.shipped', granularity: 'week', dateRange: 'last year' },
    ]);
    expect(query.order).toEqual([{ id: 'orders.shipped.week', desc: false }]);
    expect([...renamed]).toEqual([['orders.date.month', 'orders.shipped.week']]);
  });

  it('tells of a condition that can’t be put into words of the Data API, and leaves it out', () => {
    const choice = filter('orders.state', 'CA', {
      condition: { operator: 'contains', value: 'a', caseSensitive: true },
    });
    expect(withChoices(monthly, [choice])).toEqual({
      query: monthly,
      renamed: new Map(),
      ignored: [{ title: 'Filter', reason: 'case' }],
    });
  });

  it('puts in the time zone, and leaves a query alone that has it', () => {
    const zone: Choice = { kind: 'timezone', value: 'Asia/Tokyo' };
    const { query } = withChoices(monthly, [zone]);
    expect(query).toEqual({ ...monthly, timezone: 'Asia/Tokyo' });
    expect(withChoices(query, [zone]).query).toBe(query);
  });
});

describe('choicesOfTile', () => {
  it('leaves out what was chosen on the tile itself', () => {
    const mark = filter('orders.state', 'CA', { control: null, from: 'w1' });
    expect(choicesOfTile([mark], 'w1', new Map())).toEqual([]);
    expect(choicesOfTile([mark], 'w2', new Map())).toEqual([mark]);
  });

  it('takes a control for another member, or for none, where the tile says so', () => {
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
