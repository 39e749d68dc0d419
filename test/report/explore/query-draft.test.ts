import { describe, expect, it } from 'vitest';
import { Query } from '../../../src/contract/query.js';
import type { FilterCondition } from '../../../src/contract/widget-config.js';
import { membersByName } from '../../../src/report/explore/members.js';
import {
  type Draft,
  emptyDraft,
  firstDraft,
  fromQuery,
  isMissing,
  isRunnable,
  keepVisible,
  toggleMember,
  toQuery,
} from '../../../src/report/explore/query-draft.js';
import { memberOf, sources } from '../../console/fixtures.js';
import fc, { anyText, casesAtDepth } from '../../property.js';

const select = (...names: string[]): Draft => names.map(memberOf).reduce(toggleMember, emptyDraft);
const filtered = (draft: Draft, name: string, condition: FilterCondition | null): Draft => ({
  ...draft,
  filters: new Map(draft.filters).set(memberOf(name), condition),
});

/** Returns a query in one of its equal forms: filters and time dimensions are sets, and an order has several forms. */
function normalize({ filters, timeDimensions, order, ...rest }: Query) {
  const sorted = (all: readonly unknown[] = []) => all.map(each => JSON.stringify(each)).sort();
  const entries = Array.isArray(order) ? order : Object.entries(order ?? {});
  return { ...rest, filters: sorted(filters), timeDimensions: sorted(timeDimensions), order: entries };
}

describe('the query of a draft', () => {
  it('has selected members by kind, in the order of their selection', () => {
    const draft = {
      ...select('orders.status', 'orders.large', 'orders.total', 'orders.at', 'orders.count'),
      order: { member: 'orders.total', direction: 'desc' as const },
      limit: 5,
      timezone: 'Europe/Berlin',
    };
    const query = toQuery(draft);
    expect(query).toEqual({
      measures: ['orders.total', 'orders.count'],
      dimensions: ['orders.status'],
      timeDimensions: [{ dimension: 'orders.at', granularity: 'month' }],
      segments: ['orders.large'],
      order: [['orders.total', 'desc']],
      limit: 5,
      timezone: 'Europe/Berlin',
    });
    expect(Query.safeParse(query).success).toBe(true);
  });

  it('omits what is not set', () => {
    expect(toQuery(select('orders.count'))).toEqual({ measures: ['orders.count'], limit: 1000 });
  });

  it('has a date range for a selected time dimension, and a filter for another one', () => {
    const range: FilterCondition = { operator: 'between', value: ['2001-01-01', '2001-01-31'] };
    expect(toQuery(filtered(select('orders.at'), 'orders.at', range))).toMatchObject({
      timeDimensions: [{ dimension: 'orders.at', granularity: 'month', dateRange: ['2001-01-01', '2001-01-31'] }],
    });
    expect(toQuery(filtered(select('orders.at'), 'orders.at', range))).not.toHaveProperty('filters');
    const phrase = toQuery(filtered(select('orders.count'), 'orders.at', { operator: 'custom', value: 'last month' }));
    expect(phrase).not.toHaveProperty('timeDimensions');
    expect(phrase.filters).toEqual([{ member: 'orders.at', operator: 'inDateRange', values: ['last month'] }]);
  });

  it('keeps an open date range as a filter', () => {
    const open = filtered(select('orders.at'), 'orders.at', { operator: 'between', value: ['2001-01-01', null] });
    expect(toQuery(open)).toMatchObject({
      timeDimensions: [{ dimension: 'orders.at', granularity: 'month' }],
      filters: [{ member: 'orders.at', operator: 'afterOrOnDate', values: ['2001-01-01'] }],
    });
  });

  it('has the filters with a condition', () => {
    const draft = filtered(filtered(select('orders.count'), 'orders.status', null), 'orders.total', {
      operator: 'greater_than',
      value: 5,
    });
    expect(toQuery(draft).filters).toEqual([{ member: 'orders.total', operator: 'gt', values: [5] }]);
  });
});

it('deselects a member together with its granularity and its order', () => {
  const draft: Draft = { ...select('orders.count', 'orders.at'), order: { member: 'orders.at', direction: 'asc' } };
  expect(toggleMember(draft, memberOf('orders.at'))).toEqual(select('orders.count'));
});

it('cannot run without a column', () => {
  expect([emptyDraft, select('orders.large')].map(isRunnable)).toEqual([false, false]);
  expect(isRunnable({ ...select('orders.at'), granularities: new Map([['orders.at', null]]) })).toBe(false);
  expect(isRunnable(select('orders.at'))).toBe(true);
});

it('starts with the count over time', () => {
  expect(toQuery(firstDraft(sources))).toEqual({
    measures: ['orders.count'],
    timeDimensions: [{ dimension: 'orders.at', granularity: 'month' }],
    limit: 1000,
  });
  expect(firstDraft([])).toEqual(emptyDraft);
});

it('drops members and filters that another viewer does not see', () => {
  const draft = filtered(filtered(select('orders.count', 'users.city'), 'users.city', null), 'orders.status', null);
  const visible = membersByName(sources.filter(({ name }) => name === 'orders'));
  expect(keepVisible(draft, visible)).toEqual(filtered(select('orders.count'), 'orders.status', null));
});

describe('the draft of a query', () => {
  const visible = membersByName(sources);
  it.each<[string, Query]>([
    ['members of each kind', { measures: ['orders.total', 'orders.count'], dimensions: ['orders.status'] }],
    ['segments', { measures: ['orders.count'], segments: ['orders.large'] }],
    [
      'a granularity and a range',
      {
        measures: ['orders.count'],
        timeDimensions: [{ dimension: 'orders.at', granularity: 'month', dateRange: ['2024-01-01', '2024-12-31'] }],
      },
    ],
    [
      'a relative range without a granularity',
      {
        measures: ['orders.count'],
        timeDimensions: [{ dimension: 'orders.at', dateRange: 'last 7 days' }],
      },
    ],
    [
      'filters',
      {
        measures: ['orders.count'],
        filters: [
          { member: 'orders.status', operator: 'equals', values: ['paid', 'open'] },
          { member: 'orders.total', operator: 'gt', values: [100] },
        ],
      },
    ],
    ['an order and a limit', { measures: ['orders.count'], order: [['orders.count', 'desc']], limit: 10 }],
    ['a time zone', { measures: ['orders.count'], timezone: 'Europe/Berlin' }],
    [
      'what no draft can express',
      {
        measures: ['orders.count'],
        dimensions: ['orders.status'],
        filters: [
          {
            or: [
              { member: 'orders.status', operator: 'set' },
              { member: 'orders.paid', operator: 'set' },
            ],
          },
          { member: 'orders.at', operator: 'inDateRange', values: ['today'] },
        ],
        order: [
          ['orders.count', 'desc'],
          ['orders.status', 'asc'],
        ],
        timeDimensions: [{ dimension: 'orders.at', compareDateRange: ['this week', 'last week'] }],
        offset: 5,
        total: true,
        timezone: 'UTC',
      },
    ],
    ['a member that the model no longer has', { measures: ['orders.gone'], dimensions: ['orders.status'] }],
  ])('gives the same query again: %s', (_, query) => {
    expect(toQuery(fromQuery(query, visible))).toEqual(query);
  });

  it('gives any query of an author again', () => {
    const names = (...all: string[]) => fc.uniqueArray(fc.constantFrom(...all), { minLength: 1 });
    const day = fc.constantFrom('2024-01-01', '2024-02-29', '2024-12-31T10:00:00.000');
    const dateRange = fc.oneof(fc.constantFrom('last 7 days', 'today'), fc.array(day, { minLength: 1, maxLength: 2 }));
    const granularity = fc.constantFrom('day', 'month', 'hour');
    const time = fc.record(
      { dimension: fc.constantFrom('orders.at', 'orders.gone_at'), granularity, dateRange },
      { requiredKeys: ['dimension'] },
    );
    const member = fc.constantFrom('orders.status', 'orders.total', 'orders.at', 'orders.gone');
    const operator = fc.constantFrom(
      'equals',
      'notEquals',
      'contains',
      'gt',
      'lte',
      'inDateRange',
      'beforeDate',
      'set',
    );
    const values = fc.array(fc.oneof(fc.constantFrom('a', '1', '2024-01-01'), anyText()), { maxLength: 3 });
    const condition = fc.record({ member, operator, values }, { requiredKeys: ['member', 'operator'] });
    const filter = fc.oneof(condition, fc.record({ or: fc.array(condition, { minLength: 1, maxLength: 2 }) }));
    const direction = fc.constantFrom('asc', 'desc');
    const order = fc.oneof(
      fc.array(fc.tuple(member, direction), { maxLength: 2 }),
      fc.dictionary(member, direction, { maxKeys: 2 }),
    );
    const query = fc.record(
      {
        measures: names('orders.total', 'orders.count', 'orders.gone'),
        dimensions: names('orders.status', 'orders.gone'),
        segments: names('orders.large'),
        timeDimensions: fc.uniqueArray(time, { minLength: 1, selector: ({ dimension }) => dimension }),
        filters: fc.array(filter, { minLength: 1, maxLength: 4 }),
        order,
        limit: fc.nat(100),
        offset: fc.nat(9),
        total: fc.boolean(),
        timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(query, written => {
        const parsed = Query.safeParse(written);
        fc.pre(parsed.data !== undefined);
        expect(normalize(toQuery(fromQuery(parsed.data, visible)))).toEqual(normalize(parsed.data));
      }),
      { numRuns: casesAtDepth(5_000, 500) },
    );
  });

  it('marks members that the model no longer has', () => {
    const { members } = fromQuery({ measures: ['orders.gone', 'orders.count'] }, visible);
    expect(members.map(isMissing)).toEqual([true, false]);
  });
});
